//! The one value type: what came as JSON text or as a Struct, what coercion made of it, what is encoded.
//!
//! ```text
//! JSON text ──parse──▶ Value ──coerce──▶ Value (typed) ──encode──▶ wire bytes
//! Struct    ──from───▶                               ◀──decode──
//! ```
//!
//! An object keeps the order of its keys and every duplicate, a number literal every digit: what has to be
//! refused can only be refused while it is still there. This module does not know any schema.

mod denote;
mod number;
mod object;
mod proto;
mod text;

use bytes::Bytes;
use std::sync::Arc;

pub(crate) use self::denote::Denoted;
pub use self::number::Number;
pub(crate) use self::number::{
    Decimal, Integer, exact_f32, exact_f64, integer_of, integer_value, nearest_f32, number_end, to_i128,
    widened,
};
pub use self::object::{Name, Object};
pub(crate) use self::proto::SAFE;

/// The member of an Any that holds the URL of its type.
pub(crate) const ANY_TYPE: &str = "@type";
/// The member of an Any that holds a value with a JSON form of its own.
pub(crate) const ANY_VALUE: &str = "value";

/// Any value that passes through the orchestrator.
///
/// Equality is by denoted value: `42`, `42.0` and `4.2e1` are equal, the order of keys counts for nothing.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// JSON null.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits 64 signed bits; every typed integer that fits is held like this.
    Int(i64),
    /// An integer above `i64::MAX`.
    Uint(u64),
    /// A double. Of a field of type `float` it is the double nearest to that float's shortest decimal text.
    Float(f64),
    /// A JSON number with point or exponent, or an integer beyond 64 bits: every digit as it came.
    Number(Number),
    /// Text; in a typed value also a FieldMask in its JSON form.
    Text(String),
    /// Bytes, in a typed value only.
    Bytes(Bytes),
    /// A `google.protobuf.Timestamp`, in a typed value only.
    Timestamp(Timestamp),
    /// A `google.protobuf.Duration`, in a typed value only.
    Duration(Duration),
    /// An enum value, in a typed value only.
    Enum(EnumValue),
    /// A list.
    List(Vec<Value>),
    /// A message, a map or a Struct.
    Object(Object),
}

/// A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds within the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since the epoch, -62135596800 (year 1) to 253402300799 (year 9999).
    pub seconds: i64,
    /// 0 to 999,999,999, also before the epoch.
    pub nanos: i32,
}

/// A span of time; both parts have the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Duration {
    /// Whole seconds, at most 315,576,000,000 either way.
    pub seconds: i64,
    /// -999,999,999 to 999,999,999.
    pub nanos: i32,
}

/// A value of an enum, with its name where the type declares one for the number.
#[derive(Clone, Debug)]
pub struct EnumValue {
    /// The number on the wire.
    pub number: i32,
    /// The first declared name; none for an unknown number of an open enum.
    pub name: Option<Arc<str>>,
}

// === impl EnumValue ===

/// Equal numbers are equal values: an alias of a number says the same.
impl PartialEq for EnumValue {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for EnumValue {}

// === impl Value ===

impl Value {
    /// Reads one JSON text. A byte order mark is skipped; every key, duplicates included, and every digit is kept.
    ///
    /// # Errors
    /// Where the text is no JSON, is no UTF-8, or nests deeper than 128: line and column.
    pub fn parse(text: &[u8]) -> Result<Self, crate::json::JsonError> {
        crate::json::parse(text)
    }

    /// The member of that name, of an object; the first one where there are several.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// The element at that place, of a list.
    #[must_use]
    pub fn index(&self, index: usize) -> Option<&Self> {
        self.as_list().and_then(|list| list.get(index))
    }

    /// Whether this is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text; of an enum value its name.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Enum(value) => value.name.as_deref(),
            _ => None,
        }
    }

    /// The boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number as a double, rounded where a double cannot hold it.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        number::to_f64(self)
    }

    /// The number, where it is an integer of at most 64 signed bits, however it was written.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        number::to_i128(self).and_then(|value| i64::try_from(value).ok())
    }

    /// The elements of a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The members of an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The members of an object, to change them.
    #[must_use]
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Compact JSON text of this value, without a schema: 64-bit integers as numbers, bytes as base64, times as
    /// RFC 3339, literals as they came, other numbers as RFC 8785 prints them.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        crate::json::write(self, &mut text);
        text
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Self::Uint(value), Self::Int)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(value: Vec<Value>) -> Self {
        Self::List(value)
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}
