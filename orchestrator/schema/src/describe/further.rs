//! What a value is asked beyond bounds, lengths, one pattern and a list, as far as the plain dialect has keywords.
//!
//! All of it stands in the description as well: formats and lengths in bytes of UTF-8 stand there alone.

use super::digits;
use super::expression::{ecma, literal};
use super::json::{Schema, double, integer, json, object};
use crate::constraint::{Allowed, Bound, ElementRules, Quantity, Side};
use crate::further::Further;
use crate::graph::{FieldType, Graph};
use crate::kind::Type;
use crate::value::Value;
use serde_json::{Value as Json, json};

/// One schema for each rule that there is one for.
pub(super) fn keywords(graph: &Graph, field: &FieldType, rules: &ElementRules) -> Vec<Json> {
    rules.further.iter().filter_map(|rule| keyword(graph, field.kind, rule)).collect()
}

fn keyword(graph: &Graph, kind: Type, rule: &Further) -> Option<Json> {
    let text = kind == Type::String;
    match rule {
        Further::NotZero => zero(graph, kind).map(|zero| json!({ "not": zero })),
        Further::NotIn(values, _) => {
            let mut listed: Vec<Json> = Vec::new();
            for Allowed(value) in values {
                listed.extend(spellings(graph, kind, value)?);
            }
            listed.sort_by_key(Json::to_string);
            Some(json!({ "not": { "enum": listed } }))
        }
        Further::Outside(above, below) => {
            let narrow = match kind {
                Type::Double | Type::Float => true,
                Type::Integer(integer) => !integer.is_wide(),
                _ => false,
            };
            narrow.then(|| json!({ "anyOf": [one_bound(above), one_bound(below)] }))
        }
        Further::Pattern(pattern) if text => ecma(pattern.as_str()).map(|it| json!({ "pattern": it })),
        Further::Prefix(part) if text => literal(part).map(|it| json!({ "pattern": format!("^{it}") })),
        Further::Suffix(part) if text => literal(part).map(|it| json!({ "pattern": format!("{it}$") })),
        _ => None,
    }
}

/// A bound as its keyword.
pub(super) fn one_bound(bound: &Bound) -> Schema {
    let name = match (bound.side, bound.exclusive) {
        (Side::Least, false) => "minimum",
        (Side::Least, true) => "exclusiveMinimum",
        (Side::Greatest, false) => "maximum",
        (Side::Greatest, true) => "exclusiveMaximum",
    };
    let value = match bound.at {
        Quantity::Exact(value) => integer(value),
        Quantity::Double(value) => double(value),
    };
    object([(name, value)])
}

/// Each way to write a value; none where there are too many to list.
fn spellings(graph: &Graph, kind: Type, value: &Value) -> Option<Vec<Json>> {
    Some(match (kind, value) {
        (Type::Integer(it), Value::Int(_) | Value::Uint(_)) if it.is_wide() => {
            let minus_zero = (it.is_signed() && *value == Value::Int(0)).then(|| json!("-0"));
            [json(value), json!(value.to_json())].into_iter().chain(minus_zero).collect()
        }
        (Type::Enum(index), Value::Enum(it)) => {
            let values = &graph.enumeration(index)?.values;
            let same = values.iter().filter(|entry| entry.number == it.number);
            same.map(|entry| json!(entry.name.as_ref())).collect()
        }
        (Type::Double | Type::Float | Type::Integer(_) | Type::Bool | Type::String | Type::Bytes, value) => {
            vec![json(value)]
        }
        _ => return None,
    })
}

/// What counts as absent where a field has no presence; none where that has too many spellings.
pub(super) fn zero(graph: &Graph, kind: Type) -> Option<Json> {
    match kind {
        Type::Duration => Some(json!({ "pattern": digits::durations(&[(0, 0)]) })),
        Type::Enum(_) => {
            let zero = Value::Enum(crate::value::EnumValue { number: 0, name: None });
            spellings(graph, kind, &zero).map(|it| json!({ "enum": it }))
        }
        Type::Struct => Some(json!({ "maxProperties": 0 })),
        Type::ListValue => Some(json!({ "maxItems": 0 })),
        Type::Value => Some(json!({ "enum": [null, false, 0, "", [], {}] })),
        Type::Timestamp | Type::FieldMask | Type::Any | Type::Message(_) => None,
        scalar => spellings(graph, scalar, &scalar.zero(graph)?).map(|it| json!({ "enum": it })),
    }
}

/// What keys of a map are asked beyond their type.
pub(super) fn keys(kind: Type, rules: &ElementRules) -> Schema {
    let mut schema = Schema::new();
    if !rules.allowed_texts.is_empty() {
        schema.insert("enum".to_owned(), json!(rules.allowed_texts));
        return schema;
    }
    match kind {
        Type::Integer(it) => {
            let (least, greatest) = super::scalar::within(it.range(), &rules.bounds);
            schema.insert("pattern".to_owned(), json!(digits::integers(least, greatest, false)));
        }
        Type::Bool => {
            schema.insert("enum".to_owned(), json!(["true", "false"]));
        }
        _ => {
            super::scalar::lengths(&mut schema, rules.min_length, rules.max_length);
            if let Some(pattern) = rules.pattern.as_ref().and_then(|pattern| ecma(pattern.as_str())) {
                schema.insert("pattern".to_owned(), json!(pattern));
            }
        }
    }
    schema
}
