//! Coercion: a value is walked beside the compiled schema and changed where it stands.
//!
//! ```text
//! message ─▶ fields in the order of their numbers ─▶ list, map or single ─▶ one row of the table per kind
//!    ▲                                                     │
//!    └─────────────── nested messages ◀────────────────────┘
//! ```
//!
//! A row says what it makes of a value; the [`Coercer`] writes the entry or the violation down at the moment of the
//! change. What already is right is not touched, not copied and not reported.

mod any;
mod choice;
pub(crate) mod demand;
mod dynamic;
mod list;
mod map;
mod message;
mod moment;
mod number;
mod row;
mod rule;
mod text;

use self::message::Slot;
use self::row::{Refusal, Row};
use crate::constraint::Broken;
use crate::graph::{FieldType, Graph, Shape};
use crate::json;
use crate::kind::Type;
use crate::place::Place;
use crate::report::{Draft, Op, REDACTED, Report, Rule, Violation, ViolationRule, got};
use crate::value::Value;
use crate::words;

/// One coercion on its way.
pub(crate) struct Coercer<'g> {
    graph: &'g Graph,
    report: Report,
    /// A normalised name; kept for its capacity.
    scratch: String,
    /// The members of every message that is open, each message's from its own base.
    slots: Vec<Slot>,
    /// Within the value of a secret field: everything there is as secret.
    veiled: bool,
}

/// A place, and how deep it is.
#[derive(Clone, Copy)]
struct At<'a> {
    place: &'a Place<'a>,
    depth: usize,
}

/// What a field's value, or one of its elements, is shown as.
#[derive(Clone, Copy)]
struct Shown {
    sensitive: bool,
}

// === impl Coercer ===

impl<'g> Coercer<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            report: Report::new(graph.limits.max_report_bytes),
            scratch: String::new(),
            slots: Vec::with_capacity(16),
            veiled: false,
        }
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }

    /// A whole message.
    pub(crate) fn root(&mut self, message: u32, value: &mut Value) {
        match self.graph.message(message).and_then(|message| message.whole.as_deref()) {
            // Depth counts from what the message holds: an object, a list, what an Any packs.
            Some(whole) => self.element(whole, value, At { place: &Place::ROOT, depth: 0 }),
            None => self.message(message, value, At { place: &Place::ROOT, depth: 1 }),
        };
    }

    /// A value of a whole field, on its own.
    pub(crate) fn whole(mut self, field: &FieldType, value: &mut Value) -> Vec<Violation> {
        let place = Place::ROOT.field(&field.name);
        self.field(field, value, At { place: &place, depth: 1 });
        self.report.into_violations()
    }

    /// A value of a field, or of one of its elements, on its own.
    pub(crate) fn single(mut self, field: &FieldType, value: &mut Value) -> Vec<Violation> {
        let place = Place::ROOT.field(&field.name);
        self.element(field, value, At { place: &place, depth: 1 });
        self.report.into_violations()
    }

    /// A value of a whole field, or of one of its elements, on its own, with the record of every change.
    pub(crate) fn alone(mut self, field: &FieldType, whole: bool, value: &mut Value) -> Report {
        let at = At { place: &Place::ROOT, depth: 1 };
        if whole {
            self.field(field, value, at)
        } else {
            self.element(field, value, at)
        };
        self.report
    }

    /// The value of a field that is there and not null. Says whether it is right now.
    fn field(&mut self, field: &FieldType, value: &mut Value, at: At<'_>) -> bool {
        let around = self.veiled;
        self.veiled |= field.spec.secret;
        let right = match field.shape {
            Shape::Single => self.element(field, value, at),
            Shape::List { .. } => self.list(field, value, at),
            Shape::Map(key) => self.map(field, key, value, at),
        };
        self.veiled = around;
        right
    }

    fn shown(&self, sensitive: bool) -> Shown {
        Shown { sensitive: sensitive || self.veiled }
    }

    /// One value of a field: the row of its kind, then what the field asks beyond it.
    fn element(&mut self, field: &FieldType, value: &mut Value, at: At<'_>) -> bool {
        plain_form(field.kind, value);
        let row = match field.kind {
            Type::Double => number::double(value, field.allow_non_finite),
            Type::Float => number::float(value, field.allow_non_finite),
            Type::Integer(integer) => number::integer(integer, value),
            Type::Bool => text::boolean(value),
            Type::String => text::string(value),
            Type::Bytes => text::bytes(value),
            Type::FieldMask => text::mask(value),
            Type::Timestamp => moment::timestamp(value),
            Type::Duration => moment::duration(value),
            Type::Enum(index) => match self.graph.enumeration(index) {
                Some(it) => choice::choice(it, value, &mut self.scratch),
                None => Row::Keep,
            },
            Type::Message(index) => {
                return self.message(index, value, At { depth: at.depth.saturating_add(1), ..at });
            }
            Type::Struct | Type::Value | Type::ListValue => {
                return self.dynamic_field(field, value, at) && self.field_rule(field, value, at.place);
            }
            Type::Any => return self.any(field, value, at),
        };
        self.apply(field, row, value, at.place) && self.check(field, value, at.place)
    }

    /// Does what a row decided.
    fn apply(&mut self, field: &FieldType, row: Row, value: &mut Value, place: &Place<'_>) -> bool {
        match row {
            Row::Keep => true,
            Row::Typed(typed) => {
                *value = typed;
                true
            }
            Row::Mended(rule, typed) => {
                let shown = self.shown(field.sensitive);
                let draft = shown.before(self.report.begin(place, rule, Op::Set), value);
                shown.after(draft, &typed).finish();
                *value = typed;
                true
            }
            Row::Refused(refusal) => {
                let Refusal { rule, expected, suggestion } = *refusal;
                let expected = expected.unwrap_or_else(|| words::expected(self.graph, field.kind));
                self.refuse(field.sensitive, place, rule, expected, value, suggestion);
                false
            }
        }
    }

    /// What the field asks of each value beyond its kind.
    fn check(&mut self, field: &FieldType, value: &Value, place: &Place<'_>) -> bool {
        let ruled = self.field_rule(field, value, place);
        let Some(constraints) = &field.constraints else { return ruled };
        let broken = constraints.element.check(value);
        let holds = ruled && broken.is_empty();
        for it in broken {
            self.broken(field, it, value, place);
        }
        holds
    }

    fn broken(&mut self, field: &FieldType, broken: Broken, value: &Value, place: &Place<'_>) {
        let Broken { rule, expected, suggestion } = broken;
        self.refuse(field.sensitive, place, rule, expected, value, suggestion);
    }

    fn refuse(
        &mut self,
        sensitive: bool,
        place: &Place<'_>,
        rule: ViolationRule,
        expected: String,
        value: &Value,
        suggestion: String,
    ) {
        if self.report.is_full() {
            return;
        }
        let (got, suggestion) = match sensitive || self.veiled {
            true => (REDACTED.to_owned(), String::new()),
            false => (got(value), suggestion),
        };
        self.report.violate(Violation { path: place.path(), rule: rule.into(), expected, got, suggestion });
    }

    /// Whether JSON's null is a value of this kind and not its absence.
    fn takes_null(&self, kind: Type) -> bool {
        match kind {
            Type::Value => true,
            Type::Enum(index) => self.graph.enumeration(index).is_some_and(|it| it.null),
            _ => false,
        }
    }

    /// Replaces text by the JSON it holds, where that is what is wanted, and says so.
    ///
    /// Returns the error where the text begins like JSON and is none.
    fn open_text(
        &mut self,
        value: &mut Value,
        wanted: fn(&Value) -> bool,
        shown: Shown,
        place: &Place<'_>,
    ) -> Option<json::JsonError> {
        let Value::Text(text) = &*value else { return None };
        if !text.trim_ascii_start().starts_with(['{', '[']) {
            return None;
        }
        match Value::parse(text.as_bytes()) {
            Ok(parsed) if wanted(&parsed) => {
                let draft = shown.before(self.report.begin(place, Rule::TextToJson, Op::Set), value);
                shown.after(draft, &parsed).finish();
                *value = parsed;
                None
            }
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }
}

// === impl Shown ===

impl Shown {
    fn before<'a>(self, draft: Draft<'a>, value: &Value) -> Draft<'a> {
        if self.sensitive { draft.before_with(|out| out.push_str(REDACTED)) } else { draft.before(value) }
    }

    fn after<'a>(self, draft: Draft<'a>, value: &Value) -> Draft<'a> {
        if self.sensitive { draft.after_with(|out| out.push_str(REDACTED)) } else { draft.after(value) }
    }
}

/// A typed value of another kind counts as its JSON text where text is wanted; elsewhere it is of the wrong type.
fn plain_form(kind: Type, value: &mut Value) {
    let other = match value {
        Value::Timestamp(_) | Value::Duration(_) | Value::Bytes(_) | Value::Enum(_) => kind == Type::String,
        _ => false,
    };
    if other {
        *value = untyped(value);
    }
}

/// Whether a text says true or false.
pub(crate) fn says_bool(text: &str) -> bool {
    text::word(text).is_some()
}

/// The JSON form of a scalar that only a schema can tell from text.
fn untyped(value: &Value) -> Value {
    match value {
        Value::Enum(it) if it.name.is_none() => Value::Int(i64::from(it.number)),
        other => Value::Text(other.to_text()),
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

fn is_list(value: &Value) -> bool {
    matches!(value, Value::List(_))
}
