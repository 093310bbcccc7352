//! JSON text to values and back, with nothing lost on the way in: every key, every digit.
//!
//! What a schema says about the text is not known here.

mod parse;
mod write;

pub(crate) use self::parse::parse;
pub use self::parse::{JsonError, MAX_DEPTH};
pub(crate) use self::write::{float_text, non_finite, number, string, write, write_bare};
