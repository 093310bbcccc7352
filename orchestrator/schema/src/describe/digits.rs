//! Ranges of numbers in decimal text as regular expressions, exact at both ends.
//!
//! Only what every dialect of expressions shares is used: classes, groups, alternatives, counts.

/// How many digits the whole seconds of a duration have at most.
const WIDTH: usize = 12;
/// How many digits the fraction of a duration has at most.
const FRACTION: usize = 9;
const NANOS: u128 = 1_000_000_000;

/// The decimal texts of the integers from `least` to `greatest`, whole text; `-0` too where that is asked for.
pub(super) fn integers(least: i128, greatest: i128, minus_zero: bool) -> String {
    let mut parts = Vec::new();
    if least <= 0 && 0 <= greatest {
        parts.push(if minus_zero { "-?0" } else { "0" }.to_owned());
    }
    let positive = (greatest > 0).then(|| (least.max(1).unsigned_abs(), greatest.unsigned_abs()));
    let negative = (least < 0).then(|| (greatest.min(-1).unsigned_abs(), least.unsigned_abs()));
    match (positive, negative) {
        // Mostly the same on both sides of zero, but for one at the end.
        (Some((1, above)), Some((1, below))) => {
            let both = above.min(below);
            parts.push(format!("-?{}", whole(1, both, 0)));
            if above > both {
                parts.push(whole(both + 1, above, 0));
            }
            if below > both {
                parts.push(format!("-{}", whole(both + 1, below, 0)));
            }
        }
        (positive, negative) => {
            parts.extend(positive.map(|(low, high)| whole(low, high, 0)));
            parts.extend(negative.map(|(low, high)| format!("-{}", whole(low, high, 0))));
        }
    }
    anchored(&parts)
}

/// The JSON forms of durations, each span from its first to its last nanosecond.
pub(super) fn durations(spans: &[(i128, i128)]) -> String {
    let mut parts = Vec::new();
    for (least, greatest) in spans {
        if least.checked_neg() == Some(*greatest) {
            parts.push(format!("-?{}", span(0, greatest.unsigned_abs())));
            continue;
        }
        if *greatest >= 0 {
            parts.push(span((*least).max(0).unsigned_abs(), greatest.unsigned_abs()));
        }
        // Nothing is nothing with a minus, too.
        if *least <= 0 {
            parts.push(format!("-{}", span((*greatest).min(0).unsigned_abs(), least.unsigned_abs())));
        }
    }
    anchored(&parts)
}

fn anchored(parts: &[String]) -> String {
    format!("^{}$", group(parts))
}

fn group(parts: &[String]) -> String {
    match parts {
        [part] => part.clone(),
        parts => format!("(?:{})", parts.join("|")),
    }
}

/// One span of nanoseconds without its sign, with its `s`.
fn span(least: u128, greatest: u128) -> String {
    let (first, last) = (least / NANOS, greatest / NANOS);
    let (from, to) = (fraction_digits(least % NANOS), fraction_digits(greatest % NANOS));
    let (zeros, nines) = ("0".repeat(FRACTION), "9".repeat(FRACTION));
    if first == last {
        return format!("{}{}s", whole(first, last, WIDTH), fraction(&from, &to));
    }
    let mut parts = Vec::new();
    let (mut low, mut high) = (first, last);
    if from != zeros {
        parts.push(format!("{}{}", whole(first, first, WIDTH), fraction(&from, &nines)));
        low += 1;
    }
    if to != nines {
        parts.push(format!("{}{}", whole(last, last, WIDTH), fraction(&zeros, &to)));
        high = high.saturating_sub(1);
    }
    if low <= high {
        parts.push(format!("{}{}", whole(low, high, WIDTH), fraction(&zeros, &nines)));
    }
    format!("{}s", group(&parts))
}

fn fraction_digits(nanos: u128) -> String {
    format!("{nanos:0FRACTION$}")
}

/// The point and what follows it, where the digits left out count as zeros.
fn fraction(low: &str, high: &str) -> String {
    let digits = fraction_from(low, high);
    if low.bytes().all(|digit| digit == b'0') { format!(r"(?:\.{digits})?") } else { format!(r"\.{digits}") }
}

/// At least one digit; both texts are of the same length.
fn fraction_from(low: &str, high: &str) -> String {
    let count = low.len();
    if low.bytes().all(|digit| digit == b'0') {
        if high.bytes().all(|digit| digit == b'9') {
            return counted("[0-9]", 1, count);
        }
        if high.bytes().all(|digit| digit == b'0') {
            return counted("0", 1, count);
        }
    }
    let rest = |low: &str, high: &str| match (low.len(), low.bytes().all(|digit| digit == b'0')) {
        (0, _) => String::new(),
        (_, true) => format!("(?:{})?", fraction_from(low, high)),
        (_, false) => fraction_from(low, high),
    };
    branches(low, high, &rest)
}

/// The integers from `low` to `high`, without a sign; with zeros before them where a width is given.
fn whole(low: u128, high: u128, width: usize) -> String {
    let mut parts = Vec::new();
    let mut low = low;
    if low == 0 {
        // As many digits as can all be nines.
        let free = (0..width).take_while(|count| power(count + 1) - 1 <= high).count();
        parts.push(if free > 0 {
            format!("{}{}", zeros(width, free), counted("[0-9]", 1, free))
        } else {
            counted("0", 1, width.max(1))
        });
        low = power(free);
    }
    // Lengths whose every number is in the range go together.
    let mut full: Option<(usize, usize, usize)> = None;
    while low <= high {
        let count = low.to_string().len();
        let top = high.min(power(count) - 1);
        if low == power(count - 1) && top == power(count) - 1 && width == 0 {
            full = Some(full.map_or((count, count, parts.len()), |(first, _, place)| (first, count, place)));
        } else {
            parts.push(format!("{}{}", zeros(width, count), between(&low.to_string(), &top.to_string())));
        }
        low = top + 1;
    }
    if let Some((first, last, place)) = full {
        parts.insert(place, format!("[1-9]{}", counted("[0-9]", first - 1, last - 1)));
    }
    group(&parts)
}

fn zeros(width: usize, count: usize) -> String {
    if width > count { counted("0", 0, width - count) } else { String::new() }
}

fn power(count: usize) -> u128 {
    (0..count).fold(1, |power: u128, _| power.saturating_mul(10))
}

/// The texts of digits between two of the same length.
fn between(low: &str, high: &str) -> String {
    if low.bytes().all(|digit| digit == b'0') && high.bytes().all(|digit| digit == b'9') {
        return counted("[0-9]", low.len(), low.len());
    }
    branches(low, high, &between)
}

/// By the first digit: that of the lower end, those between, that of the upper end.
fn branches(low: &str, high: &str, rest: &dyn Fn(&str, &str) -> String) -> String {
    let (Some((first, below)), Some((last, above))) = (split(low), split(high)) else { return String::new() };
    if first == last {
        return format!("{first}{}", rest(below, above));
    }
    let (zeros, nines) = ("0".repeat(below.len()), "9".repeat(below.len()));
    let mut parts = Vec::new();
    let (mut from, mut to) = (first, last);
    if below != zeros {
        parts.push(format!("{first}{}", rest(below, &nines)));
        from += 1;
    }
    if above != nines {
        to = to.saturating_sub(1);
    }
    if from <= to {
        parts.push(format!("{}{}", class(from, to), rest(&zeros, &nines)));
    }
    if above != nines {
        parts.push(format!("{last}{}", rest(&zeros, above)));
    }
    group(&parts)
}

fn split(text: &str) -> Option<(u32, &str)> {
    let first = text.chars().next()?.to_digit(10)?;
    Some((first, text.get(1..)?))
}

fn class(from: u32, to: u32) -> String {
    match to.saturating_sub(from) {
        0 => from.to_string(),
        1 => format!("[{from}{to}]"),
        _ => format!("[{from}-{to}]"),
    }
}

fn counted(what: &str, least: usize, most: usize) -> String {
    match (least, most) {
        (_, 0) => String::new(),
        (1, 1) => what.to_owned(),
        (0, 1) => format!("{what}?"),
        (least, most) if least == most => format!("{what}{{{least}}}"),
        (least, most) => format!("{what}{{{least},{most}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    #[test]
    fn every_integer_of_a_small_range_is_told_from_its_neighbours() {
        for least in -130..130_i128 {
            for greatest in [least, least + 1, least + 9, least + 57, least + 230] {
                let pattern = Regex::new(&integers(least, greatest, false)).unwrap();
                for value in -400..400_i128 {
                    let within = (least..=greatest).contains(&value);
                    assert_eq!(
                        pattern.is_match(&value.to_string()),
                        within,
                        "{value} of {least}..{greatest}: {pattern}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_ends_of_64_bits_are_exact() {
        let signed = integers(i64::MIN.into(), i64::MAX.into(), true);
        assert!(signed.len() < 420, "{}", signed.len());
        let signed = Regex::new(&signed).unwrap();
        for text in
            ["0", "-0", "1", "-1", "9223372036854775807", "-9223372036854775808", "999999999999999999"]
        {
            assert!(signed.is_match(text), "{text}");
        }
        for text in [
            "",
            "-",
            "00",
            "01",
            "+1",
            "1.0",
            "9223372036854775808",
            "-9223372036854775809",
            "92233720368547758070",
        ] {
            assert!(!signed.is_match(text), "{text}");
        }
        let unsigned = Regex::new(&integers(0, u64::MAX.into(), false)).unwrap();
        assert!(unsigned.is_match("18446744073709551615") && !unsigned.is_match("18446744073709551616"));
        assert!(!unsigned.is_match("-0"));
        assert_eq!(integers(0, 0, false), "^0$");
        assert_eq!(integers(5, 120, false), "^(?:[5-9]|[1-9][0-9]|1(?:[01][0-9]|20))$");
    }

    #[test]
    fn durations_are_exact_to_the_nanosecond() {
        let second = 1_000_000_000_i128;
        let limit = 315_576_000_000 * second;
        let all = Regex::new(&durations(&[(-limit, limit)])).unwrap();
        for text in [
            "0s",
            "-0s",
            "007s",
            "000000000000s",
            "1.5s",
            "0.000000001s",
            "315576000000s",
            "-315576000000.000s",
            "315575999999.999999999s",
        ] {
            assert!(all.is_match(text), "{text}");
        }
        for text in [
            "s",
            "0000000000000s",
            "315576000001s",
            "315576000000.1s",
            "1.s",
            ".5s",
            "1.0000000000s",
            "1",
            "+1s",
        ] {
            assert!(!all.is_match(text), "{text}");
        }
        let some = Regex::new(&durations(&[(1_500_000_000, 3_600 * second)])).unwrap();
        for text in ["1.5s", "1.500s", "1.50000001s", "2s", "0002s", "3599.999s", "3600s", "3600.0s"] {
            assert!(some.is_match(text), "{text}");
        }
        for text in ["1.4999s", "1s", "0.9s", "3600.000000001s", "3601s", "-2s", "36000s"] {
            assert!(!some.is_match(text), "{text}");
        }
        let below = Regex::new(&durations(&[(-2 * second, -1)])).unwrap();
        assert!(below.is_match("-0.000000001s") && below.is_match("-2.0s") && below.is_match("-1.7s"));
        assert!(!below.is_match("-0s") && !below.is_match("0s") && !below.is_match("-2.1s"));
        let zero = Regex::new(&durations(&[(0, second)])).unwrap();
        assert!(
            zero.is_match("-0s") && zero.is_match("-0.00s") && zero.is_match("1s") && !zero.is_match("-0.1s")
        );
    }
}
