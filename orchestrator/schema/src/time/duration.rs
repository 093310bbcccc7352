//! Durations in protobuf's JSON form (`1.5s`), and in other words: `1m30s`, `500ms`, `PT1M30S`, `P1D`, `90`.
//!
//! Years and months have no fixed length and are refused.

use super::{NANOS, Read, TimeError, decimal_to_nanos, write_fraction};
use crate::value::{Decimal, Duration};
use std::fmt::Write as _;

/// The longest span, either way, in nanoseconds.
pub(crate) const LONGEST: i128 = 315_576_000_000 * NANOS;

/// How many digits behind a point are counted.
const MAX_FRACTION: usize = 18;

/// Units of the short form, longest first, in nanoseconds.
const UNITS: [(&str, i128); 9] = [
    ("d", 86_400 * NANOS),
    ("h", 3_600 * NANOS),
    ("m", 60 * NANOS),
    ("s", NANOS),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ns", 1),
];

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Read<Duration>, TimeError> {
    if let Some(nanos) = canonical(text) {
        return Ok(Read { value: from_nanos(nanos)?, exact: true });
    }
    let trimmed = text.trim_ascii();
    let (negative, rest) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let nanos = match rest.as_bytes().first() {
        Some(b'P' | b'p') => iso(rest.get(1..).unwrap_or_default()),
        Some(digit) if digit.is_ascii_digit() => match Decimal::parse(rest) {
            Some(seconds) => decimal_to_nanos(seconds),
            None => short(rest),
        },
        _ => return Err(TimeError::Format(None)),
    };
    let turned = |nanos: i128| if negative { -nanos } else { nanos };
    match nanos {
        Ok(nanos) => Ok(Read { value: from_nanos(turned(nanos))?, exact: false }),
        Err(TimeError::Inexact(cut)) => Err(TimeError::Inexact(turned(cut))),
        Err(error) => Err(error),
    }
}

/// The sum of parts, and whether each was a number of nanoseconds.
#[derive(Clone, Copy)]
struct Sum {
    nanos: i128,
    exact: bool,
}

// === impl Sum ===

impl Sum {
    const ZERO: Self = Self { nanos: 0, exact: true };

    fn add(self, other: Self) -> Self {
        Self { nanos: self.nanos.saturating_add(other.nanos), exact: self.exact && other.exact }
    }

    fn total(self) -> Result<i128, TimeError> {
        if self.exact { Ok(self.nanos) } else { Err(TimeError::Inexact(self.nanos)) }
    }
}

/// `-?[0-9]{1,12}(\.[0-9]{1,9})?s`
fn canonical(text: &str) -> Option<i128> {
    let text = text.strip_suffix('s')?;
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (seconds, fraction) = match text.split_once('.') {
        Some((seconds, fraction)) if (1..=9).contains(&fraction.len()) => (seconds, fraction),
        Some(_) => return None,
        None => (text, ""),
    };
    let digits = seconds.bytes().chain(fraction.bytes());
    if !(1..=12).contains(&seconds.len()) || !digits.clone().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded = digits.chain(std::iter::repeat_n(b'0', 9_usize.saturating_sub(fraction.len())));
    let nanos = padded.fold(0_i128, |sum, digit| sum * 10 + i128::from(digit.wrapping_sub(b'0')));
    Some(if negative { -nanos } else { nanos })
}

/// `1h30m`, `1.5h`, `1m 30s`: units from long to short, each once.
fn short(mut text: &str) -> Result<i128, TimeError> {
    let mut sum = Sum::ZERO;
    let mut least = i128::MAX;
    while !text.is_empty() {
        let (number, rest) = number(text)?;
        let rest = rest.trim_ascii_start();
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (unit, rest) = rest.split_at_checked(end).ok_or(TimeError::Format(None))?;
        let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit).ok_or(TimeError::Format(None))?;
        if *nanos >= least {
            return Err(TimeError::Format(None));
        }
        least = *nanos;
        sum = sum.add(amount(number, *nanos)?);
        text = rest.trim_ascii_start();
    }
    sum.total()
}

/// ISO 8601 after its `P`: `nW`, or `nD` and after a `T` hours, minutes and seconds.
fn iso(text: &str) -> Result<i128, TimeError> {
    let (days, clock) = match text.split_once(['T', 't']) {
        Some((_, "")) => return Err(TimeError::Format(None)),
        Some((days, clock)) => (days, clock),
        None if text.is_empty() => return Err(TimeError::Format(None)),
        None => (text, ""),
    };
    let day = 86_400 * NANOS;
    let days = designated(days, &[('W', 7 * day), ('D', day)])?;
    let clock = designated(clock, &[('H', 3_600 * NANOS), ('M', 60 * NANOS), ('S', NANOS)])?;
    days.add(clock).total()
}

fn designated(mut text: &str, units: &[(char, i128)]) -> Result<Sum, TimeError> {
    let mut sum = Sum::ZERO;
    let mut left = units.iter();
    while !text.is_empty() {
        let (number, rest) = number(text)?;
        let unit = rest.chars().next().ok_or(TimeError::Format(None))?;
        let found = left.find(|(name, _)| name.eq_ignore_ascii_case(&unit));
        let (_, nanos) = found.ok_or(TimeError::Format(None))?;
        sum = sum.add(amount(number, *nanos)?);
        text = rest.get(unit.len_utf8()..).unwrap_or_default();
    }
    Ok(sum)
}

/// Digits with at most one point, and what follows them.
fn number(text: &str) -> Result<(&str, &str), TimeError> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit() && byte != b'.').unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end).ok_or(TimeError::Format(None))?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(TimeError::Format(None));
    }
    Ok((number, rest))
}

fn amount(number: &str, unit: i128) -> Result<Sum, TimeError> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = fraction.trim_end_matches('0');
    // No unit is a whole number of nanoseconds behind so many digits.
    let fraction = all.get(..MAX_FRACTION).unwrap_or(all);
    let whole = whole.trim_start_matches('0');
    if whole.len() > 21 {
        return Err(TimeError::Range);
    }
    let value =
        |digits: &str| digits.bytes().fold(0_i128, |sum, d| sum * 10 + i128::from(d.wrapping_sub(b'0')));
    let scale = fraction.bytes().fold(1_i128, |scale, _| scale * 10);
    let part = value(fraction).saturating_mul(unit);
    let nanos = value(whole).saturating_mul(unit).saturating_add(part / scale);
    Ok(Sum { nanos, exact: part % scale == 0 && fraction.len() == all.len() })
}

/// The whole span in nanoseconds.
pub(crate) fn nanos(value: Duration) -> i128 {
    i128::from(value.seconds) * NANOS + i128::from(value.nanos)
}

/// The span of that many nanoseconds, where a Duration holds it.
pub(crate) fn from_nanos(nanos: i128) -> Result<Duration, TimeError> {
    if nanos.unsigned_abs() > LONGEST.unsigned_abs() {
        return Err(TimeError::Range);
    }
    let seconds = i64::try_from(nanos / NANOS).map_err(|_| TimeError::Range)?;
    let nanos = i32::try_from(nanos % NANOS).map_err(|_| TimeError::Range)?;
    Ok(Duration { seconds, nanos })
}

/// Appends protobuf's JSON form: seconds with 0, 3, 6 or 9 digits after the point, and `s`.
pub(crate) fn write(value: Duration, out: &mut String) {
    if value.seconds < 0 || value.nanos < 0 {
        out.push('-');
    }
    // Writing to a String does not fail.
    let _ = write!(out, "{}", value.seconds.unsigned_abs());
    write_fraction(value.nanos.unsigned_abs(), out);
    out.push('s');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Result<(String, bool), TimeError> {
        parse(text).map(|read| {
            let mut out = String::new();
            write(read.value, &mut out);
            (out, read.exact)
        })
    }

    #[test]
    fn the_json_form_is_exact() {
        assert_eq!(shown("90s"), Ok(("90s".into(), true)));
        assert_eq!(shown("-1.5s"), Ok(("-1.500s".into(), true)));
        assert_eq!(shown("-0.000000001s"), Ok(("-0.000000001s".into(), true)));
        assert_eq!(shown("315576000000s"), Ok(("315576000000s".into(), true)));
        assert_eq!(shown("315576000000.000000001s"), Err(TimeError::Range));
    }

    #[test]
    fn mends_other_words() {
        for (text, expected) in [
            ("1m30s", "90s"),
            ("PT1M30S", "90s"),
            ("90", "90s"),
            ("500ms", "0.500s"),
            ("P1D", "86400s"),
            (" 90s ", "90s"),
            ("1.5h", "5400s"),
            ("1m 30s", "90s"),
            ("90 s", "90s"),
            ("-PT0.5S", "-0.500s"),
            ("P1W", "604800s"),
            ("P1DT2H", "93600s"),
            ("+90", "90s"),
            ("1e2", "100s"),
            ("100µs", "0.000100s"),
            ("-1h", "-3600s"),
        ] {
            assert_eq!(shown(text), Ok((expected.into(), false)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_span() {
        for text in [
            "",
            "s",
            "P",
            "PT",
            "P1Y",
            "P1M",
            "5M",
            "1s1s",
            "1s1m",
            "1..5s",
            ".5s",
            "5.s",
            "1,5s",
            "1 fortnight",
            "PT1S1M",
            "１s",
        ] {
            assert_eq!(shown(text), Err(TimeError::Format(None)), "{text}");
        }
        assert_eq!(shown("0.0000000001s"), Err(TimeError::Inexact(0)));
        assert_eq!(shown("1.1234567899s"), Err(TimeError::Inexact(1_123_456_789)));
        assert_eq!(shown("-1.1234567899"), Err(TimeError::Inexact(-1_123_456_789)));
        assert_eq!(shown("1m1.5ns"), Err(TimeError::Inexact(60_000_000_001)));
        assert_eq!(shown("-PT1H0.0000000019S"), Err(TimeError::Inexact(-3_600_000_000_001)));
        assert_eq!(shown("1.0000000000000000000000001s"), Err(TimeError::Inexact(1_000_000_000)));
        assert_eq!(shown("99999999999999999999999h"), Err(TimeError::Range));
        assert_eq!(shown("1e300"), Err(TimeError::Range));
    }
}
