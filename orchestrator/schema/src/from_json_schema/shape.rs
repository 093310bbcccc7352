//! Which kind of field a node becomes.

use super::defect;
use super::document::child;
use super::emit::{self, Emitter};
use super::flat::{Flat, Node, flatten, malformed, note};
use super::keyword::{ARRAY, OBJECT, Part, part};
use super::message::Builder;
use super::note::NoteKind;
use super::unevaluated;
use crate::defect::{Defect, DefectRule};
use crate::rule::Types;
use convoke_proto::v1::FieldSpec;
use serde_json::{Map, Value as Json};

pub(super) const DOUBLE: i32 = 1;
pub(super) const INT64: i32 = 3;
pub(super) const UINT64: i32 = 4;
pub(super) const BOOL: i32 = 8;
pub(super) const STRING: i32 = 9;
pub(super) const MESSAGE: i32 = 11;
pub(super) const ENUM: i32 = 14;

pub(super) const ANY: &str = ".google.protobuf.Value";
pub(super) const OPEN: &str = ".google.protobuf.Struct";
pub(super) const LIST: &str = ".google.protobuf.ListValue";

/// How much text all rules of one schema may have together, in bytes.
const MAX_RULES: usize = 4 << 20;
/// How deep lists and maps may nest.
const MAX_NESTING: usize = 64;
/// Keywords that ask something of any value, beside types and enumerations.
pub(super) const GENERAL: [&str; 6] = ["anyOf", "oneOf", "not", "if", "then", "else"];

/// How many values a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Many {
    One,
    List,
    Map,
}

/// What a node becomes.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    pub(super) kind: i32,
    pub(super) type_name: Option<String>,
    pub(super) many: Many,
    pub(super) spec: FieldSpec,
    /// Absence stands for null.
    pub(super) nullable: bool,
    pub(super) deprecated: bool,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand<'a> {
    /// What a type made for it is named after.
    pub(super) name: &'a str,
    /// Within how many lists and maps.
    pub(super) nesting: usize,
    /// Whether something asks if the member is there: null is then told from absence.
    pub(super) null_counts: bool,
}

// === impl Shaped ===

impl Shaped {
    pub(super) fn of(kind: i32, spec: FieldSpec) -> Self {
        Self { kind, type_name: None, many: Many::One, spec, nullable: false, deprecated: false }
    }

    pub(super) fn typed(kind: i32, type_name: &str) -> Self {
        Self { type_name: Some(type_name.to_owned()), ..Self::of(kind, FieldSpec::default()) }
    }
}

impl<'d, 'a> Builder<'d, 'a> {
    /// What a node becomes; none where no value meets it.
    pub(super) fn shape(&mut self, node: &Node, stand: Stand<'_>) -> Result<Option<Shaped>, Defect> {
        let at = node.first().map_or("#", String::as_str);
        if stand.nesting > MAX_NESTING {
            return Err(defect(at, DefectRule::TooLarge, "lists and maps nest too deep"));
        }
        let flat = flatten(self.document, node)?;
        self.spend(flat.atoms.len(), at)?;
        self.look_over(&flat)?;
        if flat.never || flat.types == Types::NONE {
            return Ok(None);
        }
        let kinds = flat.types.without(Types::NULL);
        let nullable = flat.types.has(Types::NULL);
        // Where null would have to be told from absence, or stands among others, it has to stay.
        let kept = stand.nesting > 0
            || stand.null_counts
            || flat.all("default").any(|(_, default)| !default.is_null());
        if kinds == Types::NONE || (nullable && kept) {
            return self.any(node, &flat).map(Some);
        }
        let shaped = match kinds {
            Types::STRING => self.text(node, &flat, stand)?,
            Types::INTEGER => self.integer(node, &flat)?,
            Types::NUMBER => self.number(node, &flat)?,
            Types::BOOLEAN => self.boolean(node, &flat)?,
            Types::ARRAY => Some(self.list(node, &flat, stand)?),
            Types::OBJECT => Some(self.object(node, &flat, stand)?),
            _ => return self.untyped(node, &flat, stand).map(Some),
        };
        let Some(mut shaped) = shaped else {
            return if nullable { self.any(node, &flat).map(Some) } else { Ok(None) };
        };
        if nullable && (shaped.many != Many::One || shaped.type_name.as_deref() != Some(ANY)) {
            shaped.nullable = true;
            let message = "null is taken as absent";
            self.notes.insert(note(at, NoteKind::NullIsAbsent, message));
        }
        Ok(Some(shaped))
    }

    /// A node that names no type: keywords that only ask something of objects, or of lists, mean one.
    fn untyped(&mut self, node: &Node, flat: &Flat<'a>, stand: Stand<'_>) -> Result<Shaped, Defect> {
        let only = |names: &[&str]| {
            flat.types == Types::ALL
                && flat.atoms.iter().flat_map(|atom| atom.keywords()).all(|(name, _)| names.contains(&name))
        };
        if !flat.asks() {
            return Ok(Shaped::typed(MESSAGE, ANY));
        }
        let at = node.first().map_or("#", String::as_str);
        if only(&OBJECT) && flat.has("properties") {
            self.notes.insert(note(at, NoteKind::Narrowed, "no type is named: taken for an object"));
            return self.object(node, flat, stand);
        }
        if only(&ARRAY) && flat.has("items") {
            self.notes.insert(note(at, NoteKind::Narrowed, "no type is named: taken for an array"));
            return self.list(node, flat, stand);
        }
        self.any(node, flat)
    }

    /// Any value, checked by all that the node asks.
    pub(super) fn any(&mut self, node: &Node, flat: &Flat<'a>) -> Result<Shaped, Defect> {
        self.checked(node, flat, ANY)
    }

    /// A value that is checked as a whole and mended nowhere.
    pub(super) fn checked(
        &mut self,
        node: &Node,
        flat: &Flat<'a>,
        type_name: &str,
    ) -> Result<Shaped, Defect> {
        let mut shaped = Shaped::typed(MESSAGE, type_name);
        if flat.asks() {
            let at = node.first().map_or("#", String::as_str);
            shaped.spec.json_schema = self.whole(node)?;
            self.notes.insert(note(
                at,
                NoteKind::CheckedOnly,
                "checked as a whole; nothing within is mended",
            ));
        }
        Ok(shaped)
    }

    /// The text of everything that a node asks.
    pub(super) fn whole(&mut self, node: &Node) -> Result<String, Defect> {
        let rule = Emitter::new(self.document, &mut self.notes).whole(node)?;
        self.rule_text(node.first().map_or("#", String::as_str), &rule)
    }

    /// The text of some of the keywords of a node; empty where it has none of them.
    pub(super) fn residual(
        &mut self,
        flat: &Flat<'a>,
        kept: impl Fn(&str, &Json, &Map<String, Json>) -> bool,
    ) -> Result<String, Defect> {
        let mut parts = Vec::new();
        for atom in &flat.atoms {
            let names = atom.keywords().filter(|(name, value)| kept(name, value, atom.schema));
            let names: Vec<&str> = names.map(|(name, _)| name).collect();
            if !names.is_empty() {
                parts.push((atom.at.clone(), names));
            }
        }
        let Some((at, _)) = parts.first().cloned() else { return Ok(String::new()) };
        let rule = Emitter::new(self.document, &mut self.notes).parts(&parts)?;
        self.rule_text(&at, &rule)
    }

    fn rule_text(&mut self, at: &str, rule: &Json) -> Result<String, Defect> {
        let text = rule.to_string();
        self.rule_bytes = self.rule_bytes.saturating_add(text.len());
        if self.rule_bytes > MAX_RULES {
            let message = format!("its rules have more than {MAX_RULES} bytes together");
            return Err(defect(at, DefectRule::TooLarge, message));
        }
        // Read once for its defects, at the place where they are.
        match crate::rule::Rule::read(&text) {
            Ok(_) => Ok(text),
            Err(message) => Err(defect(at, rule_defect(&message), message)),
        }
    }

    /// Every keyword is one that is served, or is noted.
    pub(super) fn look_over(&mut self, flat: &Flat<'a>) -> Result<(), Defect> {
        for atom in &flat.atoms {
            for (name, value) in atom.schema {
                match part(name) {
                    Part::Refused => return Err(emit::refused(&atom.at, name)),
                    Part::Unknown => {
                        self.notes.insert(emit::unknown(&atom.at, name));
                    }
                    _ if name.starts_with("unevaluated") => {
                        unevaluated::meaning(self.document, &atom.at, name, value, &Map::new())?;
                    }
                    _ => {}
                }
            }
            for name in atom.ignored() {
                let message = format!("{name} stands beside a $ref, where draft 7 ignores it");
                self.notes.insert(note(&atom.at, NoteKind::LeftOut, message));
            }
        }
        Ok(())
    }

    // === lists ===

    fn list(&mut self, node: &Node, flat: &Flat<'a>, stand: Stand<'_>) -> Result<Shaped, Defect> {
        let unsaid = ["prefixItems", "contains", "enum", "const", "unevaluatedItems"];
        let tuple = flat.all("items").any(|(_, items)| items.is_array());
        let general = flat.has_any(&GENERAL);
        let (least, most) = (self.count(flat, "minItems", true)?, self.count(flat, "maxItems", false)?);
        let sized = |count: Option<u64>| count.map(u32::try_from).transpose();
        let (Ok(least), Ok(most)) = (sized(least), sized(most.filter(|most| u32::try_from(*most).is_ok())))
        else {
            return self.checked(node, flat, LIST);
        };
        if stand.nesting > 0 || tuple || general || flat.has_any(&unsaid) || most == Some(0) {
            return self.checked(node, flat, LIST);
        }
        let items: Node = flat.all("items").map(|(atom, _)| child(&atom.at, "items")).collect();
        let within = Stand { nesting: stand.nesting + 1, ..stand };
        let Some(mut shaped) = self.shape(&items, within)? else { return self.checked(node, flat, LIST) };
        shaped.many = Many::List;
        shaped.spec.min_items = least.unwrap_or_default();
        shaped.spec.max_items = most.unwrap_or_default();
        shaped.spec.unique_items = flat.all("uniqueItems").any(|(_, unique)| unique == &Json::Bool(true));
        Ok(shaped)
    }

    /// The strictest of a node's counts.
    pub(super) fn count(&self, flat: &Flat<'a>, name: &str, least: bool) -> Result<Option<u64>, Defect> {
        let mut strictest: Option<u64> = None;
        for (atom, value) in flat.all(name) {
            let count = value.as_u64().or_else(|| whole_double(value));
            let count = count.ok_or_else(|| malformed(&atom.at, name, "an integer from 0"))?;
            strictest = Some(match strictest {
                None => count,
                Some(known) if least => known.max(count),
                Some(known) => known.min(count),
            });
        }
        Ok(strictest)
    }
}

/// `2.0` counts as 2.
fn whole_double(value: &Json) -> Option<u64> {
    let double = value.as_f64().filter(|double| (0.0..1e15).contains(double))?;
    crate::value::integer_of(double).and_then(|count| u64::try_from(count).ok())
}

fn rule_defect(message: &str) -> DefectRule {
    if message.starts_with("pattern") { DefectRule::BadPattern } else { DefectRule::Malformed }
}
