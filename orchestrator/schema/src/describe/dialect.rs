//! The forms in which a schema is described, and what comes out.

use serde_json::Value as Json;
use std::fmt;

/// A form of description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// JSON Schema 2020-12 that admits exactly what coerces without an entry but defaults.
    #[default]
    Plain,
    /// JSON Schema in the subset that model providers' strict modes take; what it admits coerces without a violation.
    Strict,
    /// One line for each field, for prompts and for people.
    Text,
}

/// A schema, described.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Description {
    /// Of the dialects `plain` and `strict`.
    JsonSchema(Json),
    /// Of the dialect `text`: lines, each with its newline.
    Text(String),
}

// === impl Dialect ===

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Strict, Self::Text];

    /// The word by which people choose it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Strict => "strict",
            Self::Text => "text",
        }
    }

    /// The dialect of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// === impl Description ===

impl Description {
    /// The JSON Schema; none of a text.
    #[must_use]
    pub fn as_json(&self) -> Option<&Json> {
        match self {
            Self::JsonSchema(schema) => Some(schema),
            Self::Text(_) => None,
        }
    }
}

/// JSON Schema on one line, with `{:#}` indented; text as it is.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JsonSchema(schema) => fmt::Display::fmt(schema, f),
            Self::Text(text) => f.write_str(text),
        }
    }
}
