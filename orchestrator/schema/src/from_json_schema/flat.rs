//! One node: everything that the document says about one value, wherever it says so.
//!
//! A node is the places whose schemas hold together: a property that two branches of an `allOf` describe has two. The
//! places that `$ref` and `allOf` lead to are added, each once, so that a document that refers to itself in every way
//! costs no more than its own size.

use super::document::{Document, child};
use super::keyword::{Part, part};
use super::{defect, note};
use crate::defect::{Defect, DefectRule};
use crate::rule::Types;
use hashbrown::HashSet;
use serde_json::{Map, Value as Json};

/// How far references and alternatives lead into one another.
const MAX_STEPS: usize = 200;

/// Places whose schemas one value meets together.
pub(super) type Node = Vec<String>;

/// One schema object of a node.
#[derive(Clone, Debug)]
pub(super) struct Atom<'a> {
    pub(super) at: String,
    pub(super) schema: &'a Map<String, Json>,
    /// Draft 7: what it asks is ignored, since a `$ref` stands beside.
    words_only: bool,
    /// The alternative that it was taken out of has been dealt with.
    unwrapped: Option<&'static str>,
}

/// A node with all that its places lead to.
#[derive(Debug, Default)]
pub(super) struct Flat<'a> {
    pub(super) atoms: Vec<Atom<'a>>,
    /// A `false` is among the schemas.
    pub(super) never: bool,
    /// What the value may be.
    pub(super) types: Types,
}

struct Walk<'d, 'a> {
    document: &'d Document<'a>,
    flat: Flat<'a>,
    seen: HashSet<String>,
    open: Vec<String>,
}

pub(super) fn flatten<'a>(document: &Document<'a>, node: &Node) -> Result<Flat<'a>, Defect> {
    let flat = Flat { types: Types::ALL, ..Flat::default() };
    let mut walk = Walk { document, flat, seen: HashSet::new(), open: Vec::new() };
    for at in node {
        walk.place(at, false)?;
    }
    Ok(walk.flat)
}

// === impl Walk ===

impl Walk<'_, '_> {
    fn place(&mut self, at: &str, or_null: bool) -> Result<(), Defect> {
        if self.open.iter().any(|open| open == at) {
            let message = "the schema refers to itself without end";
            return Err(defect(at, DefectRule::Malformed, message));
        }
        if self.open.len() > MAX_STEPS {
            return Err(too_intricate(at));
        }
        if !self.seen.insert(at.to_owned()) {
            return Ok(());
        }
        let schema = match self.document.at(at) {
            Some(Json::Bool(true)) => return Ok(()),
            Some(Json::Bool(false)) => {
                self.flat.never = true;
                return Ok(());
            }
            Some(Json::Object(schema)) => schema,
            _ => return Err(defect(at, DefectRule::Malformed, "a schema is an object or a boolean")),
        };
        self.open.push(at.to_owned());
        let reference = schema.get("$ref");
        let words_only = self.document.lone_references && reference.is_some();
        let place = self.flat.atoms.len();
        self.flat.atoms.push(Atom { at: at.to_owned(), schema, words_only, unwrapped: None });
        if let Some(reference) = reference {
            let text = reference.as_str().ok_or_else(|| malformed(at, "$ref", "text"))?;
            let target = self.document.target(at, text)?;
            self.place(&target, or_null)?;
        }
        if !words_only {
            self.keywords(at, schema, or_null, place)?;
        }
        self.open.pop();
        Ok(())
    }

    fn keywords(
        &mut self,
        at: &str,
        schema: &Map<String, Json>,
        or_null: bool,
        place: usize,
    ) -> Result<(), Defect> {
        let mut types = own_types(self.document, at, schema, &mut 0)?;
        if or_null {
            types = types.or(Types::NULL);
        }
        self.flat.types = self.flat.types.and(types);
        if let Some(list) = schema.get("allOf") {
            for index in 0..list.as_array().ok_or_else(|| malformed(at, "allOf", "a list of schemas"))?.len()
            {
                self.place(&child(&child(at, "allOf"), &index.to_string()), or_null)?;
            }
        }
        for name in ["anyOf", "oneOf"] {
            let Some(other) = beside_null(self.document, at, schema, name)? else { continue };
            if let Some(atom) = self.flat.atoms.get_mut(place).filter(|atom| atom.unwrapped.is_none()) {
                atom.unwrapped = Some(name);
                self.place(&other, true)?;
            }
        }
        Ok(())
    }
}

// === impl Flat ===

impl<'a> Flat<'a> {
    /// The values of one keyword, each with its place.
    pub(super) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = (&'f Atom<'a>, &'a Json)> + 'f {
        self.atoms.iter().filter_map(move |atom| atom.get(name).map(|value| (atom, value)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// Whether anything is asked of the value.
    pub(super) fn asks(&self) -> bool {
        self.never || self.atoms.iter().any(|atom| atom.keywords().next().is_some())
    }

    /// Where something is asked: what two nodes have in common that are the same but for words.
    pub(super) fn key(&self) -> Vec<String> {
        let asking = self.atoms.iter().filter(|atom| atom.keywords().next().is_some());
        let mut key: Vec<String> = asking.map(|atom| atom.at.clone()).collect();
        key.sort();
        key
    }
}

// === impl Atom ===

impl<'a> Atom<'a> {
    /// A keyword that asks something, where it counts.
    pub(super) fn get(&self, name: &str) -> Option<&'a Json> {
        if self.words_only || self.unwrapped == Some(name) { None } else { self.schema.get(name) }
    }

    /// The keywords that ask something.
    pub(super) fn keywords(&self) -> impl Iterator<Item = (&'a str, &'a Json)> + '_ {
        let schema = self.schema;
        let counts = move |name: &str| !self.words_only && self.unwrapped != Some(name);
        schema
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .filter(move |(name, _)| part(name) == Part::Asks && counts(name))
    }

    /// Keywords that a `$ref` beside them makes ignored.
    pub(super) fn ignored(&self) -> impl Iterator<Item = &'a str> + '_ {
        let names = self.schema.keys().map(String::as_str);
        names.filter(|name| self.words_only && (part(name) == Part::Asks || *name == "allOf"))
    }
}

/// What the keywords of one schema let a value be, references and alternatives followed.
fn own_types(
    document: &Document<'_>,
    at: &str,
    schema: &Map<String, Json>,
    steps: &mut usize,
) -> Result<Types, Defect> {
    let mut types = Types::ALL;
    if let Some(value) = schema.get("type") {
        types = named_types(at, value)?;
    }
    if let Some(value) = schema.get("const") {
        types = types.and(type_of(value));
    }
    if let Some(list) = schema.get("enum") {
        let list = list.as_array().ok_or_else(|| malformed(at, "enum", "a list"))?;
        types = types.and(list.iter().fold(Types::NONE, |all, value| all.or(type_of(value))));
    }
    for name in ["anyOf", "oneOf"] {
        let Some(list) = schema.get(name) else { continue };
        let list = list.as_array().ok_or_else(|| malformed(at, name, "a list of schemas"))?;
        let mut any = Types::NONE;
        for index in 0..list.len() {
            any = any.or(types_at(document, &child(&child(at, name), &index.to_string()), steps)?);
        }
        types = types.and(any);
    }
    Ok(types)
}

/// As far as it is looked into, anything: the rule itself is checked in any case.
pub(super) fn types_at(document: &Document<'_>, at: &str, steps: &mut usize) -> Result<Types, Defect> {
    *steps += 1;
    if *steps > MAX_STEPS {
        return Ok(Types::ALL);
    }
    let schema = match document.at(at) {
        Some(Json::Bool(false)) => return Ok(Types::NONE),
        Some(Json::Object(schema)) => schema,
        _ => return Ok(Types::ALL),
    };
    let reference = schema.get("$ref").and_then(Json::as_str);
    let mut types = Types::ALL;
    if let Some(reference) = reference {
        types = types_at(document, &document.target(at, reference)?, steps)?;
        if document.lone_references {
            return Ok(types);
        }
    }
    types = types.and(own_types(document, at, schema, steps)?);
    for index in 0..schema.get("allOf").and_then(Json::as_array).map_or(0, Vec::len) {
        types = types.and(types_at(document, &child(&child(at, "allOf"), &index.to_string()), steps)?);
    }
    Ok(types)
}

/// Of two alternatives the one beside null.
fn beside_null(
    document: &Document<'_>,
    at: &str,
    schema: &Map<String, Json>,
    name: &str,
) -> Result<Option<String>, Defect> {
    if schema.get(name).and_then(Json::as_array).map(Vec::len) != Some(2) {
        return Ok(None);
    }
    let places = ["0", "1"].map(|index| child(&child(at, name), index));
    let [first, second] = &places;
    let types = [types_at(document, first, &mut 0)?, types_at(document, second, &mut 0)?];
    let [first_types, second_types] = types;
    Ok(match (first_types == Types::NULL, second_types == Types::NULL) {
        (true, false) if !second_types.has(Types::NULL) => Some(second.clone()),
        (false, true) if !first_types.has(Types::NULL) => Some(first.clone()),
        _ => None,
    })
}

fn named_types(at: &str, value: &Json) -> Result<Types, Defect> {
    let one = |value: &Json| {
        let name = value.as_str().ok_or_else(|| malformed(at, "type", "a name or a list of names"))?;
        let types = Types::named(name);
        types.ok_or_else(|| defect(at, DefectRule::Malformed, format!("{name:?} is no type of JSON Schema")))
    };
    match value {
        Json::Array(list) => list.iter().try_fold(Types::NONE, |all, value| Ok(all.or(one(value)?))),
        value => one(value),
    }
}

fn type_of(value: &Json) -> Types {
    match value {
        Json::Null => Types::NULL,
        Json::Bool(_) => Types::BOOLEAN,
        Json::Number(number) if number.is_i64() || number.is_u64() => Types::INTEGER,
        Json::Number(number) if number.as_f64().is_some_and(|it| it.fract() == 0.0) => Types::INTEGER,
        Json::Number(_) => Types::NUMBER,
        Json::String(_) => Types::STRING,
        Json::Array(_) => Types::ARRAY,
        Json::Object(_) => Types::OBJECT,
    }
}

pub(super) fn malformed(at: &str, name: &str, wanted: &str) -> Defect {
    defect(at, DefectRule::Malformed, format!("{name} is {wanted}"))
}

pub(super) fn too_intricate(at: &str) -> Defect {
    let message = format!("references and alternatives lead through more than {MAX_STEPS} others");
    defect(at, DefectRule::TooLarge, message)
}

/// A note.
pub(super) fn note(path: &str, kind: note::NoteKind, message: impl Into<String>) -> note::Note {
    note::Note { path: path.to_owned(), kind, message: message.into() }
}
