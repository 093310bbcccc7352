//! The strict dialect: JSON Schema as model providers' strict modes take it. What it admits coerces without a
//! violation; entries are in order, that is how the forms below come back.
//!
//! | what strict modes cannot say | what stands for it | what takes it back |
//! |---|---|---|
//! | a member that may be left out | a member that may be null | NULL_DROPPED |
//! | a map | a list of `{key, value}` | PAIRS_TO_MAP |
//! | a Struct | JSON text of an object | TEXT_TO_JSON |
//! | an object within a Value or ListValue | nothing: scalars and lists alone | |
//! | a 64-bit integer beyond ±(2^53 − 1) | its decimal text | it says the right thing |
//! | default, examples, unit, lengths, unique elements, which moments | the description | |

use super::comments::{Comments, message_text};
use super::json::{Schema, object};
use super::plain::items;
use super::scalar::Scalar;
use super::words::{
    MAX_TEXT, about, clipped, describe, exclusive, is_shut_out, ruled_whole, strictly, together,
};
use crate::graph::{FieldType, Graph, MapKey, MessageType, Shape};
use crate::kind::{IntegerType, Type};
use crate::value::{ANY_TYPE, ANY_VALUE};
use serde_json::{Value as Json, json};

const ANY: &str = "google.protobuf.Any";
const VALUE: &str = "google.protobuf.Value";
const URL: &str = "type.googleapis.com/";

/// The schema of the root, with everything else among its definitions.
pub(super) fn schema(graph: &Graph, root: u32) -> Json {
    let mut strict = Strict { graph, open: Vec::new(), any: false, value: false, definitions: Schema::new() };
    let mut schema = strict.root(root);
    strict.define();
    if !strict.definitions.is_empty() {
        schema.insert("$defs".to_owned(), Json::Object(strict.definitions));
    }
    Json::Object(schema)
}

struct Strict<'g> {
    graph: &'g Graph,
    /// Messages that were referred to.
    open: Vec<u32>,
    /// Whether an Any was referred to, and a Value.
    any: bool,
    value: bool,
    definitions: Schema,
}

// === impl Strict ===

impl<'g> Strict<'g> {
    fn root(&mut self, root: u32) -> Schema {
        match self.graph.message(root) {
            Some(MessageType { whole: Some(whole), .. }) => self.element(whole),
            Some(message) => self.message(message),
            None => Schema::new(),
        }
    }

    /// Everything that was referred to, each once.
    fn define(&mut self) {
        if self.any {
            let any = self.any();
            self.definitions.insert(ANY.to_owned(), any);
        }
        while let Some(index) = self.open.pop() {
            let Some(message) = self.graph.message(index) else { continue };
            if self.definitions.contains_key(message.full_name.as_ref()) {
                continue;
            }
            let schema = self.message(message);
            self.definitions.insert(message.full_name.to_string(), Json::Object(schema));
            if self.any && !self.definitions.contains_key(ANY) {
                let any = self.any();
                self.definitions.insert(ANY.to_owned(), any);
            }
        }
        if self.value {
            let ways = json!([
                { "type": ["string", "number", "boolean", "null"] },
                { "type": "array", "items": reference(VALUE) },
            ]);
            self.definitions.insert(VALUE.to_owned(), json!({ "anyOf": ways }));
        }
    }

    fn message(&mut self, message: &'g MessageType) -> Schema {
        let comments = Comments::of(message);
        let mut properties = Schema::new();
        for field in &message.fields {
            let schema = if is_shut_out(message, field) {
                object([("type", json!("null"))])
            } else {
                self.field(field, &comments.text(field))
            };
            properties.insert(field.name.to_string(), Json::Object(schema));
        }
        let mut schema = closed(properties);
        let text = message_text(message);
        let own = (!text.is_empty()).then(|| clipped(&text, MAX_TEXT));
        let oneofs = message.oneofs.iter().map(|oneof| exclusive(message, oneof));
        let asked = together(message).chain(ruled_whole(message));
        describe(&mut schema, &own.into_iter().chain(oneofs).chain(asked).collect::<Vec<_>>());
        schema
    }

    fn field(&mut self, field: &'g FieldType, text: &str) -> Schema {
        let element = self.element(field);
        let mut schema = match field.shape {
            Shape::Single => element,
            Shape::List { .. } => list(field, element),
            Shape::Map(key) => list(field, pair(key, element)),
        };
        if !field.required || field.default.is_some() {
            schema = nullable(schema);
        }
        let words = [about(self.graph, field, text), strictly(self.graph, field)].concat();
        // Nothing may stand beside a reference.
        if !words.is_empty() && schema.contains_key("$ref") {
            schema = object([("anyOf", json!([schema]))]);
        }
        describe(&mut schema, &words);
        schema
    }

    fn element(&mut self, field: &'g FieldType) -> Schema {
        if let Some(schema) = (Scalar { graph: self.graph, field, strict: true }).schema() {
            return schema;
        }
        match field.kind {
            Type::Message(index) => {
                self.open.push(index);
                reference(self.graph.message(index).map_or("", |message| &message.full_name))
            }
            Type::Any => {
                self.any = true;
                reference(ANY)
            }
            Type::Struct => object([("type", json!("string")), ("pattern", json!(r"^\{[\s\S]*\}$"))]),
            Type::ListValue => {
                self.value = true;
                object([("type", json!("array")), ("items", Json::Object(reference(VALUE)))])
            }
            _ => {
                self.value = true;
                reference(VALUE)
            }
        }
    }

    /// One of the messages that it may hold, each with the URL of its type.
    fn any(&mut self) -> Json {
        let graph = self.graph;
        let mut ways = Vec::new();
        for message in graph.packable() {
            let mut schema = match &message.whole {
                Some(whole) => {
                    let value = Json::Object(self.element(whole));
                    closed([(ANY_VALUE.to_owned(), value)].into_iter().collect())
                }
                None => self.message(message),
            };
            if let Some(Json::Object(properties)) = schema.get_mut("properties") {
                let url = json!({ "type": "string", "enum": [format!("{URL}{}", message.full_name)] });
                properties.insert(ANY_TYPE.to_owned(), url);
            }
            if let Some(Json::Array(required)) = schema.get_mut("required") {
                required.insert(0, json!(ANY_TYPE));
            }
            ways.push(Json::Object(schema));
        }
        json!({ "anyOf": ways })
    }
}

fn reference(name: &str) -> Schema {
    object([("$ref", json!(format!("#/$defs/{name}")))])
}

/// An object with all of these members and no other.
fn closed(properties: Schema) -> Schema {
    let required: Vec<&String> = properties.keys().collect();
    let required = json!(required);
    object([
        ("type", json!("object")),
        ("properties", Json::Object(properties)),
        ("required", required),
        ("additionalProperties", json!(false)),
    ])
}

fn list(field: &FieldType, element: Schema) -> Schema {
    let mut schema = object([("type", json!("array")), ("items", Json::Object(element))]);
    if let Some(constraints) = &field.constraints {
        items(&mut schema, ["minItems", "maxItems"], [constraints.min_items, constraints.max_items]);
    }
    schema
}

/// One entry of a map.
fn pair(key: MapKey, value: Schema) -> Schema {
    let key = match key.kind {
        Type::Bool => json!({ "type": "boolean" }),
        Type::Integer(kind @ (IntegerType::Int32 | IntegerType::Uint32)) => {
            let (least, greatest) = kind.range();
            json!({
                "type": "integer",
                "minimum": super::json::integer(least),
                "maximum": super::json::integer(greatest),
            })
        }
        Type::Integer(kind) => {
            let (least, greatest) = kind.range();
            json!({ "type": "string", "pattern": super::digits::integers(least, greatest, false) })
        }
        _ => json!({ "type": "string" }),
    };
    let members = [("key".to_owned(), key), ("value".to_owned(), Json::Object(value))];
    closed(members.into_iter().collect())
}

/// The same, or null.
fn nullable(mut schema: Schema) -> Schema {
    if let Some(Json::Array(ways)) = schema.get_mut("anyOf") {
        ways.push(json!({ "type": "null" }));
        return schema;
    }
    match schema.get_mut("type") {
        None => return object([("anyOf", json!([schema, { "type": "null" }]))]),
        Some(Json::Array(types)) => {
            if types.contains(&json!("null")) {
                return schema;
            }
            types.push(json!("null"));
        }
        Some(one) => *one = json!([one.take(), "null"]),
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.push(Json::Null);
    }
    schema
}
