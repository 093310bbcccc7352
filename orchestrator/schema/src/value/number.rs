//! A JSON number as it was written, and what number it is: exact integers without a pass through a double.
//!
//! All casts between integers and floats of this crate stand here, each with the reason why it loses nothing.

use super::Value;

/// The text of a JSON number, digit for digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Box<str>);

/// What integer a decimal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    /// This one.
    Exact(i128),
    /// One beyond 127 bits.
    Beyond,
    /// None: it has a fraction.
    Fraction,
}

/// A JSON number, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    integer: &'a str,
    fraction: &'a str,
    exponent: i64,
    plain: bool,
}

const MAX_DIGITS: i64 = 39;

// === impl Number ===

impl Number {
    /// The text, where it is a number as JSON writes them.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        Decimal::parse(text).map(|_| Self(text.into()))
    }

    /// The digits as they came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn decimal(&self) -> Option<Decimal<'_>> {
        Decimal::parse(&self.0)
    }

    /// The nearest double; infinite where there is none.
    pub(crate) fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::INFINITY)
    }
}

// === impl Decimal ===

impl<'a> Decimal<'a> {
    /// Reads `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?` (RFC 8259, §6), nothing around it.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (integer, rest) = digits(rest)?;
        if integer.len() > 1 && integer.starts_with('0') {
            return None;
        }
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest)?,
            None => ("", rest),
        };
        let plain = fraction.is_empty() && rest.is_empty();
        let exponent = match rest.strip_prefix(['e', 'E']) {
            Some(rest) => exponent(rest)?,
            None if rest.is_empty() => 0,
            None => return None,
        };
        Some(Self { negative, integer, fraction, exponent, plain })
    }

    /// Whether it was written without point and exponent.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether it is zero with a minus.
    pub(crate) fn is_negative_zero(&self) -> bool {
        self.negative && self.integer == "0" && self.fraction.bytes().all(|digit| digit == b'0')
    }

    /// This number times ten to that power.
    pub(crate) fn scaled(self, power: i64) -> Self {
        Self { exponent: self.exponent.saturating_add(power), plain: false, ..self }
    }

    /// The integer it is, in time linear in its text whatever the exponent.
    pub(crate) fn to_integer(self) -> Integer {
        let fraction = self.fraction.trim_end_matches('0');
        let (integer, dropped) = if fraction.is_empty() {
            let trimmed = self.integer.trim_end_matches('0');
            (trimmed, length(self.integer) - length(trimmed))
        } else {
            (self.integer, 0)
        };
        let leading = integer.trim_start_matches('0');
        if leading.is_empty() && fraction.bytes().all(|digit| digit == b'0') {
            return Integer::Exact(0);
        }
        let shift = self.exponent.saturating_sub(length(fraction)).saturating_add(dropped);
        if shift < 0 {
            return Integer::Fraction;
        }
        let size = length(leading).saturating_add(length(fraction)).saturating_add(shift);
        if size > MAX_DIGITS.saturating_add(length(fraction)) {
            return Integer::Beyond;
        }
        let zeros = usize::try_from(shift).unwrap_or(0);
        let mut all = leading.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', zeros));
        let magnitude = all.try_fold(0_i128, |sum, digit| {
            sum.checked_mul(10)?.checked_add(i128::from(digit.wrapping_sub(b'0')))
        });
        match magnitude {
            Some(value) => Integer::Exact(if self.negative { -value } else { value }),
            None => Integer::Beyond,
        }
    }

    /// The integer before its fraction, where it has one and is no larger than 127 bits.
    pub(crate) fn cut(self) -> Option<i128> {
        let point = length(self.integer).saturating_add(self.exponent);
        let before = usize::try_from(point).unwrap_or(0);
        let mut digits = self.integer.bytes().chain(self.fraction.bytes()).take(before);
        let magnitude = digits.try_fold(0_i128, |sum, digit| {
            sum.checked_mul(10)?.checked_add(i128::from(digit.wrapping_sub(b'0')))
        })?;
        Some(if self.negative { -magnitude } else { magnitude })
    }
}

fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 { None } else { text.split_at_checked(end) }
}

/// Where the JSON number at the start of a text ends.
///
/// # Errors
/// Where it goes wrong.
pub(crate) fn number_end(text: &[u8]) -> Result<usize, usize> {
    let run = |start: usize| {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        if length == 0 { Err(start) } else { Ok(start + length) }
    };
    let is = |index: usize, bytes: &[u8]| text.get(index).is_some_and(|it| bytes.contains(it));
    let mut end = run(usize::from(is(0, b"-")))?;
    if is(end, b".") {
        end = run(end + 1)?;
    }
    if is(end, b"eE") {
        let sign = usize::from(is(end + 1, b"+-"));
        end = run(end + 1 + sign)?;
    }
    Ok(end)
}

fn exponent(text: &str) -> Option<i64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, rest) = digits(rest)?;
    if !rest.is_empty() {
        return None;
    }
    // An exponent beyond 18 digits says no more than one of 18: both are far out of every range.
    let significant = digits.trim_start_matches('0');
    let value: i64 = match significant.len() {
        0 => 0,
        1..=18 => significant.parse().ok()?,
        _ => 999_999_999_999_999_999,
    };
    Some(if negative { -value } else { value })
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

// === conversions ===

/// The double that holds this integer exactly.
pub(crate) fn exact_f64(value: i128) -> Option<f64> {
    let magnitude = value.unsigned_abs();
    let bits = significant_bits(magnitude);
    // At most 53 significant bits: the cast is exact.
    (bits <= 53).then_some(value as f64)
}

/// The float that holds this integer exactly.
pub(crate) fn exact_f32(value: i128) -> Option<f32> {
    let magnitude = value.unsigned_abs();
    let bits = significant_bits(magnitude);
    // At most 24 significant bits and below 2^128: the cast is exact.
    (bits <= 24).then_some(value as f32)
}

fn significant_bits(magnitude: u128) -> u32 {
    128_u32.saturating_sub(magnitude.leading_zeros()).saturating_sub(magnitude.trailing_zeros())
}

/// The integer that a double is, where it is one of at most 127 bits.
pub(crate) fn integer_of(value: f64) -> Option<i128> {
    const LIMIT: f64 = 1.0e38;
    // Integral and within ±1e38 < 2^127: the cast is exact.
    (value.fract() == 0.0 && value.abs() < LIMIT).then_some(value as i128)
}

/// The nearest float; infinite where the double is beyond all of them.
pub(crate) fn nearest_f32(value: f64) -> f32 {
    // Rounds to nearest; there is no other conversion between the two in the language.
    value as f32
}

/// The double whose shortest decimal text is that of this float: what a person would write for it. An integer that
/// is written out stays exactly the float's.
pub(crate) fn widened(value: f32) -> f64 {
    const WRITTEN_OUT: f32 = 9_007_199_254_740_992.0;
    if !value.is_finite() || (value.fract() == 0.0 && value.abs() <= WRITTEN_OUT) {
        return f64::from(value);
    }
    ryu_js::Buffer::new().format_finite(value).parse().unwrap_or_else(|_| f64::from(value))
}

/// The nearest double of any number.
pub(crate) fn to_f64(value: &Value) -> Option<f64> {
    match value {
        // Rounds to nearest, as its caller was told.
        Value::Int(value) => Some(*value as f64),
        Value::Uint(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Number(number) => Some(number.to_f64()),
        _ => None,
    }
}

/// The integer that any number is, where it is one of at most 127 bits.
pub(crate) fn to_i128(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        Value::Float(value) => integer_of(*value),
        Value::Number(number) => match number.decimal()?.to_integer() {
            Integer::Exact(value) => Some(value),
            Integer::Beyond | Integer::Fraction => None,
        },
        _ => None,
    }
}

/// The typed form of an integer that fits 64 bits, signed or not.
pub(crate) fn integer_value(value: i128) -> Option<Value> {
    match i64::try_from(value) {
        Ok(value) => Some(Value::Int(value)),
        Err(_) => u64::try_from(value).ok().map(Value::Uint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Integer {
        Decimal::parse(text).map_or(Integer::Fraction, Decimal::to_integer)
    }

    #[test]
    fn reads_exactly_what_json_calls_a_number() {
        for text in ["0", "-0", "1", "10", "1.5", "1e3", "1E+3", "1.0e-3", "-12.50"] {
            assert!(Number::new(text).is_some(), "{text}");
        }
        for text in
            ["", "-", "+1", "01", ".5", "5.", "1e", "1e+", "0x10", "1_000", " 1", "1 ", "NaN", "１２", "--1"]
        {
            assert!(Number::new(text).is_none(), "{text}");
        }
    }

    #[test]
    fn knows_the_integer_however_it_is_written() {
        assert_eq!(integer("4.2e1"), Integer::Exact(42));
        assert_eq!(integer("42.000"), Integer::Exact(42));
        assert_eq!(integer("-7e2"), Integer::Exact(-700));
        assert_eq!(integer("100e-2"), Integer::Exact(1));
        assert_eq!(integer("0.001e3"), Integer::Exact(1));
        assert_eq!(integer("0e999999999999999999999"), Integer::Exact(0));
        assert_eq!(integer("9007199254740993.0"), Integer::Exact(9_007_199_254_740_993));
        assert_eq!(integer("1e38"), Integer::Exact(10_i128.pow(38)));
        assert_eq!(integer("1e40"), Integer::Beyond);
        assert_eq!(integer("1e999999999999999999999"), Integer::Beyond);
        assert_eq!(integer("4.2"), Integer::Fraction);
        assert_eq!(integer("1e-999999999999999999999"), Integer::Fraction);
    }

    #[test]
    fn cuts_a_fraction_off() {
        let cut = |text: &str| Decimal::parse(text).and_then(Decimal::cut);
        assert_eq!(cut("42.9"), Some(42));
        assert_eq!(cut("-4.29e1"), Some(-42));
        assert_eq!(cut("429e-1"), Some(42));
        assert_eq!(cut("0.0042e3"), Some(4));
        assert_eq!(cut("4.2e-999999999999999999999"), Some(0));
        assert_eq!(cut(&format!("{}.5", "9".repeat(50))), None);
    }

    #[test]
    fn a_float_reads_as_it_was_written() {
        assert_eq!(widened(35.68), 35.68);
        assert_eq!(widened(f32::MAX), 3.4028235e38);
        // The float nearest to 123456789, not its shortest text 123456790.
        assert_eq!(widened(123_456_789.0), 123_456_792.0);
        // The shortest text of 2^53 is that of an integer below it, which would be written out.
        assert_eq!(widened(-9_007_199_254_740_992.0), -9_007_199_254_740_992.0);
        assert_eq!(widened(9_007_200_328_482_816.0), 9_007_200_000_000_000.0);
    }

    #[test]
    fn holds_an_integer_in_a_float_only_when_exact() {
        assert_eq!(exact_f64(9_007_199_254_740_992), Some(9_007_199_254_740_992.0));
        assert_eq!(exact_f64(9_007_199_254_740_993), None);
        assert_eq!(exact_f64(i128::from(i64::MIN)), Some(-9_223_372_036_854_775_808.0));
        assert_eq!(exact_f32(16_777_216), Some(16_777_216.0));
        assert_eq!(exact_f32(16_777_217), None);
        assert_eq!(exact_f64(0), Some(0.0));
    }
}
