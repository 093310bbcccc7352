//! What a field holds, as coercion sees it.

use std::fmt;

/// The kind of one value: of a field, or of each element of a list or map.
///
/// Encodings of one number type are one kind; wrappers have the kind of what they wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A 64-bit float.
    Double,
    /// A 32-bit float.
    Float,
    /// int32, sint32, sfixed32.
    Int32,
    /// int64, sint64, sfixed64.
    Int64,
    /// uint32, fixed32.
    Uint32,
    /// uint64, fixed64.
    Uint64,
    /// A boolean.
    Bool,
    /// Text.
    String,
    /// Bytes; base64 in JSON.
    Bytes,
    /// An enum.
    Enum,
    /// A message of the team's own.
    Message,
    /// `google.protobuf.Timestamp`.
    Timestamp,
    /// `google.protobuf.Duration`.
    Duration,
    /// `google.protobuf.FieldMask`.
    FieldMask,
    /// `google.protobuf.Struct`.
    Struct,
    /// `google.protobuf.Value`.
    Value,
    /// `google.protobuf.ListValue`.
    ListValue,
    /// `google.protobuf.Any`: a message that names its type.
    Any,
}

/// A kind with the place of its declaration in the compiled schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Double,
    Float,
    Integer(IntegerType),
    Bool,
    String,
    Bytes,
    Enum(u32),
    Message(u32),
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    Any,
}

/// The four ranges of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerType {
    Int32,
    Int64,
    Uint32,
    Uint64,
}

/// How a value stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Varint,
    ZigZag,
    Fixed32,
    Fixed64,
    Length,
}

// === impl Kind ===

impl Kind {
    /// The word for this kind in protobuf and in what people read.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Float => "float",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Bool => "bool",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Enum => "enum",
            Self::Message => "message",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::FieldMask => "field mask",
            Self::Struct => "object",
            Self::Value => "any value",
            Self::ListValue => "list of any values",
            Self::Any => "message of any type",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// === impl Type ===

impl Type {
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Double => Kind::Double,
            Self::Float => Kind::Float,
            Self::Integer(IntegerType::Int32) => Kind::Int32,
            Self::Integer(IntegerType::Int64) => Kind::Int64,
            Self::Integer(IntegerType::Uint32) => Kind::Uint32,
            Self::Integer(IntegerType::Uint64) => Kind::Uint64,
            Self::Bool => Kind::Bool,
            Self::String => Kind::String,
            Self::Bytes => Kind::Bytes,
            Self::Enum(_) => Kind::Enum,
            Self::Message(_) => Kind::Message,
            Self::Timestamp => Kind::Timestamp,
            Self::Duration => Kind::Duration,
            Self::FieldMask => Kind::FieldMask,
            Self::Struct => Kind::Struct,
            Self::Value => Kind::Value,
            Self::ListValue => Kind::ListValue,
            Self::Any => Kind::Any,
        }
    }
}

// === impl IntegerType ===

impl IntegerType {
    /// The least and the greatest value.
    pub(crate) const fn range(self) -> (i128, i128) {
        match self {
            Self::Int32 => (-(1 << 31), (1 << 31) - 1),
            Self::Int64 => (-(1 << 63), (1 << 63) - 1),
            Self::Uint32 => (0, (1 << 32) - 1),
            Self::Uint64 => (0, (1 << 64) - 1),
        }
    }

    pub(crate) const fn is_wide(self) -> bool {
        matches!(self, Self::Int64 | Self::Uint64)
    }

    pub(crate) const fn is_signed(self) -> bool {
        matches!(self, Self::Int32 | Self::Int64)
    }
}
