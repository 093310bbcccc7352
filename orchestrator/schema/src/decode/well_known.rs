//! Messages that have a JSON form of their own.

use crate::kind::Type;
use crate::value::{Duration, Timestamp, Value};
use prost::Message as _;

/// The value of one of them; none where the bytes are malformed.
pub(super) fn well_known(kind: Type, bytes: &[u8]) -> Option<Value> {
    Some(match kind {
        Type::Timestamp => {
            let prost_types::Timestamp { seconds, nanos } = prost_types::Timestamp::decode(bytes).ok()?;
            Value::Timestamp(Timestamp { seconds, nanos })
        }
        Type::Duration => {
            let prost_types::Duration { seconds, nanos } = prost_types::Duration::decode(bytes).ok()?;
            Value::Duration(Duration { seconds, nanos })
        }
        Type::FieldMask => {
            let mask = prost_types::FieldMask::decode(bytes).ok()?;
            Value::Text(mask.paths.iter().map(|path| camel_case(path)).collect::<Vec<_>>().join(","))
        }
        Type::Struct => Value::from(prost_types::Struct::decode(bytes).ok()?),
        Type::Value => Value::from(prost_types::Value::decode(bytes).ok()?),
        Type::ListValue => {
            let list = prost_types::ListValue::decode(bytes).ok()?;
            Value::List(list.values.into_iter().map(Value::from).collect())
        }
        _ => return None,
    })
}

/// `departs_at` as protobuf JSON writes it: `departsAt`. What would not come back stays as it is.
fn camel_case(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut letters = path.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(next) if letter == '_' && next.is_ascii_lowercase() => {
                out.push(next.to_ascii_uppercase());
                letters.next();
            }
            _ => out.push(letter),
        }
    }
    out
}

/// How many values there are, at any depth.
pub(super) fn count(value: &Value) -> usize {
    match value {
        Value::List(list) => list.iter().map(count).fold(1, usize::saturating_add),
        Value::Object(object) => object.iter().map(|(_, value)| count(value)).fold(1, usize::saturating_add),
        _ => 1,
    }
}
