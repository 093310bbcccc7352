//! JSON Schema becomes a message descriptor: a tool that describes its parameters in JSON Schema (drafts 7 and 2020-12,
//! as MCP carries them) is then compiled, coerced and described like any other message.
//!
//! ```text
//! JSON Schema ─document─▶ nodes ─flat─▶ one set of keywords each ─shape─▶ kind ─┐
//!                                                                             ├─▶ descriptor with (convoke.v1.…) options
//!                                        what no option can say ─emit─▶ rules ──┘
//! ```
//!
//! What protobuf says is said by the descriptor: types, lists, maps, nested and recursive messages. What the options say
//! becomes `(convoke.v1.field)`. What is left (unions, tuples, conditions, `multipleOf` …) is kept word for word in
//! `json_schema` and checked by the engine on every value. What none of the three can say is refused, or stands in the
//! notes. Nothing is left out in silence, and nothing is fetched: references stay within the document.
//!
//! Deliberately plain: a `format` is words for the reader, as in JSON Schema, and a text that has one stays a `string`. A
//! Timestamp would lose its offset on the way to the tool, and `bytes` the line breaks that MIME's base64 may have.
//!
//! What holds of every schema, and so stands in no note:
//! - an `integer` has 64 bits and a `number` is a double; an integer beyond ±(2^53 − 1) in a value that is only checked
//!   reaches the tool as its decimal text, as in any Struct;
//! - the decimal text of an `integer` is taken for it without an entry, as for any field of 64 bits;
//! - a name that comes in another spelling is taken for the declared one, also where the schema leaves names open.

mod descriptor;
mod document;
mod emit;
mod field;
mod flat;
mod keyword;
mod message;
mod names;
mod note;
mod object;
mod openapi;
mod scalar;
mod shape;
mod unevaluated;

use self::document::Document;
use self::message::Builder;
use crate::defect::{Defect, DefectRule};
use crate::schema::Schema;
use prost_reflect::MessageDescriptor;
use std::borrow::Cow;

pub use self::note::{Note, NoteKind};

/// How often defaults and examples that their own schema refuses are taken out before giving up.
const MAX_ROUNDS: usize = 4;

/// A message made from a JSON Schema.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The message, in a pool of its own. Each field's `json_name` is the property's name.
    pub descriptor: MessageDescriptor,
    /// Where the message says less, or other, than the schema did.
    pub notes: Vec<Note>,
}

/// Makes a message of a JSON Schema.
///
/// `name` is the full name that the message gets, like `mcp.github.CreateIssue`. The schema's text may have 1 MiB.
/// [`Schema::to_original`] turns a coerced value back into what the schema's owner expects.
///
/// # Errors
/// Every reason why the schema cannot be said and cannot be checked either; each names its place by JSON pointer.
pub fn from_json_schema(schema: &serde_json::Value, name: &str) -> Result<Converted, Vec<Defect>> {
    let seen = document::check_size(schema).map_err(|defect| vec![defect])?;
    let mut schema = Cow::Borrowed(schema);
    if seen.otherwise {
        openapi::rewrite(schema.to_mut());
    }
    let document = Document::read(&schema, &seen).map_err(|defect| vec![defect])?;
    let mut builder = Builder::new(&document, name).map_err(|defect| vec![defect])?;
    builder.run().map_err(|defect| vec![defect])?;
    for _ in 0..MAX_ROUNDS {
        let descriptor = builder.descriptor().map_err(|defect| vec![defect])?;
        let defects = match Schema::compile(&descriptor) {
            Ok(_) => return Ok(Converted { descriptor, notes: builder.into_notes() }),
            Err(defects) => defects,
        };
        let left: Vec<Defect> = defects.into_iter().filter_map(|defect| builder.mend(defect)).collect();
        if !left.is_empty() {
            return Err(left);
        }
    }
    let message = "its defaults contradict each other";
    Err(vec![defect("#", DefectRule::BadDefault, message)])
}

fn defect(at: &str, rule: DefectRule, message: impl Into<String>) -> Defect {
    Defect { path: at.to_owned(), rule, message: message.into() }
}
