//! Fields: what is said about them, and how they stand in a descriptor.

use super::defect;
use super::descriptor::{FieldOptions, FieldType, MessageOptions, MessageType, OPTIONAL, REPEATED};
use super::flat::{Flat, Node, note};
use super::message::{Builder, is_blank};
use super::note::NoteKind;
use super::shape::{ANY, LIST, MESSAGE, Many, OPEN, STRING, Shaped};
use crate::defect::{Defect, DefectRule};
use convoke_proto::v1::FieldSpec;
use serde_json::Value as Json;

/// How many examples a field shows.
const MAX_EXAMPLES: usize = 20;

impl<'d, 'a> Builder<'d, 'a> {
    /// Words for the reader, and what to fill in.
    pub(super) fn annotate(
        &mut self,
        places: &Node,
        flat: &Flat<'a>,
        shaped: &mut Shaped,
    ) -> Result<(), Defect> {
        let at = places.first().map_or("#", String::as_str);
        self.describe(places, flat, shaped);
        let flag = |name: &str| flat.all_words(name).any(|(_, value)| *value == Json::Bool(true));
        shaped.deprecated = flag("deprecated");
        let password = flat.all_words("format").any(|(_, format)| format.as_str() == Some("password"));
        shaped.spec.secret = flag("writeOnly") || password;
        if flag("readOnly") {
            let message = "readOnly is not enforced: the parameter is taken";
            self.notes.insert(note(at, NoteKind::NotEnforced, message));
        }
        if let Some((_, default)) = flat.all_words("default").next().filter(|(_, default)| !default.is_null())
        {
            self.default(at, default, shaped);
        }
        let mut texts = Vec::new();
        for (atom, list) in flat.all_words("examples") {
            let Some(list) = list.as_array() else {
                return Err(defect(&atom.at, DefectRule::Malformed, "examples is a list"));
            };
            texts.extend(list.iter().take(MAX_EXAMPLES));
        }
        self.examples(at, &texts, shaped);
        Ok(())
    }

    fn describe(&mut self, places: &Node, flat: &Flat<'a>, shaped: &mut Shaped) {
        let text = |own: bool, name: &'static str| {
            let mut words = flat.all_words(name).filter(|(atom, _)| !own || places.contains(&atom.at));
            words.find_map(|(_, text)| text.as_str()).map(str::to_owned)
        };
        let typed = shaped.kind == MESSAGE
            && ![ANY, OPEN, LIST].contains(&shaped.type_name.as_deref().unwrap_or_default());
        let mut parts: Vec<String> = Vec::new();
        let own = text(true, "description").or_else(|| text(typed, "description"));
        let title = text(true, "title");
        let place = places.first().map_or("#", String::as_str);
        if own.is_some() && title.as_deref().is_some_and(|title| says_more(title, place)) {
            self.notes.insert(note(place, NoteKind::LeftOut, "title stands beside a description"));
        }
        parts.extend(own.or(title));
        for (name, words) in
            [("format", "Format"), ("contentEncoding", "Encoding"), ("contentMediaType", "Media type")]
        {
            if let Some((atom, value)) = flat.all_words(name).find(|(_, value)| value.is_string()) {
                let value = value.as_str().unwrap_or_default();
                parts.push(format!("{words}: {value}."));
                self.notes.insert(note(
                    &atom.at,
                    NoteKind::NotEnforced,
                    format!("{name} {value:?} is not enforced"),
                ));
            }
        }
        if shaped.many != Many::One && !shaped.spec.description.is_empty() {
            parts.push(format!("Each: {}", shaped.spec.description));
        }
        shaped.spec.description = parts.join(" ");
    }

    fn default(&mut self, at: &str, default: &Json, shaped: &mut Shaped) {
        if is_blank(default) && shaped.type_name.as_deref() != Some(ANY) {
            let message = "an empty default is not filled in";
            self.notes.insert(note(at, NoteKind::BadValue, message));
            return;
        }
        shaped.spec.default = written(default, shaped);
    }

    fn examples(&mut self, at: &str, examples: &[&'a Json], shaped: &mut Shaped) {
        if shaped.many == Many::Map {
            if !examples.is_empty() {
                self.notes.insert(note(at, NoteKind::LeftOut, "examples of a map are not carried"));
            }
            return;
        }
        let list = shaped.many == Many::List;
        // Those of a list are about its elements.
        let single = examples.iter().flat_map(|example| match example {
            Json::Array(list_example) if list => list_example.iter().collect::<Vec<_>>(),
            example => vec![*example],
        });
        let element = Shaped { many: Many::One, ..shaped.clone() };
        let texts = single.take(MAX_EXAMPLES).map(|example| written(example, &element));
        shaped.spec.examples.extend(texts);
    }
}

impl<'a> Flat<'a> {
    /// The values of a keyword that says something, each with its place.
    pub(super) fn all_words<'f>(
        &'f self,
        name: &'f str,
    ) -> impl Iterator<Item = (&'f super::flat::Atom<'a>, &'a Json)> + 'f {
        self.atoms.iter().filter_map(move |atom| atom.schema.get(name).map(|value| (atom, value)))
    }
}

/// Whether a title is more than the property's name in other letters.
fn says_more(title: &str, place: &str) -> bool {
    let name = place.rsplit('/').next().unwrap_or_default();
    let (mut said, mut known) = (String::new(), String::new());
    crate::names::normalise(title, &mut said);
    crate::names::normalise(name, &mut known);
    said != known
}

/// A value as the option's text: text as it is where text is wanted, else JSON.
fn written(value: &Json, shaped: &Shaped) -> String {
    match value {
        Json::String(text) if shaped.many == Many::One && shaped.type_name.as_deref() != Some(ANY) => {
            text.clone()
        }
        value => value.to_string(),
    }
}

/// The number of the field at a position: protobuf keeps 19000 to 19999 for itself.
pub(super) fn number(position: usize) -> i32 {
    let number = i32::try_from(position).unwrap_or(i32::MAX - 2_000) + 1;
    if number >= 19_000 { number + 1_000 } else { number }
}

pub(super) fn field(name: &str, json_name: &str, number: i32, shaped: Shaped) -> FieldType {
    let label = if shaped.many == Many::One { OPTIONAL } else { REPEATED };
    let spec = (shaped.spec != FieldSpec::default()).then_some(shaped.spec);
    let options = FieldOptions { deprecated: shaped.deprecated.then_some(true), spec };
    FieldType {
        name: name.to_owned(),
        number,
        label,
        kind: shaped.kind,
        type_name: shaped.type_name,
        options: (options != FieldOptions::default()).then_some(options),
        json_name: Some(json_name.to_owned()),
    }
}

/// The message that protobuf puts behind a map: `RatesEntry` of `rates`.
pub(super) fn entry_name(field: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for letter in field.chars() {
        if letter == '_' {
            upper = true;
            continue;
        }
        out.push(if upper { letter.to_ascii_uppercase() } else { letter });
        upper = false;
    }
    out.push_str("Entry");
    out
}

pub(super) fn entry(name: String, value: Shaped) -> MessageType {
    let value = Shaped { many: Many::One, spec: FieldSpec::default(), deprecated: false, ..value };
    let key = Shaped::of(STRING, FieldSpec::default());
    let options = MessageOptions { map_entry: Some(true), spec: None };
    MessageType {
        name,
        field: vec![field("key", "key", 1, key), field("value", "value", 2, value)],
        options: Some(options),
        ..MessageType::default()
    }
}
