//! One field: its kind, its shape, how it stands on the wire.

use super::defect;
use super::types::Collector;
use super::well_known::{self, Element};
use crate::defect::DefectRule;
use crate::graph::{FieldType, MapKey, Shape};
use crate::kind::{Encoding, IntegerType, Type};
use convoke_proto::v1;
use prost_reflect::{Cardinality, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor};
use std::sync::Arc;

pub(super) fn compile(
    descriptor: &FieldDescriptor,
    oneofs: &[OneofDescriptor],
    collector: &mut Collector<'_>,
) -> FieldType {
    let spec = spec(descriptor, collector);
    let (shape, element) = shape(descriptor, collector);
    let oneof = descriptor.containing_oneof().and_then(|it| {
        oneofs.iter().position(|known| *known == it).and_then(|place| u32::try_from(place).ok())
    });
    super::json_schema::flags(descriptor.full_name(), &spec, shape, collector.defects);
    FieldType {
        name: Arc::from(descriptor.name()),
        number: descriptor.number(),
        shape,
        kind: element.kind,
        encoding: element.encoding,
        wrapped: element.wrapped,
        presence: descriptor.supports_presence(),
        oneof,
        required: spec.required || descriptor.cardinality() == Cardinality::Required,
        default: None,
        constraints: None,
        rule: None,
        allow_non_finite: spec.allow_non_finite,
        sensitive: spec.secret,
        spec,
        descriptor: descriptor.clone(),
    }
}

fn spec(descriptor: &FieldDescriptor, collector: &mut Collector<'_>) -> Arc<v1::FieldSpec> {
    // Without any option there is nothing to look for.
    if descriptor.field_descriptor_proto().options.is_none() {
        return Arc::clone(&collector.plain);
    }
    let file = descriptor.parent_message().parent_file();
    match collector.options.field(&file, descriptor.path()) {
        Ok(spec) => Arc::new(spec),
        Err(error) => {
            let message = format!("(convoke.v1.field): {error}");
            collector.defects.push(defect(descriptor.full_name(), DefectRule::Option, message));
            Arc::clone(&collector.plain)
        }
    }
}

fn shape(descriptor: &FieldDescriptor, collector: &mut Collector<'_>) -> (Shape, Element) {
    if descriptor.is_group() {
        let message = "groups are not supported; declare a message and a field of it".to_owned();
        return refused(descriptor, DefectRule::Unsupported, message, collector);
    }
    if descriptor.cardinality() != Cardinality::Repeated {
        return (Shape::Single, element(&descriptor.kind(), collector));
    }
    if let Kind::Message(entry) = descriptor.kind()
        && entry.is_map_entry()
    {
        return map(descriptor, &entry, collector);
    }
    let shape = Shape::List { packed: descriptor.is_packed() };
    (shape, element(&descriptor.kind(), collector))
}

fn map(
    descriptor: &FieldDescriptor,
    entry: &MessageDescriptor,
    collector: &mut Collector<'_>,
) -> (Shape, Element) {
    let (Some(key), Some(value)) = (entry.get_field(1), entry.get_field(2)) else {
        let message = "a map entry without key and value".to_owned();
        return refused(descriptor, DefectRule::Malformed, message, collector);
    };
    let key = element(&key.kind(), collector);
    if !matches!(key.kind, Type::Integer(_) | Type::Bool | Type::String) || value.is_list() || value.is_map()
    {
        let message = "a map's keys are integers, booleans or strings, its values single values".to_owned();
        return refused(descriptor, DefectRule::Malformed, message, collector);
    }
    let key = MapKey { kind: key.kind, encoding: key.encoding };
    (Shape::Map(key), element(&value.kind(), collector))
}

fn refused(
    descriptor: &FieldDescriptor,
    rule: DefectRule,
    message: String,
    collector: &mut Collector<'_>,
) -> (Shape, Element) {
    collector.defects.push(defect(descriptor.full_name(), rule, message));
    (Shape::Single, Element { kind: Type::Value, encoding: Encoding::Length, wrapped: false })
}

fn element(kind: &Kind, collector: &mut Collector<'_>) -> Element {
    let (kind, encoding) = match kind {
        Kind::Enum(descriptor) => (Type::Enum(collector.enumeration(descriptor)), Encoding::Varint),
        Kind::Message(message) => match well_known::element(message.full_name()) {
            Some(element) => {
                collector.holds_any |= element.kind == Type::Any;
                return element;
            }
            None => (Type::Message(collector.message(message)), Encoding::Length),
        },
        scalar => scalar_element(scalar),
    };
    Element { kind, encoding, wrapped: false }
}

fn scalar_element(kind: &Kind) -> (Type, Encoding) {
    match kind {
        Kind::Double => (Type::Double, Encoding::Fixed64),
        Kind::Float => (Type::Float, Encoding::Fixed32),
        Kind::Int32 => (Type::Integer(IntegerType::Int32), Encoding::Varint),
        Kind::Int64 => (Type::Integer(IntegerType::Int64), Encoding::Varint),
        Kind::Uint32 => (Type::Integer(IntegerType::Uint32), Encoding::Varint),
        Kind::Uint64 => (Type::Integer(IntegerType::Uint64), Encoding::Varint),
        Kind::Sint32 => (Type::Integer(IntegerType::Int32), Encoding::ZigZag),
        Kind::Sint64 => (Type::Integer(IntegerType::Int64), Encoding::ZigZag),
        Kind::Fixed32 => (Type::Integer(IntegerType::Uint32), Encoding::Fixed32),
        Kind::Fixed64 => (Type::Integer(IntegerType::Uint64), Encoding::Fixed64),
        Kind::Sfixed32 => (Type::Integer(IntegerType::Int32), Encoding::Fixed32),
        Kind::Sfixed64 => (Type::Integer(IntegerType::Int64), Encoding::Fixed64),
        Kind::Bool => (Type::Bool, Encoding::Varint),
        Kind::String => (Type::String, Encoding::Length),
        Kind::Bytes => (Type::Bytes, Encoding::Length),
        Kind::Message(_) | Kind::Enum(_) => (Type::Value, Encoding::Length),
    }
}
