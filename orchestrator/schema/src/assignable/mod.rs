//! Whether every value, some values or no value of one field coerces into another.
//!
//! Sound before sharp: *always* and *never* are said only where they are certain, *sometimes* is checked again when
//! the value is known. A value is what the producer's type and constraints declare: a number that its enum does not
//! name is none. How deep a message nests is not judged here, nor whether the value is there at all.

mod constraint;
mod message;
mod single;
mod verdict;

use crate::field::Field;
use crate::graph::{FieldType, Graph, Shape};
use crate::kind::Type;
use crate::report::Rule;
use hashbrown::HashMap;

pub use self::verdict::{Assignable, Verdict};

/// One side of the question.
#[derive(Clone, Copy)]
struct Side<'a> {
    graph: &'a Graph,
    shape: Shape,
    kind: Type,
    field: Option<&'a FieldType>,
}

/// Pairs of messages that were judged, or are being judged: these count as always.
type Known = HashMap<(u32, u32), Assignable>;

/// Judges a pair of fields by their types and constraints.
#[must_use]
pub fn assignable(producer: &Field, consumer: &Field) -> Assignable {
    let side = |field: &'_ Field| (field.shape(), field.value_type());
    let ((from_shape, from_kind), (to_shape, to_kind)) = (side(producer), side(consumer));
    let from =
        Side { graph: &producer.graph, shape: from_shape, kind: from_kind, field: producer.declared() };
    let to = Side { graph: &consumer.graph, shape: to_shape, kind: to_kind, field: consumer.declared() };
    judge(from, to, &mut Known::new(), 0)
}

fn judge(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let verdict = match (from.shape, to.shape) {
        (Shape::Single, Shape::Single) => single::judge(from, to, known, depth),
        (_, Shape::Single) => many_to_single(from, to),
        (Shape::List { .. }, Shape::List { .. }) => {
            unless_empty(judge(from.element(), to.element(), known, depth), "the list is empty")
        }
        (_, Shape::List { .. }) => wrapped(from, to, known, depth),
        (Shape::Map(from_key), Shape::Map(to_key)) => {
            let values = unless_empty(judge(from.element(), to.element(), known, depth), "the map is empty");
            if single::keys_fit(from_key.kind, to_key.kind) {
                values
            } else {
                sometimes(None, "its keys fit")
            }
        }
        (_, Shape::Map(_)) => to_map(from),
    };
    constraint::narrow(verdict, from, to)
}

/// A list or map for a single value.
fn many_to_single(from: Side<'_>, to: Side<'_>) -> Assignable {
    let list = matches!(from.shape, Shape::List { .. });
    match to.kind {
        Type::Value => single::dynamic(from),
        Type::ListValue if list => single::dynamic(from),
        Type::Struct if !list => single::dynamic(from),
        Type::Message(_) if !list => sometimes(None, "its keys are the fields of the message"),
        Type::Any if !list => sometimes(None, "it is empty, or one of its keys is @type"),
        Type::FieldMask
            if list && matches!(from.kind, Type::String | Type::FieldMask | Type::Value | Type::Enum(_)) =>
        {
            sometimes(Some(Rule::MaskSpelling), "its elements are field paths")
        }
        Type::FieldMask if list => sometimes(Some(Rule::MaskSpelling), "the list is empty"),
        _ => never(from, to),
    }
}

/// One value for a list: it is wrapped. Text may be several.
fn wrapped(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    match (from.shape, from.kind) {
        (Shape::Single, Type::String | Type::FieldMask) => {
            sometimes(Some(Rule::SingleToList), "the text is one element, or the JSON of a list of them")
        }
        (Shape::Single, Type::ListValue | Type::Value) => sometimes(None, "its elements fit"),
        _ => match judge(from, to.element(), known, depth) {
            Assignable::Always(_) => Assignable::Always(Some(Rule::SingleToList)),
            other => other,
        },
    }
}

fn to_map(from: Side<'_>) -> Assignable {
    match (from.shape, from.kind) {
        (Shape::List { .. }, _) | (_, Type::ListValue) => {
            sometimes(Some(Rule::PairsToMap), "it is a list of key and value")
        }
        (_, Type::Message(_) | Type::Struct | Type::Value | Type::Any) => sometimes(None, "its values fit"),
        (_, Type::String) => sometimes(Some(Rule::TextToJson), "the text is the JSON of an object"),
        (_, kind) => Assignable::Never { reason: format!("{} is no map", kind.kind()) },
    }
}

/// No element is no trouble: what never fits one by one still fits when there is none.
fn unless_empty(verdict: Assignable, empty: &str) -> Assignable {
    match verdict {
        Assignable::Never { .. } => sometimes(None, empty),
        other => other,
    }
}

fn sometimes(rule: Option<Rule>, condition: &str) -> Assignable {
    Assignable::Sometimes { rule, condition: condition.to_owned() }
}

fn never(from: Side<'_>, to: Side<'_>) -> Assignable {
    Assignable::Never { reason: format!("{} is no {}", from.words(), to.words()) }
}

// === impl Side ===

impl Side<'_> {
    fn element(self) -> Self {
        Self { shape: Shape::Single, ..self }
    }

    fn words(self) -> String {
        let element = crate::words::type_words(self.graph, self.kind);
        match self.shape {
            Shape::Single => element,
            Shape::List { .. } => format!("list of {element}"),
            Shape::Map(_) => format!("map to {element}"),
        }
    }

    /// Whether the value may be NaN or infinite.
    fn non_finite(self) -> bool {
        self.field.is_some_and(|field| field.allow_non_finite)
    }
}
