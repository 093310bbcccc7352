//! Every message and enum that the root reaches, each once, in the order in which they are met.

use super::options::Options;
use super::{defect, enums, field, well_known};
use crate::defect::{Defect, DefectRule};
use crate::graph::{EnumType, FieldType, Graph, MessageType, Oneof};
use crate::kind::Type;
use crate::limits::Limits;
use crate::names::{Names, Tier};
use convoke_proto::v1;
use convoke_proto::v1::message_spec::UnknownFields;
use hashbrown::HashMap;
use prost_reflect::{DescriptorPool, EnumDescriptor, MessageDescriptor, OneofDescriptor};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// What is known so far.
pub(super) struct Collector<'a> {
    pub(super) options: &'a mut Options,
    pub(super) defects: &'a mut Vec<Defect>,
    /// What a field without an option says.
    pub(super) plain: Arc<v1::FieldSpec>,
    /// Whether any field was an Any.
    pub(super) holds_any: bool,
    messages: HashMap<String, u32>,
    queue: Vec<MessageDescriptor>,
    enums: HashMap<String, u32>,
    compiled_enums: Vec<EnumType>,
}

/// Compiles types, names and shapes; constraints and defaults follow.
pub(super) fn collect(
    root: &MessageDescriptor,
    options: &mut Options,
    limits: Limits,
    defects: &mut Vec<Defect>,
) -> Graph {
    let mut collector = Collector {
        options,
        defects,
        plain: Arc::default(),
        holds_any: false,
        messages: HashMap::new(),
        queue: Vec::new(),
        enums: HashMap::new(),
        compiled_enums: Vec::new(),
    };
    collector.message(root);
    let mut messages = Vec::new();
    let mut packable = Vec::new();
    while let Some(descriptor) = collector.queue.get(messages.len()).cloned() {
        let message = collector.compile(descriptor);
        messages.push(message);
        if collector.holds_any && packable.is_empty() {
            packable = collector.packable(root.parent_pool());
        }
    }
    let enums = collector.compiled_enums;
    let mut graph = Graph { messages, enums, packable, limits, not_enforced: Vec::new() };
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

    /// Everything that an Any may hold, by full name.
    fn packable(&mut self, pool: &DescriptorPool) -> Vec<u32> {
        let mut messages: Vec<_> = pool.all_messages().filter(well_known::is_packable).collect();
        messages.sort_by(|one, other| one.full_name().cmp(other.full_name()));
        messages.iter().map(|message| self.message(message)).collect()
    }

    /// The index of an enum, which is compiled when it is new.
    pub(super) fn enumeration(&mut self, descriptor: &EnumDescriptor) -> u32 {
        if let Some(index) = self.enums.get(descriptor.full_name()) {
            return *index;
        }
        let index = u32::try_from(self.compiled_enums.len()).unwrap_or(u32::MAX);
        self.enums.insert(descriptor.full_name().to_owned(), index);
        let compiled = enums::compile(descriptor, self.options, self.defects);
        self.compiled_enums.push(compiled);
        index
    }

    fn compile(&mut self, descriptor: MessageDescriptor) -> MessageType {
        let full_name = descriptor.full_name().to_owned();
        let spec = self.spec(&descriptor);
        let whole = well_known::whole(&descriptor, &self.plain).map(Box::new);
        self.holds_any |= whole.as_ref().is_some_and(|whole| whole.kind == Type::Any);
        let oneofs: Vec<OneofDescriptor> =
            descriptor.oneofs().filter(|oneof| whole.is_none() && !oneof.is_synthetic()).collect();
        // By number, each number once: a descriptor that says otherwise is refused below.
        let mut descriptors: Vec<_> = descriptor.fields().filter(|_| whole.is_none()).collect();
        descriptors.sort_by_key(prost_reflect::FieldDescriptor::number);
        let fields: Vec<FieldType> = descriptors.iter().map(|it| field::compile(it, &oneofs, self)).collect();
        let names = self.names(&fields);
        self.check_duplicates(&full_name, &fields, &names);
        self.check_roles(&full_name, &fields);
        let indexed = || (0_u32..).zip(&fields);
        let oneofs = (0_u32..)
            .zip(&oneofs)
            .map(|(place, oneof)| Oneof {
                name: oneof.name().into(),
                fields: indexed().filter(|(_, it)| it.oneof == Some(place)).map(|(index, _)| index).collect(),
            })
            .collect();
        let rule = super::json_schema::rule(&full_name, &spec.json_schema, self.defects);
        let drop_unknown = spec.unknown_fields() == UnknownFields::Drop;
        MessageType {
            full_name: full_name.into_boxed_str(),
            obligations: Vec::new(),
            sensitive: false,
            description: spec.description,
            descriptor,
            fields,
            oneofs,
            demands: Vec::new(),
            names,
            nearest: OnceLock::new(),
            drop_unknown,
            rule,
            whole,
        }
    }

    fn spec(&mut self, descriptor: &MessageDescriptor) -> v1::MessageSpec {
        // Without any option there is nothing to look for.
        if descriptor.descriptor_proto().options.is_none() {
            return v1::MessageSpec::default();
        }
        self.options.message(&descriptor.parent_file(), descriptor.path()).unwrap_or_else(|error| {
            let message = format!("(convoke.v1.message): {error}");
            self.defects.push(defect(descriptor.full_name(), DefectRule::Option, message));
            v1::MessageSpec::default()
        })
    }

    fn names(&mut self, fields: &[FieldType]) -> Names {
        let mut names = Names::with_capacity(fields.len());
        for (index, field) in (0_u32..).zip(fields) {
            names.declare(&field.name, index);
            names.add(&field.name, Tier::Loose, index);
            let json_name = field.descriptor.json_name();
            if json_name != field.name.as_ref() {
                names.add(json_name, Tier::Json, index);
                names.add(json_name, Tier::Loose, index);
            }
            for alias in &field.spec.aliases {
                names.add(alias, Tier::Alias, index);
                names.add(alias, Tier::LooseAlias, index);
            }
        }
        for field in fields.iter().filter(|field| field.spec.aliases.iter().any(|it| enums::is_blank(it))) {
            let message = "an alias is blank".to_owned();
            self.defects.push(defect(field.descriptor.full_name(), DefectRule::BadValue, message));
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

    fn check_duplicates(&mut self, full_name: &str, fields: &[FieldType], names: &Names) {
        // Fields stand in the order of their numbers, and of two of one name the first is found.
        let mut before = None;
        for (index, field) in (0_u32..).zip(fields) {
            if before.replace(field.number) == Some(field.number) || names.exact(&field.name) != Some(index) {
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
    let mut fields = graph.messages.iter().flat_map(|message| &message.fields);
    if !fields.any(|field| field.sensitive) {
        return;
    }
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
            match (field, &mut holder.whole) {
                (Some(field), _) => {
                    if let Some(field) = holder.fields.get_mut(*field) {
                        field.sensitive = true;
                    }
                }
                (None, Some(whole)) => whole.sensitive = true,
                (None, None) => {}
            }
            if !std::mem::replace(&mut holder.sensitive, true) {
                stack.push(*message);
            }
        }
    }
}

/// For each message the holders of it: a message and its field, none where the message is itself an Any.
fn holders(graph: &Graph) -> Vec<Vec<(usize, Option<usize>)>> {
    let mut holders = vec![Vec::new(); graph.messages.len()];
    let mut hold = |held: u32, by| {
        if let Some(list) = usize::try_from(held).ok().and_then(|held| holders.get_mut(held)) {
            list.push(by);
        }
    };
    for (index, message) in graph.messages.iter().enumerate() {
        let fields = message.fields.iter().enumerate().map(|(place, field)| (Some(place), field));
        for (place, field) in fields.chain(message.whole.as_deref().map(|whole| (None, whole))) {
            match field.kind {
                Type::Message(held) => hold(held, (index, place)),
                Type::Any => graph.packable.iter().for_each(|held| hold(*held, (index, place))),
                _ => {}
            }
        }
    }
    holders
}
