//! Declared patterns, in RE2's syntax and with RE2's meaning: found somewhere in a text, in time linear in it.
//!
//! ```text
//! declared ──re2──▶ the engine's syntax ──▶ Regex
//!     └──────────▶ what descriptions, violations and fingerprints show
//! ```
//!
//! Every pattern of a declaration comes through here: of our own options, of `buf.validate`, and of JSON Schemas, which
//! are put into RE2's syntax before (`rule/pattern.rs`).

mod re2;

pub(crate) use self::re2::engine_syntax;

use crate::assignable::Kept;
use regex::{Regex, RegexBuilder};

/// How large a compiled pattern may be, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// A pattern as it was declared, and compiled.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    declared: Box<str>,
    compiled: Regex,
    /// What comparing it with others takes, from the first time on.
    kept: Kept,
}

// === impl Pattern ===

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn new(declared: &str) -> Result<Self, String> {
        Self::shown_as(declared, declared)
    }

    /// Compiles a pattern that was put into this syntax, and shows it as it was written in its own.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn shown_as(pattern: &str, shown: &str) -> Result<Self, String> {
        let engine = engine_syntax(pattern)?;
        match RegexBuilder::new(&engine).size_limit(MAX_PATTERN).build() {
            Ok(compiled) => Ok(Self { declared: shown.into(), compiled, kept: Kept::default() }),
            Err(error) => Err(reason(&error)),
        }
    }

    /// As it was declared.
    pub(crate) fn as_str(&self) -> &str {
        &self.declared
    }

    /// In the syntax of the engine, for another engine of that syntax.
    pub(crate) fn engine_syntax(&self) -> &str {
        self.compiled.as_str()
    }

    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Whether it is found somewhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }
}

/// What is wrong, without the engine's spelling of the pattern and a mark below its place, which nobody wrote.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
