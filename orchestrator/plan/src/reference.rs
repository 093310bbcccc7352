//! `${id.root.path ?? default}`: what a step refers to in another step's answer.
//!
//! ```text
//! reference = "${" id "." root segment* [ "??" literal ] "}"        blanks may stand around id…segments and the literal
//! id        = [A-Za-z0-9_-]{1,64}
//! root      = "result" | "explanation" | "confidence" | "metadata" | "status"
//! segment   = "." name | "[" digits "]" | "[" JSON text "]"         a name is letters, digits, "_" and "-"
//! literal   = JSON
//! ```

use std::fmt;
use std::sync::Arc;

use convoke_schema::Value;

/// A place in an earlier step's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The step that answers.
    pub step: Arc<str>,
    /// Which part of its answer.
    pub root: Root,
    /// The way inside that part.
    pub path: Vec<Segment>,
    /// What stands in when the place is absent or null; plain JSON.
    pub default: Option<Value>,
}

/// A part of a step's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// The response message.
    Result,
    /// What it means, in words.
    Explanation,
    /// How sure the agent is.
    Confidence,
    /// Whatever else the agent says.
    Metadata,
    /// How the step ended: `SUCCESS`, `FAILURE`, `CLARIFICATION`.
    Status,
}

/// One step of the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// A field, or a key of a map.
    Key(String),
    /// A place in a list, from 0.
    Index(usize),
}

// === impl Reference ===

impl Reference {
    /// Whether it has a value even when its step failed.
    pub fn survives_failure(&self) -> bool {
        self.default.is_some() || self.root == Root::Status
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.step, self.root)?;
        self.path.iter().try_for_each(|segment| segment.fmt(f))
    }
}

// === impl Root ===

impl Root {
    pub(crate) const ALL: [Self; 5] =
        [Self::Result, Self::Explanation, Self::Confidence, Self::Metadata, Self::Status];

    /// The word in a plan's text; also the field's name in `DomainOutput`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Explanation => "explanation",
            Self::Confidence => "confidence",
            Self::Metadata => "metadata",
            Self::Status => "status",
        }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// === impl Segment ===

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) if is_name(key) => write!(f, ".{key}"),
            Self::Key(key) => write!(f, "[{key:?}]"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// Whether a key reads as a name, without quotes.
pub(crate) fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(in_name)
}

pub(crate) fn in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}
