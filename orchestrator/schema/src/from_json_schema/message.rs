//! The messages of a conversion, each once, and the file that holds them.

use super::defect;
use super::descriptor::{FieldType, File, MessageOptions, MessageType};
use super::document::{Document, child};
use super::field::entry_name;
use super::flat::{Flat, Node, flatten, note};
use super::names::{field_names, is_full_name, type_name, unique};
use super::note::{Note, NoteKind};
use super::object::{Property, is_open};
use super::shape::{ANY, MESSAGE, Many, Shaped, Stand};
use crate::defect::{Defect, DefectRule};
use crate::rule::Types;
use convoke_proto::v1::MessageSpec;
use hashbrown::{HashMap, HashSet};
use prost::Message as _;
use prost_reflect::MessageDescriptor;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// How many fields one schema may make.
const MAX_FIELDS: usize = 10_000;
/// How much may be looked at in all.
const MAX_WORK: usize = 1_000_000;
/// The field for names that the schema leaves open.
const REST: &str = "additional_properties";

/// A conversion on its way.
pub(super) struct Builder<'d, 'a> {
    pub(super) document: &'d Document<'a>,
    pub(super) notes: BTreeSet<Note>,
    pub(super) messages: Vec<MessageType>,
    pub(super) rule_bytes: usize,
    package: String,
    root: String,
    taken: HashSet<String>,
    /// The messages of nodes, by what the nodes ask.
    known: HashMap<Vec<String>, String>,
    queue: Vec<(Node, String)>,
    /// Where each field stands in the schema, by its full name.
    places: HashMap<String, String>,
    fields: usize,
    work: usize,
}

/// The names within one message.
struct Taken {
    names: HashSet<String>,
    /// The messages behind its maps.
    entries: HashSet<String>,
}

// === impl Taken ===

impl Taken {
    fn of(names: &[String], properties: &BTreeMap<String, Property>) -> Self {
        let names = names.iter().chain(properties.keys()).cloned().collect();
        Self { names, entries: HashSet::new() }
    }

    /// The name of a map: `a_b` and `aB` would both have an `ABEntry` behind them.
    fn map(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.entries.insert(entry_name(&name)) {
            name = unique(&name, &mut self.names);
        }
        name
    }
}

// === impl Builder ===

impl<'d, 'a> Builder<'d, 'a> {
    pub(super) fn new(document: &'d Document<'a>, name: &str) -> Result<Self, Defect> {
        if !is_full_name(name) {
            let message = format!("{name:?} is no full name of a message");
            return Err(defect("#", DefectRule::Malformed, message));
        }
        let (package, root) = name.rsplit_once('.').unwrap_or(("", name));
        Ok(Self {
            document,
            notes: BTreeSet::new(),
            messages: Vec::new(),
            rule_bytes: 0,
            package: package.to_owned(),
            root: root.to_owned(),
            taken: HashSet::from([root.to_owned()]),
            known: HashMap::new(),
            queue: Vec::new(),
            places: HashMap::new(),
            fields: 0,
            work: 0,
        })
    }

    pub(super) fn run(&mut self) -> Result<(), Defect> {
        let node = vec!["#".to_owned()];
        let flat = flatten(self.document, &node)?;
        if flat.never || !flat.types.has(Types::OBJECT) {
            return Err(defect(
                "#",
                DefectRule::Unsupported,
                "a message is an object; this schema admits none",
            ));
        }
        let root = self.root.clone();
        self.known.insert(flat.key(), root.clone());
        self.queue.push((node, root));
        while let Some((node, name)) = self.queue.pop() {
            self.message(&node, name)?;
        }
        Ok(())
    }

    /// Counts what is looked at.
    pub(super) fn spend(&mut self, work: usize, at: &str) -> Result<(), Defect> {
        self.work = self.work.saturating_add(work.saturating_add(1));
        if self.work > MAX_WORK {
            return Err(defect(
                at,
                DefectRule::TooLarge,
                "the schema refers to too much from too many places",
            ));
        }
        Ok(())
    }

    pub(super) fn full_name(&self, name: &str) -> String {
        if self.package.is_empty() { name.to_owned() } else { format!("{}.{name}", self.package) }
    }

    /// A name for a type beside the root.
    pub(super) fn type_name(&mut self, name: &str) -> String {
        let name = format!("{}{name}", self.root);
        unique(&name, &mut self.taken)
    }

    /// The message of a node, which is queued when it is new.
    pub(super) fn message_of(&mut self, node: &Node, flat: &Flat<'a>, name: &str) -> String {
        let key = flat.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        // A definition has a name of its own.
        let last = key.last().filter(|_| key.len() == 1).and_then(|at| defined(at));
        let name = self.type_name(&type_name(last.unwrap_or(name)));
        self.known.insert(key, name.clone());
        self.queue.push((node.clone(), name.clone()));
        name
    }

    fn message(&mut self, node: &Node, name: String) -> Result<(), Defect> {
        let flat = flatten(self.document, node)?;
        let at = node.first().map_or("#", String::as_str);
        self.spend(flat.atoms.len(), at)?;
        self.look_over(&flat)?;
        let root = name == self.root;
        let properties = self.properties(&flat)?;
        let rest = root && is_open(&flat);
        let mut spec = MessageSpec { json_schema: self.message_rule(&flat, root)?, ..MessageSpec::default() };
        let defined_elsewhere = |at: &str| root || defined(at).is_some();
        let mut described = flat.all_words("description").filter(|(atom, _)| defined_elsewhere(&atom.at));
        spec.description = described.find_map(|(_, text)| text.as_str()).unwrap_or_default().to_owned();
        let names = field_names(properties.keys().map(String::as_str));
        let mut message = MessageType { name: name.clone(), ..MessageType::default() };
        let mut taken = Taken::of(&names, &properties);
        for ((json_name, property), field_name) in properties.iter().zip(&names) {
            let stand = Stand { name: json_name, nesting: 0, null_counts: !spec.json_schema.is_empty() };
            let shaped = self.property(node, property, json_name, stand)?;
            let Some(shaped) = shaped else { continue };
            self.add(&mut message, &mut taken, (field_name, json_name), shaped, at)?;
        }
        if rest {
            self.rest(&flat, &mut message, &mut taken)?;
        } else {
            self.closed(&flat, at, root);
        }
        message.options = Some(MessageOptions { map_entry: None, spec: Some(spec) });
        self.messages.push(message);
        Ok(())
    }

    /// A message takes the names it has; where the schema did not say so, it is narrower.
    fn closed(&mut self, flat: &Flat<'a>, at: &str, root: bool) {
        let closed = flat.has("additionalProperties") || flat.has("unevaluatedProperties");
        if !closed {
            let what = if root { "parameters" } else { "members" };
            let message = format!("{what} that are not declared are refused");
            self.notes.insert(note(at, NoteKind::Narrowed, message));
        }
    }

    /// One property; none where it must not be there.
    fn property(
        &mut self,
        node: &Node,
        property: &Property,
        name: &str,
        stand: Stand<'_>,
    ) -> Result<Option<Shaped>, Defect> {
        let at = node.first().map_or("#", String::as_str);
        let places = if property.places.is_empty() { self.agreed(property) } else { property.places.clone() };
        if property.places.is_empty() && !places.is_empty() {
            let message = format!("property {name:?} is taken as the alternatives that know it describe it");
            self.notes.insert(note(at, NoteKind::Narrowed, message));
        }
        let shaped =
            if places.is_empty() { Some(Shaped::typed(MESSAGE, ANY)) } else { self.shape(&places, stand)? };
        let Some(mut shaped) = shaped else {
            if property.required {
                let message = format!("property {name:?} is required, and no value meets its schema");
                return Err(defect(at, DefectRule::Contradiction, message));
            }
            let message = format!("property {name:?} is none: no value meets its schema");
            self.notes.insert(note(at, NoteKind::LeftOut, message));
            return Ok(None);
        };
        shaped.spec.required = property.required && !shaped.nullable;
        shaped.spec.json_null = property.required && shaped.nullable;
        let flat = flatten(self.document, &places)?;
        self.annotate(&places, &flat, &mut shaped)?;
        if stand.null_counts && !shaped.spec.default.is_empty() {
            shaped.spec.default.clear();
            let place = places.first().map_or(at, String::as_str);
            let message = "its default is not filled in: a rule asks whether the member is there";
            self.notes.insert(note(place, NoteKind::LeftOut, message));
        }
        Ok(Some(shaped))
    }

    /// Where several alternatives know a property, their schema, where it is the same one.
    fn agreed(&self, property: &Property) -> Node {
        let mut alternatives = property.alternatives.iter();
        let Some(first) = alternatives.next() else { return Node::new() };
        let schema = self.document.at(first);
        if alternatives.all(|other| self.document.at(other) == schema) {
            vec![first.clone()]
        } else {
            Node::new()
        }
    }

    /// The field for all names that the root leaves open.
    fn rest(&mut self, flat: &Flat<'a>, message: &mut MessageType, taken: &mut Taken) -> Result<(), Defect> {
        let patterns = flat.has("patternProperties");
        let places: Node = flat
            .all("additionalProperties")
            .map(|(atom, _)| child(&atom.at, "additionalProperties"))
            .collect();
        let any = Shaped::typed(MESSAGE, ANY);
        let stand = Stand { name: REST, nesting: 1, null_counts: true };
        let mut shaped = if patterns { any } else { self.shape(&places, stand)?.unwrap_or(any) };
        shaped.many = Many::Map;
        shaped.spec.json_spread = true;
        "Further parameters, by name.".clone_into(&mut shaped.spec.description);
        let name = unique(REST, &mut taken.names);
        let message_text = format!("parameters that are not declared are members of {name:?}");
        self.notes.insert(note("#", NoteKind::Narrowed, message_text));
        self.add(message, taken, (&name, &name), shaped, "#")
    }

    /// Adds a field; a map brings its entry along.
    fn add(
        &mut self,
        message: &mut MessageType,
        taken: &mut Taken,
        (name, json_name): (&str, &str),
        mut shaped: Shaped,
        at: &str,
    ) -> Result<(), Defect> {
        self.fields += 1;
        if self.fields > MAX_FIELDS {
            return Err(defect(at, DefectRule::TooLarge, format!("more than {MAX_FIELDS} properties")));
        }
        let name = if shaped.many == Many::Map { taken.map(name) } else { name.to_owned() };
        let place = child(&child(at, "properties"), json_name);
        if name != json_name {
            let message = format!("the field is named {name}");
            self.notes.insert(note(&place, NoteKind::Renamed, message));
        }
        let full_name = format!("{}.{name}", self.full_name(&message.name));
        self.places.insert(full_name, place);
        if shaped.many == Many::Map {
            let entry = entry_name(&name);
            let value = std::mem::replace(
                &mut shaped,
                Shaped::typed(MESSAGE, &format!(".{}.{entry}", self.full_name(&message.name))),
            );
            shaped.spec.clone_from(&value.spec);
            shaped.many = Many::List;
            message.nested_type.push(super::field::entry(entry, value));
        }
        let number = super::field::number(message.field.len());
        message.field.push(super::field::field(&name, json_name, number, shaped));
        Ok(())
    }

    // === the file ===

    /// The descriptor of what was converted.
    pub(super) fn descriptor(&self) -> Result<MessageDescriptor, Defect> {
        let name = self.full_name(&self.root);
        let file = File {
            name: format!("json_schema/{}.proto", name.replace('.', "/")),
            package: self.package.clone(),
            dependency: ["convoke/v1/annotations.proto", "google/protobuf/struct.proto"]
                .map(str::to_owned)
                .to_vec(),
            message_type: self.messages.clone(),
            syntax: "proto2".to_owned(),
        };
        let malformed = |error: String| defect("#", DefectRule::Malformed, error);
        let mut pool = convoke_proto::descriptor_pool();
        pool.decode_file_descriptor_proto(file.encode_to_vec().as_slice())
            .map_err(|error| malformed(error.to_string()))?;
        pool.get_message_by_name(&name).ok_or_else(|| malformed(format!("{name} is taken")))
    }

    /// Takes out a default or an example that its own schema refuses; gives back any other defect, at its place.
    pub(super) fn mend(&mut self, defect: Defect) -> Option<Defect> {
        let at = self.places.get(&defect.path).cloned();
        let path = at.unwrap_or_else(|| defect.path.clone());
        let field = self.field_named(&defect.path);
        let spec = field.and_then(|field| field.options.as_mut()?.spec.as_mut());
        let Some(spec) = spec else {
            let endless =
                defect.rule == DefectRule::BadDefault && self.without_nested_defaults(&defect.message);
            return (!endless).then_some(Defect { path, ..defect });
        };
        match defect.rule {
            DefectRule::BadDefault if !spec.default.is_empty() => spec.default.clear(),
            DefectRule::BadValue if defect.message.starts_with("example") => spec.examples.clear(),
            // Two of them may be found in one go.
            DefectRule::BadDefault => {}
            _ => return Some(Defect { path, ..defect }),
        }
        self.notes.insert(note(&path, NoteKind::BadValue, defect.message));
        None
    }

    /// Takes out every default that may hold another one; says whether there was one.
    fn without_nested_defaults(&mut self, message: &str) -> bool {
        let mut found = false;
        for it in &mut self.messages {
            let owner = if self.package.is_empty() {
                it.name.clone()
            } else {
                format!("{}.{}", self.package, it.name)
            };
            for field in &mut it.field {
                let spec = field.options.as_mut().and_then(|options| options.spec.as_mut());
                let Some(spec) = spec.filter(|spec| spec.default.starts_with(['{', '['])) else { continue };
                spec.default.clear();
                found = true;
                let place = self.places.get(&format!("{owner}.{}", field.name));
                let path = place.map_or("#", String::as_str);
                self.notes.insert(note(path, NoteKind::BadValue, message));
            }
        }
        found
    }

    fn field_named(&mut self, full_name: &str) -> Option<&mut FieldType> {
        let (message, name) = full_name.rsplit_once('.')?;
        let message = message.strip_prefix(self.package.as_str())?.trim_start_matches('.').to_owned();
        let message = self.messages.iter_mut().find(|it| it.name == message)?;
        message.field.iter_mut().find(|it| it.name == name)
    }

    pub(super) fn into_notes(self) -> Vec<Note> {
        self.notes.into_iter().collect()
    }
}

/// The name of a definition, for the place of one.
fn defined(at: &str) -> Option<&str> {
    let name = at.strip_prefix("#/$defs/").or_else(|| at.strip_prefix("#/definitions/"))?;
    (!name.contains('/')).then_some(name)
}

/// Whether a JSON value says nothing.
pub(super) fn is_blank(value: &Json) -> bool {
    value.as_str().is_some_and(str::is_empty)
}
