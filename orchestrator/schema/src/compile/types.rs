//! Every message and enum that the root reaches, each once, in the order in which they are met.

use super::options::Options;
use super::{defect, enums, field};
use crate::defect::{Defect, DefectRule};
use crate::graph::{EnumType, FieldType, Graph, MessageType, Oneof};
use crate::limits::Limits;
use crate::names::{Names, Tier};
use crate::nearest::Nearest;
use convoke_proto::v1;
use convoke_proto::v1::message_spec::UnknownFields;
use hashbrown::HashMap;
use prost_reflect::{EnumDescriptor, MessageDescriptor, OneofDescriptor};
use std::collections::HashSet;

/// What is known so far.
pub(super) struct Collector<'a> {
    pub(super) options: Options,
    pub(super) defects: &'a mut Vec<Defect>,
    messages: HashMap<String, u32>,
    queue: Vec<MessageDescriptor>,
    enums: HashMap<String, u32>,
    compiled_enums: Vec<EnumType>,
}

/// Compiles types, names and shapes; constraints and defaults follow.
pub(super) fn collect(root: &MessageDescriptor, limits: Limits, defects: &mut Vec<Defect>) -> Graph {
    let mut collector = Collector {
        options: Options::new(root.parent_pool()),
        defects,
        messages: HashMap::new(),
        queue: Vec::new(),
        enums: HashMap::new(),
        compiled_enums: Vec::new(),
    };
    collector.message(root);
    let mut messages = Vec::new();
    while let Some(descriptor) = collector.queue.get(messages.len()).cloned() {
        let message = collector.compile(descriptor);
        messages.push(message);
    }
    let enums = collector.compiled_enums;
    let mut graph = Graph { messages, enums, limits };
    mark_sensitive(&mut graph);
    graph
}

// === impl Collector ===

impl Collector<'_> {
    /// The index of a message, which is queued when it is new.
    pub(super) fn message(&mut self, descriptor: &MessageDescriptor) -> u32 {
        if let Some(index) = self.messages.get(descriptor.full_name()) {
            return *index;
        }
        let index = u32::try_from(self.queue.len()).unwrap_or(u32::MAX);
        self.messages.insert(descriptor.full_name().to_owned(), index);
        self.queue.push(descriptor.clone());
        index
    }

    /// The index of an enum, which is compiled when it is new.
    pub(super) fn enumeration(&mut self, descriptor: &EnumDescriptor) -> u32 {
        if let Some(index) = self.enums.get(descriptor.full_name()) {
            return *index;
        }
        let index = u32::try_from(self.compiled_enums.len()).unwrap_or(u32::MAX);
        self.enums.insert(descriptor.full_name().to_owned(), index);
        let compiled = enums::compile(descriptor, &mut self.options, self.defects);
        self.compiled_enums.push(compiled);
        index
    }

    fn compile(&mut self, descriptor: MessageDescriptor) -> MessageType {
        let full_name = descriptor.full_name().to_owned();
        let spec =
            self.options.message(&descriptor.parent_file(), descriptor.path()).unwrap_or_else(|error| {
                self.defects.push(defect(
                    &full_name,
                    DefectRule::Option,
                    format!("(convoke.v1.message): {error}"),
                ));
                v1::MessageSpec::default()
            });
        if field::unsupported(&full_name).is_some() {
            let message = format!("{full_name} cannot be a message of its own here; use it as a field");
            self.defects.push(defect(&full_name, DefectRule::Unsupported, message));
        }
        let oneofs: Vec<OneofDescriptor> =
            descriptor.oneofs().filter(|oneof| !oneof.is_synthetic()).collect();
        // By number, each number once: a descriptor that says otherwise is refused below.
        let mut descriptors: Vec<_> = descriptor.fields().collect();
        descriptors.sort_by_key(prost_reflect::FieldDescriptor::number);
        let fields: Vec<FieldType> = descriptors.iter().map(|it| field::compile(it, &oneofs, self)).collect();
        self.check_duplicates(&full_name, &fields);
        self.check_roles(&full_name, &fields);
        let names = self.names(&fields);
        let mut nearest = Nearest::default();
        let indexed = || (0_u32..).zip(&fields);
        for (index, field) in indexed() {
            nearest.add(&field.name, index);
            field.spec.aliases.iter().for_each(|alias| nearest.add(alias, index));
        }
        let oneofs = (0_u32..)
            .zip(&oneofs)
            .map(|(place, oneof)| Oneof {
                name: oneof.name().into(),
                fields: indexed().filter(|(_, it)| it.oneof == Some(place)).map(|(index, _)| index).collect(),
            })
            .collect();
        let drop_unknown = spec.unknown_fields() == UnknownFields::Drop;
        MessageType {
            full_name: full_name.into_boxed_str(),
            obligations: Vec::new(),
            sensitive: false,
            description: spec.description,
            descriptor,
            fields,
            oneofs,
            names,
            nearest,
            drop_unknown,
        }
    }

    fn names(&mut self, fields: &[FieldType]) -> Names {
        let mut names = Names::with_capacity(fields.len());
        for (index, field) in (0_u32..).zip(fields) {
            names.declare(&field.name, index);
            names.add(&field.name, Tier::Loose, index);
            let json_name = field.descriptor.json_name();
            names.add(json_name, Tier::Json, index);
            names.add(json_name, Tier::Loose, index);
            for alias in &field.spec.aliases {
                names.add(alias, Tier::Alias, index);
                names.add(alias, Tier::LooseAlias, index);
            }
        }
        let aliases = (0_u32..)
            .zip(fields)
            .flat_map(|(index, field)| field.spec.aliases.iter().map(move |alias| (alias.as_str(), index)));
        for (alias, one, other) in names.clashes(aliases) {
            let name =
                |index| crate::graph::at(fields, index).map_or("", |field| field.descriptor.full_name());
            let message = format!("alias {alias:?} is also a name of {}", name(other));
            self.defects.push(defect(name(one), DefectRule::Ambiguous, message));
        }
        names
    }

    fn check_duplicates(&mut self, full_name: &str, fields: &[FieldType]) {
        let (mut names, mut numbers) = (HashSet::new(), HashSet::new());
        for field in fields {
            if !names.insert(field.name.as_ref()) || !numbers.insert(field.number) {
                let message = format!("field {} ({}) is declared twice", field.name, field.number);
                self.defects.push(defect(full_name, DefectRule::Malformed, message));
            }
        }
    }

    fn check_roles(&mut self, full_name: &str, fields: &[FieldType]) {
        let mut taken = HashSet::new();
        for field in fields {
            let role = field.spec.role();
            if role != v1::field_spec::Role::Unspecified && !taken.insert(role) {
                let message = format!("{full_name} has two fields with role {}", role.as_str_name());
                self.defects.push(defect(field.descriptor.full_name(), DefectRule::Contradiction, message));
            }
        }
    }
}

/// Passes secrecy from fields up to all that hold them. Each pass goes at least one level up.
fn mark_sensitive(graph: &mut Graph) {
    let holders = holders(graph);
    let mut stack: Vec<usize> = Vec::new();
    for (index, message) in graph.messages.iter_mut().enumerate() {
        if message.fields.iter().any(|field| field.sensitive) {
            message.sensitive = true;
            stack.push(index);
        }
    }
    while let Some(index) = stack.pop() {
        for (message, field) in holders.get(index).into_iter().flatten() {
            let Some(holder) = graph.messages.get_mut(*message) else { continue };
            if let Some(field) = holder.fields.get_mut(*field) {
                field.sensitive = true;
            }
            if !holder.sensitive {
                holder.sensitive = true;
                stack.push(*message);
            }
        }
    }
}

/// For each message the fields that hold it.
fn holders(graph: &Graph) -> Vec<Vec<(usize, usize)>> {
    let mut holders = vec![Vec::new(); graph.messages.len()];
    for (index, message) in graph.messages.iter().enumerate() {
        for (place, field) in message.fields.iter().enumerate() {
            if let crate::kind::Type::Message(held) = field.kind
                && let Some(list) = usize::try_from(held).ok().and_then(|held| holders.get_mut(held))
            {
                list.push((index, place));
            }
        }
    }
    holders
}
