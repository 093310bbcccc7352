//! Whether every value, some values or no value of one field coerces into another without loss.
//!
//! ```text
//! shapes (list, map, single) ─▶ messages field by field ─▶ sets of scalars: a few values are tried, ranges and
//!                                                          patterns are compared with what the other side takes
//! ```
//!
//! Sound before sharp: *always* and *never* are said only where they are certain; *sometimes* is checked again when
//! the value is known. A value is what the producer's type and constraints declare, as it comes off the wire: a field
//! without presence is there at zero, which no constraint was checked on, and a number that an enum does not name is
//! no value of it. How deep values nest is not judged here, nor whether the value is there at all. A field that the
//! consumer drops is recorded as lost, so that no value with it coerces without loss.

mod combine;
mod domain;
mod further;
mod language;
mod list;
mod map;
mod message;
mod open;
mod range;
mod scalar;
mod text;
mod verdict;
mod words;
mod work;

use self::combine::{Reach, sometimes};
use self::domain::parts;
use self::work::Work;
use crate::constraint::{Constraints, ElementRules};
use crate::field::{Field, Target};
use crate::graph::{FieldType, Graph, Shape};
use crate::kind::Type;
use crate::report::Rule;
use hashbrown::HashMap;

pub(crate) use self::work::Kept;

pub use self::verdict::{Assignable, Verdict};

/// One side of the question.
#[derive(Clone, Copy)]
struct Side<'a> {
    graph: &'a Graph,
    shape: Shape,
    kind: Type,
    field: Option<&'a FieldType>,
    place: Place,
    work: &'a Work,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A message on its own.
    Root,
    /// All of a field.
    Whole,
    /// An element of a list, a value of a map.
    Element,
}

/// Pairs of messages that were judged, or are being judged: these count as always.
type Known = HashMap<(u32, u32), Assignable>;

/// Judges pairs of fields by their types and constraints.
///
/// What was found out once is kept, and all verdicts of one judge together take tens of milliseconds at most: a pair
/// that nothing is left for is *sometimes*.
#[derive(Debug)]
pub struct Judge {
    work: Work,
    verdicts: HashMap<(Field, Field), Assignable>,
}

/// Judges a pair of fields by their types and constraints.
#[must_use]
pub fn assignable(producer: &Field, consumer: &Field) -> Assignable {
    Judge::new().assignable(producer, consumer)
}

fn judge(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    if !from.work.spend(cost(from, to)) {
        return sometimes(None, "it meets all that the field asks, which takes long to find out beforehand");
    }
    let verdict = match (from.shape, to.shape) {
        (Shape::Single, _) if from.is_null() => null(to),
        (Shape::Single, Shape::Single) => single(from, to, known, depth),
        (Shape::Single, Shape::List { .. }) => list::wrapped(from, to, known, depth),
        (Shape::Single, Shape::Map(_)) => map::of_single(from, to, known, depth),
        (_, Shape::Single) => many_to_single(from, to, known, depth),
        (Shape::List { .. }, Shape::List { .. }) => list::of_list(from, to, known, depth),
        (Shape::Map(_), Shape::List { .. }) => list::wrapped(from, to, known, depth),
        (Shape::Map(own), Shape::Map(key)) => map::of_map(from, own, to, key, known, depth),
        (Shape::List { .. }, Shape::Map(_)) => map::of_list(from, to, known, depth),
    };
    match verdict {
        Assignable::Always(rule) if asks_more(from, to, rule.is_none()) => sometimes(rule, words::more(to)),
        other => other,
    }
}

/// One value for one value.
fn single(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let Some(parts) = parts(from) else { return open::judge(from, to, known, depth) };
    let reach = if to.kind == Type::Value {
        parts.iter().map(open::of_part).reduce(Reach::or)
    } else {
        parts.iter().map(|part| scalar::reach(part, from, to)).reduce(Reach::or)
    };
    // What is tried one by one is judged by all that is asked.
    let reach = reach.unwrap_or(Reach::UNKNOWN);
    let tried = matches!(parts.as_slice(), [domain::Part::Listed(_)]) && to.kind != Type::Value;
    let reach = Reach { some: reach.some || (to.zero_passes() && !tried), ..reach };
    reach.verdict(|| words::condition(from, to), || words::reason(from, to))
}

/// Null is the absence of what does not take it as a value.
fn null(to: Side<'_>) -> Assignable {
    let taken = to.kind == Type::Value || to.is_null();
    let optional = to.field.is_none_or(|field| !field.required || field.default.is_some());
    match (to.shape, to.place) {
        (Shape::Single, _) if taken => combine::ALWAYS,
        (_, Place::Whole) if optional => Assignable::Always(Some(Rule::NullDropped)),
        _ => Assignable::Never { reason: format!("null is no {}", to.words()) },
    }
}

/// A list or map for a single value.
fn many_to_single(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let list = matches!(from.shape, Shape::List { .. });
    match to.kind {
        Type::Value => open::dynamic(from),
        Type::ListValue if list => open::dynamic(from),
        Type::Struct if !list => open::dynamic(from),
        Type::Message(index) if !list => map::to_message(from, to, index, known, depth),
        Type::Any if !list => map::to_any(from, to),
        Type::FieldMask if list => list::to_mask(from, to),
        _ => never(from, to),
    }
}

fn never(from: Side<'_>, to: Side<'_>) -> Assignable {
    Assignable::Never { reason: words::reason(from, to) }
}

/// What looking at one pair costs at most, in steps of work: few values are tried one by one, each against all that the
/// consumer lists.
fn cost(from: Side<'_>, to: Side<'_>) -> u64 {
    const OF_PAIR: u64 = 100;
    const OF_VALUE: u64 = 50;
    const OF_TRIAL: u64 = 1;
    let (own, others) = (from.listed(), to.listed());
    OF_PAIR
        .saturating_add(own.saturating_add(others).saturating_mul(OF_VALUE))
        .saturating_add(own.saturating_mul(others).saturating_mul(OF_TRIAL))
}

/// Whether more is asked of the value than was looked into. `unchanged`: whether it is taken as it is.
fn asks_more(from: Side<'_>, to: Side<'_>, unchanged: bool) -> bool {
    let message = match (from.kind, to.kind) {
        // A message for a message was looked into.
        (Type::Message(_), Type::Message(_)) if from.shape == Shape::Single => None,
        (_, Type::Message(index)) => to.graph.message(index),
        _ => None,
    };
    let Some(field) = to.field else { return message.is_some_and(message::asks_more) };
    // What a place asks of its values they met, but for a zero that means absence, and for messages, which get defaults.
    let kept = unchanged
        && from.place == to.place
        && !field.is_implicit()
        && !matches!(to.kind, Type::Message(_) | Type::Any);
    let itself = kept && from.field.is_some_and(|own| std::ptr::eq(own, field));
    let same_rule = kept
        && from.kind == to.kind
        && from.shape == to.shape
        && !matches!(to.kind, Type::Enum(_))
        && from.field.and_then(|own| own.rule.as_ref()).map(|it| it.text())
            == field.rule.as_ref().map(|it| it.text());
    // Of scalars it was looked into; of lists and maps, with each of their elements.
    let structured = to.shape == Shape::Single && (to.kind == Type::Value || parts(from).is_none());
    let constraints = field.constraints.as_deref();
    let asks_of_values = |it: &Constraints| structured && !it.element.further.is_empty();
    (field.rule.is_some() && !itself && !same_rule)
        || (!itself && constraints.is_some_and(|it| !it.keys.is_empty() || asks_of_values(it)))
        || message.is_some_and(message::asks_more)
}

// === impl Judge ===

impl Judge {
    /// Of values that nothing is lost of.
    #[must_use]
    pub fn new() -> Self {
        Self { work: Work::new(false), verdicts: HashMap::new() }
    }

    /// Counts as taken what the consumer drops and reports, as its message says.
    #[must_use]
    pub fn of_what_is_taken() -> Self {
        Self { work: Work::new(true), verdicts: HashMap::new() }
    }

    /// The verdict on a pair of fields.
    #[must_use]
    pub fn assignable(&mut self, producer: &Field, consumer: &Field) -> Assignable {
        let pair = (producer.clone(), consumer.clone());
        if let Some(verdict) = self.verdicts.get(&pair) {
            return verdict.clone();
        }
        let (from, to) = (Side::of(producer, &self.work), Side::of(consumer, &self.work));
        let verdict = judge(from, to, &mut Known::new(), 0);
        self.verdicts.insert(pair, verdict.clone());
        verdict
    }
}

impl Default for Judge {
    fn default() -> Self {
        Self::new()
    }
}

// === impl Side ===

impl<'a> Side<'a> {
    fn of(field: &'a Field, work: &'a Work) -> Self {
        let graph = &*field.graph;
        let (declared, place) = match field.target {
            // A message with a JSON form of its own is read as a field of its kind is.
            Target::Root(message) => {
                (graph.message(message).and_then(|message| message.whole.as_deref()), Place::Root)
            }
            Target::Field { .. } => (field.declared(), Place::Whole),
            Target::Element { .. } => (field.declared(), Place::Element),
        };
        Self { graph, shape: field.shape(), kind: field.value_type(), field: declared, place, work }
    }

    /// A field of a message that this side holds.
    fn member(self, field: &'a FieldType) -> Self {
        Self { shape: field.shape, kind: field.kind, field: Some(field), place: Place::Whole, ..self }
    }

    fn element(self) -> Self {
        Self { shape: Shape::Single, place: Place::Element, ..self }
    }

    /// How many values are written down one by one.
    fn listed(self) -> u64 {
        let named = match self.kind {
            Type::Enum(index) => self.graph.enumeration(index).map_or(0, |it| it.names.count()),
            _ => 0,
        };
        let allowed = self.rules().map_or(0, |rules| rules.allowed_texts.len());
        u64::try_from(named.saturating_add(allowed)).unwrap_or(u64::MAX)
    }

    /// What is asked of each value beyond its kind.
    fn rules(self) -> Option<&'a ElementRules> {
        let constraints = self.field?.constraints.as_deref()?;
        (!constraints.element.is_empty()).then_some(&constraints.element)
    }

    /// Whether null is its one value.
    fn is_null(self) -> bool {
        matches!(self.kind, Type::Enum(index) if self.graph.enumeration(index).is_some_and(|it| it.null))
    }

    /// Whether the value may be NaN or infinite.
    fn non_finite(self) -> bool {
        self.field.is_some_and(|field| field.allow_non_finite)
    }

    /// Whether zero is a value whatever else is asked.
    fn zero_passes(self) -> bool {
        self.rules().is_some_and(|rules| rules.zero_passes)
    }

    fn words(self) -> String {
        let element = crate::words::type_words(self.graph, self.kind);
        match self.shape {
            Shape::Single => element,
            Shape::List { .. } => format!("list of {element}"),
            Shape::Map(_) => format!("map to {element}"),
        }
    }
}
