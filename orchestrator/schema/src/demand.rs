//! Rules about several fields of one message: at most one of them, at least one of them.

use crate::constraint::Broken;
use crate::further::is_zero;
use crate::graph::{Demand, FieldType, MessageType};
use crate::report::{ViolationRule, got};
use crate::value::Value;
use crate::words;

/// The rules that a message breaks which has the fields that are `set`, each with the name of the oneof it is about;
/// empty for the message. What came are the fields that are too many.
pub(crate) fn broken(message: &MessageType, set: impl Fn(&FieldType) -> bool) -> Vec<(&str, Broken, String)> {
    let judged = message.demands.iter().filter_map(|it| {
        let (broken, came) = one(message, it, &set)?;
        Some((it.name.as_ref(), broken, came))
    });
    judged.collect()
}

/// Whether a field that has this value is set: where zero and absent are one on the wire, zero counts as absent.
pub(crate) fn is_set(field: &FieldType, value: &Value) -> bool {
    (field.is_single() && field.presence) || !is_zero(value)
}

fn one(message: &MessageType, demand: &Demand, set: impl Fn(&FieldType) -> bool) -> Option<(Broken, String)> {
    let fields = || demand.fields.iter().filter_map(|index| message.field(*index));
    let names: Vec<&str> = fields().map(|field| field.name.as_ref()).collect();
    let words = words::one_of(names.into_iter());
    let came: Vec<Value> =
        fields().filter(|field| set(field)).map(|field| Value::from(field.name.as_ref())).collect();
    match came.len() {
        0 if demand.required => Some((Broken::new(ViolationRule::Missing, words), String::new())),
        0 | 1 => None,
        _ => {
            let broken = Broken::new(ViolationRule::OneofConflict, format!("at most {words}"));
            Some((broken, got(&Value::List(came))))
        }
    }
}
