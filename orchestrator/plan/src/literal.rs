//! Values that are no code: how what a person typed, a model wrote or an agent said goes into a plan.

use convoke_schema::Value;
use prost_types::value::Kind;

/// The key that protects a value: whatever it holds is taken as it is.
pub(crate) const LITERAL: &str = "$literal";

/// The value as `params` hold it, such that checking and evaluating give this very value back, whatever is in it:
/// `${` in a text is escaped, and anything that could read as code is wrapped in `{"$literal": …}`.
///
/// Integers beyond ±(2^53 − 1) become decimal strings, as everywhere in a Struct.
pub fn literal(value: Value) -> prost_types::Value {
    protect(value.to_proto())
}

/// The `params` of a step whose every value is a literal; `None` for what is no object.
pub(crate) fn params(parameters: &Value) -> Option<prost_types::Struct> {
    match protect(parameters.to_proto()).kind {
        Some(Kind::StructValue(params)) => Some(params),
        _ => None,
    }
}

fn protect(value: prost_types::Value) -> prost_types::Value {
    match value.kind {
        Some(Kind::StringValue(text)) if text.contains("${") => {
            Kind::StringValue(text.replace("${", "$${")).into()
        }
        Some(Kind::StructValue(_) | Kind::ListValue(_)) if reads_as_code(&value) => {
            let wrapped = prost_types::Struct { fields: [(LITERAL.to_owned(), value)].into() };
            Kind::StructValue(wrapped).into()
        }
        _ => value,
    }
}

fn reads_as_code(value: &prost_types::Value) -> bool {
    match &value.kind {
        Some(Kind::StringValue(text)) => text.contains("${"),
        Some(Kind::ListValue(list)) => list.values.iter().any(reads_as_code),
        Some(Kind::StructValue(object)) => {
            object.fields.iter().any(|(key, entry)| key.starts_with('$') || reads_as_code(entry))
        }
        _ => false,
    }
}
