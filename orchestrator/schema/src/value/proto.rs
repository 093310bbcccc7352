//! To and from `google.protobuf.Struct`, whose numbers are doubles.

use super::{Name, Number, Object, Value, number};
use prost_types::value::Kind;
use std::collections::BTreeMap;

/// The greatest integer up to which a double holds every integer.
pub(crate) const SAFE: i64 = (1 << 53) - 1;

impl From<prost_types::Struct> for Value {
    fn from(value: prost_types::Struct) -> Self {
        Self::Object(Object::from(value))
    }
}

impl From<prost_types::Struct> for Object {
    fn from(value: prost_types::Struct) -> Self {
        let members: Vec<(Name, Value)> =
            value.fields.into_iter().map(|(name, value)| (Name::from(name), Value::from(value))).collect();
        Self::from(members)
    }
}

impl From<prost_types::Value> for Value {
    /// A double that is an integer within ±(2^53 − 1) becomes that integer: in a Struct nothing tells them apart.
    fn from(value: prost_types::Value) -> Self {
        match value.kind {
            None | Some(Kind::NullValue(_)) => Self::Null,
            Some(Kind::BoolValue(value)) => Self::Bool(value),
            Some(Kind::NumberValue(value)) => double(value),
            Some(Kind::StringValue(value)) => Self::Text(value),
            Some(Kind::ListValue(list)) => Self::List(list.values.into_iter().map(Value::from).collect()),
            Some(Kind::StructValue(value)) => Self::from(value),
        }
    }
}

fn double(value: f64) -> Value {
    let negative_zero = value == 0.0 && value.is_sign_negative();
    match number::integer_of(value).and_then(|value| i64::try_from(value).ok()) {
        Some(integer) if (-SAFE..=SAFE).contains(&integer) && !negative_zero => Value::Int(integer),
        _ => Value::Float(value),
    }
}

impl Value {
    /// This value as a protobuf Value. Integers beyond ±(2^53 − 1) become decimal strings, bytes base64, times
    /// RFC 3339, enum values their names: what protobuf JSON would print.
    #[must_use]
    pub fn to_proto(&self) -> prost_types::Value {
        let kind = match self {
            Self::Null => Kind::NullValue(0),
            Self::Bool(value) => Kind::BoolValue(*value),
            Self::Int(value) if (-SAFE..=SAFE).contains(value) => {
                Kind::NumberValue(number::to_f64(self).unwrap_or_default())
            }
            Self::Int(value) => Kind::StringValue(value.to_string()),
            Self::Uint(value) => Kind::StringValue(value.to_string()),
            Self::Float(value) if !value.is_finite() => {
                Kind::StringValue(crate::json::non_finite(*value).to_owned())
            }
            Self::Float(value) => Kind::NumberValue(*value),
            Self::Number(number) => literal(number),
            Self::Text(text) => Kind::StringValue(text.clone()),
            Self::Bytes(_) | Self::Timestamp(_) | Self::Duration(_) | Self::Enum(_) => {
                return self.scalar_to_proto();
            }
            Self::List(list) => {
                Kind::ListValue(prost_types::ListValue { values: list.iter().map(Value::to_proto).collect() })
            }
            Self::Object(object) => Kind::StructValue(object.to_struct()),
        };
        prost_types::Value { kind: Some(kind) }
    }

    fn scalar_to_proto(&self) -> prost_types::Value {
        let kind = match self {
            Self::Enum(value) => match &value.name {
                Some(name) => Kind::StringValue(name.as_ref().to_owned()),
                None => Kind::NumberValue(f64::from(value.number)),
            },
            other => Kind::StringValue(other.to_text()),
        };
        prost_types::Value { kind: Some(kind) }
    }

    /// The members as a protobuf Struct; of what is no object, an empty one.
    #[must_use]
    pub fn to_struct(&self) -> prost_types::Struct {
        self.as_object().map(Object::to_struct).unwrap_or_default()
    }
}

/// A literal is a double unless it is an integer that a double's neighbours could be taken for.
fn literal(number: &Number) -> Kind {
    let double = number.to_f64();
    let plain = number.decimal().is_some_and(|decimal| decimal.is_plain() && !decimal.is_negative_zero());
    if plain || double.is_infinite() {
        return Kind::StringValue(number.as_str().to_owned());
    }
    Kind::NumberValue(double)
}

impl Object {
    /// The members as a protobuf Struct; the last one of a name counts.
    #[must_use]
    pub fn to_struct(&self) -> prost_types::Struct {
        let fields: BTreeMap<String, prost_types::Value> =
            self.iter().map(|(name, value)| (name.as_str().to_owned(), value.to_proto())).collect();
        prost_types::Struct { fields }
    }
}
