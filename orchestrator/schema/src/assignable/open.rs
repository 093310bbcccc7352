//! Values that are judged by their structure: messages, Any, and what holds any JSON.

use super::combine::{ALWAYS, Reach, both, sometimes};
use super::domain::{Part, parts};
use super::{Assignable, Known, Side, message, never, scalar};
use crate::graph::{MessageType, Shape};
use crate::kind::Type;
use crate::report::Rule;
use crate::value::{Object, Value};
use std::collections::HashSet;

pub(super) fn judge(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    match (from.kind, to.kind) {
        (_, Type::Value) | (Type::Struct | Type::Message(_) | Type::Any, Type::Struct) => dynamic(from),
        (Type::ListValue, Type::ListValue) => ALWAYS,
        (Type::Value, _) => sometimes(None, super::words::condition(from, to)),
        (Type::Message(own), Type::Message(other)) => message::judge(from, own, to, other, known, depth),
        (Type::Struct, Type::Message(_)) => sometimes(None, "its members are the fields of the message"),
        (Type::Any, Type::Message(_)) if empty_fits(to) => sometimes(None, "it is empty"),
        (Type::Any, Type::Any) => any(from, to, known, depth),
        (Type::Struct, Type::Any) => sometimes(None, "it names its type under @type"),
        (Type::Message(index), Type::Any) => message_to_any(from, from.graph.message(index)),
        (Type::ListValue, Type::FieldMask) => {
            sometimes(Some(Rule::MaskSpelling), "its elements are field paths")
        }
        _ => never(from, to),
    }
}

/// Whether an object without members is taken as it is.
pub(super) fn empty_fits(to: Side<'_>) -> bool {
    scalar::attempt(to, Value::Object(Object::new())).is_ok()
}

/// A message does not say its type: only one without any field is taken, for an empty Any.
fn message_to_any(from: Side<'_>, message: Option<&MessageType>) -> Assignable {
    let fields = || message.into_iter().flat_map(|message| &message.fields);
    if fields().any(message::always_there) {
        return Assignable::Never { reason: format!("{} does not say its type under @type", from.words()) };
    }
    if fields().next().is_none() { ALWAYS } else { sometimes(None, "it has no field") }
}

/// Where the pair of an Any and an Any is known: each may hold another.
const ANY: (u32, u32) = (u32::MAX, u32::MAX);

/// Each type that one may hold is looked for among those of the other.
fn any(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    if let Some(verdict) = known.get(&ANY) {
        return verdict.clone();
    }
    known.insert(ANY, ALWAYS);
    let verdict = packed(from, to, known, depth);
    known.insert(ANY, verdict.clone());
    verdict
}

fn packed(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let mut verdict = ALWAYS;
    for index in &from.graph.packable {
        let Some(held) = from.graph.message(*index) else { continue };
        let name = &held.full_name;
        let Some((other, taken)) = to.graph.packed(&format!("/{name}")) else {
            return sometimes(None, format!("it holds no {name}"));
        };
        let fits = match (held.whole.as_deref(), taken.whole.as_deref()) {
            (Some(held), Some(taken)) => {
                let (held, taken) = (from.member(held), to.member(taken));
                super::judge(held.element(), taken.element(), known, depth + 1)
            }
            _ => message::judge(from, *index, to, other, known, depth),
        };
        let fits = match fits {
            Assignable::Never { reason } => sometimes(None, format!("it holds no {name}: {reason}")),
            other => other,
        };
        verdict = both(verdict, super::combine::about(name, fits));
    }
    verdict
}

/// Any JSON takes everything, but for numbers that JSON has none of.
pub(super) fn dynamic(from: Side<'_>) -> Assignable {
    let mut wide = false;
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(side) = open.pop() {
        if !side.work.spend(super::cost(side, side)) {
            return sometimes(None, "its numbers are finite");
        }
        for part in parts(side).unwrap_or_default() {
            wide |= scalar::is_wide(&part);
            if !scalar::is_finite(&part).all {
                return sometimes(None, "its numbers are finite");
            }
        }
        let held = match side.kind {
            Type::Message(index) => vec![index],
            Type::Any => side.graph.packable.clone(),
            _ => continue,
        };
        for message in held.into_iter().filter(|index| seen.insert(*index)) {
            let message = side.graph.message(message);
            let fields = message.into_iter().flat_map(|it| it.fields.iter().chain(it.whole.as_deref()));
            open.extend(fields.map(|field| side.member(field)));
        }
    }
    Assignable::Always(wide.then_some(Rule::NumberToText))
}

/// Scalars for any JSON.
pub(super) fn of_part(part: &Part) -> Reach {
    let reach = scalar::is_finite(part);
    if scalar::is_wide(part) { reach.by(Rule::NumberToText) } else { reach }
}

/// An object or a list of anything for a list or map with a declared type.
pub(super) fn takes_anything(to: Side<'_>) -> bool {
    let text_keys = match to.shape {
        Shape::Map(key) => key.kind == Type::String,
        _ => true,
    };
    let free = to.field.is_none_or(|field| field.constraints.is_none());
    to.kind == Type::Value && text_keys && free
}
