//! The schema in words that others read: JSON Schema (draft 2020-12) in two dialects, and lines for prompts.
//!
//! ```text
//! graph ──┬─ scalar (digits, base64, expression) ─┬─▶ plain   what comes so needs no mending
//!         ├─ words (comments) ────────────────────┼─▶ strict  what comes so can be mended
//!         └───────────────────────────────────────┴─▶ text    what a person or a model reads
//! ```
//!
//! **Plain** admits exactly the values that coerce without an entry but defaults, as far as JSON Schema can say it.
//! It cannot say, or a validator of doubles cannot see:
//! - how deep values nest, and that a key came twice;
//! - digits beyond the type: an integer written out that a double or float does not hold, numbers that a validator
//!   rounds before it compares them, an integer beyond ±(2^53 − 1) within a Struct, Value or ListValue;
//! - edges of date-times: years outside 1 to 9999 (after the offset is taken off), and days that a month does not
//!   have where `format` is not asserted; bounds and allowed values of a Timestamp stand in the description;
//! - in a list whose elements differ, two spellings of one value (`1` and `"1"` for 64 bits, `1s` and `1.0s`);
//! - formats of `buf.validate` and lengths in bytes of UTF-8, what it asks of several fields that do not tell absence
//!   from zero, and declared JSON Schemas about a message: they stand in the description;
//! - beside a declared JSON Schema of a field, other spellings of what is a number or null to it: the digits of 64
//!   bits, `Infinity`, `NULL_VALUE`;
//! - that `.` in a pattern of ours is also a carriage return and two more line ends, which ECMA-262 leaves out; a
//!   pattern that ECMA-262 cannot say at all stands in the description.
//!
//! **Strict** uses what the strict modes of the large providers share: `type` (with null), `enum`, `anyOf`,
//! `properties`, `required` (all of them), `additionalProperties: false`, `items`, `$defs`, `$ref` with nothing
//! beside it, `description`. Of what only most of them take it uses `pattern`, `format: date-time`, `minimum`,
//! `maximum`, their exclusive forms, `minItems` and `maxItems`, since without them a value that validates could be out
//! of range: OpenAI takes all of these; Gemini passes over those that it does not know; Anthropic answers bounds and
//! recursion with an error, so an adapter for it takes them out. Every declared bound is in the description as well.
//! What it admits coerces without a violation, but for what no such mode can say: the exceptions above, at most one
//! member of a oneof, a map's key twice, an element twice, lengths above 256 or beside a pattern, text for a Struct
//! that is no JSON object, `buf.validate`'s own rules and declared JSON Schemas.
//!
//! Its root is an object wherever the message has fields of its own: a Struct, Value or wrapper as the root is none.
//!
//! **Text** has one line for each field, nested messages indented, each message in full only where it comes first.
//!
//! All three are deterministic, linear in the schema, and cut a team's own texts at 1,000 characters, lists of choices
//! at 30 and values at 500 bytes. Secrets have neither default nor examples.

mod base64;
mod comments;
mod dialect;
mod digits;
mod expression;
mod further;
mod json;
mod plain;
mod rule;
mod scalar;
mod strict;
mod text;
mod words;

use crate::graph::Graph;
use serde_json::Value as Json;

pub(crate) use self::comments::{field_text, message_text};
pub use self::dialect::{Description, Dialect};

/// The plain dialect.
pub(crate) fn describe(graph: &Graph, root: u32) -> Json {
    plain::schema(graph, root)
}

/// Any dialect.
pub(crate) fn describe_as(graph: &Graph, root: u32, dialect: Dialect) -> Description {
    match dialect {
        Dialect::Plain => Description::JsonSchema(plain::schema(graph, root)),
        Dialect::Strict => Description::JsonSchema(strict::schema(graph, root)),
        Dialect::Text => Description::Text(text::lines(graph, root)),
    }
}
