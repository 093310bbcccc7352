//! The rows of numbers. An integer never passes through a double; rounding a decimal to the nearest double loses
//! nothing that was meant, an integer written out that the type cannot hold exactly is refused.

use super::row::{Refusal, Row};
use crate::kind::IntegerType;
use crate::report::{Rule, ViolationRule};
use crate::value::{
    Decimal, Integer, SAFE, Value, exact_f32, exact_f64, integer_of, integer_value, nearest_f32, widened,
};

pub(super) fn double(value: &Value, allow_non_finite: bool) -> Row {
    match value {
        Value::Float(it) if it.is_finite() || allow_non_finite => Row::Keep,
        Value::Float(_) => Row::refused(ViolationRule::NotFinite),
        Value::Int(it) => whole_double(i128::from(*it)),
        Value::Uint(it) => whole_double(i128::from(*it)),
        Value::Number(number) => Decimal::parse(number.as_str())
            .map_or_else(Row::wrong_type, |decimal| decimal_double(number.as_str(), decimal)),
        Value::Text(text) => match number_text(text) {
            Some((digits, decimal)) => decimal_double(digits, decimal).mended_by(Rule::TextToNumber, false),
            None => not_a_number(text, allow_non_finite, |_| true),
        },
        _ => Row::wrong_type(),
    }
}

fn whole_double(value: i128) -> Row {
    match exact_f64(value) {
        Some(value) => Row::Typed(Value::Float(value)),
        // The text of an integer is a double's, perhaps rounded.
        None => inexact(value.to_string().parse().unwrap_or(f64::INFINITY)),
    }
}

/// An integer that the type would round; what it would be rounded to is suggested.
fn inexact(nearest: f64) -> Row {
    let suggestion = if nearest.abs() < 1e21 { format!("{nearest:.0}") } else { format!("{nearest:e}") };
    Refusal::new(ViolationRule::Inexact).suggesting(suggestion).into()
}

fn decimal_double(text: &str, decimal: Decimal<'_>) -> Row {
    let value: f64 = text.parse().unwrap_or(f64::INFINITY);
    if value.is_infinite() {
        return Row::refused(ViolationRule::OutOfRange);
    }
    let exact = match decimal.to_integer() {
        Integer::Exact(integer) => exact_f64(integer).is_some(),
        // A double beyond 38 digits is an integer; it prints all of them.
        Integer::Beyond => format!("{value:.0}") == text,
        Integer::Fraction => true,
    };
    if decimal.is_plain() && !exact {
        return inexact(value);
    }
    Row::Typed(Value::Float(value))
}

/// A float is kept as the double nearest to its shortest decimal text, so that it reads as it was written.
pub(super) fn float(value: &Value, allow_non_finite: bool) -> Row {
    match value {
        Value::Float(it) if it.is_finite() => single(*it, nearest_f32(*it)),
        Value::Float(_) if allow_non_finite => Row::Keep,
        Value::Float(_) => Row::refused(ViolationRule::NotFinite),
        Value::Int(it) => whole_float(i128::from(*it)),
        Value::Uint(it) => whole_float(i128::from(*it)),
        Value::Number(number) => Decimal::parse(number.as_str())
            .map_or_else(Row::wrong_type, |decimal| decimal_float(number.as_str(), decimal)),
        Value::Text(text) => match number_text(text) {
            Some((digits, decimal)) => decimal_float(digits, decimal).mended_by(Rule::TextToNumber, false),
            None => not_a_number(text, allow_non_finite, |_| true),
        },
        _ => Row::wrong_type(),
    }
}

fn single(value: f64, narrow: f32) -> Row {
    if narrow.is_infinite() {
        return Row::refused(ViolationRule::OutOfRange);
    }
    let wide = widened(narrow);
    if wide.to_bits() == value.to_bits() { Row::Keep } else { Row::Typed(Value::Float(wide)) }
}

fn whole_float(value: i128) -> Row {
    match exact_f32(value) {
        Some(value) => Row::Typed(Value::Float(widened(value))),
        None => inexact(f64::from(value.to_string().parse::<f32>().unwrap_or(f32::INFINITY))),
    }
}

fn decimal_float(text: &str, decimal: Decimal<'_>) -> Row {
    let value: f32 = text.parse().unwrap_or(f32::INFINITY);
    if value.is_infinite() {
        return Row::refused(ViolationRule::OutOfRange);
    }
    if decimal.is_plain() {
        let exact = match decimal.to_integer() {
            Integer::Exact(integer) => exact_f32(integer).is_some(),
            // A float beyond 38 digits is an integer; it prints all of them.
            Integer::Beyond => format!("{value:.0}") == text,
            Integer::Fraction => false,
        };
        if !exact {
            return inexact(f64::from(value));
        }
    }
    Row::Typed(Value::Float(widened(value)))
}

pub(super) fn integer(integer: IntegerType, value: &Value) -> Row {
    let (least, greatest) = integer.range();
    match value {
        Value::Int(it) if (least..=greatest).contains(&i128::from(*it)) => Row::Keep,
        Value::Uint(it) if i128::from(*it) <= greatest => Row::Keep,
        Value::Int(_) | Value::Uint(_) => Row::refused(ViolationRule::OutOfRange),
        Value::Float(it) => whole_number(integer, *it),
        Value::Number(number) => {
            Decimal::parse(number.as_str()).map_or_else(Row::wrong_type, |it| decimal_integer(integer, it))
        }
        Value::Text(text) => match number_text(text) {
            Some((_, decimal)) => {
                decimal_integer(integer, decimal).mended_by(Rule::TextToNumber, is_canonical(integer, text))
            }
            None => not_a_number(text, false, |it| matches!(it.to_integer(), Integer::Exact(_))),
        },
        _ => Row::wrong_type(),
    }
}

/// Whether protobuf JSON writes an integer of this type as this text: only 64-bit ones are texts.
fn is_canonical(integer: IntegerType, text: &str) -> bool {
    integer.is_wide()
        && (integer.is_signed() || !text.starts_with('-'))
        && Decimal::parse(text).is_some_and(|decimal| decimal.is_plain())
}

fn decimal_integer(integer: IntegerType, decimal: Decimal<'_>) -> Row {
    let (least, greatest) = integer.range();
    match decimal.to_integer() {
        Integer::Exact(value) if (least..=greatest).contains(&value) => {
            integer_value(value).map_or_else(|| Row::refused(ViolationRule::OutOfRange), Row::Typed)
        }
        Integer::Exact(_) | Integer::Beyond => Row::refused(ViolationRule::OutOfRange),
        Integer::Fraction => Row::refused(ViolationRule::NotAnInteger),
    }
}

/// A double that came as one. Beyond 2^53 it may stand for an integer beside it: for 64 bits that is not guessed.
fn whole_number(integer: IntegerType, value: f64) -> Row {
    if !value.is_finite() {
        return Row::refused(ViolationRule::NotFinite);
    }
    if value.fract() != 0.0 {
        return Row::refused(ViolationRule::NotAnInteger);
    }
    let (least, greatest) = integer.range();
    match integer_of(value) {
        Some(it) if !(least..=greatest).contains(&it) => Row::refused(ViolationRule::OutOfRange),
        Some(it) if it.unsigned_abs() > u128::from(SAFE.unsigned_abs()) => {
            Refusal::new(ViolationRule::Inexact)
                .expecting("an integer beyond 2^53 as decimal text: a double does not hold its digits")
                .suggesting(format!("\"{it}\""))
                .into()
        }
        Some(it) => integer_value(it).map_or_else(|| Row::refused(ViolationRule::OutOfRange), Row::Typed),
        None => Row::refused(ViolationRule::OutOfRange),
    }
}

/// Text that is a JSON number, trimmed, a leading `+` allowed.
pub(super) fn number_text(text: &str) -> Option<(&str, Decimal<'_>)> {
    let trimmed = text.trim_ascii();
    let digits = trimmed.strip_prefix('+').filter(|rest| !rest.starts_with('-')).unwrap_or(trimmed);
    Decimal::parse(digits).map(|decimal| (digits, decimal))
}

fn not_a_number(text: &str, allow_non_finite: bool, fits: fn(Decimal<'_>) -> bool) -> Row {
    if let Some(value) = non_finite(text) {
        if !allow_non_finite {
            return Row::refused(ViolationRule::NotFinite);
        }
        let exact = matches!(text, "NaN" | "Infinity" | "-Infinity");
        return Row::Typed(Value::Float(value)).mended_by(Rule::TextToNumber, exact);
    }
    let candidate = candidate(text).filter(|it| Decimal::parse(it).is_some_and(fits));
    match candidate {
        Some(candidate) => Refusal::new(ViolationRule::WrongType)
            .expecting(
                "a number written as JSON does: digits without separators or units, a point for decimals",
            )
            .suggesting(candidate)
            .into(),
        None => Row::wrong_type(),
    }
}

fn non_finite(text: &str) -> Option<f64> {
    let text = text.trim_ascii();
    let (sign, word) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if text.eq_ignore_ascii_case("nan") {
        return Some(f64::NAN);
    }
    (word.eq_ignore_ascii_case("infinity") || word.eq_ignore_ascii_case("inf"))
        .then_some(sign * f64::INFINITY)
}

/// The number that a text most likely means and that is not taken for it: `46,828.5`, `1_000`, `12 km`, `.5`.
fn candidate(text: &str) -> Option<String> {
    const LONGEST: usize = 64;
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let ascii: String = text.chars().map(narrow_digit).collect();
    let number = without_unit(&ascii);
    let number = number.strip_prefix('+').unwrap_or(number);
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let joined = joined_groups(digits)?;
    let joined = match joined.strip_prefix('.') {
        Some(fraction) => format!("0.{fraction}"),
        None => joined.strip_suffix('.').unwrap_or(&joined).to_owned(),
    };
    let candidate = format!("{sign}{joined}");
    Decimal::parse(&candidate).is_some().then_some(candidate)
}

/// The ASCII digit of a full-width one.
fn narrow_digit(letter: char) -> char {
    u32::from(letter)
        .checked_sub(0xff10)
        .filter(|digit| *digit < 10)
        .and_then(|it| char::from_digit(it, 10))
        .unwrap_or(letter)
}

/// What stands before a word of letters: a unit.
fn without_unit(text: &str) -> &str {
    let number = text
        .trim_end_matches(|letter: char| letter.is_alphabetic() || matches!(letter, '°' | '/' | '²' | '³'));
    let number = number.trim_end();
    if number.ends_with(|last: char| last.is_ascii_digit()) { number } else { text }
}

/// The digits without separators, where those stand before groups of three.
fn joined_groups(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_at_checked(text.find('.').unwrap_or(text.len()))?;
    let Some(separator) = whole.chars().find(|letter| matches!(letter, ',' | '_' | ' ' | '\'')) else {
        return Some(text.to_owned());
    };
    let mut groups = whole.split(separator);
    let first = groups.next()?;
    let lead = (1..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = groups.all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    (lead && grouped).then(|| format!("{}{fraction}", whole.replace(separator, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_candidate_that_is_not_taken() {
        for (text, number) in [
            ("46,828.5", "46828.5"),
            ("12 km", "12"),
            ("12km", "12"),
            ("1_000", "1000"),
            (".5", "0.5"),
            ("5.", "5"),
            ("１２", "12"),
            ("-1,234,567", "-1234567"),
            ("1'000", "1000"),
            ("3.5 m/s", "3.5"),
        ] {
            assert_eq!(candidate(text).as_deref(), Some(number), "{text}");
        }
        for text in ["", "lots", "0x10", "1,5", "1,23", "1.2.3", "km", "$5", "5 %", "1e400x9"] {
            assert_eq!(candidate(text), None, "{text}");
        }
    }
}
