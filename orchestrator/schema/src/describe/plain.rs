//! The plain dialect: JSON Schema that admits exactly what coerces without an entry but defaults.

use super::comments::{Comments, message_text};
use super::json::{Schema, json, object};
use super::scalar::Scalar;
use super::words::{
    MAX_TEXT, about, clipped, default, describe, examples, is_deprecated, is_shut_out, members, together,
};
use super::{further, rule};
use crate::constraint::{Constraints, ElementRules};
use crate::graph::{Demand, FieldType, Graph, MapKey, MessageType, Oneof, Shape};
use crate::kind::Type;
use crate::value::{ANY_TYPE, ANY_VALUE};
use serde_json::{Value as Json, json};

const ANY: &str = "google.protobuf.Any";

/// The schema of the root, with everything else among its definitions.
pub(super) fn schema(graph: &Graph, root: u32) -> Json {
    let mut plain = Plain { graph, root, open: Vec::new(), any: false, definitions: Schema::new() };
    let mut schema = object([("$schema", json!("https://json-schema.org/draft/2020-12/schema"))]);
    schema.extend(plain.root());
    plain.define();
    if !plain.definitions.is_empty() {
        schema.insert("$defs".to_owned(), Json::Object(plain.definitions));
    }
    Json::Object(schema)
}

struct Plain<'g> {
    graph: &'g Graph,
    root: u32,
    /// Messages that were referred to.
    open: Vec<u32>,
    /// Whether an Any was referred to.
    any: bool,
    definitions: Schema,
}

// === impl Plain ===

impl<'g> Plain<'g> {
    fn root(&mut self) -> Schema {
        let Some(message) = self.graph.message(self.root) else { return Schema::new() };
        match &message.whole {
            Some(whole) => {
                let mut schema = self.element(whole);
                let text = clipped(&message_text(message), MAX_TEXT);
                describe(&mut schema, &[text].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>());
                schema
            }
            None => self.message(message),
        }
    }

    /// Everything that was referred to, each once.
    fn define(&mut self) {
        loop {
            if self.any && !self.definitions.contains_key(ANY) {
                self.definitions.insert(ANY.to_owned(), Json::Null);
                let any = self.any();
                self.definitions.insert(ANY.to_owned(), any);
            }
            let Some(index) = self.open.pop() else { return };
            let Some(message) = self.graph.message(index) else { continue };
            if self.definitions.contains_key(message.full_name.as_ref()) {
                continue;
            }
            let schema = self.message(message);
            self.definitions.insert(message.full_name.to_string(), Json::Object(schema));
        }
    }

    fn message(&mut self, message: &'g MessageType) -> Schema {
        let mut schema = object([("type", json!("object"))]);
        let text = message_text(message);
        let own = (!text.is_empty()).then(|| clipped(&text, MAX_TEXT));
        describe(&mut schema, &own.into_iter().chain(together(message)).collect::<Vec<_>>());
        let comments = Comments::of(message);
        let mut properties = Schema::new();
        for field in &message.fields {
            let field_schema = self.field(field, &comments.text(field));
            properties.insert(field.name.to_string(), Json::Object(field_schema));
        }
        schema.insert("properties".to_owned(), Json::Object(properties));
        let required = message.fields.iter().filter(|field| field.required && field.default.is_none());
        let required: Vec<&str> = required.map(|field| field.name.as_ref()).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        // Also where unknown members are dropped: a member that is dropped has an entry.
        schema.insert("additionalProperties".to_owned(), json!(false));
        let oneofs = message.oneofs.iter().map(|oneof| at_most_one(message, oneof));
        let demands = message.demands.iter().filter_map(|demand| demanded(message, demand));
        let all: Vec<Json> = oneofs.chain(demands).collect();
        if !all.is_empty() {
            schema.insert("allOf".to_owned(), json!(all));
        }
        rule::message(self.graph, message, &mut schema, &mut self.definitions);
        schema
    }

    fn field(&mut self, field: &'g FieldType, text: &str) -> Schema {
        let mut element = self.element(field);
        rule::element(field, &mut element, &mut self.definitions);
        let mut schema = match field.shape {
            Shape::Single => element,
            Shape::List { .. } => list(field, element),
            Shape::Map(key) => map(field, key, element),
        };
        describe(&mut schema, &about(self.graph, field, text));
        if let Some(default) = default(field) {
            schema.insert("default".to_owned(), json(default));
        }
        let examples: Vec<Json> = examples(self.graph, field).iter().map(json).collect();
        if !examples.is_empty() {
            schema.insert("examples".to_owned(), json!(examples));
        }
        if is_deprecated(field) {
            schema.insert("deprecated".to_owned(), json!(true));
        }
        schema
    }

    fn element(&mut self, field: &'g FieldType) -> Schema {
        if let Some(schema) = (Scalar { graph: self.graph, field, strict: false }).schema() {
            return schema;
        }
        match field.kind {
            Type::Message(index) if index == self.root => object([("$ref", json!("#"))]),
            Type::Message(index) => {
                self.open.push(index);
                let name = self.graph.message(index).map_or("", |message| &message.full_name);
                object([("$ref", json!(format!("#/$defs/{name}")))])
            }
            Type::Any => {
                self.any = true;
                object([("$ref", json!(format!("#/$defs/{ANY}")))])
            }
            Type::Struct => object([("type", json!("object"))]),
            Type::ListValue => object([("type", json!("array"))]),
            _ => Schema::new(),
        }
    }

    /// Nothing, or one of the messages that it may hold, each with the URL of its type.
    fn any(&mut self) -> Json {
        let graph = self.graph;
        let mut ways = vec![Json::Object(object([("type", json!("object")), ("maxProperties", json!(0))]))];
        for message in graph.packable() {
            let mut schema = match &message.whole {
                Some(whole) => {
                    let value = Json::Object(self.element(whole));
                    object([
                        ("type", json!("object")),
                        ("properties", json!({ ANY_VALUE: value })),
                        ("required", json!([ANY_VALUE])),
                        ("additionalProperties", json!(false)),
                    ])
                }
                None => self.message(message),
            };
            let url = format!("/{}$", message.full_name.replace('.', r"\."));
            let url = json!({ "type": "string", "pattern": url });
            if let Some(Json::Object(properties)) = schema.get_mut("properties") {
                properties.insert(ANY_TYPE.to_owned(), url);
                if message.is_empty_type() {
                    properties.insert(ANY_VALUE.to_owned(), json!({ "type": "object", "maxProperties": 0 }));
                }
            }
            if let Json::Array(required) = schema.entry("required").or_insert_with(|| Json::Array(Vec::new()))
            {
                required.insert(0, json!(ANY_TYPE));
            }
            ways.push(Json::Object(schema));
        }
        json!({ "anyOf": ways })
    }
}

fn list(field: &FieldType, element: Schema) -> Schema {
    let mut schema = object([("type", json!("array")), ("items", Json::Object(element))]);
    let Some(constraints) = &field.constraints else { return schema };
    size(&mut schema, constraints, ["minItems", "maxItems"]);
    if constraints.unique {
        schema.insert("uniqueItems".to_owned(), json!(true));
    }
    schema
}

fn map(field: &FieldType, key: MapKey, element: Schema) -> Schema {
    let mut schema = object([("type", json!("object")), ("additionalProperties", Json::Object(element))]);
    let none = ElementRules::default();
    let rules = field.constraints.as_ref().map_or(&none, |constraints| &constraints.keys);
    let names = further::keys(key.kind, rules);
    if !names.is_empty() {
        schema.insert("propertyNames".to_owned(), Json::Object(names));
    }
    if let Some(constraints) = &field.constraints {
        size(&mut schema, constraints, ["minProperties", "maxProperties"]);
    }
    schema
}

/// How many there are; where nothing at all passes too, either of the two.
fn size(schema: &mut Schema, constraints: &Constraints, names: [&str; 2]) {
    let counts = [constraints.min_items, constraints.max_items];
    if !constraints.empty_passes || constraints.min_items == 0 {
        return items(schema, names, counts);
    }
    let mut some = Schema::new();
    items(&mut some, names, counts);
    let [_, most] = names;
    schema.insert("anyOf".to_owned(), json!([some, { most: 0 }]));
}

/// How many there are, where that is asked for.
pub(super) fn items(schema: &mut Schema, names: [&str; 2], counts: [u32; 2]) {
    for (name, count) in names.into_iter().zip(counts) {
        if count > 0 {
            schema.insert(name.to_owned(), json!(count));
        }
    }
}

/// One member alone, or none; beside a member that must be there no other one.
fn at_most_one(message: &MessageType, oneof: &Oneof) -> Json {
    let single = |field: &FieldType| json!({ "required": [field.name.as_ref()] });
    let shut: Vec<Json> =
        members(message, oneof).filter(|field| is_shut_out(message, field)).map(single).collect();
    if !shut.is_empty() {
        return json!({ "not": { "anyOf": shut } });
    }
    let single: Vec<Json> = members(message, oneof).map(single).collect();
    let none = json!({ "not": { "anyOf": single } });
    let choices: Vec<Json> = single.into_iter().chain([none]).collect();
    json!({ "oneOf": choices })
}

/// What `buf.validate` asks of several fields, where each of them tells absence from zero.
fn demanded(message: &MessageType, demand: &Demand) -> Option<Json> {
    let fields = || demand.fields.iter().filter_map(|index| message.field(*index));
    if !fields().all(|field| field.is_single() && field.presence && field.default.is_none()) {
        return None;
    }
    let single: Vec<Json> = fields().map(|field| json!({ "required": [field.name.as_ref()] })).collect();
    let none = (!demand.required).then(|| json!({ "not": { "anyOf": single } }));
    let ways: Vec<Json> = single.into_iter().chain(none).collect();
    Some(json!({ "oneOf": ways }))
}
