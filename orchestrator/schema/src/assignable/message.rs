//! Pairs of messages: each field of the producer's that is there has to fit the consumer's of that name.

use super::combine::{ALWAYS, about, both, sometimes, where_absent};
use super::{Assignable, Known, Side, judge as judge_fields};
use crate::graph::{FieldType, MessageType};
use crate::names::Match;
use crate::report::Rule;
use std::collections::HashSet;

/// A field of the producer's, and the consumer's that it fills.
struct Filled<'a> {
    source: &'a FieldType,
    target: &'a FieldType,
}

/// Why a field of the producer's fills none of the consumer's.
enum Unfilled {
    Ambiguous,
    Dropped,
    Unknown,
}

/// Whether every value of a message has the field: at zero if need be.
pub(super) fn always_there(field: &FieldType) -> bool {
    field.oneof.is_none() && (!field.presence || field.required)
}

/// Whether what a message asks as a whole was asked of the value already, which is taken as it is: no default comes to
/// it, and all fields are the same.
fn is_itself(source: &MessageType, target: &MessageType) -> bool {
    fn asked(it: &MessageType) -> (Option<&str>, impl Iterator<Item = (&str, &[u32], bool)>) {
        let demands = it.demands.iter().map(|it| (&*it.name, it.fields.as_slice(), it.required));
        (it.rule.as_ref().map(|rule| rule.text()), demands)
    }
    let names = |it: &MessageType| it.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    let (own, others) = (asked(source), asked(target));
    let fixed = target.fields.iter().all(|field| field.default.is_none());
    fixed && names(source) == names(target) && own.0 == others.0 && own.1.eq(others.1)
}

/// Whether a message asks more than its fields do.
pub(super) fn asks_more(message: &MessageType) -> bool {
    message.rule.is_some() || !message.demands.is_empty()
}

pub(super) fn judge(
    from: Side<'_>,
    produced: u32,
    to: Side<'_>,
    consumed: u32,
    known: &mut Known,
    depth: usize,
) -> Assignable {
    if let Some(verdict) = known.get(&(produced, consumed)) {
        return verdict.clone();
    }
    let (Some(source), Some(target)) = (from.graph.message(produced), to.graph.message(consumed)) else {
        return sometimes(None, "its fields fit");
    };
    // Nothing that came off the wire nests deeper.
    if depth > from.graph.limits.max_depth {
        return ALWAYS;
    }
    // While a recursive pair is judged it stands for itself: it fits if everything around it does.
    known.insert((produced, consumed), ALWAYS);
    let verdict = match fields(from, source, to, target, known, depth + 1) {
        Assignable::Always(rule) if asks_more(target) && !(rule.is_none() && is_itself(source, target)) => {
            sometimes(rule, format!("it meets what {} asks as a whole", target.full_name))
        }
        verdict => verdict,
    };
    known.insert((produced, consumed), verdict.clone());
    verdict
}

fn fields(
    from: Side<'_>,
    source: &MessageType,
    to: Side<'_>,
    target: &MessageType,
    known: &mut Known,
    depth: usize,
) -> Assignable {
    let mut verdict = ALWAYS;
    let mut filled = Vec::with_capacity(source.fields.len());
    let mut unfit = HashSet::new();
    for (index, field) in (0_u32..).zip(&source.fields) {
        let fits = match target_of(target, field) {
            Err(Unfilled::Dropped) if from.work.drops => Assignable::Always(Some(Rule::UnknownDropped)),
            Err(unfilled) => Assignable::Never { reason: unfilled.reason(target) },
            Ok((consumer, rule)) => {
                filled.push(Filled { source: field, target: consumer });
                let sides = (from.member(field), to.member(consumer));
                both(Assignable::Always(rule), judge_fields(sides.0, sides.1, known, depth))
            }
        };
        if matches!(fits, Assignable::Never { .. }) {
            unfit.insert(index);
        }
        let fits = if always_there(field) { fits } else { where_absent(fits, "it is absent") };
        verdict = both(verdict, about(&field.name, fits));
    }
    let mut demands = source.demands.iter().filter(|demand| demand.required);
    if demands.any(|demand| demand.fields.iter().all(|field| unfit.contains(field))) {
        let reason = format!("one field of {} is always there, and none of them fits", source.full_name);
        verdict = both(verdict, Assignable::Never { reason });
    }
    filled.sort_by_key(|it| it.target.number);
    verdict = both(verdict, twice(&filled));
    verdict = both(verdict, oneofs(target, &filled));
    missing(verdict, target, &filled)
}

/// The field that the name means, as coercion finds it.
fn target_of<'a>(
    target: &'a MessageType,
    field: &FieldType,
) -> Result<(&'a FieldType, Option<Rule>), Unfilled> {
    let (index, rule) = match target.names.find(&field.name, &mut String::new()) {
        Match::Exact(index) => (index, None),
        Match::Spelling(index) => (index, Some(Rule::FieldSpelling)),
        Match::Alias(index) => (index, Some(Rule::FieldAlias)),
        Match::Ambiguous(..) => return Err(Unfilled::Ambiguous),
        Match::Unknown if target.drop_unknown => return Err(Unfilled::Dropped),
        Match::Unknown => return Err(Unfilled::Unknown),
    };
    target.field(index).map(|field| (field, rule)).ok_or(Unfilled::Unknown)
}

/// How many of some fields may be there together: all but those of one oneof.
fn together(fields: &[&Filled<'_>]) -> (usize, usize) {
    let always = fields.iter().filter(|it| always_there(it.source)).count();
    let mut oneofs: Vec<u32> = fields.iter().filter_map(|it| it.source.oneof).collect();
    oneofs.sort_unstable();
    oneofs.dedup();
    let others = fields.iter().filter(|it| it.source.oneof.is_none()).count();
    (always, others.saturating_add(oneofs.len()))
}

fn at_most_one(fields: &[&Filled<'_>], what: &str) -> Assignable {
    match together(fields) {
        (_, 0 | 1) => ALWAYS,
        (0 | 1, _) => sometimes(None, what.to_owned()),
        _ => Assignable::Never { reason: format!("{what}, but two of them always are") },
    }
}

/// Two fields of the producer's for one.
fn twice(filled: &[Filled<'_>]) -> Assignable {
    let mut verdict = ALWAYS;
    for same in filled.chunk_by(|one, other| one.target.number == other.target.number) {
        let [first, _, ..] = same else { continue };
        let same: Vec<&Filled<'_>> = same.iter().collect();
        verdict = both(verdict, at_most_one(&same, &format!("{} is set once", first.target.name)));
    }
    verdict
}

fn oneofs(target: &MessageType, filled: &[Filled<'_>]) -> Assignable {
    let mut members: Vec<&Filled<'_>> = filled.iter().filter(|it| it.target.oneof.is_some()).collect();
    members.sort_by_key(|it| it.target.oneof);
    let mut verdict = ALWAYS;
    for members in members.chunk_by(|one, other| one.target.oneof == other.target.oneof) {
        let oneof = members.first().and_then(|it| crate::graph::at(&target.oneofs, it.target.oneof?));
        let Some(oneof) = oneof else { continue };
        verdict = both(verdict, at_most_one(members, &format!("one of {} is set", oneof.name)));
    }
    verdict
}

/// What the consumer asks for and the producer may not have. `filled` is sorted by what it fills.
fn missing(verdict: Assignable, target: &MessageType, filled: &[Filled<'_>]) -> Assignable {
    let mut verdict = verdict;
    for field in target.fields.iter().filter(|field| field.required && field.default.is_none()) {
        let first = filled.partition_point(|it| it.target.number < field.number);
        let sources = || filled.iter().skip(first).take_while(|it| it.target.number == field.number);
        let there = if sources().any(|it| always_there(it.source)) {
            ALWAYS
        } else if sources().next().is_some() {
            sometimes(None, format!("{} is there", field.name))
        } else {
            let reason = format!("{} of {} is required", field.name, target.full_name);
            Assignable::Never { reason }
        };
        verdict = both(verdict, there);
    }
    verdict
}

// === impl Unfilled ===

impl Unfilled {
    fn reason(self, target: &MessageType) -> String {
        let name = &target.full_name;
        match self {
            Self::Ambiguous => format!("several fields of {name} may be meant"),
            Self::Dropped => format!("it is lost: {name} drops what it does not know"),
            Self::Unknown => format!("{name} has no such field"),
        }
    }
}
