//! Objects: a message where the names are known, a map where they are not, a Struct where they are both.

use super::document::child;
use super::flat::{Atom, Flat, Node, flatten, malformed, too_intricate};
use super::keyword::OBJECT;
use super::message::Builder;
use super::scalar::places;
use super::shape::{GENERAL, MESSAGE, Many, OPEN, Shaped, Stand};
use super::unevaluated;
use crate::defect::Defect;
use hashbrown::HashSet;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A property, as far as the document describes it.
#[derive(Debug, Default)]
pub(super) struct Property {
    /// What is asked of it in any case.
    pub(super) places: Node,
    /// What is asked of it in some cases.
    pub(super) alternatives: Vec<String>,
    pub(super) required: bool,
}

impl<'d, 'a> Builder<'d, 'a> {
    pub(super) fn object(
        &mut self,
        node: &Node,
        flat: &Flat<'a>,
        stand: Stand<'_>,
    ) -> Result<Shaped, Defect> {
        let declared = flat.has("properties") || flat.has("required");
        if flat.has_any(&["enum", "const"]) || (declared && is_open(flat)) || self.forbids_required(flat) {
            return self.checked(node, flat, OPEN);
        }
        if declared {
            let name = self.message_of(node, flat, stand.name);
            return Ok(Shaped::typed(MESSAGE, &format!(".{}", self.full_name(&name))));
        }
        let additional: Node = flat
            .all("additionalProperties")
            .map(|(atom, _)| child(&atom.at, "additionalProperties"))
            .collect();
        let typed = flat.all("additionalProperties").any(|(_, schema)| schema.is_object());
        let unsaid = OBJECT.iter().chain(&GENERAL).copied();
        let mut unsaid = unsaid
            .filter(|name| !matches!(*name, "additionalProperties" | "minProperties" | "maxProperties"));
        let unsaid = unsaid.any(|name| flat.has(name)) || flat.has("unevaluatedProperties");
        if !typed || unsaid || stand.nesting > 0 {
            let asks = |name: &str| flat.has(name);
            let any = !unsaid
                && !["minProperties", "maxProperties"].into_iter().any(asks)
                && flat.all("additionalProperties").all(|(_, it)| {
                    *it == Json::Bool(true) || it.as_object().is_some_and(serde_json::Map::is_empty)
                });
            return if any { Ok(Shaped::typed(MESSAGE, OPEN)) } else { self.checked(node, flat, OPEN) };
        }
        let within = Stand { nesting: stand.nesting + 1, ..stand };
        let sized = |count: Option<u64>| u32::try_from(count.unwrap_or_default()).ok();
        let least = sized(self.count(flat, "minProperties", true)?);
        let most = self.count(flat, "maxProperties", false)?;
        let (Some(least), Some(greatest), true) = (least, sized(most), most != Some(0)) else {
            return self.checked(node, flat, OPEN);
        };
        let Some(mut shaped) = self.shape(&additional, within)? else {
            return self.checked(node, flat, OPEN);
        };
        shaped.many = Many::Map;
        shaped.spec.min_items = least;
        shaped.spec.max_items = greatest;
        Ok(shaped)
    }

    /// Every name that the node knows, and what it says about it.
    pub(super) fn properties(&mut self, flat: &Flat<'a>) -> Result<BTreeMap<String, Property>, Defect> {
        let mut properties: BTreeMap<String, Property> = BTreeMap::new();
        for (atom, members) in flat.all("properties") {
            let members =
                members.as_object().ok_or_else(|| malformed(&atom.at, "properties", "an object"))?;
            let at = child(&atom.at, "properties");
            for name in members.keys() {
                properties.entry(name.clone()).or_default().places.push(child(&at, name));
            }
        }
        for (atom, names) in flat.all("required") {
            let names = names.as_array().ok_or_else(|| malformed(&atom.at, "required", "a list of names"))?;
            for name in names {
                let name = name.as_str().ok_or_else(|| malformed(&atom.at, "required", "a list of names"))?;
                properties.entry(name.to_owned()).or_default().required = true;
            }
        }
        let mut seen = HashSet::new();
        self.alternatives(flat, &mut properties, &mut seen)?;
        for (name, property) in &mut properties {
            property.places.extend(flat.atoms.iter().filter_map(|atom| beside_declared(atom, name)));
        }
        Ok(properties)
    }

    /// Whether a name must be there and must not: no object meets that, and a message cannot say so.
    fn forbids_required(&self, flat: &Flat<'a>) -> bool {
        let names = flat.all("required").flat_map(|(_, names)| names.as_array().into_iter().flatten());
        let mut places = names.filter_map(Json::as_str).flat_map(|name| {
            let declared = flat.atoms.iter().filter_map(move |atom| {
                let members = atom.get("properties")?.as_object()?;
                members.contains_key(name).then(|| child(&child(&atom.at, "properties"), name))
            });
            declared.chain(flat.atoms.iter().filter_map(move |atom| beside_declared(atom, name)))
        });
        places.any(|place| self.document.at(&place) == Some(&Json::Bool(false)))
    }

    /// Names that only some alternative knows.
    fn alternatives(
        &mut self,
        flat: &Flat<'a>,
        properties: &mut BTreeMap<String, Property>,
        seen: &mut HashSet<String>,
    ) -> Result<(), Defect> {
        let mut branches: Vec<String> = Vec::new();
        for name in ["anyOf", "oneOf"] {
            branches.extend(flat.all(name).flat_map(|(atom, list)| places(&atom.at, name, list)));
        }
        for name in ["if", "then", "else"] {
            branches.extend(flat.all(name).map(|(atom, _)| child(&atom.at, name)));
        }
        for name in ["dependentSchemas", "dependencies"] {
            for (atom, members) in flat.all(name) {
                let schemas = members.as_object().into_iter().flatten().filter(|(_, it)| !it.is_array());
                branches.extend(schemas.map(|(member, _)| child(&child(&atom.at, name), member)));
            }
        }
        for at in branches {
            if !seen.insert(at.clone()) {
                continue;
            }
            self.spend(1, &at)?;
            if seen.len() > 500 {
                return Err(too_intricate(&at));
            }
            let branch = flatten(self.document, &vec![at])?;
            for (atom, members) in branch.all("properties") {
                let inner = child(&atom.at, "properties");
                for name in members.as_object().into_iter().flat_map(|members| members.keys()) {
                    properties.entry(name.clone()).or_default().alternatives.push(child(&inner, name));
                }
            }
            for (_, names) in branch.all("required") {
                for name in names.as_array().into_iter().flatten().filter_map(Json::as_str) {
                    properties.entry(name.to_owned()).or_default();
                }
            }
            self.alternatives(&branch, properties, seen)?;
        }
        Ok(())
    }

    /// What a message is checked for beside its fields.
    pub(super) fn message_rule(&mut self, flat: &Flat<'a>, root: bool) -> Result<String, Defect> {
        let names = [
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
        ];
        let describing = flat.atoms.iter().filter(|atom| atom.get("properties").is_some()).count();
        let spread = root && is_open(flat);
        self.residual(flat, |name, value, schema| {
            let composed = name == "unevaluatedProperties" && !unevaluated::is_alone(schema);
            let kept_apart =
                ((describing > 1 || composed) && has_effect(name, value)) || (spread && describes_rest(name));
            names.contains(&name) || kept_apart
        })
    }
}

/// What a schema asks of a name that it does not declare itself, but another one does, or that is only required.
fn beside_declared(atom: &Atom<'_>, name: &str) -> Option<String> {
    let declares = atom.get("properties").is_some_and(|declared| declared.get(name).is_some());
    // Which names patterns mean is left to the rule.
    if declares || atom.get("patternProperties").is_some() {
        return None;
    }
    let keyword = ["additionalProperties", "unevaluatedProperties"].into_iter().find(|keyword| {
        let alone = *keyword == "additionalProperties" || unevaluated::is_alone(atom.schema);
        alone && atom.get(keyword).is_some_and(|schema| *schema != Json::Bool(true))
    })?;
    Some(child(&atom.at, keyword))
}

/// `additionalProperties` is about the properties beside it, which a merged message no longer tells apart.
fn has_effect(name: &str, value: &Json) -> bool {
    match name {
        "additionalProperties" | "unevaluatedProperties" => *value != Json::Bool(true),
        "properties" => true,
        _ => false,
    }
}

fn describes_rest(name: &str) -> bool {
    matches!(name, "additionalProperties" | "patternProperties" | "properties")
}

/// Whether names beside the known ones are asked for.
pub(super) fn is_open(flat: &Flat<'_>) -> bool {
    let additional = flat.all("additionalProperties").any(|(_, schema)| *schema != Json::Bool(false));
    flat.has("patternProperties")
        || (additional && flat.all("additionalProperties").all(|(_, it)| *it != Json::Bool(false)))
}
