//! `(buf.validate.message)` and `(buf.validate.oneof)`: rules about several fields at a time.

use super::Notes;
use super::wire::{Payload, fields};
use crate::compile::options::Payloads;
use crate::defect::DefectRule;
use crate::graph::{Demand, MessageType};
use std::collections::HashSet;

/// What is asked of a message.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) demands: Vec<Demand>,
    /// Fields that such a rule names: of those that have no presence, zero is absent.
    pub(super) chosen: HashSet<String>,
}

/// Reads the options of a message and of its oneofs.
pub(super) fn read(message: &MessageType, payloads: &Payloads, notes: &mut Notes<'_>) -> Rules {
    let mut rules = Rules::default();
    if let Some(raw) = payloads.get(message.descriptor.path()) {
        of_message(message, raw, &mut rules, notes);
    }
    for oneof in message.descriptor.oneofs() {
        let Some(raw) = payloads.get(oneof.path()) else { continue };
        let compiled = message.oneofs.iter().find(|it| it.name.as_ref() == oneof.name());
        if let (true, Some(compiled)) = (oneof_required(raw, notes), compiled) {
            let (name, fields) = (compiled.name.clone(), compiled.fields.clone());
            rules.demands.push(Demand { name, fields, required: true });
        }
    }
    rules
}

fn of_message(message: &MessageType, raw: &[u8], rules: &mut Rules, notes: &mut Notes<'_>) {
    let Some(payloads) = fields(raw) else { return notes.malformed("message") };
    for (number, payload) in payloads {
        match (number, payload) {
            (3 | 5, payload) => cel(payload, number == 3, notes),
            (4, Payload::Bytes(raw)) => choice(message, raw, rules, notes),
            (1, Payload::Varint(0)) => {}
            (1, _) => notes.named("disabled", "the message's rules count"),
            (number, _) => notes.not_enforced("message", number, "it is not known here"),
        }
    }
}

/// At most one of some fields, or exactly one.
fn choice(message: &MessageType, raw: &[u8], rules: &mut Rules, notes: &mut Notes<'_>) {
    let Some(payloads) = fields(raw) else { return notes.malformed("oneof") };
    let mut demand = Demand { name: Box::default(), fields: Vec::new(), required: false };
    for (number, payload) in payloads {
        match (number, payload) {
            (1, payload) => {
                let name = payload.text().unwrap_or_default();
                match message.names.exact(name) {
                    Some(index) if !demand.fields.contains(&index) => {
                        rules.chosen.insert(name.to_owned());
                        demand.fields.push(index);
                    }
                    Some(_) => notes.defect(DefectRule::BadValue, format!("oneof names {name} twice")),
                    None => {
                        notes.defect(DefectRule::BadValue, format!("oneof names {name:?}, which is no field"))
                    }
                }
            }
            (2, Payload::Varint(it)) => demand.required = it != 0,
            (number, _) => notes.not_enforced("oneof", number, "it is not known here"),
        }
    }
    demand.fields.sort_unstable();
    if demand.fields.is_empty() {
        notes.defect(DefectRule::BadValue, "oneof names no field".to_owned());
    } else {
        rules.demands.push(demand);
    }
}

fn oneof_required(raw: &[u8], notes: &mut Notes<'_>) -> bool {
    let mut required = false;
    let Some(payloads) = fields(raw) else {
        notes.malformed("oneof");
        return false;
    };
    for (number, payload) in payloads {
        match (number, payload) {
            (1, Payload::Varint(it)) => required = it != 0,
            (number, _) => notes.not_enforced("oneof", number, "it is not known here"),
        }
    }
    required
}

/// A rule in CEL, by its id where it has one, else by its expression.
pub(super) fn cel(payload: Payload<'_>, is_rule: bool, notes: &mut Notes<'_>) {
    let text = if is_rule {
        let parts = payload.bytes().and_then(fields).unwrap_or_default();
        let part = |wanted: u32| {
            parts.iter().find(|(number, _)| *number == wanted).and_then(|(_, payload)| payload.text())
        };
        part(1).filter(|id| !id.is_empty()).or_else(|| part(3)).unwrap_or_default().to_owned()
    } else {
        payload.text().unwrap_or_default().to_owned()
    };
    let shown: String = text.chars().take(200).collect();
    notes.named(&format!("cel {shown:?}"), "expressions are left to the agent's own validator");
}
