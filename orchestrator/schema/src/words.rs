//! What was expected, in words that a person or a model can act on.

use crate::constraint::ElementRules;
use crate::graph::{EnumType, FieldType, Graph, Shape};
use crate::kind::{IntegerType, Type};

/// How many names a list of choices shows.
const MAX_CHOICES: usize = 30;

/// The type of one value: `int32`, `RFC 3339 date-time`, `Leg`.
pub(crate) fn type_words(graph: &Graph, kind: Type) -> String {
    match kind {
        Type::Message(message) => {
            graph.message(message).map_or_else(String::new, |message| message.full_name.to_string())
        }
        Type::Enum(index) => graph.enumeration(index).map_or_else(String::new, |it| it.full_name.to_string()),
        other => other.kind().as_str().to_owned(),
    }
}

/// What one value has to be, with its article.
pub(crate) fn expected(graph: &Graph, kind: Type) -> String {
    match kind {
        Type::Double => "a number".to_owned(),
        Type::Float => "a number that a 32-bit float holds".to_owned(),
        Type::Integer(integer) => integer_words(integer),
        Type::Bool => "true or false".to_owned(),
        Type::String => "text".to_owned(),
        Type::Bytes => "bytes as base64 text".to_owned(),
        Type::Enum(index) => graph.enumeration(index).map_or_else(String::new, choices),
        Type::Message(_) => format!("an object with the fields of {}", type_words(graph, kind)),
        Type::Timestamp => "an RFC 3339 date-time with a zone, such as 2024-01-31T09:00:00Z".to_owned(),
        Type::Duration => "a duration such as 90s, 1m30s or PT1M30S".to_owned(),
        Type::FieldMask => "field paths, separated by commas".to_owned(),
        Type::Struct => "an object".to_owned(),
        Type::Value => "any JSON value".to_owned(),
        Type::ListValue => "a list".to_owned(),
        Type::Any => "an object with the URL of its type under @type and the fields of that type".to_owned(),
    }
}

pub(crate) fn integer_words(integer: IntegerType) -> String {
    let (least, greatest) = integer.range();
    format!("an integer from {least} to {greatest}")
}

/// What a whole field has to be.
pub(crate) fn expected_whole(graph: &Graph, field: &FieldType) -> String {
    match field.shape {
        Shape::Single => expected(graph, field.kind),
        Shape::List { .. } => format!("a list of {}", type_words(graph, field.kind)),
        Shape::Map(key) => {
            format!("an object that maps {} to {}", key.kind.kind(), type_words(graph, field.kind))
        }
    }
}

/// `one of RED, GREEN, BLUE`
pub(crate) fn choices(it: &EnumType) -> String {
    one_of(it.values.iter().map(|entry| entry.name.as_ref()))
}

/// `one of …`, as many as a reader takes in.
pub(crate) fn one_of<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let shown: Vec<&str> = names.take(MAX_CHOICES).collect();
    if count > shown.len() {
        format!("one of {}, … ({count} in all)", shown.join(", "))
    } else {
        format!("one of {}", shown.join(", "))
    }
}

/// The values that a constraint allows.
pub(crate) fn allowed(rules: &ElementRules) -> String {
    one_of(rules.allowed_texts.iter().map(String::as_str))
}
