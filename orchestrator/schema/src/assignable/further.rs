//! What is asked beyond bounds, lengths, a pattern and a list, as far as it can be looked into.

use super::Side;
use super::combine::Reach;
use super::domain::Part;
use super::text::Words;
use crate::further::{Format, Further};
use crate::kind::Type;
use crate::value::{Value, integer_value, to_i128};

/// A pattern of every text that meets a rule, where there is one, and whether it is somebody's declaration.
pub(super) fn pattern(rule: &Further) -> Option<(String, bool)> {
    let pattern = match rule {
        Further::Prefix(part) => literal(part).map(|it| format!(r"\A{it}")),
        Further::Suffix(part) => literal(part).map(|it| format!(r"{it}\z")),
        Further::Contains(part) => literal(part.bytes()),
        Further::Pattern(pattern) => Some(pattern.engine_syntax().to_owned()),
        Further::Format(Format::Letters { letters, .. }) => {
            return Some((letters.as_str().to_owned(), false));
        }
        _ => None,
    };
    pattern.map(|pattern| (pattern, true))
}

/// Whether all and whether any of some values meet what else is asked of them, each as it is taken.
pub(super) fn reach(part: &Part, from: Side<'_>, to: Side<'_>) -> Reach {
    let rules = to.rules().map(|rules| rules.further.as_slice()).unwrap_or_default();
    let each = rules.iter().map(|rule| one(rule, part, from, to));
    let reach = each.reduce(|one, other| Reach::new(one.all && other.all, one.some && other.some));
    let reach = reach.unwrap_or(Reach::new(true, true));
    Reach { some: reach.some || to.zero_passes(), ..reach }
}

fn one(rule: &Further, part: &Part, from: Side<'_>, to: Side<'_>) -> Reach {
    if is_met(rule, from, to) {
        return Reach::new(true, true);
    }
    match (rule, part, to.kind) {
        (Further::Finite, Part::Reals(range), Type::Double | Type::Float) => {
            Reach::new(range.is_finite(), range.low.max(-f64::MAX) <= range.high.min(f64::MAX))
        }
        (Further::Finite, ..) if !to.non_finite() => Reach::new(true, true),
        (Further::NotZero, _, kind) => Reach::new(is_never_zero(part, kind), true),
        (Further::NotIn(values, _), Part::Integers(range), Type::Integer(_)) => {
            let hit = values.iter().any(|it| to_i128(&it.0).is_some_and(|it| range.has(it)));
            Reach::new(!hit, true)
        }
        (Further::Outside(above, below), Part::Integers(range), Type::Integer(_)) => {
            let ends = integer_value(range.low).zip(integer_value(range.high));
            ends.map_or(Reach::UNKNOWN, |(low, high)| {
                let all = above.admits(&low) || below.admits(&high);
                Reach::new(all, above.admits(&high) || below.admits(&low))
            })
        }
        (_, _, Type::String) => match part {
            Part::Text(words) => text(rule, words, to),
            other => other.texts(from.kind).map_or(Reach::UNKNOWN, |words| text(rule, &words, to)),
        },
        _ => Reach::UNKNOWN,
    }
}

/// Whether the producer asks the same of its own values: two rules with the same words do.
fn is_met(rule: &Further, from: Side<'_>, to: Side<'_>) -> bool {
    let own = from.rules().map(|rules| rules.further.as_slice()).unwrap_or_default();
    from.kind == to.kind && own.iter().any(|own| own.words() == rule.words())
}

fn is_never_zero(part: &Part, kind: Type) -> bool {
    match (part, kind) {
        (Part::Integers(range), Type::Integer(_) | Type::Double | Type::Float) => !range.has(0),
        (Part::Reals(range), Type::Double | Type::Float) => !range.has(0.0),
        (Part::Moments(range), Type::Timestamp | Type::Duration) => !range.has(0),
        (Part::Text(words), Type::String) => words.least > 0,
        (Part::Bytes(least, _), Type::Bytes | Type::String) => *least > 0,
        (Part::Integers(_) | Part::Reals(_) | Part::Moments(_), Type::String) => true,
        _ => false,
    }
}

/// Texts, and what their letters tell.
fn text(rule: &Further, words: &Words, to: Side<'_>) -> Reach {
    match rule {
        Further::Lacks(part) => literal(part.bytes()).map_or(Reach::UNKNOWN, |it| {
            let form = format!("(?s:.*){it}(?s:.*)");
            Reach::new(!words.touches(&form, to.work), !words.stays_within(&form, to.work))
        }),
        Further::NotIn(values, _) => {
            let has = |it: &Value| it.as_str().is_some_and(|it| words.has(it, to.work) != Some(false));
            Reach::new(!values.iter().any(|it| has(&it.0)), true)
        }
        Further::Bytes { least, most } => {
            // A character takes one to four bytes.
            let (low, high) = (u64::from(words.least), u64::from(words.greatest) * 4);
            let bounded = words.greatest > 0;
            Reach::new(
                low >= *least && (*most == u64::MAX || (bounded && high <= *most)),
                low <= *most && !(bounded && high < *least),
            )
        }
        rule => pattern(rule).map_or(Reach::UNKNOWN, |(pattern, declared)| {
            let others = Words { pattern: Some(pattern), declared, ..Words::default() };
            words.reach(&others, to.work)
        }),
    }
}

/// The expression of a text that stands for itself; none of bytes that are no text.
fn literal(part: &[u8]) -> Option<String> {
    std::str::from_utf8(part).ok().map(regex::escape)
}
