//! The values that a producer's single value may be, in sets that can be reasoned about.

use super::Side;
use super::range::{Real, Whole};
use super::text::Words;
use crate::constraint::ElementRules;
use crate::kind::Type;
use crate::time;
use crate::value::{Duration, Timestamp, Value};
use std::collections::HashSet;

/// Up to so many integers are tried one by one.
const MAX_TRIED: i128 = 64;

/// The last digits of base64, by how many bytes beyond three are left.
const BASE64_ENDS: [&str; 3] = ["", "[A-Za-z0-9+/]{2}==", "[A-Za-z0-9+/]{3}="];
/// A field mask in its JSON form.
const PATHS: &str =
    r"(?:[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*(?:,[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*)*)?";
const TIMESTAMP: &str =
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3}|\.[0-9]{6}|\.[0-9]{9})?Z";
const DURATION: &str = r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{3}|\.[0-9]{6}|\.[0-9]{9})?s";
const NATURAL: &str = "(?:0|[1-9][0-9]{0,19})";
const INTEGER: &str = "-?(?:0|[1-9][0-9]{0,19})";
const DOUBLE: &str = r"-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,24})?(?:e[+-][0-9]{1,3})?";

/// One set of values.
pub(super) enum Part {
    /// Each of them is tried.
    Listed(Vec<Value>),
    Integers(Whole),
    Reals(Real),
    /// Points or spans of time, in nanoseconds.
    Moments(Whole),
    Text(Words),
    /// Bytes, by how many there are; 0 as the greatest: any number.
    Bytes(u32, u32),
}

/// The sets that make up all values of a scalar; none of a kind that is judged by its structure.
pub(super) fn parts(side: Side<'_>) -> Option<Vec<Part>> {
    let rules = side.rules();
    let mut parts = vec![main(side, rules)?];
    // Zero and absence are one on the wire: no constraint has been checked on it.
    if let Some(field) = side.field
        && field.is_implicit()
        && !field.required
        && let Some(zero) = field.kind.zero(side.graph)
        && rules.is_some_and(|rules| !rules.check(&zero).is_empty())
    {
        parts.push(Part::Listed(vec![zero]));
    }
    if side.zero_passes() {
        parts.extend(zero_of(side).map(|zero| Part::Listed(vec![zero])));
    }
    Some(parts)
}

fn zero_of(side: Side<'_>) -> Option<Value> {
    match side.kind {
        Type::Timestamp => Some(Value::Timestamp(Timestamp { seconds: 0, nanos: 0 })),
        Type::Duration => Some(Value::Duration(Duration { seconds: 0, nanos: 0 })),
        kind => kind.zero(side.graph),
    }
}

fn main(side: Side<'_>, rules: Option<&ElementRules>) -> Option<Part> {
    let admitted = |value: &Value| rules.is_none_or(|rules| rules.check(value).is_empty());
    if let Some(rules) = rules.filter(|rules| !rules.allowed_texts.is_empty()) {
        let mut values: Vec<Value> = rules.allowed.iter().map(|allowed| allowed.0.clone()).collect();
        values.sort_by_cached_key(Value::to_json);
        return Some(Part::Listed(values));
    }
    Some(match side.kind {
        Type::Bool => Part::Listed([false, true].map(Value::Bool).into_iter().filter(admitted).collect()),
        Type::Enum(index) => {
            let it = side.graph.enumeration(index)?;
            let mut seen = HashSet::new();
            let entries = it.values.iter().filter(|entry| seen.insert(entry.number));
            Part::Listed(entries.map(|entry| it.typed(entry.number)).filter(admitted).collect())
        }
        Type::Integer(integer) => {
            let range = Whole::new(integer.range()).within(rules);
            match range.span() {
                span if span < MAX_TRIED => {
                    let values = (range.low..=range.high).filter_map(crate::value::integer_value);
                    Part::Listed(values.collect())
                }
                _ => Part::Integers(range),
            }
        }
        Type::Double | Type::Float => {
            let range = Real::every(side.kind == Type::Float, side.non_finite()).within(rules);
            if range.low == range.high && !range.nan {
                Part::Listed(vec![Value::Float(range.low)])
            } else {
                Part::Reals(range)
            }
        }
        Type::Timestamp | Type::Duration => Part::Moments(moments(side.kind).within(rules)),
        Type::String => Part::Text(Words::of(rules)),
        Type::FieldMask => Part::Text(Words::like(PATHS)),
        Type::Bytes => rules.map_or(Part::Bytes(0, 0), |it| Part::Bytes(it.min_length, it.max_length)),
        Type::Message(_) | Type::Struct | Type::Value | Type::ListValue | Type::Any => return None,
    })
}

/// Every moment of a Timestamp, every span of a Duration, in nanoseconds.
pub(super) fn moments(kind: Type) -> Whole {
    if kind == Type::Duration {
        let longest = 315_576_000_000 * time::NANOS;
        return Whole { low: -longest, high: longest };
    }
    let at = |seconds, nanos| time::timestamp_nanos(Timestamp { seconds, nanos });
    Whole { low: at(-62_135_596_800, 0), high: at(253_402_300_799, 999_999_999) }
}

/// Base64 with its padding, of so many bytes; 0 as the greatest: any number.
fn base64(least: u32, greatest: u32) -> String {
    let counts = if greatest == 0 { least..=least.saturating_add(2) } else { least..=greatest };
    let mut left: Vec<u32> = counts.take(3).map(|count| count % 3).collect();
    left.sort_unstable();
    let ends = left.into_iter().filter_map(|left| crate::graph::at(&BASE64_ENDS, left).copied());
    format!("(?:[A-Za-z0-9+/]{{4}})*(?:{})", ends.collect::<Vec<_>>().join("|"))
}

// === impl Part ===

impl Part {
    /// The texts that these values become where text is wanted: those, and perhaps some more.
    pub(super) fn texts(&self, kind: Type) -> Option<Words> {
        let (least, greatest, pattern) = match self {
            Self::Integers(range) => {
                let (least, greatest) = range.lengths();
                (least, greatest, if range.low < 0 { INTEGER } else { NATURAL }.to_owned())
            }
            Self::Reals(_) => (1, 25, DOUBLE.to_owned()),
            Self::Moments(_) if kind == Type::Timestamp => (20, 30, TIMESTAMP.to_owned()),
            Self::Moments(_) => (2, 24, DURATION.to_owned()),
            Self::Bytes(least, greatest) => {
                let encoded = |bytes: u32| bytes.div_ceil(3).saturating_mul(4);
                (encoded(*least), encoded(*greatest), base64(*least, *greatest))
            }
            Self::Text(_) | Self::Listed(_) => return None,
        };
        Some(Words { least, greatest, ..Words::like(&pattern) })
    }
}
