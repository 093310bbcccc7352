//! A value without its secrets, for whoever reads what was refused: a person, a log, a model.
//!
//! It works on what came as well as on what was coerced: a secret is found under every spelling of its name, and what
//! should be an object and is none is taken out whole where it could hold a secret.

use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use crate::names::Match;
use crate::report::REDACTED;
use crate::value::{ANY_TYPE, Value};

/// What stands for a secret, as text.
fn hidden() -> Value {
    Value::from(REDACTED.trim_matches('"'))
}

/// The value with every secret of a message taken out.
pub(crate) fn redacted(graph: &Graph, root: u32, value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(message) = graph.message(root).filter(|message| message.sensitive) {
        match &message.whole {
            Some(whole) => single(graph, whole, &mut value),
            None => fields(graph, message, &mut value),
        }
    }
    value
}

fn fields(graph: &Graph, message: &MessageType, value: &mut Value) {
    let Value::Object(object) = value else {
        if !value.is_null() {
            *value = hidden();
        }
        return;
    };
    let mut scratch = String::new();
    for (name, member) in object.iter_mut() {
        match message.names.find(name, &mut scratch) {
            Match::Exact(index) | Match::Spelling(index) | Match::Alias(index) => {
                if let Some(field) = message.field(index).filter(|field| field.sensitive) {
                    whole(graph, field, member);
                }
            }
            // Which field it is nobody knows, and so neither where in it the secret is.
            Match::Ambiguous(one, other) => {
                let secret = |index| message.field(index).is_some_and(|field| field.sensitive);
                if secret(one) || secret(other) {
                    *member = hidden();
                }
            }
            Match::Unknown if message.may_be_secret(name) => *member = hidden(),
            Match::Unknown => {}
        }
    }
}

fn whole(graph: &Graph, field: &FieldType, value: &mut Value) {
    match (field.shape, &mut *value) {
        _ if field.spec.secret => *value = hidden(),
        (Shape::List { .. }, Value::List(list)) => {
            list.iter_mut().for_each(|element| single(graph, field, element));
        }
        (Shape::Map(_), Value::Object(object)) => {
            object.iter_mut().for_each(|(_, member)| single(graph, field, member));
        }
        _ => single(graph, field, value),
    }
}

fn single(graph: &Graph, field: &FieldType, value: &mut Value) {
    match field.kind {
        _ if value.is_null() => {}
        Type::Message(index) => match graph.message(index) {
            Some(message) => fields(graph, message, value),
            None => *value = hidden(),
        },
        Type::Any => packed(graph, value),
        _ => *value = hidden(),
    }
}

fn packed(graph: &Graph, value: &mut Value) {
    let message = value.get(ANY_TYPE).and_then(Value::as_str).and_then(|url| graph.packed(url));
    match (message, &mut *value) {
        (Some((_, message)), _) if !message.sensitive => {}
        (Some((_, message)), Value::Object(_)) if message.whole.is_none() => fields(graph, message, value),
        _ => *value = hidden(),
    }
}
