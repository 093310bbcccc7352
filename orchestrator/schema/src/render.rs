//! A typed value as the Struct of a `result`: proto names, what is at its default present, 64-bit integers as text.

use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use crate::value::{ANY_TYPE, ANY_VALUE, Value};
use prost_types::value::Kind;
use std::collections::BTreeMap;

/// What is no object, such as a Timestamp, stands under `value`, as it does within an Any.
pub(crate) fn to_struct(graph: &Graph, root: u32, value: &Value) -> prost_types::Struct {
    let Some(message) = graph.message(root) else { return prost_types::Struct::default() };
    let Some(whole) = &message.whole else { return message_struct(graph, message, value) };
    let shown = single(graph, whole.kind, value);
    match shown.kind {
        Some(Kind::StructValue(object)) => object,
        _ => prost_types::Struct { fields: [(ANY_VALUE.to_owned(), shown)].into() },
    }
}

/// The type's URL, and the fields beside it or the value under `value`.
fn any_struct(graph: &Graph, value: &Value) -> prost_types::Struct {
    let url = value.get(ANY_TYPE).and_then(Value::as_str).unwrap_or_default();
    let Some((_, message)) = graph.packed(url) else { return prost_types::Struct::default() };
    let mut object = match (&message.whole, value.get(ANY_VALUE)) {
        (None, _) => message_struct(graph, message, value),
        (Some(whole), Some(value)) => {
            let fields = [(ANY_VALUE.to_owned(), single(graph, whole.kind, value))].into();
            prost_types::Struct { fields }
        }
        (Some(_), None) => prost_types::Struct::default(),
    };
    let url = prost_types::Value { kind: Some(Kind::StringValue(url.to_owned())) };
    object.fields.insert(ANY_TYPE.to_owned(), url);
    object
}

fn message_struct(graph: &Graph, message: &MessageType, value: &Value) -> prost_types::Struct {
    let mut fields = BTreeMap::new();
    for (name, member) in value.as_object().into_iter().flat_map(crate::value::Object::iter) {
        let Some(field) = message.names.exact(name).and_then(|index| message.field(index)) else { continue };
        fields.insert(name.as_str().to_owned(), field_value(graph, field, member));
    }
    for field in &message.fields {
        if !fields.contains_key(field.name.as_ref())
            && let Some(zero) = field.zero(graph)
        {
            fields.insert(field.name.to_string(), field_value(graph, field, &zero));
        }
    }
    prost_types::Struct { fields }
}

fn field_value(graph: &Graph, field: &FieldType, value: &Value) -> prost_types::Value {
    let kind = match (field.shape, value) {
        (Shape::List { .. }, Value::List(list)) => {
            let values = list.iter().map(|element| single(graph, field.kind, element)).collect();
            Kind::ListValue(prost_types::ListValue { values })
        }
        (Shape::Map(_), Value::Object(object)) => {
            let member = |(name, value): (&crate::value::Name, &Value)| {
                (name.as_str().to_owned(), single(graph, field.kind, value))
            };
            Kind::StructValue(prost_types::Struct { fields: object.iter().map(member).collect() })
        }
        _ => return single(graph, field.kind, value),
    };
    prost_types::Value { kind: Some(kind) }
}

fn single(graph: &Graph, kind: Type, value: &Value) -> prost_types::Value {
    let kind = match kind {
        Type::Message(index) => match graph.message(index) {
            Some(message) => Kind::StructValue(message_struct(graph, message, value)),
            None => return value.to_proto(),
        },
        Type::Any => Kind::StructValue(any_struct(graph, value)),
        Type::Integer(integer) if integer.is_wide() => Kind::StringValue(value.to_json()),
        _ => return value.to_proto(),
    };
    prost_types::Value { kind: Some(kind) }
}
