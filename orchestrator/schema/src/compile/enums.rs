//! One enum: its values, their spellings, what its numbers mean.

use super::defect;
use super::options::Options;
use crate::defect::{Defect, DefectRule};
use crate::graph::{EnumEntry, EnumType};
use crate::names::{Names, Tier, normalise, unprefixed};
use convoke_proto::v1;
use hashbrown::HashMap;
use prost_reflect::{EnumDescriptor, Syntax};
use std::sync::{Arc, OnceLock};

pub(super) fn compile(
    descriptor: &EnumDescriptor,
    options: &mut Options,
    defects: &mut Vec<Defect>,
) -> EnumType {
    let values = values(descriptor, options, defects);
    let mut by_number = HashMap::with_capacity(values.len());
    for (index, entry) in (0_u32..).zip(&values) {
        by_number.entry(entry.number).or_insert(index);
    }
    // Two names of one number mean the same: spellings lead to the first of them.
    let canonical = |entry: &EnumEntry| by_number.get(&entry.number).copied().unwrap_or_default();
    let names = names(descriptor, &values, canonical);
    let aliases = values
        .iter()
        .flat_map(|entry| entry.spec.aliases.iter().map(|alias| (alias.as_str(), canonical(entry))));
    for (alias, one, other) in names.clashes(aliases) {
        let name = |index| crate::graph::at(&values, index).map_or("", |entry: &EnumEntry| &entry.name);
        let path = format!("{}.{}", descriptor.full_name(), name(one));
        let message = format!("alias {alias:?} is also a name of {}", name(other));
        defects.push(defect(&path, DefectRule::Ambiguous, message));
    }
    for entry in values.iter().filter(|entry| entry.spec.aliases.iter().any(|it| is_blank(it))) {
        let path = format!("{}.{}", descriptor.full_name(), entry.name);
        defects.push(defect(&path, DefectRule::BadValue, "an alias is blank"));
    }
    EnumType {
        full_name: descriptor.full_name().into(),
        closed: descriptor.parent_file().syntax() == Syntax::Proto2,
        null: descriptor.full_name() == "google.protobuf.NullValue",
        descriptor: descriptor.clone(),
        values,
        by_number,
        names,
        nearest: OnceLock::new(),
    }
}

/// Whether an alias holds nothing that tells it from another.
pub(super) fn is_blank(alias: &str) -> bool {
    let mut normal = String::new();
    normalise(alias, &mut normal);
    normal.is_empty()
}

fn values(descriptor: &EnumDescriptor, options: &mut Options, defects: &mut Vec<Defect>) -> Vec<EnumEntry> {
    let file = descriptor.parent_file();
    // As they were declared: the last step of a path counts within the enum.
    let mut declared: Vec<_> = descriptor.values().collect();
    declared.sort_by_key(|value| value.path().last().copied());
    let mut values = Vec::with_capacity(declared.len());
    for value in declared {
        let spec = if value.enum_value_descriptor_proto().options.is_none() {
            v1::EnumValueSpec::default()
        } else {
            options.enum_value(&file, value.path()).unwrap_or_else(|error| {
                let path = format!("{}.{}", descriptor.full_name(), value.name());
                defects.push(defect(&path, DefectRule::Option, format!("(convoke.v1.enum_value): {error}")));
                v1::EnumValueSpec::default()
            })
        };
        values.push(EnumEntry { name: Arc::from(value.name()), number: value.number(), spec });
    }
    values
}

fn names(descriptor: &EnumDescriptor, values: &[EnumEntry], canonical: impl Fn(&EnumEntry) -> u32) -> Names {
    let mut names = Names::with_capacity(values.len());
    for entry in values {
        let index = canonical(entry);
        names.declare(&entry.name, index);
        names.add(&entry.name, Tier::Loose, index);
        match unprefixed(descriptor.name(), &entry.name) {
            Some(short) => names.add(&short, Tier::LoosePrefix, index),
            None => names.add(&format!("{}{}", descriptor.name(), entry.name), Tier::LoosePrefix, index),
        }
        for alias in &entry.spec.aliases {
            names.add(alias, Tier::Alias, index);
            names.add(alias, Tier::LooseAlias, index);
        }
    }
    names
}
