//! Wire bytes to typed values.
//!
//! Follows the rules that every protobuf reader follows: the last scalar counts, parts of one message are merged,
//! lists come packed or not, unknown fields and wrong wire types are passed over. Fields without presence are there
//! at their default afterwards, and members stand in the order of the fields' numbers.

mod any;
mod well_known;

use self::well_known::{count, well_known};
use crate::graph::{FieldType, Graph, MapKey, MessageType, Shape};
use crate::kind::{Encoding, IntegerType, Type};
use crate::value::{Name, Object, Value, integer_value, widened};
use crate::wire::{Reader, WireType};
use bytes::Bytes;
use hashbrown::HashMap;
use std::borrow::Cow;

/// Why bytes are no message of a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end too early or are no protobuf.
    #[error("the bytes are no {message}: {reason}")]
    Malformed {
        /// Full name of the message.
        message: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// Messages nest deeper than the limit.
    #[error("messages nest deeper than {0}")]
    TooDeep(usize),
    /// There are more values than the limit.
    #[error("more than {0} values")]
    TooLarge(usize),
}

pub(crate) fn decode(graph: &Graph, root: u32, bytes: &[u8]) -> Result<Value, DecodeError> {
    let mut decoder = Decoder { graph, left: graph.limits.max_values };
    match graph.message(root) {
        Some(message) => match &message.whole {
            Some(whole) => decoder.parts(message, whole, bytes, 0),
            None => decoder.message(root, bytes, 1),
        },
        None => Ok(Value::Null),
    }
}

struct Decoder<'g> {
    graph: &'g Graph,
    /// How many values may still come.
    left: usize,
}

/// What is known of one field while its message is read.
enum Slot<'b> {
    Empty,
    Value(Value),
    /// Bytes of one message, whose parts may still come.
    Parts(Cow<'b, [u8]>),
}

type Refused = &'static str;
const SHORT: Refused = "it ends too early or is no protobuf";
const NO_TEXT: Refused = "it holds text that is no UTF-8";

// === impl Decoder ===

impl<'g> Decoder<'g> {
    fn message(&mut self, index: u32, bytes: &[u8], depth: usize) -> Result<Value, DecodeError> {
        let graph = self.graph;
        let Some(message) = graph.message(index) else { return Ok(Value::Null) };
        if depth > graph.limits.max_depth {
            return Err(DecodeError::TooDeep(graph.limits.max_depth));
        }
        self.spend(message.fields.len())?;
        let mut slots: Vec<Slot<'_>> = Vec::new();
        slots.resize_with(message.fields.len(), || Slot::Empty);
        self.read(message, bytes, &mut slots, depth)?;
        let mut object = Object::with_capacity(message.fields.len());
        for (field, slot) in message.fields.iter().zip(slots) {
            let value = match slot {
                Slot::Value(value) => Some(last_of_each_key(field, value)),
                Slot::Parts(bytes) => Some(self.parts(message, field, &bytes, depth)?),
                Slot::Empty => field.zero(graph),
            };
            if let Some(value) = value {
                object.push(&field.name, value);
            }
        }
        Ok(Value::Object(object))
    }

    fn spend(&mut self, values: usize) -> Result<(), DecodeError> {
        match self.left.checked_sub(values) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(DecodeError::TooLarge(self.graph.limits.max_values)),
        }
    }

    fn read<'b>(
        &mut self,
        message: &MessageType,
        bytes: &'b [u8],
        slots: &mut [Slot<'b>],
        depth: usize,
    ) -> Result<(), DecodeError> {
        let malformed = |reason| DecodeError::Malformed { message: message.full_name.to_string(), reason };
        let mut reader = Reader(bytes);
        while !reader.is_empty() {
            let (number, wire_type) = reader.key().ok_or_else(|| malformed(SHORT))?;
            let known = message.by_number(number).and_then(|index| Some((message.fields.get(index)?, index)));
            let Some((field, index)) = known.filter(|(field, _)| fits(field, wire_type)) else {
                reader
                    .skip(wire_type, number, self.graph.limits.max_depth)
                    .ok_or_else(|| malformed(SHORT))?;
                continue;
            };
            let value = self.field(message, field, wire_type, &mut reader, depth)?;
            let Some(slot) = slots.get_mut(index) else { continue };
            match (field.shape, value) {
                (_, Slot::Empty) => continue,
                (Shape::Single, value) => merge(slot, value),
                (_, Slot::Value(value)) => append(slot, value),
                (_, Slot::Parts(_)) => {}
            }
            clear_rivals(message, field, index, slots);
        }
        Ok(())
    }

    /// One occurrence of a field; empty where it is an unknown number of a closed enum.
    fn field<'b>(
        &mut self,
        message: &MessageType,
        field: &FieldType,
        wire_type: WireType,
        reader: &mut Reader<'b>,
        depth: usize,
    ) -> Result<Slot<'b>, DecodeError> {
        let malformed = |reason| DecodeError::Malformed { message: message.full_name.to_string(), reason };
        let scalar = field.encoding != Encoding::Length && !field.wrapped;
        match field.shape {
            Shape::Single if is_message(field) => {
                Ok(Slot::Parts(Cow::Borrowed(reader.delimited().ok_or_else(|| malformed(SHORT))?)))
            }
            Shape::List { .. } if scalar && wire_type == WireType::Length => {
                let mut packed = Reader(reader.delimited().ok_or_else(|| malformed(SHORT))?);
                let mut list = Vec::new();
                while !packed.is_empty() {
                    self.spend(1)?;
                    list.extend(self.scalar(field.kind, field.encoding, &mut packed).map_err(malformed)?);
                }
                Ok(Slot::Value(Value::List(list)))
            }
            Shape::List { .. } if is_message(field) => {
                self.spend(1)?;
                let bytes = reader.delimited().ok_or_else(|| malformed(SHORT))?;
                Ok(Slot::Value(Value::List(vec![self.parts(message, field, bytes, depth)?])))
            }
            Shape::Map(key) => {
                self.spend(1)?;
                let bytes = reader.delimited().ok_or_else(|| malformed(SHORT))?;
                let entry = self.entry(message, field, key, bytes, depth)?;
                Ok(entry.map_or(Slot::Empty, |entry| Slot::Value(Value::Object(Object::from(vec![entry])))))
            }
            shape => {
                let value = self.scalar(field.kind, field.encoding, reader).map_err(malformed)?;
                let Some(value) = value else { return Ok(Slot::Empty) };
                if shape == Shape::Single {
                    return Ok(Slot::Value(value));
                }
                self.spend(1)?;
                Ok(Slot::Value(Value::List(vec![value])))
            }
        }
    }

    /// A map's entry; none where its value is an unknown number of a closed enum.
    fn entry(
        &mut self,
        message: &MessageType,
        field: &FieldType,
        key: MapKey,
        bytes: &[u8],
        depth: usize,
    ) -> Result<Option<(Name, Value)>, DecodeError> {
        let malformed = |reason| DecodeError::Malformed { message: message.full_name.to_string(), reason };
        let mut reader = Reader(bytes);
        let (mut name, mut value) = (key.kind.zero(self.graph), Slot::Empty);
        while !reader.is_empty() {
            let (number, wire_type) = reader.key().ok_or_else(|| malformed(SHORT))?;
            match number {
                1 if wire_type == expected_wire_type(key.encoding) => {
                    name = self.scalar(key.kind, key.encoding, &mut reader).map_err(malformed)?;
                }
                2 if is_message(field) && wire_type == WireType::Length => {
                    let part = reader.delimited().ok_or_else(|| malformed(SHORT))?;
                    merge(&mut value, Slot::Parts(Cow::Borrowed(part)));
                }
                2 if !is_message(field) && wire_type == expected_wire_type(field.encoding) => {
                    match self.scalar(field.kind, field.encoding, &mut reader).map_err(malformed)? {
                        Some(it) => value = Slot::Value(it),
                        None => return Ok(None),
                    }
                }
                _ => reader
                    .skip(wire_type, number, self.graph.limits.max_depth)
                    .ok_or_else(|| malformed(SHORT))?,
            }
        }
        let value = match value {
            Slot::Value(value) => value,
            Slot::Parts(bytes) => self.parts(message, field, &bytes, depth)?,
            Slot::Empty if is_message(field) => self.parts(message, field, &[], depth)?,
            Slot::Empty => field.kind.zero(self.graph).unwrap_or_default(),
        };
        Ok(Some((Name::from(name.unwrap_or_default().to_text()), value)))
    }

    /// All parts of one message: of the team's own, a wrapper, or one with a JSON form of its own.
    fn parts(
        &mut self,
        message: &MessageType,
        field: &FieldType,
        bytes: &[u8],
        depth: usize,
    ) -> Result<Value, DecodeError> {
        match field.kind {
            Type::Message(index) => return self.message(index, bytes, depth.saturating_add(1)),
            Type::Any => return self.any(message, bytes, depth.saturating_add(1)),
            _ => {}
        }
        let malformed = |reason| DecodeError::Malformed { message: message.full_name.to_string(), reason };
        if field.wrapped {
            return self.wrapped(field, bytes).map_err(malformed);
        }
        let value = well_known(field.kind, bytes).ok_or_else(|| malformed(SHORT))?;
        self.spend(count(&value))?;
        Ok(value)
    }

    fn wrapped(&mut self, field: &FieldType, bytes: &[u8]) -> Result<Value, Refused> {
        let mut reader = Reader(bytes);
        let mut value = field.kind.zero(self.graph).unwrap_or_default();
        while !reader.is_empty() {
            let (number, wire_type) = reader.key().ok_or(SHORT)?;
            if number == 1 && wire_type == expected_wire_type(field.encoding) {
                value = self.scalar(field.kind, field.encoding, &mut reader)?.unwrap_or_default();
            } else {
                reader.skip(wire_type, number, self.graph.limits.max_depth).ok_or(SHORT)?;
            }
        }
        Ok(value)
    }

    /// One scalar; none where it is an unknown number of a closed enum.
    fn scalar(
        &self,
        kind: Type,
        encoding: Encoding,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Value>, Refused> {
        if encoding == Encoding::Length {
            let bytes = reader.delimited().ok_or(SHORT)?;
            return match kind {
                Type::Bytes => Ok(Some(Value::Bytes(Bytes::copy_from_slice(bytes)))),
                _ => {
                    String::from_utf8(bytes.to_vec()).map(|text| Some(Value::Text(text))).map_err(|_| NO_TEXT)
                }
            };
        }
        let bits = match encoding {
            Encoding::Fixed32 => reader.fixed32().map(u64::from),
            Encoding::Fixed64 => reader.fixed64(),
            _ => reader.varint(),
        };
        let bits = bits.ok_or(SHORT)?;
        Ok(match kind {
            Type::Double => Some(Value::Float(f64::from_bits(bits))),
            Type::Float => Some(Value::Float(widened(f32::from_bits(low(bits))))),
            Type::Bool => Some(Value::Bool(bits != 0)),
            Type::Enum(index) => {
                let number = low(bits).cast_signed();
                let it = self.graph.enumeration(index).ok_or(SHORT)?;
                (!it.closed || it.of_number(number).is_some()).then(|| it.typed(number))
            }
            Type::Integer(integer) => integer_value(integer_of_bits(integer, encoding, bits)),
            _ => None,
        })
    }
}

/// The low half: how the format narrows a number to 32 bits.
fn low(bits: u64) -> u32 {
    u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default()
}

fn integer_of_bits(integer: IntegerType, encoding: Encoding, bits: u64) -> i128 {
    let bits = if encoding == Encoding::ZigZag { (bits >> 1) ^ (bits & 1).wrapping_neg() } else { bits };
    match integer {
        IntegerType::Int32 => i128::from(low(bits).cast_signed()),
        IntegerType::Uint32 => i128::from(low(bits)),
        IntegerType::Int64 => i128::from(bits.cast_signed()),
        IntegerType::Uint64 => i128::from(bits),
    }
}

fn expected_wire_type(encoding: Encoding) -> WireType {
    match encoding {
        Encoding::Varint | Encoding::ZigZag => WireType::Varint,
        Encoding::Fixed32 => WireType::Fixed32,
        Encoding::Fixed64 => WireType::Fixed64,
        Encoding::Length => WireType::Length,
    }
}

fn fits(field: &FieldType, wire_type: WireType) -> bool {
    match field.shape {
        Shape::Map(_) => wire_type == WireType::Length,
        _ if field.wrapped => wire_type == WireType::Length,
        Shape::List { .. } if wire_type == WireType::Length => true,
        _ => wire_type == expected_wire_type(field.encoding),
    }
}

/// Whether the value is a message of any kind on the wire.
fn is_message(field: &FieldType) -> bool {
    field.wrapped || (field.encoding == Encoding::Length && !matches!(field.kind, Type::String | Type::Bytes))
}

fn merge<'b>(slot: &mut Slot<'b>, value: Slot<'b>) {
    match (slot, value) {
        (Slot::Parts(known), Slot::Parts(part)) => known.to_mut().extend_from_slice(&part),
        (slot, value) => *slot = value,
    }
}

fn append(slot: &mut Slot<'_>, value: Value) {
    match (slot, value) {
        (Slot::Value(Value::List(list)), Value::List(mut more)) => list.append(&mut more),
        (Slot::Value(Value::Object(object)), Value::Object(mut more)) => {
            object.members_mut().append(&mut more.take())
        }
        (slot, value) => *slot = Slot::Value(value),
    }
}

/// Of the members of a oneof the last one counts.
fn clear_rivals(message: &MessageType, field: &FieldType, index: usize, slots: &mut [Slot<'_>]) {
    let Some(oneof) = field.oneof.and_then(|oneof| crate::graph::at(&message.oneofs, oneof)) else { return };
    for rival in
        oneof.fields.iter().filter_map(|rival| usize::try_from(*rival).ok()).filter(|it| *it != index)
    {
        if let Some(slot) = slots.get_mut(rival) {
            *slot = Slot::Empty;
        }
    }
}

/// Of the entries of a map that have one key the last one counts.
fn last_of_each_key(field: &FieldType, value: Value) -> Value {
    let mut object = match (field.shape, value) {
        (Shape::Map(_), Value::Object(object)) => object,
        (_, value) => return value,
    };
    let mut places: HashMap<Name, usize> = HashMap::with_capacity(object.len());
    let mut members: Vec<(Name, Value)> = Vec::with_capacity(object.len());
    for (name, value) in object.take() {
        match places.get(&name).and_then(|place| members.get_mut(*place)) {
            Some(member) => member.1 = value,
            None => {
                places.insert(name.clone(), members.len());
                members.push((name, value));
            }
        }
    }
    Value::Object(Object::from(members))
}
