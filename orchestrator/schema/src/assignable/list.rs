//! Lists, and what is made one.

use super::combine::{Reach, about, sometimes, where_absent};
use super::domain::{Part, parts};
use super::{Assignable, Known, Side, judge, never, open, scalar, text};
use crate::kind::Type;
use crate::report::Rule;

/// How many elements there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Whether there may be none; what follows is for all others.
    pub(super) empty: bool,
    pub(super) least: u64,
    pub(super) greatest: u64,
}

// === impl Count ===

impl Count {
    /// Of a producer: none and absence are one on the wire, so that no constraint was checked on none.
    pub(super) fn of(side: Side<'_>) -> Self {
        let (least, greatest) = bounds(side);
        let required = side.field.is_some_and(|field| field.required);
        Self { empty: least == 0 || !required || empty_passes(side), least: least.max(1), greatest }
    }

    pub(super) fn at_most(self, greatest: usize) -> Self {
        let greatest = u64::try_from(greatest).unwrap_or(u64::MAX);
        Self { greatest: self.greatest.min(greatest), ..self }
    }

    /// The verdict on all from that on each, where there may be so many.
    pub(super) fn judge(self, each: Assignable, to: Side<'_>) -> Assignable {
        let (least, greatest) = bounds(to);
        let none_fits = least == 0 || empty_passes(to);
        let empty_fits = self.empty && none_fits;
        let many = self.least <= self.greatest;
        let shared = many && self.least.max(least) <= self.greatest.min(greatest);
        let enough =
            (!self.empty || none_fits) && (!many || (self.least >= least && self.greatest <= greatest));
        let counted = || format!("it has {}", count_words(least, greatest));
        match each {
            Assignable::Always(rule) if enough => Assignable::Always(rule),
            Assignable::Always(rule) if shared || empty_fits => sometimes(rule, counted()),
            Assignable::Sometimes { rule, condition } if shared || empty_fits => {
                about("each element", sometimes(rule, condition))
            }
            never @ Assignable::Never { .. } if empty_fits && many => where_absent(never, "it is empty"),
            _ if empty_fits => Assignable::Always(None),
            Assignable::Never { reason } => Assignable::Never { reason },
            _ => Assignable::Never { reason: format!("it never has {}", count_words(least, greatest)) },
        }
    }
}

/// Whether none pass however many are asked for.
fn empty_passes(side: Side<'_>) -> bool {
    side.field.and_then(|field| field.constraints.as_deref()).is_some_and(|it| it.empty_passes)
}

fn bounds(side: Side<'_>) -> (u64, u64) {
    let constraints = side.field.and_then(|field| field.constraints.as_deref());
    constraints.map_or((0, u64::MAX), |it| {
        let greatest = if it.max_items == 0 { u64::MAX } else { u64::from(it.max_items) };
        (u64::from(it.min_items), greatest)
    })
}

fn count_words(least: u64, greatest: u64) -> String {
    match (least, greatest) {
        (least, u64::MAX) => format!("at least {least} elements"),
        (0, greatest) => format!("at most {greatest} elements"),
        (least, greatest) => format!("{least} to {greatest} elements"),
    }
}

pub(super) fn of_list(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let unique =
        |side: Side<'_>| side.field.and_then(|it| it.constraints.as_deref()).is_some_and(|it| it.unique);
    let mut count = Count::of(from);
    if unique(from) {
        count = count.at_most(cardinality(from.element()));
    }
    let each = judge(from.element(), to.element(), known, depth);
    let repeats = unique(to) && count.greatest > 1 && !(unique(from) && keeps_apart(from, to));
    let fitting = if unique(to) { count.at_most(cardinality(from.element())) } else { count };
    match fitting.judge(each, to) {
        Assignable::Always(rule) if repeats => sometimes(rule, "no two elements are equal"),
        Assignable::Always(_) if fitting.greatest < count.greatest => {
            sometimes(None, "no two elements are equal")
        }
        other => other,
    }
}

/// How many different values there are, where they are few.
fn cardinality(side: Side<'_>) -> usize {
    match parts(side).as_deref() {
        Some([Part::Listed(values)]) => values.len(),
        _ => usize::MAX,
    }
}

/// Whether different values never become equal ones.
fn keeps_apart(from: Side<'_>, to: Side<'_>) -> bool {
    let same_graph = std::ptr::eq(from.graph, to.graph);
    match (from.kind, to.kind) {
        (Type::Message(own), Type::Message(other)) => {
            // A default makes what lacks a field equal to what has it.
            let defaults =
                || to.graph.messages.iter().flat_map(|it| &it.fields).any(|it| it.default.is_some());
            same_graph && own == other && !defaults()
        }
        (Type::Enum(own), Type::Enum(other)) => same_graph && own == other,
        (Type::Double, Type::Float) | (Type::Any, _) => false,
        (Type::String | Type::FieldMask, other) => {
            matches!(other, Type::String | Type::FieldMask | Type::Value) && from.kind == other
                || other == Type::Value
        }
        (Type::Value, other) => other == Type::Value,
        _ => true,
    }
}

/// One value for a list: it is wrapped. Text may be several.
pub(super) fn wrapped(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let one = Count { empty: false, least: 1, greatest: 1 };
    let single = from.shape == crate::graph::Shape::Single;
    if single && matches!(from.kind, Type::ListValue) {
        return if open::takes_anything(to) {
            super::combine::ALWAYS
        } else {
            sometimes(None, "its elements fit")
        };
    }
    if single && from.kind == Type::Value {
        return sometimes(None, "its elements fit");
    }
    if let Some(parts) = parts(from).filter(|_| single) {
        let reach = parts.iter().map(|part| of_part(part, from, to, one)).reduce(Reach::or);
        let several = "it is one element, or the JSON of a list of them";
        let condition = || match from.kind {
            Type::String | Type::FieldMask => several.to_owned(),
            _ => super::words::condition(from, to),
        };
        return reach.unwrap_or(Reach::UNKNOWN).verdict(condition, || super::words::reason(from, to));
    }
    match one.judge(judge(from, to.element(), known, depth), to) {
        Assignable::Always(_) => Assignable::Always(Some(Rule::SingleToList)),
        Assignable::Sometimes { condition, .. } => sometimes(Some(Rule::SingleToList), condition),
        other => other,
    }
}

fn of_part(part: &Part, from: Side<'_>, to: Side<'_>, one: Count) -> Reach {
    let element = || match to.kind {
        Type::Value => open::of_part(part),
        _ => scalar::reach(part, from, to.element()),
    };
    match part {
        Part::Listed(_) => scalar::reach(part, from, to),
        Part::Text(words) if text::may_be_several(words, to) => Reach::UNKNOWN.by(Rule::SingleToList),
        _ if bounds(to).0 > one.greatest => Reach::NONE,
        _ => element().by(Rule::SingleToList),
    }
}

/// A list of texts may be the paths of a mask.
pub(super) fn to_mask(from: Side<'_>, to: Side<'_>) -> Assignable {
    let fits = |text: &str| {
        let list = crate::value::Value::List(vec![crate::value::Value::from(text)]);
        scalar::attempt(to, list).is_ok()
    };
    let each = match parts(from.element()).as_deref() {
        Some([Part::Text(words)]) => {
            let path = "[a-z]+(?:\\.[a-z]+)*";
            let reach = Reach::new(
                words.stays_within(path, to.work),
                words.touches(r"\s*[a-z][A-Za-z0-9_.]*\s*", to.work),
            );
            reach.verdict(|| "it is a field path".to_owned(), || super::words::reason(from, to))
        }
        Some([Part::Listed(values)]) => {
            let count = values.iter().filter(|value| value.as_str().is_some_and(fits)).count();
            let reach = Reach::new(count == values.len(), count > 0);
            reach.verdict(|| "it is a field path".to_owned(), || super::words::reason(from, to))
        }
        Some(_) => never(from, to),
        None if from.kind == Type::Value => sometimes(None, "it is a field path"),
        None => never(from, to),
    };
    let free = Side { field: None, ..to };
    match Count::of(from).judge(each, free) {
        Assignable::Always(_) => Assignable::Always(Some(Rule::MaskSpelling)),
        Assignable::Sometimes { condition, .. } => sometimes(Some(Rule::MaskSpelling), condition),
        other => other,
    }
}
