//! The rules of options on the types that capabilities and goals reach: `(message)`, `(field)`, `(enum_value)`.
//!
//! Only what concerns the manifest: what bounds and defaults mean is the schema's business.

use std::collections::BTreeSet;

use prost_reflect::{DescriptorPool, EnumDescriptor, Kind, MessageDescriptor};

use super::{
    Draft, Mistakes,
    annotations::{Extensions, option},
};
use crate::v1::{EnumValueSpec, FieldSpec, MessageSpec};

pub(super) fn judge(draft: &Draft, pool: &DescriptorPool, mistakes: &mut Mistakes) {
    let Some(ours) = Extensions::of(pool) else { return };
    let manifest = &draft.manifest;
    let capabilities: BTreeSet<&str> = manifest.capabilities.iter().map(|c| c.name.as_str()).collect();
    let inputs = manifest.capabilities.iter().flat_map(|c| [&c.input_type, &c.output_type]);
    let roots = inputs.chain(manifest.goals.iter().map(|goal| &goal.entities_type));

    let mut open: Vec<MessageDescriptor> = roots.filter_map(|name| pool.get_message_by_name(name)).collect();
    let mut seen = BTreeSet::new();
    while let Some(message) = open.pop() {
        if !seen.insert(message.full_name().to_owned()) {
            continue;
        }
        option::<MessageSpec>(&message.options(), &ours.message, message.full_name(), mistakes);
        for field in message.fields() {
            option::<FieldSpec>(&field.options(), &ours.field, field.full_name(), mistakes);
            match field.kind() {
                Kind::Message(message) => open.push(message),
                Kind::Enum(declared) if seen.insert(declared.full_name().to_owned()) => {
                    judge_enum(&declared, &ours, &capabilities, mistakes);
                }
                _ => {}
            }
        }
    }
}

fn judge_enum(
    declared: &EnumDescriptor,
    ours: &Extensions,
    capabilities: &BTreeSet<&str>,
    mistakes: &mut Mistakes,
) {
    for value in declared.values() {
        let name = format!("{}.{}", declared.full_name(), value.name());
        let path = format!("{name}(enum_value).capabilities");
        for spec in option::<EnumValueSpec>(&value.options(), &ours.enum_value, &name, mistakes) {
            if spec.capabilities.len() > 1 {
                mistakes.not_served(format!("{path} (several entries)"));
            }
            for named in spec.capabilities.iter().filter(|named| !capabilities.contains(named.as_str())) {
                let known = capabilities.iter().copied();
                mistakes.unknown(path.as_str(), "a capability of this agent", named, known);
            }
        }
    }
}
