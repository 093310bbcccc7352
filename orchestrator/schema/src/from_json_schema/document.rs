//! The schema as it came, its limits, and what its references mean.

use super::defect;
use super::openapi::is_written_otherwise;
use crate::defect::{Defect, DefectRule};
use serde_json::Value as Json;
use std::collections::HashMap;

/// How large a schema's text may be, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// How deep its JSON may nest.
const MAX_DEPTH: usize = 100;
/// How long the names on the way to one of its places may be together, in bytes.
const MAX_POINTER: usize = 1 << 10;

/// A schema within its limits.
pub(super) struct Document<'a> {
    root: &'a Json,
    /// Draft 7 ignores what stands beside a `$ref`.
    pub(super) lone_references: bool,
    /// A nested `$id` changes what references mean.
    rebased: bool,
    anchors: HashMap<String, String>,
}

// === impl Document ===

impl<'a> Document<'a> {
    pub(super) fn read(root: &'a Json, seen: &Seen) -> Result<Self, Defect> {
        let rebased = seen.rebased;
        let dialect = root.get("$schema").and_then(Json::as_str).unwrap_or_default();
        let dialect = dialect.trim_end_matches('#');
        let old = ["draft-03", "draft-04", "draft-06"].iter().any(|draft| dialect.contains(draft));
        if old {
            let message = format!("{dialect} is not served; write draft 7 or 2020-12");
            return Err(defect("#/$schema", DefectRule::Unsupported, message));
        }
        let mut known = HashMap::new();
        anchors(root, &mut "#".to_owned(), &mut known);
        Ok(Self { root, anchors: known, lone_references: dialect.contains("draft-07"), rebased })
    }

    /// What stands at a pointer of ours.
    pub(super) fn at(&self, pointer: &str) -> Option<&'a Json> {
        self.root.pointer(pointer.strip_prefix('#')?)
    }

    /// A reference without the document's own name, whole or from its last slash on.
    fn within<'r>(&self, reference: &'r str) -> &'r str {
        let id = self.root.get("$id").and_then(Json::as_str).unwrap_or_default().trim_end_matches('#');
        let last = id.rsplit('/').next().unwrap_or_default();
        let names = [id, last].into_iter().filter(|name| !name.is_empty());
        let mut rests = names.filter_map(|name| reference.strip_prefix(name));
        match rests.find(|rest| rest.is_empty() || rest.starts_with('#')) {
            Some("") => "#",
            Some(rest) => rest,
            None => reference,
        }
    }

    /// Where a reference leads.
    pub(super) fn target(&self, at: &str, reference: &str) -> Result<String, Defect> {
        let Some(fragment) = self.within(reference).strip_prefix('#') else {
            let message = format!("$ref {reference:?} leads out of the schema; nothing is fetched");
            return Err(defect(at, DefectRule::Unsupported, message));
        };
        if self.rebased {
            let message = "$ref beside a nested $id, which changes what it means, is not served";
            return Err(defect(at, DefectRule::Unsupported, message));
        }
        let fragment = percent_decoded(fragment);
        let pointer = match fragment.as_str() {
            "" => Some("#".to_owned()),
            pointer if pointer.starts_with('/') => Some(format!("#{pointer}")),
            anchor => self.anchors.get(anchor).cloned(),
        };
        let found =
            pointer.filter(|pointer| self.at(pointer).is_some_and(|it| it.is_object() || it.is_boolean()));
        found.ok_or_else(|| {
            defect(at, DefectRule::Malformed, format!("$ref {reference:?} leads to no schema"))
        })
    }
}

/// The pointer to a member.
pub(super) fn child(pointer: &str, token: &str) -> String {
    format!("{pointer}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// What a first walk over the whole document finds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// A nested schema has an `$id`.
    rebased: bool,
    /// Something may be written as OpenAPI 3.0 does.
    pub(super) otherwise: bool,
}

/// Walks the whole document, which has to stay within the limits.
pub(super) fn check_size(root: &Json) -> Result<Seen, Defect> {
    let (mut bytes, mut seen) = (0_usize, Seen::default());
    let mut open = vec![(root, 1_usize, 0_usize)];
    while let Some((value, depth, pointer)) = open.pop() {
        bytes = bytes.saturating_add(match value {
            Json::String(text) => text.len().saturating_add(3),
            Json::Null | Json::Bool(_) => 5,
            Json::Number(_) | Json::Array(_) | Json::Object(_) => 3,
        });
        if depth > MAX_DEPTH || pointer > MAX_POINTER {
            let message =
                format!("the schema nests deeper than {MAX_DEPTH}, or {MAX_POINTER} bytes of names");
            return Err(defect("#", DefectRule::TooLarge, message));
        }
        match value {
            Json::Array(list) => open.extend(list.iter().map(|value| (value, depth + 1, pointer + 8))),
            Json::Object(object) => {
                seen.otherwise |= is_written_otherwise(object);
                seen.rebased |= depth > 1
                    && object.get("$id").and_then(Json::as_str).is_some_and(|id| !id.starts_with('#'));
                bytes = object.keys().fold(bytes, |bytes, name| bytes.saturating_add(name.len() + 4));
                open.extend(object.iter().map(|(name, value)| (value, depth + 1, pointer + name.len() + 1)));
            }
            _ => {}
        }
        if bytes > MAX_BYTES {
            let message = format!("the schema is larger than {MAX_BYTES} bytes");
            return Err(defect("#", DefectRule::TooLarge, message));
        }
    }
    Ok(seen)
}

/// Every schema that has an `$anchor`, or draft 7's `"$id": "#…"`, and its pointer. The document's depth is bounded.
fn anchors(value: &Json, at: &mut String, found: &mut HashMap<String, String>) {
    let length = at.len();
    match value {
        Json::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                anchors(value, at, found);
                at.truncate(length);
            }
        }
        Json::Object(object) => {
            let named = |name: &str| object.get(name).and_then(Json::as_str);
            let old = named("$id").and_then(|id| id.strip_prefix('#'));
            for anchor in named("$anchor").into_iter().chain(old) {
                found.entry(anchor.to_owned()).or_insert_with(|| at.clone());
            }
            for (name, value) in object {
                *at = child(at, name);
                anchors(value, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

fn percent_decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let pair = (byte == b'%').then(|| (ahead.next(), ahead.next()));
        let hex = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|it| u8::try_from(it).ok());
        match pair.and_then(|(high, low)| Some((hex(high)?, hex(low)?))) {
            Some((high, low)) => {
                out.push(high * 16 + low);
                bytes = ahead;
            }
            None => out.push(byte),
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
