//! Declared defaults and examples, read as the field reads a value and checked by all that it asks.
//!
//! The default of a message field may leave out fields that have defaults themselves. Those are filled in, so that a
//! second coercion finds nothing to add: the defaults are computed again until they stay as they are.

use super::defect;
use crate::coerce::Coercer;
use crate::defect::{Defect, DefectRule};
use crate::graph::{FieldType, Graph, Shape};
use crate::kind::Type;
use crate::report::Violation;
use crate::value::Value;
use std::collections::HashSet;

/// How many values one default may hold, with all that is filled into it.
const MAX_VALUES: usize = 10_000;

pub(super) fn compile(graph: &mut Graph, defects: &mut Vec<Defect>) {
    check_oneofs(graph, defects);
    oblige(graph);
    // A default within a default makes at most one level a pass; one that holds itself never comes to rest.
    for _ in 0..=graph.limits.max_depth {
        match pass(graph) {
            Pass::Rest(refused) => {
                defects.extend(refused);
                for field in graph.messages.iter().flat_map(|message| &message.fields) {
                    check_examples(graph, field, defects);
                }
                return;
            }
            Pass::Changed => {}
            Pass::TooLarge(defect) => {
                defects.push(defect);
                return;
            }
        }
    }
    let message = "a default that holds itself has no end";
    defects.push(defect(
        graph.messages.first().map_or("", |it| &it.full_name),
        DefectRule::BadDefault,
        message,
    ));
}

/// Where something else is wrong: the defaults and examples of fields whose own declarations are sound, and whose
/// values hold no message, so that one reading shows every mistake.
pub(super) fn check_sound(graph: &Graph, defects: &mut Vec<Defect>) {
    // What is wrong with an enum's value is wrong with the enum.
    let broken: HashSet<String> = defects
        .iter()
        .flat_map(|defect| [Some(&*defect.path), defect.path.rsplit_once('.').map(|(parent, _)| parent)])
        .flatten()
        .map(str::to_owned)
        .collect();
    check_oneofs(graph, defects);
    for field in graph.messages.iter().flat_map(|message| &message.fields) {
        if field.spec.default.is_empty() && field.spec.examples.is_empty() {
            continue;
        }
        let stands_alone = match field.kind {
            Type::Message(_) | Type::Any => false,
            Type::Enum(index) => graph.enumeration(index).is_some_and(|it| !broken.contains(&*it.full_name)),
            _ => true,
        };
        if !stands_alone || broken.contains(field.descriptor.full_name()) {
            continue;
        }
        if !field.spec.default.is_empty() {
            let (_, violations) = read(graph, field, &field.spec.default);
            defects.extend(violations.iter().map(|violation| bad(field, violation)));
        }
        check_examples(graph, field, defects);
    }
}

enum Pass {
    Changed,
    Rest(Vec<Defect>),
    TooLarge(Defect),
}

fn pass(graph: &mut Graph) -> Pass {
    let mut computed = Vec::new();
    let mut refused = Vec::new();
    let mut changed = false;
    for (message, it) in graph.messages.iter().enumerate() {
        for (field, it) in it.fields.iter().enumerate().filter(|(_, it)| !it.spec.default.is_empty()) {
            let (value, violations) = read(graph, it, &it.spec.default);
            if count(&value) > MAX_VALUES {
                let message = format!("default holds more than {MAX_VALUES} values");
                return Pass::TooLarge(defect(it.descriptor.full_name(), DefectRule::BadDefault, message));
            }
            refused.extend(violations.iter().map(|violation| bad(it, violation)));
            if it.default.as_ref() != Some(&value) {
                changed = true;
                computed.push((message, field, value));
            }
        }
    }
    for (message, field, value) in computed {
        if let Some(field) = graph.messages.get_mut(message).and_then(|it| it.fields.get_mut(field)) {
            field.default = Some(value);
        }
    }
    if changed { Pass::Changed } else { Pass::Rest(refused) }
}

fn bad(field: &FieldType, violation: &Violation) -> Defect {
    let text = &field.spec.default;
    let place =
        if violation.path == field.name.as_ref() { String::new() } else { format!(" at {}", violation.path) };
    let message = format!("default {text:?}{place}: expected {}", violation.expected);
    defect(field.descriptor.full_name(), DefectRule::BadDefault, message)
}

/// Reads a text of the option as a value of the whole field. A google.protobuf.Value takes JSON where it is some.
fn read(graph: &Graph, field: &FieldType, text: &str) -> (Value, Vec<Violation>) {
    let mut value = match (field.kind, field.shape) {
        (Type::Value, Shape::Single) => Value::parse(text.as_bytes()).unwrap_or_else(|_| Value::from(text)),
        _ => Value::from(text),
    };
    let violations = Coercer::new(graph).whole(field, &mut value);
    (value, violations)
}

fn count(value: &Value) -> usize {
    match value {
        Value::List(list) => list.iter().map(count).fold(1, usize::saturating_add),
        Value::Object(object) => object.iter().map(|(_, value)| count(value)).fold(1, usize::saturating_add),
        _ => 1,
    }
}

/// Which fields have something to say when they are absent.
fn oblige(graph: &mut Graph) {
    for message in &mut graph.messages {
        let obliged = (0_u32..).zip(&message.fields);
        let obliged = obliged.filter(|(_, field)| field.required || !field.spec.default.is_empty());
        message.obligations = obliged.map(|(index, _)| index).collect();
    }
}

fn check_oneofs(graph: &Graph, defects: &mut Vec<Defect>) {
    for message in &graph.messages {
        for oneof in &message.oneofs {
            let members = || oneof.fields.iter().filter_map(|index| message.field(*index));
            for (what, found) in [
                ("a default", members().filter(|field| !field.spec.default.is_empty()).nth(1)),
                ("required", members().filter(|field| field.required).nth(1)),
            ] {
                if let Some(field) = found {
                    let text = format!("oneof {} has two members that are declared with {what}", oneof.name);
                    defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, text));
                }
            }
        }
    }
}

/// An example that its own field refuses would teach the wrong thing.
fn check_examples(graph: &Graph, field: &FieldType, defects: &mut Vec<Defect>) {
    for text in &field.spec.examples {
        if let Err(violation) = example(graph, field, text) {
            let message = format!("example {text:?}: expected {}", violation.expected);
            defects.push(defect(field.descriptor.full_name(), DefectRule::BadValue, message));
        }
    }
}

/// An example as the typed value of the field, or of one of its elements.
pub(crate) fn example(graph: &Graph, field: &FieldType, text: &str) -> Result<Value, Violation> {
    let mut value = match field.kind {
        Type::Value => Value::parse(text.as_bytes()).unwrap_or_else(|_| Value::from(text)),
        _ => Value::from(text),
    };
    let violations = Coercer::new(graph).single(field, &mut value);
    violations.into_iter().next().map_or(Ok(value), Err)
}
