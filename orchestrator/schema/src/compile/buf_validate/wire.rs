//! The messages of `buf/validate/validate.proto`, read off their bytes by field number.
//!
//! By number and not through types of our own, so that a field that nobody here knows is seen and told.

use crate::value::{Duration, Timestamp, Value, widened};
use crate::wire::{Reader, WireType};
use prost::Message as _;

/// How deep groups that nobody knows may nest.
const MAX_GROUPS: usize = 32;

/// One field of a message, as it stands in the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Payload<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Bytes(&'a [u8]),
    /// A group; its content does not matter.
    Group,
}

/// How the numbers of one kind of rules stand on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Float,
    Double,
    Signed,
    Unsigned,
    ZigZag,
    Fixed32,
    Fixed64,
    SignedFixed32,
    SignedFixed64,
}

/// Every field, in the order of the bytes; none where they are no message.
pub(super) fn fields(bytes: &[u8]) -> Option<Vec<(u32, Payload<'_>)>> {
    let mut reader = Reader(bytes);
    let mut fields = Vec::new();
    while !reader.is_empty() {
        let (number, wire_type) = reader.key()?;
        let payload = match wire_type {
            WireType::Varint => Payload::Varint(reader.varint()?),
            WireType::Fixed32 => Payload::Fixed32(reader.fixed32()?),
            WireType::Fixed64 => Payload::Fixed64(reader.fixed64()?),
            WireType::Length => Payload::Bytes(reader.delimited()?),
            WireType::Group | WireType::GroupEnd => {
                reader.skip(wire_type, number, MAX_GROUPS)?;
                Payload::Group
            }
        };
        fields.push((number, payload));
    }
    Some(fields)
}

// === impl Payload ===

impl<'a> Payload<'a> {
    pub(super) fn flag(self) -> Option<bool> {
        self.count().map(|it| it != 0)
    }

    pub(super) fn count(self) -> Option<u64> {
        match self {
            Self::Varint(it) => Some(it),
            _ => None,
        }
    }

    pub(super) fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(it) => Some(it),
            _ => None,
        }
    }

    pub(super) fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// One number, or several that are packed.
    pub(super) fn numbers(self, form: Form) -> Option<Vec<Value>> {
        let Self::Bytes(packed) = self else { return Some(vec![form.number(self)?]) };
        let mut reader = Reader(packed);
        let mut numbers = Vec::new();
        while !reader.is_empty() {
            let payload = match form.wire_type() {
                WireType::Fixed32 => Self::Fixed32(reader.fixed32()?),
                WireType::Fixed64 => Self::Fixed64(reader.fixed64()?),
                _ => Self::Varint(reader.varint()?),
            };
            numbers.push(form.number(payload)?);
        }
        Some(numbers)
    }

    pub(super) fn duration(self) -> Option<Value> {
        let read = prost_types::Duration::decode(self.bytes()?).ok()?;
        Some(Value::Duration(Duration { seconds: read.seconds, nanos: read.nanos }))
    }

    pub(super) fn timestamp(self) -> Option<Value> {
        let read = prost_types::Timestamp::decode(self.bytes()?).ok()?;
        Some(Value::Timestamp(Timestamp { seconds: read.seconds, nanos: read.nanos }))
    }
}

// === impl Form ===

impl Form {
    fn wire_type(self) -> WireType {
        match self {
            Self::Float | Self::Fixed32 | Self::SignedFixed32 => WireType::Fixed32,
            Self::Double | Self::Fixed64 | Self::SignedFixed64 => WireType::Fixed64,
            Self::Signed | Self::Unsigned | Self::ZigZag => WireType::Varint,
        }
    }

    fn number(self, payload: Payload<'_>) -> Option<Value> {
        Some(match (self, payload) {
            (Self::Float, Payload::Fixed32(bits)) => Value::Float(widened(f32::from_bits(bits))),
            (Self::Double, Payload::Fixed64(bits)) => Value::Float(f64::from_bits(bits)),
            (Self::Signed, Payload::Varint(bits)) => Value::Int(bits.cast_signed()),
            (Self::Unsigned, Payload::Varint(bits)) => unsigned(bits),
            (Self::ZigZag, Payload::Varint(bits)) => {
                Value::Int((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
            }
            (Self::Fixed32, Payload::Fixed32(bits)) => Value::Int(i64::from(bits)),
            (Self::Fixed64, Payload::Fixed64(bits)) => unsigned(bits),
            (Self::SignedFixed32, Payload::Fixed32(bits)) => Value::Int(i64::from(bits.cast_signed())),
            (Self::SignedFixed64, Payload::Fixed64(bits)) => Value::Int(bits.cast_signed()),
            _ => return None,
        })
    }
}

/// As coercion types it: an i64 where it fits.
fn unsigned(bits: u64) -> Value {
    i64::try_from(bits).map_or(Value::Uint(bits), Value::Int)
}
