//! Rules about several fields of one message: at most one of them, at least one of them.

use crate::constraint::Broken;
use crate::further::is_zero;
use crate::graph::{Demand, FieldType, MessageType};
use crate::report::ViolationRule;
use crate::value::Value;
use crate::words;

/// The rules that a message breaks which has the fields that are `set`, each with the name of the oneof it is about;
/// empty for the message.
pub(crate) fn broken(message: &MessageType, set: impl Fn(&FieldType) -> bool) -> Vec<(&str, Broken)> {
    message.demands.iter().filter_map(|it| Some((it.name.as_ref(), one(message, it, &set)?))).collect()
}

/// Whether a field that has this value is set: where zero and absent are one on the wire, zero counts as absent.
pub(crate) fn is_set(field: &FieldType, value: &Value) -> bool {
    (field.is_single() && field.presence) || !is_zero(value)
}

fn one(message: &MessageType, demand: &Demand, set: impl Fn(&FieldType) -> bool) -> Option<Broken> {
    let fields = || demand.fields.iter().filter_map(|index| message.field(*index));
    let set = fields().filter(|field| set(field));
    let names = || words::one_of(fields().map(|field| field.name.as_ref()).collect::<Vec<_>>().into_iter());
    match set.count() {
        0 if demand.required => Some(Broken::new(ViolationRule::Missing, names())),
        0 | 1 => None,
        _ => Some(Broken::new(ViolationRule::OneofConflict, format!("at most {}", names()))),
    }
}
