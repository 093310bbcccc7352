//! Values as serde_json holds them, number for number.

use crate::json::non_finite;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

/// An object that is being put together.
pub(super) type Schema = Map<String, Json>;

/// A value of a declaration: a default, an example, a bound.
pub(super) fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(it) => json!(it),
        Value::Int(it) => json!(it),
        Value::Uint(it) => json!(it),
        Value::Float(it) => double(*it),
        Value::Number(it) => double(it.to_f64()),
        Value::List(list) => list.iter().map(json).collect(),
        Value::Object(object) => {
            Json::Object(object.iter().map(|(name, it)| (name.as_str().to_owned(), json(it))).collect())
        }
        Value::Enum(it) if it.name.is_none() => json!(it.number),
        Value::Text(_) | Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) | Value::Enum(_) => {
            json!(value.to_text())
        }
    }
}

pub(super) fn double(value: f64) -> Json {
    if value.is_finite() { json!(value) } else { json!(non_finite(value)) }
}

/// An integer of at most 64 bits, signed or not.
pub(super) fn integer(value: i128) -> Json {
    crate::value::integer_value(value).map(|it| json(&it)).unwrap_or_default()
}

/// Builds an object of one schema's keywords.
pub(super) fn object<const N: usize>(members: [(&str, Json); N]) -> Schema {
    members.into_iter().map(|(name, it)| (name.to_owned(), it)).collect()
}
