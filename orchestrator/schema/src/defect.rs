//! What is wrong with a declaration.

use std::fmt;

/// Why a message cannot be compiled: one mistake in its declaration, at its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {rule}: {message}")]
pub struct Defect {
    /// Full name of the field, enum value or message.
    pub path: String,
    /// What is at fault.
    pub rule: DefectRule,
    /// What is wrong, in words.
    pub message: String,
}

/// What a declaration gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DefectRule {
    /// A kind of field that is not served.
    Unsupported,
    /// The option cannot be read.
    Option,
    /// A part of FieldSpec that does not apply to this kind of field.
    NotApplicable,
    /// A bound, allowed value or example that the field's own row cannot read.
    BadValue,
    /// A regular expression that cannot be compiled.
    BadPattern,
    /// Two declarations that no value can satisfy together.
    Contradiction,
    /// A default that its own field refuses.
    BadDefault,
    /// A name or alias that two fields or values claim.
    Ambiguous,
    /// A rule of `buf.validate` that is read and not enforced. It does not keep a schema from compiling.
    NotEnforced,
    /// The descriptor itself is not well formed.
    Malformed,
    /// Larger, deeper or more intricate than is read.
    TooLarge,
}

// === impl DefectRule ===

impl DefectRule {
    /// The name of the rule, in upper snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unsupported => "UNSUPPORTED",
            Self::Option => "OPTION",
            Self::NotApplicable => "NOT_APPLICABLE",
            Self::BadValue => "BAD_VALUE",
            Self::BadPattern => "BAD_PATTERN",
            Self::Contradiction => "CONTRADICTION",
            Self::BadDefault => "BAD_DEFAULT",
            Self::Ambiguous => "AMBIGUOUS",
            Self::NotEnforced => "NOT_ENFORCED",
            Self::Malformed => "MALFORMED",
            Self::TooLarge => "TOO_LARGE",
        }
    }
}

impl fmt::Display for DefectRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
