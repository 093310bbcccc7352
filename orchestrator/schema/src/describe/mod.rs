//! The schema as JSON Schema (draft 2020-12), for a model's function calling and for people.
//!
//! The plain dialect admits exactly the values that coerce without an entry but defaults. What JSON Schema cannot
//! say stays in words: bounds of times, lengths of bytes; and what it says less sharply than coercion: how many
//! digits a type holds, how deep a value nests, which date-times exist.

mod any;
mod comments;
mod field;

use crate::graph::{Graph, MessageType, Oneof};
use serde_json::{Map, Value as Json, json};

pub(crate) use self::comments::{field_text, message_text};

/// The plain dialect.
pub(crate) fn describe(graph: &Graph, root: u32) -> Json {
    let Some(message) = graph.message(root) else { return json!({}) };
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    match &message.whole {
        Some(whole) => schema.extend(field::element(graph, root, whole)),
        None => schema.extend(message_schema(graph, root, message)),
    }
    let definitions = definitions(graph, root);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Json::Object(definitions));
    }
    Json::Object(schema)
}

/// Every message below the root, once.
fn definitions(graph: &Graph, root: u32) -> Map<String, Json> {
    let mut definitions = Map::new();
    let mut open = vec![root];
    while let Some(message) = open.pop() {
        for index in graph.held(message) {
            let Some(held) = graph.message(index) else { continue };
            if index == root || held.whole.is_some() || definitions.contains_key(held.full_name.as_ref()) {
                continue;
            }
            definitions.insert(held.full_name.to_string(), Json::Object(message_schema(graph, root, held)));
            open.push(index);
        }
    }
    definitions
}

fn message_schema(graph: &Graph, root: u32, message: &MessageType) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    let text = message_text(message);
    if !text.is_empty() {
        schema.insert("description".to_owned(), json!(text));
    }
    let comments = comments::Comments::of(message);
    let mut properties = Map::new();
    for it in &message.fields {
        properties.insert(it.name.to_string(), field::schema(graph, root, it, &comments));
    }
    schema.insert("properties".to_owned(), Json::Object(properties));
    let required = message.fields.iter().filter(|field| field.required && field.default.is_none());
    let required: Vec<&str> = required.map(|field| field.name.as_ref()).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    // Also where unknown members are dropped: a member that is dropped has an entry.
    schema.insert("additionalProperties".to_owned(), json!(false));
    let oneofs: Vec<Json> = message.oneofs.iter().map(|oneof| at_most_one(message, oneof)).collect();
    if !oneofs.is_empty() {
        schema.insert("allOf".to_owned(), json!(oneofs));
    }
    schema
}

/// Exactly one of these holds: one member alone, or none.
fn at_most_one(message: &MessageType, oneof: &Oneof) -> Json {
    let members = oneof.fields.iter().filter_map(|index| message.field(*index));
    let single: Vec<Json> = members.map(|field| json!({ "required": [field.name.as_ref()] })).collect();
    let none = json!({ "not": { "anyOf": single } });
    let choices: Vec<Json> = single.into_iter().chain([none]).collect();
    json!({ "oneOf": choices })
}
