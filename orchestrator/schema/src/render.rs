//! A typed value as the Struct of a `result`: proto names, what is at its default present, 64-bit integers as text.

use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use crate::value::Value;
use prost_types::value::Kind;
use std::collections::BTreeMap;

/// Of what is no object, an empty one.
pub(crate) fn to_struct(graph: &Graph, root: u32, value: &Value) -> prost_types::Struct {
    graph.message(root).map(|message| message_struct(graph, message, value)).unwrap_or_default()
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
        Type::Integer(integer) if integer.is_wide() => Kind::StringValue(value.to_json()),
        _ => return value.to_proto(),
    };
    prost_types::Value { kind: Some(kind) }
}
