//! The schema engine: a protobuf message descriptor becomes a compiled [`Schema`]; any [`Value`] is made into what
//! that schema declares, with a record of every change; typed values go to the wire and come back.
//!
//! ```text
//! MessageDescriptor ──compile──▶ Schema          (once per contract; a bad declaration is a Defect)
//! JSON text, Struct ──────────▶ Value ──coerce──▶ typed Value + Report ──encode──▶ bytes
//!                                      validate ◀── typed Value ◀──decode── bytes
//! Schema ──describe──▶ JSON Schema     assignable(producer, consumer) ──▶ always, sometimes or never
//! ```
//!
//! Everything here is pure: no I/O, no clock, no globals. Nothing panics, whatever value or descriptor comes in,
//! and every cost is near linear in the size of what came.
//!
//! It does not decide what to do about a violation, and it knows no plan, no capability and no agent.

mod assignable;
mod coerce;
mod compile;
mod constraint;
mod decode;
mod defect;
mod demand;
mod describe;
mod encode;
mod field;
mod fingerprint;
mod from_json_schema;
mod further;
mod graph;
mod inline;
mod json;
mod kind;
mod limits;
mod names;
mod nearest;
mod original;
mod pattern;
mod place;
mod redact;
mod render;
mod report;
mod rule;
mod schema;
mod time;
mod validate;
mod value;
mod wire;
mod words;

pub use crate::assignable::{Assignable, Judge, Verdict, assignable};
pub use crate::decode::DecodeError;
pub use crate::defect::{Defect, DefectRule};
pub use crate::describe::{Description, Dialect};
pub use crate::encode::EncodeError;
pub use crate::field::{EnumChoice, Field};
pub use crate::from_json_schema::{Converted, Note, NoteKind, from_json_schema};
pub use crate::inline::render_inline;
pub use crate::json::{JsonError, MAX_DEPTH as MAX_JSON_DEPTH};
pub use crate::kind::Kind;
pub use crate::limits::Limits;
pub use crate::nearest::nearest;
pub use crate::report::{Entry, Op, Report, Rule, Violation, ViolationRule};
pub use crate::schema::{Coerced, Schema};
pub use crate::value::{Duration, EnumValue, Name, Number, Object, Timestamp, Value};
