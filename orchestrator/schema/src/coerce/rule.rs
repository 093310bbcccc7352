//! Rules that a value's JSON meets besides its type.

use super::Coercer;
use crate::graph::{FieldType, MessageType};
use crate::place::Place;
use crate::rule;
use crate::value::Value;

impl Coercer<'_> {
    /// The rule of a field, on one of its values.
    pub(super) fn field_rule(&mut self, field: &FieldType, value: &Value, place: &Place<'_>) -> bool {
        let Some(rule) = &field.rule else { return true };
        let failures = rule.check(value);
        let holds = failures.is_empty();
        for violation in rule::violations(failures, place, field.sensitive || self.veiled) {
            self.report.violate(violation);
        }
        holds
    }

    /// The rule of a message, on the JSON that it stands for.
    pub(super) fn message_rule(&mut self, message: &MessageType, value: &Value, place: &Place<'_>) -> bool {
        let Some(rule) = &message.rule else { return true };
        let failures = crate::original::broken(self.graph, message, rule, value);
        let holds = failures.is_empty();
        for violation in rule::violations(failures, place, message.sensitive || self.veiled) {
            self.report.violate(violation);
        }
        holds
    }
}
