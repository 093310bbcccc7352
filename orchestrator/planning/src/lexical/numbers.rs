//! How numbers are written: grouping and decimal marks by locale, other digits than ASCII's, signs, exponents.

/// How a locale writes numbers and dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Notation {
    /// A lone comma before three digits is a decimal mark ("1,000" is one), a lone point groups.
    pub(crate) decimal_comma: bool,
    /// A plain space may group digits by three.
    pub(crate) space_groups: bool,
    /// 3/2/2020 is in March.
    pub(crate) month_first: bool,
}

impl Notation {
    /// The notation of a BCP 47 locale; empty means `en`.
    pub(crate) fn of(locale: &str) -> Self {
        let mut parts = locale.split(['-', '_']);
        let language = parts.next().unwrap_or_default().to_ascii_lowercase();
        let region = parts.find(|part| part.len() == 2).unwrap_or_default().to_ascii_uppercase();
        let point = match language.as_str() {
            "" | "en" | "zh" | "ja" | "ko" | "th" | "he" | "hi" | "bn" | "ta" | "ms" | "sw" | "ga" | "cy" => {
                true
            }
            "es" => {
                matches!(region.as_str(), "MX" | "US" | "PR" | "GT" | "HN" | "NI" | "SV" | "PA" | "DO" | "PE")
            }
            "de" | "fr" | "it" => matches!(region.as_str(), "CH" | "LI"),
            _ => false,
        };
        let space = matches!(
            language.as_str(),
            "fr" | "ru"
                | "uk"
                | "pl"
                | "cs"
                | "sk"
                | "sv"
                | "nb"
                | "nn"
                | "no"
                | "fi"
                | "hu"
                | "bg"
                | "et"
                | "lv"
                | "lt"
        );
        let english = matches!(language.as_str(), "" | "en");
        let month_first = english && matches!(region.as_str(), "" | "US" | "PH");
        Self { decimal_comma: !point, space_groups: space, month_first }
    }
}

/// The value of a decimal digit of any script that is in daily use.
pub(crate) fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 18] = [
        0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50,
        0xED0, 0xF20, 0x1040, 0xFF10,
    ];
    let code = u32::from(c);
    ZEROS
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&code))
        .and_then(|zero| char::from_digit(code - zero, 10))
}

/// A number at the start of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scanned {
    /// How many bytes it takes.
    pub(crate) bytes: usize,
    /// Its digits in JSON's spelling.
    pub(crate) digits: String,
}

/// Reads the number that `text` starts with; `None` for what has digits but is no number (`1.2.3`, `10:30`), for a
/// fraction (`1/2`, `2½`), which would otherwise be taken for its last part, and for one beyond a double (`1e999`).
///
/// No sign is read here: whether a hyphen is one depends on what stands before it.
pub(crate) fn scan(text: &str, notation: Notation) -> Option<Scanned> {
    let (groups, marks, mut bytes) = split(text, notation);
    let (mut digits, fraction) = join(&groups, &marks, notation)?;
    if let Some(fraction) = fraction {
        digits.push('.');
        digits.push_str(fraction);
    }
    let rest = text.get(bytes..).unwrap_or_default();
    if goes_on(rest) {
        return None;
    }
    if let Some(exponent) = exponent(rest) {
        digits.push_str(rest.get(..exponent).unwrap_or_default());
        bytes += exponent;
    }
    digits.parse::<f64>().is_ok_and(f64::is_finite).then_some(Scanned { bytes, digits })
}

/// Whether what follows the digits makes something else of them: a time of day, or a fraction.
fn goes_on(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some(':' | '/' | '⁄') => chars.next().is_some_and(|c| digit(c).is_some()),
        Some(c) => c.is_numeric() && digit(c).is_none(),
        None => false,
    }
}

/// The runs of digits, the marks between them, and the bytes of both.
fn split(text: &str, notation: Notation) -> (Vec<String>, Vec<char>, usize) {
    let mut groups = Vec::new();
    let mut marks = Vec::new();
    let mut group = String::new();
    let mut bytes = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if let Some(digit) = digit(c) {
            group.push(digit);
            bytes = at + c.len_utf8();
            continue;
        }
        let follows = chars.peek().is_some_and(|(_, next)| digit(*next).is_some());
        let mark = match c {
            '.' | ',' | '٫' | '٬' => true,
            '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}' => three(text.get(at + c.len_utf8()..)),
            ' ' => notation.space_groups && group.len() <= 3 && three(text.get(at + 1..)),
            _ => false,
        };
        if !(mark && follows) || group.is_empty() {
            break;
        }
        groups.push(std::mem::take(&mut group));
        marks.push(c);
    }
    groups.push(group);
    (groups, marks, bytes)
}

/// Whether exactly three digits come next.
fn three(text: Option<&str>) -> bool {
    let digits = text.unwrap_or_default().chars().take(4).take_while(|c| digit(*c).is_some()).count();
    digits == 3
}

/// Whole part and fraction of digits in groups.
fn join<'a>(groups: &'a [String], marks: &[char], notation: Notation) -> Option<(String, Option<&'a str>)> {
    let (last, whole) = groups.split_last()?;
    if last.is_empty() {
        return None;
    }
    let Some((last_mark, marks)) = marks.split_last() else { return Some((strip(last), None)) };
    let grouped = |groups: &[String]| {
        let mut rest = groups.iter().skip(1).rev();
        rest.next().is_none_or(|group| group.len() == 3) && rest.all(|group| matches!(group.len(), 2 | 3))
    };
    let uniform = marks.iter().all(|mark| mark == last_mark);
    if uniform && matches!(last_mark, '.' | ',') && marks.is_empty() {
        let head = whole.first().map(String::as_str).unwrap_or_default();
        let may_group = last.len() == 3 && head.len() <= 3 && head != "0";
        let groups = may_group && ((*last_mark == ',') != notation.decimal_comma);
        return Some(if groups {
            (strip(&format!("{head}{last}")), None)
        } else {
            (strip(head), Some(last))
        });
    }
    if uniform && *last_mark != '٫' {
        return grouped(groups).then(|| (strip(&groups.concat()), None));
    }
    let same = marks.windows(2).all(|pair| pair.first() == pair.last());
    (same && grouped(whole)).then(|| (strip(&whole.concat()), Some(last.as_str())))
}

/// JSON has no leading zeros.
fn strip(digits: &str) -> String {
    let stripped = digits.trim_start_matches('0');
    if stripped.is_empty() { "0".to_owned() } else { stripped.to_owned() }
}

/// The bytes of an exponent such as `e-3` that ends the word.
fn exponent(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix(['e', 'E'])?;
    let sign = usize::from(body.starts_with(['+', '-']));
    let digits = body.get(sign..)?.bytes().take_while(u8::is_ascii_digit).count();
    let end = 1 + sign + digits;
    let ends = !rest.get(end..)?.starts_with(char::is_alphanumeric);
    (digits > 0 && digits <= 3 && ends).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, locale: &str) -> Option<String> {
        scan(text, Notation::of(locale)).map(|scanned| scanned.digits)
    }

    #[test]
    fn a_lone_mark_before_three_digits_reads_by_locale() {
        assert_eq!(read("1,000", "en").unwrap(), "1000");
        assert_eq!(read("1,000", "de").unwrap(), "1.000");
        assert_eq!(read("1.000", "de").unwrap(), "1000");
        assert_eq!(read("1.000", "").unwrap(), "1.000");
        assert_eq!(read("0,125", "en").unwrap(), "0.125");
    }

    #[test]
    fn unambiguous_marks_read_the_same_everywhere() {
        for locale in ["", "de", "fr-FR", "de-CH"] {
            assert_eq!(read("26.2", locale).unwrap(), "26.2");
            assert_eq!(read("1,5 km", locale).unwrap(), "1.5");
            assert_eq!(read("1,000.50", locale).unwrap(), "1000.50");
            assert_eq!(read("1.000,50", locale).unwrap(), "1000.50");
            assert_eq!(read("1,234,567", locale).unwrap(), "1234567");
            assert_eq!(read("12'500", locale).unwrap(), "12500");
            assert_eq!(read("12,34,567", locale).unwrap(), "1234567");
        }
    }

    #[test]
    fn a_space_groups_where_the_locale_writes_so() {
        assert_eq!(read("1 000,5 mètres", "fr").unwrap(), "1000.5");
        assert_eq!(read("1 000", "en").unwrap(), "1");
        assert_eq!(read("1\u{202f}000", "en").unwrap(), "1000");
    }

    #[test]
    fn other_digits_and_exponents_are_read() {
        assert_eq!(read("２５０", "ja").unwrap(), "250");
        assert_eq!(read("٢٥٠", "ar").unwrap(), "250");
        assert_eq!(read("1e3", "").unwrap(), "1e3");
        assert_eq!(read("5eur", "").unwrap(), "5");
    }

    #[test]
    fn versions_and_times_are_no_numbers() {
        assert_eq!(read("1.2.3.4", ""), None);
        assert_eq!(read("10:30", ""), None);
    }

    #[test]
    fn a_fraction_is_not_its_last_part_and_no_number_is_infinite() {
        for text in ["1/2 pear", "1⁄2", "2½ pears", "1e999"] {
            assert_eq!(read(text, ""), None, "{text}");
        }
        assert_eq!(read("5/km", "").unwrap(), "5");
        assert_eq!(read("1e308", "").unwrap(), "1e308");
    }
}
