//! What one row of the table makes of one value.

use crate::report::{Rule, ViolationRule};
use crate::value::Value;

/// The verdict of a row.
#[derive(Debug)]
pub(super) enum Row {
    /// The value is typed already.
    Keep,
    /// The value says the right thing; this is its typed form.
    Typed(Value),
    /// The value was mended by this rule.
    Mended(Rule, Value),
    /// The value cannot be mended.
    Refused(Box<Refusal>),
}

/// Why a value cannot be mended.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) rule: ViolationRule,
    /// None: what the kind expects.
    pub(super) expected: Option<String>,
    pub(super) suggestion: String,
}

// === impl Row ===

impl Row {
    /// Refused, in the words of the kind.
    pub(super) fn refused(rule: ViolationRule) -> Self {
        Refusal { rule, expected: None, suggestion: String::new() }.into()
    }

    /// Text for a place where it does not belong.
    pub(super) fn wrong_type() -> Self {
        Self::refused(ViolationRule::WrongType)
    }

    /// What was typed only after its text was read is mended.
    pub(super) fn mended_by(self, rule: Rule, exact: bool) -> Self {
        match self {
            Self::Typed(value) if !exact => Self::Mended(rule, value),
            other => other,
        }
    }
}

// === impl Refusal ===

impl Refusal {
    pub(super) fn new(rule: ViolationRule) -> Self {
        Self { rule, expected: None, suggestion: String::new() }
    }

    pub(super) fn expecting(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }

    pub(super) fn suggesting(self, suggestion: impl Into<String>) -> Self {
        Self { suggestion: suggestion.into(), ..self }
    }
}

impl From<Refusal> for Row {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}
