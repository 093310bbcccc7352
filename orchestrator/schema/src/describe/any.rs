//! A `google.protobuf.Any`: one of the messages of the pool, with the URL of its type beside its fields.

use super::{field, message_schema};
use crate::graph::{Graph, MessageType};
use serde_json::{Map, Value as Json, json};

/// Every message that may be packed, and nothing at all.
pub(super) fn schema(graph: &Graph, root: u32) -> Json {
    let packed = graph.packable().map(|message| Json::Object(packed(graph, root, message)));
    let nothing = json!({ "type": "object", "maxProperties": 0 });
    json!({ "anyOf": packed.chain([nothing]).collect::<Vec<_>>() })
}

fn packed(graph: &Graph, root: u32, message: &MessageType) -> Map<String, Json> {
    let mut schema = match &message.whole {
        None => message_schema(graph, root, message),
        Some(whole) => {
            let value = Json::Object(field::element(graph, root, whole));
            let Json::Object(schema) = json!({
                "type": "object",
                "properties": { "value": value },
                "required": ["value"],
                "additionalProperties": false,
            }) else {
                return Map::new();
            };
            schema
        }
    };
    let url = format!("/{}$", message.full_name.replace('.', "\\."));
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        properties.insert("@type".to_owned(), json!({ "type": "string", "pattern": url }));
    }
    let required = schema.entry("required").or_insert_with(|| json!([]));
    if let Json::Array(required) = required {
        required.insert(0, json!("@type"));
    }
    schema
}
