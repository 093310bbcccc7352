//! RFC 3339 date-times, and the spellings of them that are mended: a date alone, lower-case `t` and `z`, a blank
//! between date and time, blanks around.

use super::calendar::Date;
use super::{NANOS, Read, TimeError, write_fraction};
use crate::value::Timestamp;
use std::fmt::Write as _;

const FIRST: i128 = -62_135_596_800 * NANOS;
const LAST: i128 = 253_402_300_800 * NANOS - 1;
const DAY: i64 = 86_400;
/// A date, a clock and nine digits of a second, without a zone.
const LONGEST: usize = 29;

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Read<Timestamp>, TimeError> {
    let trimmed = text.trim_ascii();
    let mut reader = Reader { rest: trimmed.as_bytes(), exact: trimmed.len() == text.len() };
    let Some(date) = reader.date() else { return Err(TimeError::Format(None)) };
    if reader.rest.is_empty() {
        return midnight(date);
    }
    let clock = reader.separator().and_then(|()| reader.clock()).ok_or(TimeError::Format(None))?;
    let (fraction, exact) = reader.fraction()?;
    let zone =
        if reader.rest.is_empty() { None } else { Some(reader.zone().ok_or(TimeError::Format(None))?) };
    if !reader.rest.is_empty() || !date.exists() || !clock.exists() {
        return Err(TimeError::Format(None));
    }
    let seconds = date.to_days() * DAY + clock.seconds() - zone.unwrap_or(0);
    let nanos = i128::from(seconds) * NANOS + fraction;
    let value = from_nanos(nanos)?;
    if zone.is_none() {
        return Err(TimeError::Format(with_zone(trimmed)));
    }
    if !exact {
        return Err(TimeError::Inexact(nanos));
    }
    Ok(Read { value, exact: reader.exact })
}

fn midnight(date: Date) -> Result<Read<Timestamp>, TimeError> {
    if !date.exists() {
        return Err(TimeError::Format(None));
    }
    let value = from_nanos(i128::from(date.to_days() * DAY) * NANOS)?;
    Ok(Read { value, exact: false })
}

/// The same moment, to the nanosecond, if the zone that was left out is UTC.
fn with_zone(text: &str) -> Option<String> {
    let (date, clock) = text.get(..text.len().min(LONGEST)).unwrap_or(text).split_at_checked(10)?;
    Some(format!("{date}T{}Z", clock.get(1..)?))
}

struct Clock {
    hour: i64,
    minute: i64,
    second: i64,
}

impl Clock {
    fn exists(&self) -> bool {
        self.hour < 24 && self.minute < 60 && self.second < 60
    }

    fn seconds(&self) -> i64 {
        self.hour * 3_600 + self.minute * 60 + self.second
    }
}

/// What is left of the text, and whether all before it was in the exact form.
struct Reader<'a> {
    rest: &'a [u8],
    exact: bool,
}

impl Reader<'_> {
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (head, rest) = self.rest.split_at_checked(digits)?;
        let value = head.iter().try_fold(0_i64, |sum, byte| {
            byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte.wrapping_sub(b'0')))
        })?;
        self.rest = rest;
        Some(value)
    }

    fn sign(&mut self, sign: u8) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        (*first == sign).then(|| self.rest = rest)
    }

    fn date(&mut self) -> Option<Date> {
        let year = self.number(4)?;
        self.sign(b'-')?;
        let month = self.number(2)?;
        self.sign(b'-')?;
        Some(Date { year, month, day: self.number(2)? })
    }

    fn separator(&mut self) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        self.exact &= *first == b'T';
        matches!(first, b'T' | b't' | b' ').then(|| self.rest = rest)
    }

    fn clock(&mut self) -> Option<Clock> {
        let hour = self.number(2)?;
        self.sign(b':')?;
        let minute = self.number(2)?;
        self.sign(b':')?;
        Some(Clock { hour, minute, second: self.number(2)? })
    }

    /// Nanoseconds, and whether no digits but zeros follow the ninth.
    fn fraction(&mut self) -> Result<(i128, bool), TimeError> {
        if self.sign(b'.').is_none() {
            return Ok((0, true));
        }
        let end = self.rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end).ok_or(TimeError::Format(None))?;
        if digits.is_empty() {
            return Err(TimeError::Format(None));
        }
        self.rest = rest;
        let exact = digits.iter().skip(9).all(|digit| *digit == b'0');
        let nine = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
        let nanos = nine.fold(0_i128, |sum, digit| sum * 10 + i128::from(digit.wrapping_sub(b'0')));
        Ok((nanos, exact))
    }

    /// Seconds east of UTC.
    fn zone(&mut self) -> Option<i64> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        let sign = match first {
            b'Z' => return Some(0),
            b'z' => {
                self.exact = false;
                return Some(0);
            }
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let hour = self.number(2)?;
        self.sign(b':')?;
        let minute = self.number(2)?;
        (hour < 24 && minute < 60).then_some(sign * (hour * 3_600 + minute * 60))
    }
}

/// Nanoseconds since the epoch.
pub(crate) fn nanos(value: Timestamp) -> i128 {
    i128::from(value.seconds) * NANOS + i128::from(value.nanos)
}

/// The moment that many nanoseconds after the epoch, where a Timestamp holds it.
pub(crate) fn from_nanos(nanos: i128) -> Result<Timestamp, TimeError> {
    if !(FIRST..=LAST).contains(&nanos) {
        return Err(TimeError::Range);
    }
    let seconds = i64::try_from(nanos.div_euclid(NANOS)).map_err(|_| TimeError::Range)?;
    let nanos = i32::try_from(nanos.rem_euclid(NANOS)).map_err(|_| TimeError::Range)?;
    Ok(Timestamp { seconds, nanos })
}

/// Appends the moment in UTC with as few digits of a second as are exact: protobuf's JSON form.
pub(crate) fn write(value: Timestamp, out: &mut String) {
    let Date { year, month, day } = Date::from_days(value.seconds.div_euclid(DAY));
    let clock = value.seconds.rem_euclid(DAY);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    // Writing to a String does not fail.
    let _ = write!(out, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    write_fraction(value.nanos.unsigned_abs(), out);
    out.push('Z');
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
    fn any_offset_is_exact() {
        assert_eq!(shown("2024-02-29T23:59:59.5+05:30"), Ok(("2024-02-29T18:29:59.500Z".into(), true)));
        assert_eq!(
            shown("1969-12-31T23:59:59.999999999Z"),
            Ok(("1969-12-31T23:59:59.999999999Z".into(), true))
        );
        assert_eq!(shown("2024-01-01T00:00:00-00:00"), Ok(("2024-01-01T00:00:00Z".into(), true)));
        assert_eq!(shown("0001-01-01T00:00:00Z"), Ok(("0001-01-01T00:00:00Z".into(), true)));
    }

    #[test]
    fn mends_spelling() {
        for text in [
            "2024-01-02",
            "2024-01-02t00:00:00Z",
            "2024-01-02T00:00:00z",
            "2024-01-02 00:00:00Z",
            " 2024-01-02T00:00:00Z ",
        ] {
            assert_eq!(shown(text), Ok(("2024-01-02T00:00:00Z".into(), false)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_moment() {
        for text in [
            "",
            "tomorrow",
            "2024-02-30",
            "2023-02-29T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "2024-01-01T00:00Z",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+0100",
            "2024-01-01T00:00:00+24:00",
            "24-01-01",
            "2024-1-1",
            "2024-01-01T00:00:00Zx",
            "1700000000",
            "２０２４-01-01",
            "2024-01-01x00:00:00Z",
        ] {
            assert_eq!(shown(text), Err(TimeError::Format(None)), "{text}");
        }
        assert_eq!(shown("0000-01-01T00:00:00Z"), Err(TimeError::Range));
        assert_eq!(shown("9999-12-31T23:59:59-01:00"), Err(TimeError::Range));
        assert_eq!(
            shown("2024-01-01T00:00:00.0000000019Z"),
            Err(TimeError::Inexact(1_704_067_200_000_000_001))
        );
        assert_eq!(shown("2024-01-01T00:00:00.1230000000Z"), Ok(("2024-01-01T00:00:00.123Z".into(), true)));
    }

    #[test]
    fn suggests_a_zone() {
        let zoned = |text: &str| Err(TimeError::Format(Some(text.to_owned())));
        assert_eq!(shown("2024-01-01 10:00:00"), zoned("2024-01-01T10:00:00Z"));
        assert_eq!(shown("2024-01-01T10:00:00.5"), zoned("2024-01-01T10:00:00.5Z"));
        assert_eq!(shown("2024-01-01T10:00:00.1234567899"), zoned("2024-01-01T10:00:00.123456789Z"));
        assert_eq!(shown("0000-01-01T10:00:00"), Err(TimeError::Range));
    }
}
