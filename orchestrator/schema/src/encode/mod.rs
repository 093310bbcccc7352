//! Typed values to wire bytes, without a message type between.
//!
//! The value is walked twice by the same code: once to learn the length of every nested message, once to write. Each
//! walk is linear, and the bytes are the canonical ones: members in the value's order, lengths as short as they are.

mod any;
mod well_known;

use crate::graph::{FieldType, Graph, MapKey, MessageType, Shape};
use crate::kind::{Encoding, Type};
use crate::value::{Name, Object, Value, nearest_f32, to_i128};
use crate::wire::{Reader, WireType, varint_length};
use bytes::Bytes;

/// The value is not typed by the schema that is to encode it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: the value is not typed by the schema")]
pub struct EncodeError {
    /// The field's full name; the message's where it is no object.
    pub path: String,
}

pub(crate) fn encode(graph: &Graph, root: u32, value: &Value) -> Result<Bytes, EncodeError> {
    let Some(message) = graph.message(root) else { return Ok(Bytes::new()) };
    let mut measure = Measure::default();
    Walk { graph, sink: &mut measure }.root(message, value)?;
    let mut write = Write { out: Vec::with_capacity(measure.size), lengths: measure.lengths.into_iter() };
    Walk { graph, sink: &mut write }.root(message, value)?;
    let out = Bytes::from(write.out);
    Ok(if message.whole.is_some() { without_key(&out) } else { out })
}

/// What one field's key and length stand before.
fn without_key(bytes: &Bytes) -> Bytes {
    let mut reader = Reader(bytes);
    let body = reader.key().and_then(|_| reader.delimited()).unwrap_or_default();
    bytes.slice_ref(body)
}

/// What a walk does with the bytes.
trait Sink {
    fn varint(&mut self, value: u64);
    fn raw(&mut self, bytes: &[u8]);
    /// Begins something with a length before it.
    fn begin(&mut self) -> (usize, usize);
    fn end(&mut self, begun: (usize, usize));
    /// Begins something under a key that is left out where there is nothing to it.
    fn begin_some(&mut self, key: u64) -> (usize, usize);
    fn end_some(&mut self, key: u64, begun: (usize, usize));
}

/// Counts, and keeps the lengths in the order in which they begin.
#[derive(Default)]
struct Measure {
    size: usize,
    lengths: Vec<usize>,
}

impl Sink for Measure {
    fn varint(&mut self, value: u64) {
        self.size += varint_length(value);
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.size += bytes.len();
    }

    fn begin(&mut self) -> (usize, usize) {
        self.lengths.push(0);
        (self.lengths.len() - 1, self.size)
    }

    fn end(&mut self, (index, start): (usize, usize)) {
        let length = self.size - start;
        if let Some(place) = self.lengths.get_mut(index) {
            *place = length;
        }
        self.size += varint_length(u64::try_from(length).unwrap_or(u64::MAX));
    }

    fn begin_some(&mut self, _: u64) -> (usize, usize) {
        self.begin()
    }

    fn end_some(&mut self, key: u64, (index, start): (usize, usize)) {
        if self.size > start {
            self.end((index, start));
            self.size += varint_length(key);
        }
    }
}

struct Write {
    out: Vec<u8>,
    lengths: std::vec::IntoIter<usize>,
}

impl Sink for Write {
    fn varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            if value < 0x80 {
                self.out.push(low);
                return;
            }
            self.out.push(low | 0x80);
            value >>= 7;
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn begin(&mut self) -> (usize, usize) {
        let length = self.lengths.next().unwrap_or_default();
        self.varint(u64::try_from(length).unwrap_or(u64::MAX));
        (0, 0)
    }

    fn end(&mut self, _: (usize, usize)) {}

    fn begin_some(&mut self, key: u64) -> (usize, usize) {
        if self.lengths.as_slice().first().is_some_and(|length| *length > 0) {
            self.varint(key);
            return self.begin();
        }
        self.lengths.next();
        (0, 0)
    }

    fn end_some(&mut self, _: u64, _: (usize, usize)) {}
}

struct Walk<'a, S> {
    graph: &'a Graph,
    sink: &'a mut S,
}

// === impl Walk ===

impl<S: Sink> Walk<'_, S> {
    /// What has a JSON form of its own is written as a field would hold it.
    fn root(&mut self, message: &MessageType, value: &Value) -> Result<(), EncodeError> {
        let untyped = || EncodeError { path: message.full_name.to_string() };
        match &message.whole {
            Some(whole) => self.element(whole, 1, value, 0).ok_or_else(untyped)?,
            None => self.message(message, value, 1),
        }
    }

    fn message(&mut self, message: &MessageType, value: &Value, depth: usize) -> Result<(), EncodeError> {
        match value {
            Value::Object(object) => self.members(message, object.iter(), depth),
            _ => Err(EncodeError { path: message.full_name.to_string() }),
        }
    }

    fn members<'v>(
        &mut self,
        message: &MessageType,
        members: impl Iterator<Item = (&'v Name, &'v Value)>,
        depth: usize,
    ) -> Result<(), EncodeError> {
        // Members mostly stand in the order of the fields.
        let mut next = 0_u32;
        for (name, member) in members {
            let index = match field_after(message, next, name) {
                Some(index) => index,
                None => message
                    .names
                    .exact(name)
                    .ok_or_else(|| EncodeError { path: format!("{}.{name}", message.full_name) })?,
            };
            next = index.saturating_add(1);
            let Some(field) = message.field(index) else { continue };
            let untyped = || EncodeError { path: format!("{}.{name}", message.full_name) };
            self.field(field, member, depth).ok_or_else(untyped)??;
        }
        Ok(())
    }

    /// None where the value is not of the field's type.
    fn field(&mut self, field: &FieldType, value: &Value, depth: usize) -> Option<Result<(), EncodeError>> {
        match (field.shape, value) {
            (Shape::Single, _) => {
                if field.is_implicit() && is_zero(value) {
                    return Some(Ok(()));
                }
                self.element(field, field.number, value, depth)
            }
            (Shape::List { packed }, Value::List(list)) => self.list(field, packed, list, depth),
            (Shape::Map(key), Value::Object(object)) => self.map(field, key, object, depth),
            _ => None,
        }
    }

    fn list(
        &mut self,
        field: &FieldType,
        packed: bool,
        list: &[Value],
        depth: usize,
    ) -> Option<Result<(), EncodeError>> {
        if packed && field.encoding != Encoding::Length && !field.wrapped {
            if list.is_empty() {
                return Some(Ok(()));
            }
            self.key(field.number, WireType::Length);
            let begun = self.sink.begin();
            for element in list {
                self.scalar(field.kind, field.encoding, element)?;
            }
            self.sink.end(begun);
            return Some(Ok(()));
        }
        for element in list {
            if let Err(error) = self.element(field, field.number, element, depth)? {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }

    fn map(
        &mut self,
        field: &FieldType,
        key: MapKey,
        object: &Object,
        depth: usize,
    ) -> Option<Result<(), EncodeError>> {
        for (name, value) in object.iter() {
            self.key(field.number, WireType::Length);
            let begun = self.sink.begin();
            self.key(1, wire_type(key.encoding));
            self.map_key(key, name)?;
            if let Err(error) = self.element(field, 2, value, depth)? {
                return Some(Err(error));
            }
            self.sink.end(begun);
        }
        Some(Ok(()))
    }

    fn map_key(&mut self, key: MapKey, name: &Name) -> Option<()> {
        let value = match key.kind {
            Type::Integer(_) => crate::value::integer_value(name.parse().ok()?)?,
            Type::Bool => Value::Bool(name.parse().ok()?),
            _ => return self.delimited(name.as_bytes()),
        };
        self.scalar(key.kind, key.encoding, &value)
    }

    /// One value under a number: of the field itself, or of a map's entry.
    fn element(
        &mut self,
        field: &FieldType,
        number: u32,
        value: &Value,
        depth: usize,
    ) -> Option<Result<(), EncodeError>> {
        if field.wrapped {
            self.key(number, WireType::Length);
            let begun = self.sink.begin();
            if !is_zero(value) {
                self.key(1, wire_type(field.encoding));
                self.scalar(field.kind, field.encoding, value)?;
            }
            self.sink.end(begun);
            return Some(Ok(()));
        }
        self.key(number, wire_type(field.encoding));
        let index = match field.kind {
            Type::Message(index) => index,
            Type::Any => return self.packed(value, depth),
            kind => return self.scalar(kind, field.encoding, value).map(Ok),
        };
        let message = self.graph.message(index)?;
        if depth >= self.graph.limits.max_depth {
            return None;
        }
        let begun = self.sink.begin();
        let written = self.message(message, value, depth + 1);
        self.sink.end(begun);
        Some(written)
    }

    fn key(&mut self, number: u32, wire_type: WireType) {
        self.sink.varint(key(number, wire_type));
    }

    fn delimited(&mut self, bytes: &[u8]) -> Option<()> {
        self.sink.varint(u64::try_from(bytes.len()).ok()?);
        self.sink.raw(bytes);
        Some(())
    }

    fn scalar(&mut self, kind: Type, encoding: Encoding, value: &Value) -> Option<()> {
        match (kind, value) {
            (Type::Double, Value::Float(it)) => self.sink.raw(&it.to_le_bytes()),
            (Type::Float, Value::Float(it)) => self.sink.raw(&nearest_f32(*it).to_le_bytes()),
            (Type::Integer(_), Value::Int(_) | Value::Uint(_)) => self.integer(encoding, to_i128(value)?)?,
            (Type::Bool, Value::Bool(it)) => self.sink.varint(u64::from(*it)),
            (Type::Enum(_), Value::Enum(it)) => self.integer(encoding, i128::from(it.number))?,
            (Type::Enum(index), Value::Null) if self.graph.enumeration(index)?.null => self.sink.varint(0),
            (Type::String, Value::Text(text)) => self.delimited(text.as_bytes())?,
            (Type::Bytes, Value::Bytes(bytes)) => self.delimited(bytes)?,
            (Type::Timestamp, Value::Timestamp(it)) => self.moment(it.seconds, it.nanos),
            (Type::Duration, Value::Duration(it)) => self.moment(it.seconds, it.nanos),
            (Type::FieldMask, Value::Text(text)) => self.mask(text)?,
            (Type::Struct, Value::Object(object)) => self.structure(object, crate::json::MAX_DEPTH)?,
            (Type::ListValue, Value::List(list)) => self.list_value(list, crate::json::MAX_DEPTH)?,
            (Type::Value, any) => self.any(any, crate::json::MAX_DEPTH)?,
            _ => return None,
        }
        Some(())
    }

    fn integer(&mut self, encoding: Encoding, value: i128) -> Option<()> {
        // In two's complement of 64 bits, as the format has it; a value above i64 is unsigned.
        let signed = i64::try_from(value).ok();
        let bits = signed.map_or_else(|| u64::try_from(value).ok(), |it| Some(it.cast_unsigned()))?;
        let low = || u32::try_from(bits & u64::from(u32::MAX)).ok();
        match encoding {
            Encoding::Varint => self.sink.varint(bits),
            Encoding::ZigZag => {
                let signed = signed?;
                self.sink.varint(((signed << 1) ^ (signed >> 63)).cast_unsigned());
            }
            Encoding::Fixed32 => self.sink.raw(&low()?.to_le_bytes()),
            Encoding::Fixed64 => self.sink.raw(&bits.to_le_bytes()),
            Encoding::Length => return None,
        }
        Some(())
    }
}

fn key(number: u32, wire_type: WireType) -> u64 {
    u64::from(number) << 3 | wire_type.number()
}

/// The index, where the field at it has this name.
fn field_after(message: &MessageType, index: u32, name: &Name) -> Option<u32> {
    message.field(index).filter(|field| *field.name == **name).map(|_| index)
}

fn wire_type(encoding: Encoding) -> WireType {
    match encoding {
        Encoding::Varint | Encoding::ZigZag => WireType::Varint,
        Encoding::Fixed32 => WireType::Fixed32,
        Encoding::Fixed64 => WireType::Fixed64,
        Encoding::Length => WireType::Length,
    }
}

/// Whether the wire leaves the value out where absence means the same. A negative zero is a value of its own.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(it) => !it,
        Value::Int(it) => *it == 0,
        Value::Float(it) => it.to_bits() == 0,
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::Enum(it) => it.number == 0,
        Value::Null => true,
        _ => false,
    }
}
