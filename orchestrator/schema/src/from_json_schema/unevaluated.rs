//! `unevaluatedProperties` and `unevaluatedItems`, said by other keywords where it does not depend on the value what was
//! evaluated: `$ref` and `allOf` always hold, so the names that they know are known when the schema is read.

use super::defect;
use super::document::Document;
use super::flat::{Flat, flatten};
use crate::defect::{Defect, DefectRule};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Keywords that make it depend on the value what was evaluated.
const CONDITIONAL: [&str; 8] =
    ["anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies", "$dynamicRef"];
/// Keywords that evaluate members, or lead to some that do.
const EVALUATING: [&str; 6] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "$ref",
    "$dynamicRef",
];

/// The keywords that mean the same, to stand beside those that are there already.
pub(super) fn meaning(
    document: &Document<'_>,
    at: &str,
    name: &str,
    value: &Json,
    beside: &Map<String, Json>,
) -> Result<Map<String, Json>, Defect> {
    let mut out = Map::new();
    if *value == json!(true) {
        return Ok(out);
    }
    let flat = flatten(document, &vec![at.to_owned()])?;
    let served = if name == "unevaluatedItems" {
        items(&flat, value, &mut out)
    } else {
        *value == json!(false) && properties(&flat, &mut out)
    };
    if !served {
        let message = format!(
            "{name} beside schemas that hold for some values only is not served; write additionalProperties or items"
        );
        return Err(defect(at, DefectRule::Unsupported, message));
    }
    // A keyword that is there already holds as well.
    if let (Some(names), Some(_)) = (out.get("propertyNames").cloned(), beside.get("propertyNames")) {
        out.remove("propertyNames");
        let mut all = beside.get("allOf").and_then(Json::as_array).cloned().unwrap_or_default();
        all.push(json!({ "propertyNames": names }));
        out.insert("allOf".to_owned(), Json::Array(all));
    }
    Ok(out)
}

/// Whether it is one schema alone that knows the names: then the keyword is another `additionalProperties`.
pub(super) fn is_alone(schema: &Map<String, Json>) -> bool {
    !schema.contains_key("$ref") && !schema.contains_key("allOf")
}

/// The names that are known, as what every name has to be.
fn properties(flat: &Flat<'_>, out: &mut Map<String, Json>) -> bool {
    let (mut names, mut ways) = (BTreeSet::new(), Vec::new());
    for atom in &flat.atoms {
        if CONDITIONAL.iter().any(|name| atom.get(name).is_some_and(evaluates)) {
            return false;
        }
        let all = |name: &str| atom.get(name).is_some_and(|schema| *schema != json!(false));
        if all("additionalProperties") || all("unevaluatedProperties") {
            return true;
        }
        names.extend(keys(atom.get("properties")).cloned());
        ways.extend(keys(atom.get("patternProperties")).map(|pattern| json!({ "pattern": pattern })));
    }
    ways.push(json!({ "enum": names }));
    out.insert("propertyNames".to_owned(), json!({ "anyOf": ways }));
    true
}

fn keys(members: Option<&Json>) -> impl Iterator<Item = &String> {
    members.and_then(Json::as_object).into_iter().flat_map(|members| members.keys())
}

/// Whether a schema, or one within it, says anything about members. The document's depth is bounded.
fn evaluates(schema: &Json) -> bool {
    match schema {
        Json::Object(members) => {
            members.iter().any(|(name, value)| EVALUATING.contains(&name.as_str()) || evaluates(value))
        }
        Json::Array(list) => list.iter().any(evaluates),
        _ => false,
    }
}

/// Beside a tuple alone it is about what follows; beside `items` it is about nothing.
fn items(flat: &Flat<'_>, value: &Json, out: &mut Map<String, Json>) -> bool {
    let [atom] = flat.atoms.as_slice() else { return false };
    if CONDITIONAL.iter().chain(&["contains", "not"]).any(|name| atom.get(name).is_some()) {
        return false;
    }
    let rest = match atom.get("items") {
        Some(Json::Array(_)) => atom.get("additionalItems"),
        other => other,
    };
    if rest.is_none() {
        if !value.is_boolean() {
            return false;
        }
        out.insert("items".to_owned(), value.clone());
    }
    true
}
