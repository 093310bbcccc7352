//! What several fields of a message are asked together, and what the keys of a map are asked.

use super::number::integer;
use super::row::Row;
use super::{At, Coercer};
use crate::demand;
use crate::graph::{FieldType, MapKey, MessageType};
use crate::kind::Type;
use crate::place::Place;
use crate::report::{REDACTED, got};
use crate::value::{Name, Value};

impl Coercer<'_> {
    /// Says whether the members that are there are those that the message asks for.
    pub(super) fn demands(&mut self, message: &MessageType, members: &[(Name, Value)], at: At<'_>) -> bool {
        if message.demands.is_empty() {
            return true;
        }
        let broken = demand::broken(message, |field| {
            let member = members.iter().find(|(name, _)| *name.as_str() == *field.name);
            member.is_some_and(|(_, value)| demand::is_set(field, value))
        });
        let holds = broken.is_empty();
        for (name, broken, came) in broken {
            let place = at.place.field(name);
            let place = if name.is_empty() { at.place } else { &place };
            self.report.violate(broken.at(place.path(), came));
        }
        holds
    }

    /// Says whether a key, in its canonical text, is what the field asks of keys.
    pub(super) fn key_rules(
        &mut self,
        field: &FieldType,
        key: MapKey,
        name: &Name,
        place: &Place<'_>,
    ) -> bool {
        let Some(constraints) = field.constraints.as_ref().filter(|it| !it.keys.is_empty()) else {
            return true;
        };
        let broken = constraints.keys.check(&key_value(key.kind, name));
        let holds = broken.is_empty();
        for mut broken in broken {
            broken.expected = format!("as the key {}", broken.expected);
            let shown = if field.sensitive || self.veiled {
                REDACTED.to_owned()
            } else {
                got(&Value::from(name.as_str()))
            };
            self.report.violate(broken.at(place.path(), shown));
        }
        holds
    }
}

/// The typed value of a canonical key.
pub(crate) fn key_value(kind: Type, name: &Name) -> Value {
    let text = Value::Text(name.as_str().to_owned());
    match kind {
        Type::Bool => Value::Bool(name.as_str() == "true"),
        Type::Integer(kind) => match integer(kind, &text) {
            Row::Typed(value) | Row::Mended(_, value) => value,
            Row::Keep | Row::Refused(_) => text,
        },
        _ => text,
    }
}
