//! The compiled schema as its users hold it: cheap handles onto one shared graph.

use crate::coerce::Coercer;
use crate::compile;
use crate::defect::Defect;
use crate::describe::{Description, Dialect};
use crate::field::Field;
use crate::graph::{Graph, MessageType};
use crate::limits::Limits;
use crate::report::{Report, Violation};
use crate::value::Value;
use bytes::Bytes;
use prost_reflect::MessageDescriptor;
use std::fmt;
use std::sync::Arc;

/// One compiled message type. Clones share everything.
#[derive(Clone)]
pub struct Schema {
    pub(crate) graph: Arc<Graph>,
    pub(crate) root: u32,
}

/// What coercion made of a value, and the record of it.
#[derive(Clone, Debug)]
pub struct Coerced {
    /// The typed value; meaningful only where the report holds no violation.
    pub value: Value,
    /// Every change, and everything that could not be mended.
    pub report: Report,
}

// === impl Coerced ===

impl Coerced {
    /// The typed value, or why there is none.
    ///
    /// # Errors
    /// The report, where it holds a violation.
    pub fn into_result(self) -> Result<(Value, Report), Report> {
        if self.report.is_ok() { Ok((self.value, self.report)) } else { Err(self.report) }
    }
}

// === impl Schema ===

impl Schema {
    /// Compiles a message and all that it reaches, with the usual limits.
    ///
    /// # Errors
    /// Every mistake in the declarations, each naming its field.
    pub fn compile(message: &MessageDescriptor) -> Result<Self, Vec<Defect>> {
        Self::compile_with(message, &Limits::default())
    }

    /// Compiles a message and all that it reaches.
    ///
    /// # Errors
    /// Every mistake in the declarations, each naming its field.
    pub fn compile_with(message: &MessageDescriptor, limits: &Limits) -> Result<Self, Vec<Defect>> {
        compile::compile(message, limits).map(|graph| Self { graph: Arc::new(graph), root: 0 })
    }

    /// Everything that [`Schema::compile`] would refuse, and after it what [`Schema::not_enforced`] would list.
    #[must_use]
    pub fn check(message: &MessageDescriptor) -> Vec<Defect> {
        compile::check(message)
    }

    /// The message's full name.
    #[must_use]
    pub fn full_name(&self) -> &str {
        self.message().map_or("", |message| &message.full_name)
    }

    /// The description from the option, else the comment.
    #[must_use]
    pub fn description(&self) -> String {
        self.message().map(crate::describe::message_text).unwrap_or_default()
    }

    /// The field with exactly this proto name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Field> {
        let index = self.message()?.names.exact(name)?;
        Some(Field::of(&self.graph, self.root, index))
    }

    /// The fields, by number.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = Field> + '_ {
        let count = self.message().map_or(0, |message| message.fields.len());
        (0..u32::try_from(count).unwrap_or(u32::MAX)).map(|index| Field::of(&self.graph, self.root, index))
    }

    /// The message as a whole, where a field is asked for.
    #[must_use]
    pub fn as_field(&self) -> Field {
        Field::root(&self.graph, self.root)
    }

    /// The field that a misspelt name most likely means.
    #[must_use]
    pub fn nearest_field(&self, name: &str) -> Option<&str> {
        let message = self.message()?;
        message.nearest_fields(name).first().map(|field| field.name.as_ref())
    }

    /// Makes of a value what the message declares, and says what was changed and what cannot be.
    ///
    /// Total, deterministic and idempotent: coercing the result changes nothing.
    #[must_use]
    pub fn coerce(&self, mut value: Value) -> Coerced {
        let mut coercer = Coercer::new(&self.graph);
        coercer.root(self.root, &mut value);
        Coerced { value, report: coercer.into_report() }
    }

    /// What a typed value breaks of its type's constraints: of an agent's output, or of a coerced value again.
    ///
    /// An unknown number of an open enum is let pass.
    #[must_use]
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        crate::validate::validate(&self.graph, self.root, value)
    }

    /// The wire bytes of a typed value.
    ///
    /// # Errors
    /// Where the value is not typed by this schema: it did not come from `coerce` without violations, or `decode`.
    pub fn encode(&self, value: &Value) -> Result<Bytes, crate::EncodeError> {
        crate::encode::encode(&self.graph, self.root, value)
    }

    /// The typed value of wire bytes. Fields without presence are there at their default.
    ///
    /// # Errors
    /// Where the bytes are no such message, nest too deep or hold too many values.
    pub fn decode(&self, bytes: &[u8]) -> Result<Value, crate::DecodeError> {
        crate::decode::decode(&self.graph, self.root, bytes)
    }

    /// A value, as it came or coerced, with every secret replaced by `"[redacted]"`.
    #[must_use]
    pub fn redacted(&self, value: &Value) -> Value {
        crate::redact::redacted(&self.graph, self.root, value)
    }

    /// A typed value as a `result`: proto names, fields without presence at their default, 64-bit integers as
    /// decimal strings, enum names, base64, RFC 3339.
    #[must_use]
    pub fn to_struct(&self, value: &Value) -> prost_types::Struct {
        crate::render::to_struct(&self.graph, self.root, value)
    }

    /// A typed value as proto3 JSON with proto names, but 64-bit integers as JSON numbers. Holds what the value
    /// holds: nothing is added or left out. The typed value carries all that this needs.
    #[must_use]
    pub fn to_json(&self, value: &Value) -> String {
        value.to_json()
    }

    /// A typed value in the terms of the JSON Schema that its type was made from: members under their `json_name`, null
    /// where the schema wants one, names that it left open beside the others.
    #[must_use]
    pub fn to_original(&self, value: &Value) -> Value {
        match self.message() {
            Some(message) => crate::original::original(&self.graph, message, value),
            None => value.clone(),
        }
    }

    /// JSON Schema (draft 2020-12) that admits exactly what coerces without an entry but defaults.
    #[must_use]
    pub fn describe(&self) -> serde_json::Value {
        crate::describe::describe(&self.graph, self.root)
    }

    /// The schema in a form for a model, a validator or a person to read; `describe` is its plain dialect.
    #[must_use]
    pub fn describe_as(&self, dialect: Dialect) -> Description {
        crate::describe::describe_as(&self.graph, self.root, dialect)
    }

    /// The rules of `buf.validate` that are declared and that nobody enforces here: CEL expressions, rules that depend
    /// on the clock, rules that are not known. Each names its field.
    #[must_use]
    pub fn not_enforced(&self) -> &[Defect] {
        &self.graph.not_enforced
    }

    /// SHA-256 over the normalised types and constraints, without wording: `sha256` in lower-case hex.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        crate::fingerprint::fingerprint(&self.graph, self.root)
    }

    pub(crate) fn message(&self) -> Option<&MessageType> {
        self.graph.message(self.root)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.full_name()).finish()
    }
}

/// Equal where the same message of one compilation is meant.
impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph) && self.root == other.root
    }
}
