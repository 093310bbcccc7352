//! Sets of scalars for a single value.

use super::combine::Reach;
use super::domain::{Part, moments};
use super::range::{Real, Whole};
use super::text::{self, Words};
use super::{Place, Side, further};
use crate::coerce::Coercer;
use crate::constraint::ElementRules;
use crate::kind::Type;
use crate::report::{Report, Rule};
use crate::time::NANOS;
use crate::value::{SAFE, Value, nearest_f32, to_i128, widened};

/// From here on a double has no more than nine digits after the point: 17 digits tell it from all others.
const NANOS_FROM: f64 = 1e7;
/// From here on a float has no more: 9 digits tell it from all others.
const NARROW_NANOS_FROM: f64 = 0.1;

pub(super) fn reach(part: &Part, from: Side<'_>, to: Side<'_>) -> Reach {
    if let Part::Listed(values) = part {
        return listed(values, to);
    }
    let reach = typed(part, from, to);
    if !reach.some {
        return reach;
    }
    let more = further::reach(part, from, to);
    Reach { all: reach.all && more.all, some: more.some, ..reach }
}

/// By what their kind and the usual rules say.
fn typed(part: &Part, from: Side<'_>, to: Side<'_>) -> Reach {
    match (part, to.kind) {
        (Part::Text(words), Type::String) => allowed_or(to, |value| has_text(words, value, to), words),
        (Part::Text(_), Type::FieldMask) if from.kind == to.kind => Reach::new(true, true),
        (Part::Text(words), _) => text::read(words, to),
        (Part::Bytes(least, greatest), Type::Bytes) => bytes(*least, *greatest, to),
        (Part::Integers(range), Type::Integer(integer)) => {
            let taken = Whole::new(integer.range()).within(to.rules());
            whole(*range, taken, to, to_i128)
        }
        (Part::Integers(range), Type::Double | Type::Float) => integers_to_real(*range, to),
        (Part::Integers(range), Type::Bool | Type::Enum(_)) => numbered(*range, to),
        (Part::Integers(range), Type::Timestamp | Type::Duration) => seconds(*range, to),
        (Part::Reals(range), Type::Double | Type::Float) => reals(*range, to),
        (Part::Reals(range), Type::Integer(integer)) => {
            reals_to_integer(*range, Whole::new(integer.range()), to)
        }
        (Part::Reals(range), Type::Bool | Type::Enum(_)) => {
            Reach { all: false, ..numbered(range.whole(), to) }
        }
        (Part::Reals(range), Type::Timestamp | Type::Duration) => real_seconds(*range, to),
        (Part::Moments(range), kind) if kind == from.kind => {
            whole(*range, moments(kind).within(to.rules()), to, nanos)
        }
        (_, Type::String) => match part.texts(from.kind) {
            Some(words) => printed(part, &words, to),
            None => Reach::UNKNOWN,
        },
        _ => Reach::NONE,
    }
}

/// One value at a time, by the coercion itself.
fn listed(values: &[Value], to: Side<'_>) -> Reach {
    let mut reach = Reach::new(true, false);
    for value in values {
        let report = attempt(to, value.clone());
        let fits = report.is_ok() && report.entries().all(|entry| entry.lossless);
        reach.all &= fits;
        reach.some |= fits;
        if fits {
            reach.rule = reach.rule.or(report.entries().next().map(|entry| entry.rule));
        }
    }
    reach
}

pub(super) fn attempt(to: Side<'_>, mut value: Value) -> Report {
    match (to.field, to.kind) {
        (Some(field), _) => Coercer::new(to.graph).alone(field, to.place == Place::Whole, &mut value),
        (None, Type::Message(index)) => {
            let mut coercer = Coercer::new(to.graph);
            coercer.root(index, &mut value);
            coercer.into_report()
        }
        (None, _) => Report::default(),
    }
}

fn allowed(to: Side<'_>) -> Option<impl Iterator<Item = &Value>> {
    let rules = to.rules().filter(|rules| !rules.allowed_texts.is_empty())?;
    Some(rules.allowed.iter().map(|allowed| &allowed.0))
}

/// A range for a range, or for a few values: more are never all of those.
fn whole(from: Whole, taken: Whole, to: Side<'_>, read: impl Fn(&Value) -> Option<i128>) -> Reach {
    match allowed(to) {
        Some(mut allowed) => Reach::new(false, allowed.any(|it| read(it).is_some_and(|it| from.has(it)))),
        None => Reach::new(taken.contains(from), !taken.and(from).is_empty()),
    }
}

fn nanos(value: &Value) -> Option<i128> {
    match crate::constraint::Quantity::of(value) {
        Some(crate::constraint::Quantity::Exact(nanos)) => Some(nanos),
        _ => None,
    }
}

fn integers_to_real(from: Whole, to: Side<'_>) -> Reach {
    let narrow = to.kind == Type::Float;
    let taken = Real::every(narrow, to.non_finite()).within(to.rules());
    let ruled = to.rules().is_some_and(|rules| !rules.is_empty());
    // The reading of so large a float is not the integer itself: bounds would be compared with another number.
    if narrow && ruled && !from.all_exact(53) {
        let near =
            Whole { low: taken.whole().low.saturating_mul(2), high: taken.whole().high.saturating_mul(2) };
        let apart =
            near.low.min(taken.whole().low) > from.high || near.high.max(taken.whole().high) < from.low;
        return if apart { Reach::NONE } else { Reach::UNKNOWN };
    }
    if let Some(mut allowed) = allowed(to) {
        return Reach::new(false, allowed.any(|it| to_i128(it).is_some_and(|it| from.has(it))));
    }
    let (window, bits) = (taken.whole(), taken.bits());
    Reach::new(window.contains(from) && from.all_exact(bits), window.and(from).some_exact(bits))
}

/// Numbers that stand for a boolean or an enum value.
fn numbered(from: Whole, to: Side<'_>) -> Reach {
    let numbers: Vec<i64> = match to.kind {
        Type::Enum(index) => {
            let it = to.graph.enumeration(index);
            it.map(|it| it.by_number.keys().map(|number| i64::from(*number)).collect()).unwrap_or_default()
        }
        _ => vec![0, 1],
    };
    let rule = if to.kind == Type::Bool { Rule::NumberToBool } else { Rule::EnumNumber };
    let taken = numbers.into_iter().filter(|number| from.has(i128::from(*number)));
    let count = taken.filter(|number| attempt(to, Value::Int(*number)).is_ok()).count();
    let all = i128::try_from(count).is_ok_and(|count| count > from.span());
    Reach::new(all, count > 0).by(rule)
}

fn time_rule(to: Side<'_>) -> Rule {
    if to.kind == Type::Timestamp { Rule::TimeSpelling } else { Rule::DurationSpelling }
}

fn seconds(from: Whole, to: Side<'_>) -> Reach {
    let taken = moments(to.kind).within(to.rules());
    let reach = match allowed(to) {
        Some(mut allowed) => {
            let second = |it: &Value| nanos(it).is_some_and(|it| it % NANOS == 0 && from.has(it / NANOS));
            Reach::new(false, allowed.any(second))
        }
        None => Reach::new(taken.contains(from.times(NANOS)), !taken.per(NANOS).and(from).is_empty()),
    };
    reach.by(time_rule(to))
}

/// Doubles for a double or float. What a float makes of a double is rounded, in the same order.
fn reals(from: Real, to: Side<'_>) -> Reach {
    let narrow = to.kind == Type::Float;
    let rounded = |value: f64| {
        if narrow && value.is_finite() { widened(nearest_f32(value)) } else { value }
    };
    let overflows = |value: f64| value.is_finite() && !rounded(value).is_finite();
    let taken = Real::every(narrow, to.non_finite()).within(to.rules());
    if let Some(mut allowed) = allowed(to) {
        let met = |it: &Value| {
            it.as_f64().is_some_and(|it| {
                let exact = from.has(it) && (!from.narrow || widened(nearest_f32(it)) == it);
                exact || rounded(from.low) == it || rounded(from.high) == it || (it.is_nan() && from.nan)
            })
        };
        return Reach::new(false, allowed.any(met));
    }
    let nan = from.nan && taken.nan;
    let (low, high) = (rounded(from.low), rounded(from.high));
    let beyond = overflows(from.low) || overflows(from.high) || low < taken.low || high > taken.high;
    let shared = low.max(taken.low) <= high.min(taken.high);
    Reach::new(!beyond && (!from.nan || nan), shared || nan)
}

fn reals_to_integer(from: Real, range: Whole, to: Side<'_>) -> Reach {
    let safe = Whole { low: i128::from(-SAFE), high: i128::from(SAFE) };
    let taken = range.and(safe).within(to.rules());
    if let Some(mut allowed) = allowed(to) {
        let fits = |it: &Value| to_i128(it).is_some_and(|it| safe.has(it) && from.whole().has(it));
        return Reach::new(false, allowed.any(fits));
    }
    let all = from.is_finite() && !from.has_fraction() && taken.contains(from.whole());
    Reach::new(all, taken.and(from.whole()).some_exact(from.bits()))
}

fn real_seconds(from: Real, to: Side<'_>) -> Reach {
    let taken = moments(to.kind).within(to.rules());
    if from.is_empty() {
        return Reach::NONE;
    }
    let reach = match allowed(to) {
        Some(_) => Reach::UNKNOWN,
        None => {
            let fits = |value: f64| attempt(to, Value::Float(value)).is_ok();
            let limit = if from.narrow { NARROW_NANOS_FROM } else { NANOS_FROM };
            let short = from.low >= limit || from.high <= -limit;
            let seconds = from.whole().and(taken.per(NANOS));
            // Within a second of an end everything is left open.
            let apart = from.low.floor() > taken.high.div_euclid(NANOS) as f64
                || from.high.ceil() < taken.low.div_euclid(NANOS) as f64;
            let all = from.is_finite() && short && fits(from.low) && fits(from.high);
            Reach::new(all, !seconds.is_empty() || !apart)
        }
    };
    reach.by(time_rule(to))
}

fn bytes(least: u32, greatest: u32, to: Side<'_>) -> Reach {
    let own = Words { least, greatest, ..Words::default() };
    let fits = |value: &Value| match value {
        Value::Bytes(bytes) => {
            let count = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            count >= least && (greatest == 0 || count <= greatest)
        }
        _ => false,
    };
    allowed_or(to, fits, &own)
}

/// What has no end of values is never all among a few.
fn allowed_or(to: Side<'_>, fits: impl Fn(&Value) -> bool, words: &Words) -> Reach {
    match allowed(to) {
        Some(allowed) => {
            let texts: Vec<&Value> = allowed.collect();
            let some = texts.iter().any(|it| fits(it));
            let forms: Vec<String> = texts.iter().filter_map(|it| it.as_str()).map(regex::escape).collect();
            Reach::new(some && words.pattern.is_some() && words.stays_within(&forms.join("|"), to.work), some)
        }
        None => words.reach(&Words::of(to.rules()), to.work),
    }
}

/// Taken for granted where it is not found out.
fn has_text(words: &Words, value: &Value, to: Side<'_>) -> bool {
    value.as_str().is_some_and(|text| words.has(text, to.work) != Some(false))
}

/// Other scalars as text.
fn printed(part: &Part, words: &Words, to: Side<'_>) -> Reach {
    let finite = !matches!(part, Part::Reals(range) if !range.is_finite());
    let ruled = to.rules().is_some_and(|rules: &ElementRules| !rules.is_empty());
    let reach = if ruled {
        allowed_or(to, |value| has_text(words, value, to), words)
    } else {
        Reach::new(true, true)
    };
    let reach = Reach { all: reach.all && finite, ..reach };
    match part {
        Part::Integers(_) | Part::Reals(_) => reach.by(Rule::NumberToText),
        _ => reach,
    }
}

/// Whether a number among these is written out as text where any JSON goes.
pub(super) fn is_wide(part: &Part) -> bool {
    match part {
        Part::Integers(range) => range.low < i128::from(-SAFE) || range.high > i128::from(SAFE),
        Part::Listed(values) => values.iter().any(|value| {
            matches!(value, Value::Int(_) | Value::Uint(_))
                && to_i128(value).is_some_and(|it| it.unsigned_abs() > u128::from(SAFE.unsigned_abs()))
        }),
        _ => false,
    }
}

/// Whether a double among these is none that JSON has.
pub(super) fn is_finite(part: &Part) -> Reach {
    match part {
        Part::Reals(range) => {
            let finite = range.low.max(-f64::MAX) <= range.high.min(f64::MAX);
            Reach::new(range.is_finite(), finite)
        }
        Part::Listed(values) => {
            let finite = |value: &Value| !matches!(value, Value::Float(it) if !it.is_finite());
            Reach::new(values.iter().all(finite), values.iter().any(finite))
        }
        _ => Reach::new(true, true),
    }
}
