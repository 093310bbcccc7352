//! The rules of `buf.validate` beside those of our own option: both count.

use super::field::Asked;
use crate::compile::defect;
use crate::constraint::{Constraints, ElementRules};
use crate::defect::{Defect, DefectRule};
use crate::further::Further;
use crate::graph::FieldType;

/// Adds what is asked to a field. What nothing can satisfy is a defect.
pub(super) fn into(field: &mut FieldType, asked: Asked, defects: &mut Vec<Defect>) {
    field.required |= asked.required;
    if asked.constraints.is_empty() {
        return;
    }
    let constraints = field.constraints.get_or_insert_default();
    merge(constraints, asked.constraints);
    if let Some(message) = contradiction(constraints) {
        defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, message));
    }
}

fn merge(own: &mut Constraints, other: Constraints) {
    let Constraints { min_items, max_items, unique, element, keys, empty_passes } = other;
    // An empty list passes only what asks it to: our own least count stands.
    own.empty_passes = empty_passes && own.min_items == 0;
    own.min_items = own.min_items.max(min_items);
    own.max_items = least_limit(own.max_items, max_items);
    own.unique |= unique;
    join(&mut own.element, element);
    join(&mut own.keys, keys);
}

fn join(own: &mut ElementRules, other: ElementRules) {
    let ElementRules {
        bounds,
        min_length,
        max_length,
        pattern,
        allowed,
        allowed_texts,
        further,
        zero_passes,
        ..
    } = other;
    own.zero_passes = zero_passes && own.is_empty();
    own.bounds.extend(bounds);
    own.min_length = own.min_length.max(min_length);
    own.max_length = least_limit(own.max_length, max_length);
    match (&own.pattern, pattern) {
        (Some(_), Some(second)) => own.further.push(Further::Pattern(second)),
        (None, second) => own.pattern = second,
        (Some(_), None) => {}
    }
    if own.allowed_texts.is_empty() {
        own.allowed = allowed;
        own.allowed_texts = allowed_texts;
    } else if !allowed_texts.is_empty() {
        own.further.push(Further::In(allowed, allowed_texts));
    }
    own.further.extend(further);
}

/// Zero is no limit.
fn least_limit(one: u32, other: u32) -> u32 {
    match (one, other) {
        (0, it) | (it, 0) => it,
        (one, other) => one.min(other),
    }
}

fn contradiction(constraints: &Constraints) -> Option<String> {
    let Constraints { min_items, max_items, .. } = *constraints;
    if max_items > 0 && min_items > max_items {
        return Some(format!("at least {min_items} elements and at most {max_items}"));
    }
    [&constraints.element, &constraints.keys].into_iter().find_map(impossible)
}

fn impossible(rules: &ElementRules) -> Option<String> {
    if rules.max_length > 0 && rules.min_length > rules.max_length {
        return Some(format!("at least {} long and at most {}", rules.min_length, rules.max_length));
    }
    for (index, bound) in rules.bounds.iter().enumerate() {
        if let Some(other) = rules.bounds.iter().skip(index + 1).find(|other| bound.excludes(other)) {
            return Some(format!("{} and {}", bound.words(), other.words()));
        }
    }
    let none = !rules.allowed.is_empty() && rules.allowed.iter().all(|it| !rules.check(&it.0).is_empty());
    // As JSON: an empty text has to be seen.
    let mut texts: Vec<String> = rules.allowed.iter().map(|it| it.0.to_json()).collect();
    texts.sort_unstable();
    none.then(|| format!("each of {} breaks another rule", texts.join(", ")))
}
