//! Pairs of single values.

use super::{Assignable, Known, Side, never, sometimes};
use crate::coerce::enum_row;
use crate::graph::Graph;
use crate::kind::{IntegerType, Type};
use crate::report::Rule;
use std::collections::HashSet;

const ALWAYS: Assignable = Assignable::Always(None);

pub(super) fn judge(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    match to.kind {
        Type::Double | Type::Float => floating(from, to),
        Type::Integer(integer) => whole(from, to, integer),
        Type::Bool => boolean(from, to),
        Type::String => text(from, to),
        Type::Bytes => match from.kind {
            Type::Bytes => ALWAYS,
            Type::String | Type::FieldMask | Type::Value => {
                sometimes(Some(Rule::Base64Spelling), "the text is base64")
            }
            _ => never(from, to),
        },
        Type::Enum(_) => choice(from, to),
        Type::Timestamp => time(from, to, Rule::TimeSpelling),
        Type::Duration => time(from, to, Rule::DurationSpelling),
        Type::FieldMask => match from.kind {
            Type::FieldMask => ALWAYS,
            Type::String | Type::Value | Type::ListValue => {
                sometimes(Some(Rule::MaskSpelling), "it holds field paths")
            }
            _ => never(from, to),
        },
        Type::Message(index) => match from.kind {
            Type::Message(produced) => super::message::judge(from, produced, to, index, known, depth),
            Type::Struct | Type::Value => sometimes(None, "its members are the fields of the message"),
            Type::Any => sometimes(None, "it is empty"),
            Type::String => sometimes(Some(Rule::TextToJson), "the text is the JSON of the message"),
            _ => never(from, to),
        },
        Type::Value => dynamic(from),
        Type::Struct => match from.kind {
            Type::Struct | Type::Message(_) | Type::Any => dynamic(from),
            Type::Value => sometimes(None, "it is an object"),
            Type::String => sometimes(Some(Rule::TextToJson), "the text is the JSON of an object"),
            _ => never(from, to),
        },
        Type::ListValue => match from.kind {
            Type::ListValue => ALWAYS,
            Type::Value => sometimes(None, "it is a list"),
            Type::String => sometimes(Some(Rule::TextToJson), "the text is the JSON of a list"),
            _ => never(from, to),
        },
        Type::Any => match from.kind {
            // What is packed has to be of a type that both know, and the same type.
            Type::Any if packable(from).eq(packable(to)) => ALWAYS,
            Type::Any => sometimes(None, "its type is among the consumer's"),
            Type::Message(_) => sometimes(None, "it is empty"),
            Type::Struct | Type::Value => sometimes(None, "it names its type under @type"),
            Type::String => sometimes(Some(Rule::TextToJson), "the text is the JSON of a message with @type"),
            _ => never(from, to),
        },
    }
}

/// The messages that an Any of this side may hold.
fn packable(side: Side<'_>) -> impl Iterator<Item = &prost_reflect::MessageDescriptor> {
    side.graph.packable().map(|message| &message.descriptor)
}

fn floating(from: Side<'_>, to: Side<'_>) -> Assignable {
    let narrow = to.kind == Type::Float;
    match from.kind {
        Type::Double | Type::Float if from.non_finite() && !to.non_finite() => {
            sometimes(None, "it is finite")
        }
        Type::Double if narrow => sometimes(None, "a 32-bit float is large enough for it"),
        Type::Double | Type::Float => ALWAYS,
        Type::Integer(integer) if !narrow && !integer.is_wide() => ALWAYS,
        Type::Integer(_) => sometimes(None, "the float holds the integer exactly"),
        Type::String | Type::FieldMask | Type::Value => {
            sometimes(Some(Rule::TextToNumber), "the text is a number")
        }
        _ => never(from, to),
    }
}

fn whole(from: Side<'_>, to: Side<'_>, integer: IntegerType) -> Assignable {
    let (least, greatest) = integer.range();
    match from.kind {
        Type::Integer(produced) => {
            let (low, high) = produced.range();
            if low >= least && high <= greatest {
                return ALWAYS;
            }
            sometimes(None, &format!("it is from {least} to {greatest}"))
        }
        Type::Double | Type::Float => sometimes(None, "it is a whole number within the range"),
        Type::String | Type::FieldMask | Type::Value => {
            sometimes(Some(Rule::TextToNumber), "the text is an integer within the range")
        }
        _ => never(from, to),
    }
}

fn boolean(from: Side<'_>, to: Side<'_>) -> Assignable {
    match from.kind {
        Type::Bool => ALWAYS,
        Type::Integer(_) | Type::Double | Type::Float => sometimes(Some(Rule::NumberToBool), "it is 0 or 1"),
        Type::String | Type::FieldMask | Type::Value => {
            sometimes(Some(Rule::TextToBool), "the text says true or false")
        }
        _ => never(from, to),
    }
}

fn text(from: Side<'_>, to: Side<'_>) -> Assignable {
    match from.kind {
        Type::Double | Type::Float if from.non_finite() => {
            sometimes(Some(Rule::NumberToText), "it is finite")
        }
        Type::Double | Type::Float | Type::Integer(_) => Assignable::Always(Some(Rule::NumberToText)),
        Type::Bool => Assignable::Always(Some(Rule::BoolToText)),
        Type::String | Type::Bytes | Type::Timestamp | Type::Duration | Type::FieldMask => ALWAYS,
        Type::Enum(index) if from.graph.enumeration(index).is_some_and(|it| it.null) => never(from, to),
        Type::Enum(_) => ALWAYS,
        Type::Value => sometimes(None, "it is no list and no object"),
        Type::Message(_) | Type::Struct | Type::ListValue | Type::Any => never(from, to),
    }
}

fn time(from: Side<'_>, to: Side<'_>, rule: Rule) -> Assignable {
    match from.kind {
        kind if kind == to.kind => ALWAYS,
        // Seconds of 32 bits are within both ranges.
        Type::Integer(integer) if !integer.is_wide() => Assignable::Always(Some(rule)),
        Type::Integer(_) | Type::Double | Type::Float => {
            sometimes(Some(rule), "it is a number of seconds within the range, exact to the nanosecond")
        }
        Type::String | Type::FieldMask | Type::Value => sometimes(Some(rule), "the text can be read as such"),
        _ => never(from, to),
    }
}

/// Every declared value of an enum is tried.
fn choice(from: Side<'_>, to: Side<'_>) -> Assignable {
    let (Type::Enum(produced), Type::Enum(consumed)) = (from.kind, to.kind) else {
        return match from.kind {
            Type::Integer(_) | Type::Double | Type::Float => {
                sometimes(Some(Rule::EnumNumber), "the number is declared")
            }
            Type::String | Type::FieldMask | Type::Value => {
                sometimes(Some(Rule::EnumSpelling), "the text names a value")
            }
            _ => never(from, to),
        };
    };
    let (Some(produced), Some(consumed)) = (from.graph.enumeration(produced), to.graph.enumeration(consumed))
    else {
        return sometimes(None, "the value is declared");
    };
    let (mut rule, mut fits, mut misses) = (None, 0_usize, Vec::new());
    for entry in &produced.values {
        match enum_row(consumed, &produced.typed(entry.number)) {
            Some(by) => {
                fits += 1;
                rule = rule.or(by);
            }
            None => misses.push(entry.name.as_ref()),
        }
    }
    if misses.is_empty() {
        return Assignable::Always(rule);
    }
    if fits == 0 {
        return never(from, to);
    }
    sometimes(rule, &format!("it is none of {}", misses.join(", ")))
}

/// Any JSON takes everything, but for numbers that JSON has none of.
pub(super) fn dynamic(from: Side<'_>) -> Assignable {
    let mut seen = HashSet::new();
    let held = held(from.graph, from.kind, from.field.is_some_and(|it| it.allow_non_finite), &mut seen);
    if held.non_finite {
        return sometimes(None, "its numbers are finite");
    }
    Assignable::Always(held.wide.then_some(Rule::NumberToText))
}

#[derive(Clone, Copy, Default)]
struct Held {
    non_finite: bool,
    wide: bool,
}

/// What a value may hold, at any depth.
fn held(graph: &Graph, kind: Type, non_finite: bool, seen: &mut HashSet<u32>) -> Held {
    let mut held = Held::default();
    let mut open = vec![(kind, non_finite)];
    while let Some((kind, non_finite)) = open.pop() {
        match kind {
            Type::Double | Type::Float => held.non_finite |= non_finite,
            Type::Integer(integer) => held.wide |= integer.is_wide(),
            Type::Message(index) if seen.insert(index) => {
                let message = graph.message(index).into_iter();
                let fields = message.flat_map(|it| it.fields.iter().chain(it.whole.as_deref()));
                open.extend(fields.map(|field| (field.kind, field.allow_non_finite)));
            }
            Type::Any => open.extend(graph.packable.iter().map(|index| (Type::Message(*index), false))),
            _ => {}
        }
    }
    held
}

/// Whether every key of one type is the text of a key of the other.
pub(super) fn keys_fit(from: Type, to: Type) -> bool {
    match (from, to) {
        (_, Type::String) | (Type::Bool, Type::Bool) => true,
        (Type::Integer(from), Type::Integer(to)) => {
            let ((low, high), (least, greatest)) = (from.range(), to.range());
            low >= least && high <= greatest
        }
        _ => false,
    }
}
