//! Declarations that each read well and that no value can satisfy together.

use super::defect;
use crate::constraint::{Bound, Constraints, Quantity, Side};
use crate::defect::{Defect, DefectRule};
use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::Type;

pub(super) fn check(graph: &Graph, defects: &mut Vec<Defect>) {
    for field in graph.messages.iter().flat_map(|message| &message.fields) {
        let Some(constraints) = &field.constraints else { continue };
        if beyond_type(field, &constraints.element.bounds) {
            let message = format!("no {} is within these bounds", field.kind.kind());
            defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, message));
        }
        if let Some(distinct) = distinct(graph, field, constraints)
            && constraints.unique
            && u64::from(constraints.min_items) > distinct
        {
            let message = format!(
                "min_items {} are to be unique, and there are {distinct} different values",
                constraints.min_items
            );
            defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, message));
        }
    }
    endless(graph, defects);
}

/// Whether a bound leaves nothing of what the type holds.
fn beyond_type(field: &FieldType, bounds: &[Bound]) -> bool {
    let (least, greatest) = match field.kind {
        Type::Integer(integer) => {
            let (least, greatest) = integer.range();
            (Quantity::Exact(least), Quantity::Exact(greatest))
        }
        Type::Double => (Quantity::Double(f64::MIN), Quantity::Double(f64::MAX)),
        _ => return false,
    };
    let end = |side, at| Bound { side, exclusive: false, at, text: String::new() };
    // NaN and the infinities are beyond every finite bound.
    let ends = [end(Side::Least, least), end(Side::Greatest, greatest)];
    !field.allow_non_finite && bounds.iter().any(|bound| ends.iter().any(|end| bound.excludes(end)))
}

/// How many different values an element can have, where those are few.
fn distinct(graph: &Graph, field: &FieldType, constraints: &Constraints) -> Option<u64> {
    let allowed = constraints.element.allowed.len();
    let of_kind = match field.kind {
        Type::Bool => Some(2),
        Type::Enum(index) => graph.enumeration(index).map(|it| it.by_number.len()),
        _ => None,
    };
    let count = match (of_kind, allowed) {
        (count, 0) => count?,
        (Some(count), allowed) => count.min(allowed),
        (None, allowed) => allowed,
    };
    u64::try_from(count).ok()
}

/// A message that has to hold a message that has to hold it never ends.
fn endless(graph: &Graph, defects: &mut Vec<Defect>) {
    let needs: Vec<Vec<(usize, &FieldType)>> = graph.messages.iter().map(needs).collect();
    let mut holders = vec![Vec::new(); needs.len()];
    for (holder, needs) in needs.iter().enumerate() {
        for (held, _) in needs {
            if let Some(holders) = holders.get_mut(*held) {
                holders.push(holder);
            }
        }
    }
    // Messages that can be written down: those whose needs can. What is left over is endless.
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut finite: Vec<usize> = (0..open.len()).filter(|index| open.get(*index) == Some(&0)).collect();
    while let Some(index) = finite.pop() {
        for holder in holders.get(index).into_iter().flatten() {
            let Some(open) = open.get_mut(*holder) else { continue };
            *open = open.saturating_sub(1);
            if *open == 0 {
                finite.push(*holder);
            }
        }
    }
    let is_endless = |index: usize| open.get(index).is_some_and(|open| *open > 0);
    let left = needs.iter().enumerate().filter(|(index, _)| is_endless(*index));
    if let Some((_, field)) = left.flat_map(|(_, needs)| needs).find(|(held, _)| is_endless(*held)) {
        let message = "the message has to hold one that has to hold it: it never ends";
        defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, message));
    }
}

/// The messages that every value of a message holds.
fn needs(message: &MessageType) -> Vec<(usize, &FieldType)> {
    let held = |field: &FieldType| match field.kind {
        Type::Message(held) => usize::try_from(held).ok(),
        _ => None,
    };
    let at_least_one =
        |field: &FieldType| field.constraints.as_ref().is_some_and(|constraints| constraints.min_items > 0);
    let has_to = |field: &&FieldType| {
        // A declared default is a value; whether it ends is found when it is computed.
        let filled = !field.spec.default.is_empty();
        field.required && !filled && (field.shape == Shape::Single || at_least_one(field))
    };
    message.fields.iter().filter(has_to).filter_map(|field| Some((held(field)?, field))).collect()
}
