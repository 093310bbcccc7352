//! Pairs of messages: each field of the producer's that is there has to fit the consumer's of that name.

use super::{Assignable, Known, Side, judge as judge_fields, sometimes};
use crate::graph::{FieldType, MessageType};
use crate::names::Match;

/// Deeper pairs are left to the coercion itself.
const MAX_DEPTH: usize = 32;

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
    if depth > MAX_DEPTH {
        return sometimes(None, "its fields fit");
    }
    // While a recursive pair is judged it stands for itself: it fits if everything around it does.
    known.insert((produced, consumed), Assignable::Always(None));
    let verdict = fields(from, source, to, target, known, depth + 1);
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
    let mut result = Assignable::Always(None);
    let mut filled = vec![None; target.fields.len()];
    for field in &source.fields {
        // What has no presence is always there, at its default if need be.
        let always_there = !field.presence || field.required;
        let consumer = target_of(target, field);
        let Some((index, consumer)) = consumer else {
            let verdict = if target.drop_unknown {
                sometimes(None, &format!("{} is absent: it would be dropped", field.name))
            } else {
                Assignable::Never { reason: format!("{} has no field {}", target.full_name, field.name) }
            };
            result = worse(result, verdict, always_there, field);
            continue;
        };
        if let Some(filled) = filled.get_mut(index) {
            let again = filled.replace(always_there).is_some();
            if again {
                result = worse(result, sometimes(None, "no field comes twice"), false, field);
            }
        }
        let produced = Side { shape: field.shape, kind: field.kind, field: Some(field), graph: from.graph };
        let consumed =
            Side { shape: consumer.shape, kind: consumer.kind, field: Some(consumer), graph: to.graph };
        let verdict = judge_fields(produced, consumed, known, depth);
        result = worse(result, verdict, always_there, field);
        if consumer.oneof.is_some() && !same_oneof(source, field, target, consumer) {
            result = worse(result, sometimes(None, "one member of the oneof is set"), false, field);
        }
    }
    missing(result, target, &filled)
}

/// The field that the name means, as coercion finds it.
fn target_of<'a>(target: &'a MessageType, field: &FieldType) -> Option<(usize, &'a FieldType)> {
    let index = match target.names.find(&field.name, &mut String::new()) {
        Match::Exact(index) | Match::Spelling(index) | Match::Alias(index) => index,
        Match::Ambiguous(..) | Match::Unknown => return None,
    };
    Some((usize::try_from(index).ok()?, target.field(index)?))
}

fn same_oneof(source: &MessageType, field: &FieldType, target: &MessageType, consumer: &FieldType) -> bool {
    let own = field.oneof.and_then(|index| crate::graph::at(&source.oneofs, index));
    let other = consumer.oneof.and_then(|index| crate::graph::at(&target.oneofs, index));
    match (own, other) {
        (Some(own), Some(other)) => own.name == other.name && own.fields.len() == other.fields.len(),
        _ => false,
    }
}

fn missing(result: Assignable, target: &MessageType, filled: &[Option<bool>]) -> Assignable {
    let mut result = result;
    for (field, filled) in target.fields.iter().zip(filled) {
        if !field.required || field.default.is_some() {
            continue;
        }
        result = match filled {
            Some(true) => result,
            Some(false) => worse(result, sometimes(None, &format!("{} is there", field.name)), false, field),
            None => {
                return Assignable::Never {
                    reason: format!("{} of {} is required", field.name, target.full_name),
                };
            }
        };
    }
    result
}

/// The verdict over all fields so far. What never fits spoils the whole only where it is always there.
fn worse(whole: Assignable, part: Assignable, always_there: bool, field: &FieldType) -> Assignable {
    match (whole, part) {
        (never @ Assignable::Never { .. }, _) => never,
        (_, Assignable::Never { reason }) if always_there => {
            Assignable::Never { reason: format!("{}: {reason}", field.name) }
        }
        (Assignable::Sometimes { rule, condition }, _) => Assignable::Sometimes { rule, condition },
        (_, Assignable::Never { reason }) => sometimes(None, &format!("{} is absent: {reason}", field.name)),
        (_, Assignable::Sometimes { rule, condition }) => {
            Assignable::Sometimes { rule, condition: format!("{}: {condition}", field.name) }
        }
        (Assignable::Always(rule), Assignable::Always(other)) => Assignable::Always(rule.or(other)),
    }
}
