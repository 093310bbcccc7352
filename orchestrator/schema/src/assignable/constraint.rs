//! What the consumer asks beyond its type: always stays always only where the producer promises as much.

use super::{Assignable, Side};
use crate::constraint::{Bound, Constraints, Quantity, Side as BoundSide};
use crate::graph::{FieldType, Shape};
use crate::kind::Type;
use std::cmp::Ordering;

/// Narrows the verdict on two types to one on two fields.
pub(super) fn narrow(verdict: Assignable, from: Side<'_>, to: Side<'_>) -> Assignable {
    let Some(asked) = to.field.and_then(|field| field.constraints.as_deref()) else { return verdict };
    let promised = from.field.filter(|field| binding(field)).and_then(|field| field.constraints.as_deref());
    let whole = to.shape == Shape::Single || items_promised(promised, from, asked);
    if whole && elements_promised(promised, from, asked, to) {
        return verdict;
    }
    match verdict {
        Assignable::Always(rule) => Assignable::Sometimes { rule, condition: condition(asked) },
        other => other,
    }
}

/// Whether a producer's constraints bind every value it gives: one without presence may be at zero unchecked.
fn binding(field: &FieldType) -> bool {
    field.presence || field.required
}

fn items_promised(promised: Option<&Constraints>, from: Side<'_>, asked: &Constraints) -> bool {
    if asked.min_items == 0 && asked.max_items == 0 && !asked.unique {
        return true;
    }
    let (Some(promised), Shape::List { .. } | Shape::Map(_)) = (promised, from.shape) else { return false };
    promised.min_items >= asked.min_items
        && (asked.max_items == 0 || (promised.max_items > 0 && promised.max_items <= asked.max_items))
        && (promised.unique || !asked.unique)
}

fn elements_promised(
    promised: Option<&Constraints>,
    from: Side<'_>,
    asked: &Constraints,
    to: Side<'_>,
) -> bool {
    let asked = &asked.element;
    if asked.is_empty() {
        return true;
    }
    if let Type::Integer(integer) = from.kind
        && matches!(to.kind, Type::Integer(_))
        && asked.pattern.is_none()
        && asked.allowed_texts.is_empty()
    {
        let (least, greatest) = integer.range();
        let natural = [(BoundSide::Least, least), (BoundSide::Greatest, greatest)].map(|(side, at)| Bound {
            side,
            exclusive: false,
            at: Quantity::Exact(at),
            text: String::new(),
        });
        let own = promised.map(|it| it.element.bounds.as_slice()).unwrap_or_default();
        return asked.bounds.iter().all(|bound| natural.iter().chain(own).any(|it| tighter(it, bound)));
    }
    let Some(promised) = promised.map(|it| &it.element) else { return false };
    let pattern =
        |rules: &crate::constraint::ElementRules| rules.pattern.as_ref().map(|it| it.as_str().to_owned());
    from.kind == to.kind
        && asked.bounds.iter().all(|bound| promised.bounds.iter().any(|it| tighter(it, bound)))
        && promised.min_length >= asked.min_length
        && (asked.max_length == 0 || (promised.max_length > 0 && promised.max_length <= asked.max_length))
        && (asked.pattern.is_none() || pattern(asked) == pattern(promised))
        && (asked.allowed_texts.is_empty()
            || (!promised.allowed_texts.is_empty() && promised.allowed.is_subset(&asked.allowed)))
}

/// Whether whatever is within one bound is within the other.
fn tighter(own: &Bound, other: &Bound) -> bool {
    if own.side != other.side {
        return false;
    }
    match (own.at.partial_cmp(&other.at), own.side) {
        (Some(Ordering::Equal), _) => own.exclusive || !other.exclusive,
        (Some(Ordering::Greater), BoundSide::Least) | (Some(Ordering::Less), BoundSide::Greatest) => true,
        _ => false,
    }
}

fn condition(asked: &Constraints) -> String {
    let rules = &asked.element;
    let mut parts: Vec<String> = rules.bounds.iter().map(|bound| bound.words()).collect();
    if rules.min_length > 0 || rules.max_length > 0 {
        parts.push("its length is within the bounds".to_owned());
    }
    parts.extend(rules.pattern.as_ref().map(|pattern| format!("it matches {}", pattern.as_str())));
    if !rules.allowed_texts.is_empty() {
        parts.push(crate::words::allowed(rules));
    }
    if asked.min_items > 0 || asked.max_items > 0 || asked.unique {
        parts.push("its elements are as many and as different as asked".to_owned());
    }
    parts.join(", ")
}
