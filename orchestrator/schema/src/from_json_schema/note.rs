//! What a conversion could not carry over as it was.

use std::fmt;

/// A place where the message says less, or other, than the schema did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// JSON pointer into the schema, like `#/properties/limit`.
    pub path: String,
    /// What became of it.
    pub kind: NoteKind,
    /// In words.
    pub message: String,
}

/// What became of a part of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Values that the schema admits are refused.
    Narrowed,
    /// Checked as a rule; values are not mended there.
    CheckedOnly,
    /// null and absence are one.
    NullIsAbsent,
    /// Only words for the reader: it is not enforced, as JSON Schema has it.
    NotEnforced,
    /// Left out: it has no meaning in JSON Schema, or none that a message carries.
    LeftOut,
    /// A default or an example that its own schema refuses, or that cannot be written down.
    BadValue,
    /// The property's name is no name in protobuf: the field has another one, and this as its `json_name`.
    Renamed,
}

// === impl NoteKind ===

impl NoteKind {
    /// The name of the kind, in upper snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Narrowed => "NARROWED",
            Self::CheckedOnly => "CHECKED_ONLY",
            Self::NullIsAbsent => "NULL_IS_ABSENT",
            Self::NotEnforced => "NOT_ENFORCED",
            Self::LeftOut => "LEFT_OUT",
            Self::BadValue => "BAD_VALUE",
            Self::Renamed => "RENAMED",
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.kind, self.message)
    }
}
