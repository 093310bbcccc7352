//! Messages of `google.protobuf` that have a JSON form of their own.

use crate::graph::{FieldType, Shape};
use crate::kind::{Encoding, IntegerType, Type};
use convoke_proto::v1;
use prost_reflect::MessageDescriptor;
use std::sync::Arc;

/// A value's kind and encoding, and whether a wrapper message stands around it.
pub(super) struct Element {
    pub(super) kind: Type,
    pub(super) encoding: Encoding,
    pub(super) wrapped: bool,
}

/// How values of such a message are read; none for every other message.
pub(super) fn element(full_name: &str) -> Option<Element> {
    let wrapper = |kind, encoding| Some(Element { kind, encoding, wrapped: true });
    let kind = match full_name.strip_prefix("google.protobuf.")? {
        "DoubleValue" => return wrapper(Type::Double, Encoding::Fixed64),
        "FloatValue" => return wrapper(Type::Float, Encoding::Fixed32),
        "Int32Value" => return wrapper(Type::Integer(IntegerType::Int32), Encoding::Varint),
        "Int64Value" => return wrapper(Type::Integer(IntegerType::Int64), Encoding::Varint),
        "UInt32Value" => return wrapper(Type::Integer(IntegerType::Uint32), Encoding::Varint),
        "UInt64Value" => return wrapper(Type::Integer(IntegerType::Uint64), Encoding::Varint),
        "BoolValue" => return wrapper(Type::Bool, Encoding::Varint),
        "StringValue" => return wrapper(Type::String, Encoding::Length),
        "BytesValue" => return wrapper(Type::Bytes, Encoding::Length),
        "Timestamp" => Type::Timestamp,
        "Duration" => Type::Duration,
        "FieldMask" => Type::FieldMask,
        "Struct" => Type::Struct,
        "Value" => Type::Value,
        "ListValue" => Type::ListValue,
        "Any" => Type::Any,
        _ => return None,
    };
    Some(Element { kind, encoding: Encoding::Length, wrapped: false })
}

/// Whether a message of the pool may be packed into an Any. The pool's own options are none of a team's messages:
/// they would make a contract differ wherever their version does.
pub(super) fn is_packable(message: &MessageDescriptor) -> bool {
    let name = message.full_name();
    match message.package_name() {
        "google.protobuf" => element(name).is_some() || name == "google.protobuf.Empty",
        "convoke.v1" | "buf.validate" => false,
        _ => !message.is_map_entry(),
    }
}

/// What reads a message with a JSON form of its own where it is the whole value; none for every other message.
pub(super) fn whole(message: &MessageDescriptor, spec: &Arc<v1::FieldSpec>) -> Option<FieldType> {
    let Element { kind, encoding, wrapped } = element(message.full_name())?;
    // It has no declaration as a field: its first own field stands in, which has no options and no comment that
    // anybody is shown.
    let descriptor = message.fields().next()?;
    Some(FieldType {
        name: Arc::from(""),
        number: 1,
        shape: Shape::Single,
        kind,
        encoding,
        wrapped,
        presence: true,
        oneof: None,
        required: false,
        default: None,
        constraints: None,
        rule: None,
        allow_non_finite: false,
        sensitive: false,
        spec: Arc::clone(spec),
        descriptor,
    })
}
