//! The standard rules of `buf.validate`, read into our own constraints where a team's descriptors carry them.
//!
//! ```text
//! option bytes at 1159 ──wire──▶ numbered fields ──element, text──▶ ElementRules ──merged──▶ the field's constraints
//! ```
//!
//! Read by field number and enforced by the one engine, so that a rule counts for what is coerced, for what an agent
//! answers and for what two fields give each other. CEL rules, rules that depend on the clock and rules that nobody
//! here knows are not enforced; each is listed in the graph, by its name.
//!
//! Where a field has no presence, zero and absent are one: a rule that zero breaks makes the field required.

mod element;
mod field;
mod merge;
mod message;
mod text;
mod wire;

use super::defect;
use super::options::Options;
use crate::defect::{Defect, DefectRule};
use crate::graph::{Graph, MessageType};

/// Adds the rules to what is compiled. Runs after our own option's constraints, before defaults are judged by them.
pub(super) fn compile(graph: &mut Graph, options: &mut Options, defects: &mut Vec<Defect>) {
    if !options.is_ruled() {
        return;
    }
    let mut not_enforced = Vec::new();
    let mut read = Vec::new();
    let mut demands = Vec::new();
    for (index, message) in graph.messages.iter().enumerate() {
        if !has_options(message) {
            continue;
        }
        let payloads = options.rules(&message.descriptor.parent_file());
        if payloads.is_empty() {
            continue;
        }
        let mut notes = Notes::new(&message.full_name, defects, &mut not_enforced);
        let rules = message::read(message, payloads, &mut notes);
        for (place, it) in message.fields.iter().enumerate() {
            let Some(raw) = payloads.get(it.descriptor.path()) else { continue };
            let in_choice = rules.chosen.contains(it.name.as_ref());
            let mut notes = Notes::new(it.descriptor.full_name(), defects, &mut not_enforced);
            read.push((index, place, field::read(graph, it, raw, in_choice, &mut notes)));
        }
        demands.push((index, rules.demands));
    }
    for (message, place, asked) in read {
        if let Some(field) = graph.messages.get_mut(message).and_then(|it| it.fields.get_mut(place)) {
            merge::into(field, asked, defects);
        }
    }
    for (message, asked) in demands {
        if let Some(message) = graph.messages.get_mut(message) {
            message.demands = asked;
        }
    }
    graph.not_enforced = not_enforced;
}

/// Whether the message, a field or a oneof of it has any option: most have none, and their file need not be read.
fn has_options(message: &MessageType) -> bool {
    let declared = message.descriptor.descriptor_proto();
    declared.options.is_some()
        || declared.field.iter().any(|it| it.options.is_some())
        || declared.oneof_decl.iter().any(|it| it.options.is_some())
}

/// What is to be told about one element.
struct Notes<'a> {
    path: String,
    defects: &'a mut Vec<Defect>,
    not_enforced: &'a mut Vec<Defect>,
}

// === impl Notes ===

impl<'a> Notes<'a> {
    fn new(path: &str, defects: &'a mut Vec<Defect>, not_enforced: &'a mut Vec<Defect>) -> Self {
        Self { path: path.to_owned(), defects, not_enforced }
    }

    fn defect(&mut self, rule: DefectRule, message: String) {
        self.defects.push(defect(&self.path, rule, message));
    }

    fn malformed(&mut self, kind: &str) {
        self.defect(DefectRule::Option, format!("the {kind} rules of buf.validate cannot be read"));
    }

    /// A rule by its field number, since its name is not known.
    fn not_enforced(&mut self, kind: &str, number: u32, why: &str) {
        self.named(&format!("{kind} rule number {number}"), why);
    }

    fn named(&mut self, rule: &str, why: &str) {
        let message = format!("buf.validate {rule} is not enforced: {why}");
        let told = defect(&self.path, DefectRule::NotEnforced, message);
        if !self.not_enforced.contains(&told) {
            self.not_enforced.push(told);
        }
    }
}
