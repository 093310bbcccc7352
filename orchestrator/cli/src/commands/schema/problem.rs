//! What is wrong with a declaration, as `check` prints it.

use std::fmt;

use convoke_proto::v1::Violation;
use convoke_schema::{Defect, Note};
use serde_json::{Value, json};

/// One thing that is wrong with what a team declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The full name of what is at fault; a file's name where it is the file.
    pub(super) path: String,
    /// In upper snake case.
    pub(super) rule: String,
    pub(super) message: String,
}

// === impl Problem ===

impl Problem {
    pub(super) fn to_json(&self) -> Value {
        json!({ "path": self.path, "rule": self.rule, "message": self.message })
    }
}

impl From<Defect> for Problem {
    fn from(defect: Defect) -> Self {
        Self { path: defect.path, rule: defect.rule.as_str().to_owned(), message: defect.message }
    }
}

impl From<&Note> for Problem {
    fn from(note: &Note) -> Self {
        Self { path: note.path.clone(), rule: note.kind.as_str().to_owned(), message: note.message.clone() }
    }
}

impl From<Violation> for Problem {
    fn from(violation: Violation) -> Self {
        let rule = violation.rule().as_str_name().to_owned();
        let got = if violation.got.is_empty() { String::new() } else { format!(", not {}", violation.got) };
        Self { path: violation.path, rule, message: format!("expected {}{got}", violation.expected) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.rule, self.message)
    }
}
