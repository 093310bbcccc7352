//! Equality and hashing by denoted value, so that `42` and `4.2e1` are one value to whoever compares.

use super::{Value, number};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// A value that is compared and hashed by what it denotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Denoted<'a>(pub(crate) &'a Value);

#[derive(PartialEq)]
enum NumberKey<'a> {
    Integer(i128),
    Double(u64),
    Beyond(&'a str),
}

/// Integers of up to 64 bits are exact. Beyond, a literal with point or exponent means its nearest double, and one
/// without means its digits.
fn number_key(value: &Value) -> Option<NumberKey<'_>> {
    let integer = number::to_i128(value);
    if let Some(small) = integer.filter(|it| it.unsigned_abs() <= u128::from(u64::MAX)) {
        return Some(NumberKey::Integer(small));
    }
    let double = number::to_f64(value)?;
    Some(match value {
        Value::Number(text) if double.is_infinite() => NumberKey::Beyond(text.as_str()),
        Value::Number(text)
            if text.decimal().is_some_and(|it| it.is_plain()) && number::integer_of(double) != integer =>
        {
            NumberKey::Beyond(text.as_str())
        }
        _ if double.is_nan() => NumberKey::Double(f64::NAN.to_bits()),
        _ => NumberKey::Double(double.to_bits()),
    })
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a == b,
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::Enum(a), Self::Enum(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => objects_equal(a, b),
            (a, b) => match (number_key(a), number_key(b)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        }
    }
}

/// Members are compared by name, duplicates of one name in their order.
fn objects_equal(a: &super::Object, b: &super::Object) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.iter().zip(b.iter()).all(|((x, _), (y, _))| x == y) {
        return a.iter().zip(b.iter()).all(|((_, x), (_, y))| x == y);
    }
    let mut left: HashMap<&str, Vec<&Value>> = HashMap::new();
    for (name, value) in a.iter() {
        left.entry(name).or_default().push(value);
    }
    let mut right: HashMap<&str, Vec<&Value>> = HashMap::new();
    for (name, value) in b.iter() {
        right.entry(name).or_default().push(value);
    }
    left == right
}

impl PartialEq for Denoted<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Denoted<'_> {}

impl Hash for Denoted<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Null => 0_u8.hash(state),
            Value::Bool(value) => (1_u8, value).hash(state),
            Value::Text(value) => (2_u8, value).hash(state),
            Value::Bytes(value) => (3_u8, value).hash(state),
            Value::Timestamp(value) => (4_u8, value).hash(state),
            Value::Duration(value) => (5_u8, value).hash(state),
            Value::Enum(value) => (6_u8, value.number).hash(state),
            Value::List(list) => {
                (7_u8, list.len()).hash(state);
                list.iter().for_each(|element| Denoted(element).hash(state));
            }
            // Names alone, summed up: their order does not count.
            Value::Object(object) => (8_u8, names_hash(object)).hash(state),
            number => match number_key(number) {
                Some(NumberKey::Integer(value)) => (9_u8, value).hash(state),
                Some(NumberKey::Double(bits)) => (10_u8, bits).hash(state),
                Some(NumberKey::Beyond(text)) => (11_u8, text).hash(state),
                None => 12_u8.hash(state),
            },
        }
    }
}

fn names_hash(object: &super::Object) -> u64 {
    object.iter().fold(0, |sum: u64, (name, value)| {
        let mut hasher = std::hash::DefaultHasher::new();
        name.as_str().hash(&mut hasher);
        Denoted(value).hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}

#[cfg(test)]
mod tests {
    use super::super::*;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn numbers_are_equal_however_they_are_written() {
        assert_eq!(value("42"), value("4.2e1"));
        assert_eq!(value("42.0"), Value::Float(42.0));
        assert_eq!(value("0.1"), Value::Float(0.1));
        assert_eq!(value("1e23"), Value::Float(1e23));
        assert_ne!(value("9007199254740993"), value("9007199254740992.0"));
        assert_eq!(value("18446744073709551615"), Value::Uint(u64::MAX));
        assert_ne!(value("1e400"), value("1e500"));
        assert_ne!(value("1"), value("true"));
        assert_ne!(value("1"), value("\"1\""));
    }

    #[test]
    fn the_order_of_keys_does_not_count_but_every_duplicate_does() {
        assert_eq!(value(r#"{"a":1,"b":2}"#), value(r#"{"b":2.0,"a":1}"#));
        assert_ne!(value(r#"{"a":1,"a":2}"#), value(r#"{"a":2,"a":1}"#));
        assert_ne!(value(r#"{"a":1,"a":1}"#), value(r#"{"a":1,"b":1}"#));
    }
}
