//! A rule's text: parts of the document as they came, in draft 2020-12, with what they refer to beside them.
//!
//! Words for readers are left out. A keyword that the engine does not enforce is refused here, before it could be
//! overlooked.

use super::defect;
use super::document::{Document, child};
use super::flat::{Node, malformed, note};
use super::keyword::{LIST, MAP, ONE, Part, part};
use super::note::{Note, NoteKind};
use super::unevaluated;
use crate::defect::{Defect, DefectRule};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Writes one rule.
pub(super) struct Emitter<'d, 'a> {
    document: &'d Document<'a>,
    notes: &'d mut BTreeSet<Note>,
    /// The places that are referred to, and the names that they got.
    names: BTreeMap<String, String>,
    queue: Vec<String>,
}

// === impl Emitter ===

impl<'d, 'a> Emitter<'d, 'a> {
    pub(super) fn new(document: &'d Document<'a>, notes: &'d mut BTreeSet<Note>) -> Self {
        Self { document, notes, names: BTreeMap::new(), queue: Vec::new() }
    }

    /// Everything that a node asks.
    pub(super) fn whole(mut self, node: &Node) -> Result<Json, Defect> {
        let parts: Result<Vec<Json>, Defect> = node.iter().map(|at| self.schema(at)).collect();
        self.finish(parts?)
    }

    /// Some keywords of some places: each list entry is a place and the keywords that are kept of it.
    pub(super) fn parts(mut self, parts: &[(String, Vec<&'a str>)]) -> Result<Json, Defect> {
        let mut schemas = Vec::new();
        for (at, names) in parts {
            let Some(Json::Object(schema)) = self.document.at(at) else { continue };
            schemas.push(self.object(at, schema, |name| names.contains(&name))?);
        }
        self.finish(schemas)
    }

    /// Several schemas that all hold, with what they refer to.
    fn finish(mut self, mut parts: Vec<Json>) -> Result<Json, Defect> {
        let mut definitions = Map::new();
        while let Some(at) = self.queue.pop() {
            let schema = self.schema(&at)?;
            let name = self.names.get(&at).cloned().unwrap_or_default();
            definitions.insert(name, schema);
        }
        let mut rule = match (parts.pop(), parts.is_empty()) {
            (Some(Json::Object(only)), true) => only,
            (Some(last), _) => {
                parts.push(last);
                Map::from_iter([("allOf".to_owned(), json!(parts))])
            }
            (None, _) => Map::new(),
        };
        if !definitions.is_empty() {
            rule.insert("$defs".to_owned(), Json::Object(definitions));
        }
        Ok(Json::Object(rule))
    }

    fn schema(&mut self, at: &str) -> Result<Json, Defect> {
        match self.document.at(at) {
            Some(Json::Bool(admits)) => Ok(json!(admits)),
            Some(Json::Object(schema)) => self.object(at, schema, |_| true),
            _ => Err(defect(at, DefectRule::Malformed, "a schema is an object or a boolean")),
        }
    }

    fn object(
        &mut self,
        at: &str,
        schema: &Map<String, Json>,
        kept: impl Fn(&str) -> bool,
    ) -> Result<Json, Defect> {
        let mut out = Map::new();
        if let Some(reference) = schema.get("$ref").filter(|_| kept("$ref")) {
            let text = reference.as_str().ok_or_else(|| malformed(at, "$ref", "text"))?;
            let target = self.document.target(at, text)?;
            out.insert("$ref".to_owned(), json!(format!("#/$defs/{}", self.named(target))));
            if self.document.lone_references {
                return Ok(Json::Object(out));
            }
        }
        for (name, value) in schema.iter().filter(|(name, _)| kept(name)) {
            self.keyword(at, schema, name, value, &mut out)?;
        }
        Ok(Json::Object(out))
    }

    fn named(&mut self, target: String) -> String {
        let next = format!("r{}", self.names.len());
        if let Some(known) = self.names.get(&target) {
            return known.clone();
        }
        self.queue.push(target.clone());
        self.names.insert(target, next.clone());
        next
    }

    fn keyword(
        &mut self,
        at: &str,
        schema: &Map<String, Json>,
        name: &str,
        value: &Json,
        out: &mut Map<String, Json>,
    ) -> Result<(), Defect> {
        let inner = child(at, name);
        match (name, value) {
            ("items", Json::Array(list)) => {
                let parts = self.list(&inner, list.len())?;
                out.insert("prefixItems".to_owned(), json!(parts));
            }
            // Draft 7: what follows the list of `items`; beside anything else it asks nothing.
            ("additionalItems", _) => {
                if schema.get("items").is_some_and(Json::is_array) {
                    let rest = self.schema(&inner)?;
                    out.insert("items".to_owned(), rest);
                }
            }
            ("dependencies", Json::Object(members)) => self.dependencies(&inner, members, out)?,
            (name, _) if ONE.contains(&name) => {
                let inner = self.schema(&inner)?;
                out.insert(name.to_owned(), inner);
            }
            (name, Json::Array(list)) if LIST.contains(&name) => {
                let parts = self.list(&inner, list.len())?;
                out.insert(name.to_owned(), json!(parts));
            }
            (name, Json::Object(members)) if MAP.contains(&name) => {
                let mut schemas = Map::new();
                for member in members.keys() {
                    schemas.insert(member.clone(), self.schema(&child(&inner, member))?);
                }
                out.insert(name.to_owned(), Json::Object(schemas));
            }
            ("unevaluatedProperties" | "unevaluatedItems", value) => {
                out.append(&mut unevaluated::meaning(self.document, at, name, value, out)?);
            }
            (name, value) => match part(name) {
                Part::Asks => {
                    out.insert(name.to_owned(), value.clone());
                }
                Part::Says | Part::Leads => {
                    self.words(at, name, value);
                }
                Part::Refused => return Err(refused(at, name)),
                Part::Unknown => {
                    self.notes.insert(unknown(at, name));
                }
            },
        }
        Ok(())
    }

    fn words(&mut self, at: &str, name: &str, value: &Json) {
        if name == "format" {
            let message = format!("format {value} is not enforced");
            self.notes.insert(note(at, NoteKind::NotEnforced, message));
        }
    }

    fn list(&mut self, at: &str, count: usize) -> Result<Vec<Json>, Defect> {
        (0..count).map(|index| self.schema(&child(at, &index.to_string()))).collect()
    }

    /// Draft 7's `dependencies` are names or schemas.
    fn dependencies(
        &mut self,
        at: &str,
        members: &Map<String, Json>,
        out: &mut Map<String, Json>,
    ) -> Result<(), Defect> {
        let (mut names, mut schemas) = (Map::new(), Map::new());
        for (member, value) in members {
            if value.is_array() {
                names.insert(member.clone(), value.clone());
            } else {
                schemas.insert(member.clone(), self.schema(&child(at, member))?);
            }
        }
        for (name, map) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
            if !map.is_empty() {
                out.insert(name.to_owned(), Json::Object(map));
            }
        }
        Ok(())
    }
}

pub(super) fn refused(at: &str, name: &str) -> Defect {
    defect(at, DefectRule::Unsupported, format!("{name} is not served"))
}

pub(super) fn unknown(at: &str, name: &str) -> Note {
    note(at, NoteKind::LeftOut, format!("{name:?} has no meaning in JSON Schema"))
}
