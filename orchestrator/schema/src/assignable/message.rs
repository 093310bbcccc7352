//! Pairs of messages: each field of the producer's that is there has to fit the consumer's of that name.

use super::combine::{ALWAYS, about, both, sometimes, where_absent};
use super::{Assignable, Known, Side, judge as judge_fields};
use crate::graph::{FieldType, MessageType};
use crate::names::Match;
use crate::report::Rule;

/// A field of the producer's, and the consumer's that it fills.
struct Filled<'a> {
    source: &'a FieldType,
    target: &'a FieldType,
}

/// Whether every value of a message has the field: at zero if need be.
pub(super) fn always_there(field: &FieldType) -> bool {
    field.oneof.is_none() && (!field.presence || field.required)
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
        Assignable::Always(rule) if asks_more(target) => {
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
    for field in &source.fields {
        let fits = match target_of(target, field) {
            Ok((consumer, rule)) => {
                filled.push(Filled { source: field, target: consumer });
                let sides = (Side::member(from.graph, field), Side::member(to.graph, consumer));
                both(Assignable::Always(rule), judge_fields(sides.0, sides.1, known, depth))
            }
            Err(reason) => Assignable::Never { reason },
        };
        let fits = if always_there(field) { fits } else { where_absent(fits, "it is absent") };
        verdict = both(verdict, about(&field.name, fits));
    }
    verdict = both(verdict, twice(source, &filled));
    verdict = both(verdict, oneofs(source, target, &filled));
    missing(verdict, target, &filled)
}

/// The field that the name means, as coercion finds it.
fn target_of<'a>(
    target: &'a MessageType,
    field: &FieldType,
) -> Result<(&'a FieldType, Option<Rule>), String> {
    let (index, rule) = match target.names.find(&field.name, &mut String::new()) {
        Match::Exact(index) => (index, None),
        Match::Spelling(index) => (index, Some(Rule::FieldSpelling)),
        Match::Alias(index) => (index, Some(Rule::FieldAlias)),
        Match::Ambiguous(..) => return Err(format!("several fields of {} may be meant", target.full_name)),
        Match::Unknown if target.drop_unknown => {
            return Err(format!("it is lost: {} drops what it does not know", target.full_name));
        }
        Match::Unknown => return Err(format!("{} has no such field", target.full_name)),
    };
    target.field(index).map(|field| (field, rule)).ok_or_else(String::new)
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
fn twice(source: &MessageType, filled: &[Filled<'_>]) -> Assignable {
    let mut verdict = ALWAYS;
    if filled.len() < 2 || source.fields.is_empty() {
        return verdict;
    }
    let mut targets: Vec<&FieldType> = filled.iter().map(|it| it.target).collect();
    targets.sort_by_key(|field| field.number);
    for pair in targets.windows(2) {
        let [one, other] = pair else { continue };
        if one.number == other.number {
            let same: Vec<&Filled<'_>> = filled.iter().filter(|it| it.target.number == one.number).collect();
            verdict = both(verdict, at_most_one(&same, &format!("{} is set once", one.name)));
        }
    }
    verdict
}

fn oneofs(source: &MessageType, target: &MessageType, filled: &[Filled<'_>]) -> Assignable {
    let mut verdict = ALWAYS;
    for (index, oneof) in (0_u32..).zip(&target.oneofs) {
        let members: Vec<&Filled<'_>> = filled.iter().filter(|it| it.target.oneof == Some(index)).collect();
        if !source.fields.is_empty() {
            verdict = both(verdict, at_most_one(&members, &format!("one of {} is set", oneof.name)));
        }
    }
    verdict
}

/// What the consumer asks for and the producer may not have.
fn missing(verdict: Assignable, target: &MessageType, filled: &[Filled<'_>]) -> Assignable {
    let mut verdict = verdict;
    for field in target.fields.iter().filter(|field| field.required && field.default.is_none()) {
        let sources = || filled.iter().filter(|it| it.target.number == field.number);
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
