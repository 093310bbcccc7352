//! The rules of `(goal)`, and of the hints that goals and capabilities share.

use std::collections::BTreeSet;

use prost_reflect::{DescriptorPool, MessageDescriptor};

use super::{Draft, Mistakes};
use crate::{
    names,
    v1::{Goal, IntentHints},
};

pub(super) fn judge(draft: &Draft, pool: &DescriptorPool, mistakes: &mut Mistakes) {
    let mut taken = BTreeSet::new();
    for (goal, path) in draft.manifest.goals.iter().zip(&draft.goal_paths) {
        if !names::valid_goal(&goal.name) {
            mistakes.format(format!("{path}.name"), "a name like [A-Z][A-Z0-9_]{0,62}");
        } else if !taken.insert(goal.name.as_str()) {
            mistakes.duplicate(format!("{path}.name"), &goal.name);
        }
        judge_capability(goal, path, draft, mistakes);
        let entities = pool.get_message_by_name(&goal.entities_type);
        if entities.is_none() {
            let messages = pool.all_messages();
            let known: Vec<String> = messages.map(|message| message.full_name().to_owned()).collect();
            mistakes.unknown(
                format!("{path}.entities_type"),
                "the full name of a message of the descriptors",
                &goal.entities_type,
                known.iter().map(String::as_str),
            );
        }
        judge_hints(&goal.intent_hints, entities.as_ref(), path, mistakes);
    }
}

fn judge_capability(goal: &Goal, path: &str, draft: &Draft, mistakes: &mut Mistakes) {
    let path = format!("{path}.capability");
    if goal.capability.is_empty() {
        mistakes.missing(path, "the name of a capability: the method is none itself");
    } else if !draft.manifest.capabilities.iter().any(|capability| capability.name == goal.capability) {
        let domain = draft.manifest.domain.as_ref().map(|domain| domain.name.as_str());
        match goal.capability.split_once('.') {
            Some((other, _)) if names::valid_domain(other) && Some(other) != domain => {
                mistakes.not_served(format!("{path} (of another domain)"));
            }
            _ => {
                let own = draft.manifest.capabilities.iter().map(|capability| capability.name.as_str());
                mistakes.unknown(path, "a capability of this agent", &goal.capability, own);
            }
        }
    }
}

/// A slot that is no field could never be filled.
pub(super) fn judge_hints(
    hints: &[IntentHints],
    entities: Option<&MessageDescriptor>,
    path: &str,
    mistakes: &mut Mistakes,
) {
    let Some(entities) = entities else { return };
    for (i, hint) in hints.iter().enumerate() {
        for (j, example) in hint.examples.iter().enumerate() {
            for slot in slots(example) {
                if entities.get_field_by_name(slot).is_none() {
                    let fields: Vec<_> = entities.fields().collect();
                    mistakes.unknown(
                        format!("{path}.intent_hints[{i}].examples[{j}]"),
                        format!("slots that are fields of {}", entities.full_name()),
                        slot,
                        fields.iter().map(|field| field.name()),
                    );
                }
            }
        }
    }
}

/// The fields that an example names: `symbol_text` of `price of {symbol_text}`; of a path, its first.
fn slots(example: &str) -> impl Iterator<Item = &str> {
    example.split('{').skip(1).filter_map(|rest| {
        let (slot, _) = rest.split_once('}')?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        (!slot.is_empty() && slot.chars().all(plain)).then(|| slot.split('.').next().unwrap_or(slot))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_the_words_in_braces() {
        let found = |example| slots(example).collect::<Vec<_>>();
        assert_eq!(found("convert {amount} {from} to {to}"), ["amount", "from", "to"]);
        assert_eq!(found("ship to {address.city}"), ["address"]);
        assert_eq!(found("a {} b {not a slot} c } { d"), Vec::<&str>::new());
    }
}
