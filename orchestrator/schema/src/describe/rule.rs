//! Rules in JSON Schema, which are shown as they are; one that refers to parts of itself becomes a definition, so that
//! its references still lead to them.

use super::json::Schema;
use crate::graph::{FieldType, Graph, MessageType};
use crate::kind::Type;
use crate::rule::Rule;
use hashbrown::HashSet;
use serde_json::{Value as Json, json};

/// Adds a field's rule to the schema of each of its values.
pub(super) fn element(field: &FieldType, schema: &mut Schema, definitions: &mut Schema) {
    let Some(rule) = &field.rule else { return };
    if matches!(field.kind, Type::Integer(integer) if integer.is_wide()) {
        // Text with the digits of a number is no number to a rule.
        schema.insert("type".to_owned(), json!("integer"));
        schema.remove("pattern");
    }
    add(rule, field.descriptor.full_name(), schema, definitions);
}

/// Adds a message's rule, where its members have their own names; else it is said in words.
pub(super) fn message(graph: &Graph, message: &MessageType, schema: &mut Schema, definitions: &mut Schema) {
    let Some(rule) = &message.rule else { return };
    if as_written(graph, message) {
        return add(rule, &message.full_name, schema, definitions);
    }
    let text = schema.get("description").and_then(Json::as_str).unwrap_or_default();
    let text = format!("{text} Meets, under the names of its JSON: {}", rule.text());
    schema.insert("description".to_owned(), json!(text.trim_start()));
}

fn add(rule: &Rule, name: &str, schema: &mut Schema, definitions: &mut Schema) {
    let Ok(mut rule) = serde_json::from_str::<Json>(rule.text()) else { return };
    let name = format!("{name}.json_schema");
    if rebase(&mut rule, &format!("#/$defs/{name}")) {
        definitions.insert(name.clone(), rule);
        rule = json!({ "$ref": format!("#/$defs/{name}") });
    }
    let Json::Object(asked) = &rule else {
        schema.insert("allOf".to_owned(), json!([rule]));
        return;
    };
    // Where the schema says no more than a type, and the rule says as much, the rule alone says it all.
    if schema.keys().all(|key| key == "type")
        && !asked.contains_key("$ref")
        && schema.get("type").is_none_or(|own| asked.get("type").is_some_and(|type_| is_within(type_, own)))
    {
        schema.extend(asked.clone());
        return;
    }
    match schema.get_mut("allOf") {
        Some(Json::Array(all)) => all.push(rule),
        _ => {
            schema.insert("allOf".to_owned(), json!([rule]));
        }
    }
}

/// Whether each of some types is one of others.
fn is_within(types: &Json, others: &Json) -> bool {
    let names = |types: &Json| match types {
        Json::Array(list) => list.clone(),
        one => vec![one.clone()],
    };
    let others = names(others);
    let known =
        |name: &Json| others.contains(name) || (*name == "integer" && others.contains(&json!("number")));
    names(types).iter().all(known)
}

/// Puts a path before every reference; says whether there is one. A rule's JSON nests no deeper than a value may.
fn rebase(value: &mut Json, base: &str) -> bool {
    match value {
        Json::Array(list) => list.iter_mut().fold(false, |any, value| rebase(value, base) | any),
        Json::Object(object) => {
            let mut any = false;
            for (name, value) in object.iter_mut() {
                match value {
                    Json::String(text) if name == "$ref" => {
                        *text = format!("{base}{}", text.strip_prefix('#').unwrap_or(text));
                        any = true;
                    }
                    Json::Array(_) if matches!(name.as_str(), "enum" | "required") => {}
                    _ if name == "const" => {}
                    value => any |= rebase(value, base),
                }
            }
            any
        }
        _ => false,
    }
}

/// Whether a message's JSON is what its rule is about: no other names, nulls or spread members at any depth.
fn as_written(graph: &Graph, root: &MessageType) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![root];
    while let Some(message) = open.pop() {
        for field in &message.fields {
            let spec = &field.spec;
            if field.descriptor.json_name() != field.name.as_ref() || spec.json_null || spec.json_spread {
                return false;
            }
            if let Type::Message(index) = field.kind
                && seen.insert(index)
                && let Some(inner) = graph.message(index)
            {
                open.push(inner);
            }
        }
    }
    true
}
