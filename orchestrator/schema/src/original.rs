//! A typed value as the owner of a JSON Schema expects it: a message that was made from one is written back in its terms.
//!
//! Every field stands under its `json_name`; where `(convoke.v1.field)` says so, an absent field is null and the
//! entries of a map are members of the message itself. Messages that came from protobuf are written in protobuf's JSON
//! names, with 64-bit integers as numbers.

use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use crate::report::ViolationRule;
use crate::rule::{Failure, Rule, Segment};
use crate::value::{Name, Object, Value};

/// The value of a message; what is not typed by it stays as it is.
pub(crate) fn original(graph: &Graph, message: &MessageType, value: &Value) -> Value {
    let Value::Object(object) = value else { return plain(value) };
    let mut members: Vec<(Name, Value)> = Vec::with_capacity(object.len());
    for field in &message.fields {
        match object.get(&field.name) {
            Some(Value::Object(entries)) if field.spec.json_spread => {
                members
                    .extend(entries.iter().map(|(name, value)| (name.clone(), single(graph, field, value))));
            }
            Some(value) => members.push((json_name(field), whole(graph, field, value))),
            None if field.spec.json_null => members.push((json_name(field), Value::Null)),
            None => {}
        }
    }
    Value::Object(Object::from(members))
}

fn whole(graph: &Graph, field: &FieldType, value: &Value) -> Value {
    match (field.shape, value) {
        (Shape::List { .. }, Value::List(list)) => {
            Value::List(list.iter().map(|element| single(graph, field, element)).collect())
        }
        (Shape::Map(_), Value::Object(object)) => {
            let entries = object.iter().map(|(name, value)| (name.clone(), single(graph, field, value)));
            Value::Object(Object::from(entries.collect::<Vec<_>>()))
        }
        _ => single(graph, field, value),
    }
}

fn single(graph: &Graph, field: &FieldType, value: &Value) -> Value {
    match field.kind {
        Type::Message(message) => match graph.message(message) {
            Some(message) => original(graph, message, value),
            None => plain(value),
        },
        _ => plain(value),
    }
}

/// The JSON form of what only a schema tells from text.
fn plain(value: &Value) -> Value {
    match value {
        Value::Enum(it) if it.name.is_none() => Value::Int(i64::from(it.number)),
        Value::Enum(_) | Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) => {
            Value::Text(value.to_text())
        }
        value => value.clone(),
    }
}

fn json_name(field: &FieldType) -> Name {
    Name::from(field.descriptor.json_name())
}

/// What a message breaks of its rule, each failure at its path in proto names.
pub(crate) fn broken(graph: &Graph, message: &MessageType, rule: &Rule, value: &Value) -> Vec<Failure> {
    let original = original(graph, message, value);
    let mut failures = rule.check(&original);
    if let Some(twice) = repeated(&original) {
        let expected = format!("{twice:?} once; it is also a field of its own");
        let path = vec![Segment::Member(twice)];
        failures.push(Failure { expected, ..Failure::new(path, ViolationRule::DuplicateField) });
    }
    for failure in &mut failures {
        rename(graph, message, &mut failure.path);
    }
    failures
}

/// A member that a spread map brings, and a field too.
fn repeated(value: &Value) -> Option<String> {
    let mut seen = hashbrown::HashSet::new();
    value
        .as_object()?
        .iter()
        .map(|(name, _)| name)
        .find(|name| !seen.insert(name.as_str()))
        .map(|name| name.to_string())
}

/// Takes a path from JSON names to proto names, as far as it leads through messages.
fn rename(graph: &Graph, root: &MessageType, path: &mut [Segment]) {
    let mut message = Some(root);
    for segment in path {
        let Segment::Member(name) = segment else { continue };
        let Some(field) = message.and_then(|message| field_of(message, name)) else { return };
        let field_name = field.name.to_string();
        message = match field.kind {
            Type::Message(inner) if !matches!(field.shape, Shape::Map(_)) => graph.message(inner),
            _ => None,
        };
        *segment = Segment::Field(field_name);
    }
}

fn field_of<'g>(message: &'g MessageType, json_name: &str) -> Option<&'g FieldType> {
    message.fields.iter().find(|field| field.descriptor.json_name() == json_name)
}
