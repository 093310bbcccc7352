//! Numbers as rules compare them: by what they denote, never through a double that would round them.

use super::{Limit, Types};
use crate::value::{Decimal, Integer, SAFE, Value, integer_of, to_i128};
use std::cmp::Ordering;

// === impl Limit ===

impl Limit {
    pub(super) fn admits(&self, value: &Value) -> bool {
        match (compare(value, &self.at), self.least) {
            (Some(Ordering::Equal), _) => !self.exclusive,
            (Some(Ordering::Greater), true) | (Some(Ordering::Less), false) => true,
            _ => false,
        }
    }

    pub(super) fn words(&self) -> String {
        let words = match (self.least, self.exclusive) {
            (true, false) => "at least",
            (true, true) => "more than",
            (false, false) => "at most",
            (false, true) => "less than",
        };
        format!("{words} {}", self.at.to_json())
    }
}

// === impl Types ===

impl Types {
    pub(crate) fn admits(self, value: &Value) -> bool {
        match value {
            Value::Null => self.has(Self::NULL),
            Value::Bool(_) => self.has(Self::BOOLEAN),
            Value::Int(_) | Value::Uint(_) => self.has(Self::INTEGER),
            Value::Float(_) | Value::Number(_) if integral(value) => self.has(Self::INTEGER),
            Value::Float(_) | Value::Number(_) => self.has(Self::NUMBER),
            Value::Text(_) | Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) | Value::Enum(_) => {
                self.has(Self::STRING)
            }
            Value::List(_) => self.has(Self::ARRAY),
            Value::Object(_) => self.has(Self::OBJECT),
        }
    }
}

fn integral(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            !matches!(number.decimal().map(Decimal::to_integer), Some(Integer::Fraction))
        }
        value => value.as_f64().is_some_and(|value| value.fract() == 0.0),
    }
}

/// The integer that a text stands for: one beyond what a Struct holds as a number comes as its digits.
pub(super) fn written_out(value: &Value) -> Option<Value> {
    let Value::Text(text) = value else { return None };
    let decimal = Decimal::parse(text).filter(|it| it.is_plain() && !it.is_negative_zero())?;
    match decimal.to_integer() {
        Integer::Exact(it) if it.unsigned_abs() <= u128::from(SAFE.unsigned_abs()) => None,
        Integer::Fraction => None,
        Integer::Exact(_) | Integer::Beyond => Value::parse(text.as_bytes()).ok(),
    }
}

/// Exact where both are integers, or one is and the other a double.
fn compare(value: &Value, at: &Value) -> Option<Ordering> {
    match (to_i128(value), to_i128(at)) {
        (Some(value), Some(at)) => Some(value.cmp(&at)),
        (Some(value), None) => beside(value, at.as_f64()?),
        (None, Some(at)) => beside(at, value.as_f64()?).map(Ordering::reverse),
        (None, None) => value.as_f64()?.partial_cmp(&at.as_f64()?),
    }
}

/// An integer against a number with a fraction, or one beyond all integers.
fn beside(integer: i128, double: f64) -> Option<Ordering> {
    match integer_of(double.floor()) {
        Some(floor) if integer <= floor => Some(Ordering::Less),
        Some(_) => Some(Ordering::Greater),
        None if double.is_nan() => None,
        None => Some(if double > 0.0 { Ordering::Less } else { Ordering::Greater }),
    }
}

/// Whether a number is an integer times another, by their decimal digits.
pub(super) fn multiple(value: &Value, of: &Value) -> bool {
    let (value, of) = (value.to_json(), of.to_json());
    let (Some(value), Some(of)) = (Decimal::parse(&value), Decimal::parse(&of)) else { return true };
    for power in 0..=36 {
        if let (Integer::Exact(value), Integer::Exact(of)) =
            (value.scaled(power).to_integer(), of.scaled(power).to_integer())
        {
            return of == 0 || value % of == 0;
        }
    }
    far_apart(value, of)
}

/// The same for numbers of very different sizes: what is left of the one when the other is taken off, digit by digit.
fn far_apart(value: Decimal<'_>, of: Decimal<'_>) -> bool {
    let (Some((value, places)), Some((of, of_places))) = (significant(value), significant(of)) else {
        return false;
    };
    // A step that ends in more zeros than the value is none of its parts.
    let Ok(zeros) = u32::try_from(of_places.saturating_sub(places)) else {
        return value == 0;
    };
    // Below 64 bits no product of two remainders overflows.
    if of == 0 || of >> 64 != 0 {
        return of == 0;
    }
    (0..zeros).fold(value % of, |left, _| left * 10 % of) == 0
}

/// A number's digits as an integer that ends in none of zero, and how many of them stand behind the point; of magnitudes
/// that doubles have.
fn significant(number: Decimal<'_>) -> Option<(u128, i64)> {
    let near_first = (0..=400_i64).flat_map(|places| [places, -places]);
    let (mut digits, mut places) =
        near_first.into_iter().find_map(|places| match number.scaled(places).to_integer() {
            Integer::Exact(digits) => Some((digits.unsigned_abs(), places)),
            Integer::Beyond | Integer::Fraction => None,
        })?;
    while digits != 0 && digits % 10 == 0 {
        digits /= 10;
        places -= 1;
    }
    Some((digits, places))
}
