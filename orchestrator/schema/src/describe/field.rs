//! One field as JSON Schema.

use super::comments::{Comments, find};
use crate::constraint::{Bound, Quantity, Side};
use crate::graph::{EnumType, FieldType, Graph, Shape};
use crate::kind::{IntegerType, Type};
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

const BASE64: &str = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
const DURATION: &str = r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$";
const FIELD_MASK: &str =
    r"^([a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*(,[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*)*)?$";

pub(super) fn schema(graph: &Graph, root: u32, field: &FieldType, comments: &Comments<'_>) -> Json {
    let element = element(graph, root, field);
    let mut schema = match field.shape {
        Shape::Single => element,
        Shape::List { .. } => list(field, element),
        Shape::Map(key) => map(field, key.kind, element),
    };
    let text = description(graph, field, comments.text(field));
    if !text.is_empty() {
        schema.insert("description".to_owned(), json!(text));
    }
    if let Some(default) = field.default.as_ref().filter(|_| !field.sensitive) {
        schema.insert("default".to_owned(), to_json(default));
    }
    let examples: Vec<Json> = if field.sensitive { Vec::new() } else { examples(graph, field) };
    if !examples.is_empty() {
        schema.insert("examples".to_owned(), json!(examples));
    }
    if field.descriptor.field_descriptor_proto().options.as_ref().is_some_and(|options| options.deprecated())
    {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    Json::Object(schema)
}

/// Examples are about each element: of a list or map they are shown as one of it.
fn examples(graph: &Graph, field: &FieldType) -> Vec<Json> {
    let read = |text: &String| crate::compile::example(graph, field, text).ok().map(|value| to_json(&value));
    let examples = field.spec.examples.iter().filter_map(read);
    match field.shape {
        Shape::Single => examples.collect(),
        Shape::List { .. } => examples.map(|example| json!([example])).collect(),
        Shape::Map(_) => Vec::new(),
    }
}

fn list(field: &FieldType, element: Map<String, Json>) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("array"));
    schema.insert("items".to_owned(), Json::Object(element));
    let Some(constraints) = &field.constraints else { return schema };
    if constraints.min_items > 0 {
        schema.insert("minItems".to_owned(), json!(constraints.min_items));
    }
    if constraints.max_items > 0 {
        schema.insert("maxItems".to_owned(), json!(constraints.max_items));
    }
    if constraints.unique {
        schema.insert("uniqueItems".to_owned(), json!(true));
    }
    schema
}

fn map(field: &FieldType, key: Type, element: Map<String, Json>) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    match key {
        Type::Integer(integer) => {
            let pattern = if integer.is_signed() { "^(0|-?[1-9][0-9]*)$" } else { "^(0|[1-9][0-9]*)$" };
            schema.insert("propertyNames".to_owned(), json!({ "pattern": pattern }));
        }
        Type::Bool => {
            schema.insert("propertyNames".to_owned(), json!({ "enum": ["true", "false"] }));
        }
        _ => {}
    }
    schema.insert("additionalProperties".to_owned(), Json::Object(element));
    if let Some(constraints) = &field.constraints {
        if constraints.min_items > 0 {
            schema.insert("minProperties".to_owned(), json!(constraints.min_items));
        }
        if constraints.max_items > 0 {
            schema.insert("maxProperties".to_owned(), json!(constraints.max_items));
        }
    }
    schema
}

pub(super) fn element(graph: &Graph, root: u32, field: &FieldType) -> Map<String, Json> {
    let schema = match field.kind {
        Type::Double => number(field, None),
        Type::Float => number(field, Some(f64::from(f32::MAX))),
        Type::Integer(integer) => whole(field, integer),
        Type::Bool => json!({ "type": "boolean" }),
        Type::String => text(field),
        Type::Bytes => json!({ "type": "string", "contentEncoding": "base64", "pattern": BASE64 }),
        Type::Enum(index) => return graph.enumeration(index).map(|it| choice(field, it)).unwrap_or_default(),
        Type::Message(index) if index == root => json!({ "$ref": "#" }),
        Type::Message(index) => {
            let name = graph.message(index).map_or("", |message| &message.full_name);
            json!({ "$ref": format!("#/$defs/{name}") })
        }
        Type::Timestamp => json!({ "type": "string", "format": "date-time" }),
        Type::Duration => json!({ "type": "string", "pattern": DURATION }),
        Type::FieldMask => json!({ "type": "string", "pattern": FIELD_MASK }),
        Type::Struct => json!({ "type": "object" }),
        Type::Value => json!({}),
        Type::ListValue => json!({ "type": "array" }),
        Type::Any => super::any::schema(graph, root),
    };
    let mut schema = match schema {
        Json::Object(schema) => schema,
        _ => Map::new(),
    };
    allowed(field, &mut schema);
    schema
}

fn number(field: &FieldType, limit: Option<f64>) -> Json {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("number"));
    if let Some(limit) = limit {
        schema.insert("minimum".to_owned(), json!(-limit));
        schema.insert("maximum".to_owned(), json!(limit));
    }
    bounds(field, &mut schema);
    if field.allow_non_finite {
        return json!({ "anyOf": [schema, { "enum": ["NaN", "Infinity", "-Infinity"] }] });
    }
    Json::Object(schema)
}

/// 64-bit integers may also be decimal text, as protobuf JSON has them.
fn whole(field: &FieldType, integer: IntegerType) -> Json {
    let mut schema = Map::new();
    if integer.is_wide() {
        let pattern = if integer.is_signed() { "^-?(0|[1-9][0-9]*)$" } else { "^(0|[1-9][0-9]*)$" };
        schema.insert("type".to_owned(), json!(["integer", "string"]));
        schema.insert("pattern".to_owned(), json!(pattern));
    } else {
        schema.insert("type".to_owned(), json!("integer"));
    }
    let (least, greatest) = integer.range();
    schema.insert("minimum".to_owned(), exact(least));
    schema.insert("maximum".to_owned(), exact(greatest));
    bounds(field, &mut schema);
    Json::Object(schema)
}

fn exact(value: i128) -> Json {
    crate::value::integer_value(value).map(|value| to_json(&value)).unwrap_or_default()
}

fn text(field: &FieldType) -> Json {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("string"));
    if let Some(constraints) = &field.constraints {
        let rules = &constraints.element;
        if rules.min_length > 0 {
            schema.insert("minLength".to_owned(), json!(rules.min_length));
        }
        if rules.max_length > 0 {
            schema.insert("maxLength".to_owned(), json!(rules.max_length));
        }
        if let Some(pattern) = &rules.pattern {
            schema.insert("pattern".to_owned(), json!(pattern.as_str()));
        }
    }
    Json::Object(schema)
}

fn choice(field: &FieldType, it: &EnumType) -> Map<String, Json> {
    let mut names: Vec<Json> = it.values.iter().map(|entry| json!(entry.name.as_ref())).collect();
    if let Some(constraints) = &field.constraints
        && !constraints.element.allowed_texts.is_empty()
    {
        let allowed = &constraints.element.allowed_texts;
        names.retain(|name| name.as_str().is_some_and(|name| allowed.iter().any(|it| it == name)));
    }
    if it.null {
        names.push(Json::Null);
    }
    let mut schema = Map::new();
    schema.insert("enum".to_owned(), json!(names));
    schema
}

/// Declared bounds; of numbers only, those of times stand in the description.
fn bounds(field: &FieldType, schema: &mut Map<String, Json>) {
    for bound in field.constraints.iter().flat_map(|constraints| &constraints.element.bounds) {
        let name = match (bound.side, bound.exclusive) {
            (Side::Least, false) => "minimum",
            (Side::Least, true) => "exclusiveMinimum",
            (Side::Greatest, false) => "maximum",
            (Side::Greatest, true) => "exclusiveMaximum",
        };
        let value = match bound.at {
            Quantity::Exact(value) => exact(value),
            Quantity::Double(value) => json!(value),
        };
        schema.insert(name.to_owned(), value);
    }
}

fn allowed(field: &FieldType, schema: &mut Map<String, Json>) {
    let Some(rules) = field.constraints.as_ref().map(|constraints| &constraints.element) else { return };
    if rules.allowed_texts.is_empty() {
        return;
    }
    let mut values: Vec<Json> = Vec::new();
    for text in &field.spec.allowed_values {
        let Ok(value) = Value::parse(text.as_bytes()) else {
            values.push(json!(text));
            continue;
        };
        let wide = matches!(field.kind, Type::Integer(integer) if integer.is_wide());
        if wide || !matches!(field.kind, Type::Double | Type::Float | Type::Integer(_) | Type::Bool) {
            values.push(json!(text));
        }
        if matches!(field.kind, Type::Double | Type::Float | Type::Integer(_) | Type::Bool) {
            values.push(to_json(&value));
        }
    }
    schema.insert("enum".to_owned(), json!(values));
}

/// The team's words, then what JSON Schema cannot say.
fn description(graph: &Graph, field: &FieldType, text: String) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !text.is_empty() {
        parts.push(text);
    }
    if !field.spec.unit.is_empty() {
        parts.push(format!("Unit: {}.", field.spec.unit));
    }
    if let Some(rules) = field.constraints.as_ref().map(|constraints| &constraints.element) {
        if matches!(field.kind, Type::Timestamp | Type::Duration) {
            parts.extend(rules.bounds.iter().map(|bound: &Bound| format!("It is {}.", bound.words())));
        }
        if field.kind == Type::Bytes && rules.min_length > 0 {
            parts.push(format!("At least {} bytes.", rules.min_length));
        }
        if field.kind == Type::Bytes && rules.max_length > 0 {
            parts.push(format!("At most {} bytes.", rules.max_length));
        }
    }
    if let Type::Enum(index) = field.kind
        && let Some(it) = graph.enumeration(index)
    {
        parts.extend(values_text(it));
    }
    parts.join(" ")
}

/// `RED: a warm colour. BLUE: a cold one.`
fn values_text(it: &EnumType) -> Vec<String> {
    let file = it.descriptor.parent_file_descriptor_proto();
    let described = it.values.iter().zip(it.descriptor.values()).map(|(entry, descriptor)| {
        let text = match entry.spec.description.as_str() {
            "" => find(file, descriptor.path()),
            text => text.to_owned(),
        };
        (entry.name.as_ref(), text)
    });
    let described = described.filter(|(_, text)| !text.is_empty());
    described.map(|(name, text)| format!("{name}: {}.", text.trim_end_matches('.'))).collect()
}

/// A typed value as serde_json has it.
fn to_json(value: &Value) -> Json {
    serde_json::from_str(&value.to_json()).unwrap_or_default()
}
