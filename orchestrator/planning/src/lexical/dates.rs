//! How dates are written. A date without a year, or one relative to today, is not read.

use super::numbers::{Notation, digit};

/// A date, and a time of that day where one was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Date {
    /// `2020-03-02`.
    pub(crate) day: String,
    /// The RFC 3339 time, where the sentence names one.
    pub(crate) instant: Option<String>,
}

/// A date of the proleptic Gregorian calendar, if there is such a day.
pub(crate) fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let valid = (1..=9999).contains(&year) && (1..=days).contains(&day);
    valid.then(|| Date { day: format!("{year:04}-{month:02}-{day:02}"), instant: None })
}

/// Reads the date in digits that `text` starts with: `2020-03-02`, `2020/3/2`, `02.03.2020`, `3/2/2020`, an RFC
/// 3339 time. Returns it with its bytes.
pub(crate) fn scan(text: &str, notation: Notation) -> Option<(Date, usize)> {
    let (first, first_len, rest) = run(text)?;
    let mark = rest.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (second, second_len, rest) = run(rest.get(1..)?)?;
    let (third, third_len, rest) = run(rest.strip_prefix(mark)?)?;
    if second_len > 2 || rest.starts_with(|c: char| c.is_alphanumeric() && c != 'T' && c != 't') {
        return None;
    }
    let date = match (first_len, third_len) {
        (4, 1 | 2) => date(first, second, third),
        (1 | 2, 4) if mark == '/' && notation.month_first => {
            date(third, first, second).or_else(|| date(third, second, first))
        }
        (1 | 2, 4) => date(third, second, first),
        _ => None,
    }?;
    let bytes = text.len() - rest.len();
    Some(match time(rest) {
        Some((time, more)) => {
            let instant = format!("{}T{time}", date.day);
            (Date { instant: Some(instant), ..date }, bytes + more)
        }
        None => (date, bytes),
    })
}

/// Up to four digits: their value, their number, what follows.
fn run(text: &str) -> Option<(u32, usize, &str)> {
    let mut value = 0;
    let mut count = 0;
    let mut bytes = 0;
    for c in text.chars() {
        let Some(digit) = digit(c).and_then(|c| c.to_digit(10)) else { break };
        value = value * 10 + digit;
        count += 1;
        bytes += c.len_utf8();
        if count > 4 {
            return None;
        }
    }
    (count > 0).then_some((value, count, text.get(bytes..)?))
}

/// A time after a date, as RFC 3339 has it (UTC where it names no zone), and its bytes.
fn time(text: &str) -> Option<(String, usize)> {
    let body = text.strip_prefix(['T', 't', ' '])?;
    let clock: String = body.chars().take_while(|c| c.is_ascii_digit() || matches!(c, ':' | '.')).collect();
    let parts: Vec<&str> = clock.split(':').collect();
    let two = |part: &str, most: u32| part.len() == 2 && part.parse::<u32>().is_ok_and(|value| value <= most);
    let (hours, minutes, seconds) = match parts.as_slice() {
        [hours, minutes] => (*hours, *minutes, "00"),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let whole = seconds.split('.').next().unwrap_or_default();
    if !(two(hours, 23) && two(minutes, 59) && two(whole, 59)) || seconds.ends_with('.') {
        return None;
    }
    let zone = body.get(clock.len()..).map(zone).unwrap_or_default();
    let shown = if zone.is_empty() { "Z".to_owned() } else { zone.to_ascii_uppercase() };
    Some((format!("{hours}:{minutes}:{seconds}{shown}"), 1 + clock.len() + zone.len()))
}

/// `Z`, `+01:00`, or nothing.
fn zone(text: &str) -> &str {
    if text.starts_with(['Z', 'z']) {
        return text.get(..1).unwrap_or_default();
    }
    let offset = text.get(..6).filter(|offset| offset.starts_with(['+', '-']));
    let shaped = |offset: &str| {
        offset.bytes().enumerate().skip(1).all(|(at, b)| if at == 3 { b == b':' } else { b.is_ascii_digit() })
    };
    offset.filter(|offset| shaped(offset)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, locale: &str) -> Option<String> {
        scan(text, Notation::of(locale)).map(|(date, _)| date.instant.unwrap_or(date.day))
    }

    #[test]
    fn an_iso_date_reads_the_same_everywhere() {
        assert_eq!(read("2020-03-02", "en").unwrap(), "2020-03-02");
        assert_eq!(read("2020-03-02T10:00:00+01:00", "de").unwrap(), "2020-03-02T10:00:00+01:00");
        assert_eq!(read("2020-03-02 10:00?", "de").unwrap(), "2020-03-02T10:00:00Z");
    }

    #[test]
    fn day_and_month_stand_as_the_locale_has_them() {
        assert_eq!(read("3/2/2020", "en").unwrap(), "2020-03-02");
        assert_eq!(read("3/2/2020", "en-GB").unwrap(), "2020-02-03");
        assert_eq!(read("02.03.2020", "de").unwrap(), "2020-03-02");
        assert_eq!(read("25/12/2020", "en-US").unwrap(), "2020-12-25");
    }

    #[test]
    fn a_day_that_does_not_exist_is_no_date() {
        assert_eq!(read("2021-02-29", "en"), None);
        assert_eq!(read("2020-02-29", "en").unwrap(), "2020-02-29");
        assert_eq!(read("1.2.3", "de"), None);
    }
}
