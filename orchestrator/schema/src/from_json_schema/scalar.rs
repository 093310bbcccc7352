//! Texts, numbers, booleans and enumerations.

use super::defect;
use super::descriptor::{EnumType, EnumValue, EnumValueOptions, MessageType};
use super::document::child;
use super::flat::{Flat, Node, malformed};
use super::message::Builder;
use super::names::{is_identifier, type_name};
use super::shape::{BOOL, DOUBLE, ENUM, GENERAL, INT64, STRING, Shaped, Stand, UINT64};
use crate::defect::{Defect, DefectRule};
use crate::rule::Rule;
use crate::value::{Value, integer_of, to_i128};
use convoke_proto::v1::{EnumValueSpec, FieldSpec};
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashSet};

/// Numbers of converted enum values begin here: a JSON Schema's choices have none, and a small number that comes
/// instead of a name must not be taken for one.
const FIRST_NUMBER: i32 = 1_000_000;
/// How many choices an enum may have.
const MAX_CHOICES: usize = 5_000;

/// A bound that is not there yet, or the strictest so far.
type Strictest<'a> = Option<(f64, &'a Json)>;

impl<'d, 'a> Builder<'d, 'a> {
    /// A string; an enum where it is one of several words.
    pub(super) fn text(
        &mut self,
        node: &Node,
        flat: &Flat<'a>,
        stand: Stand<'_>,
    ) -> Result<Option<Shaped>, Defect> {
        if let Some(choices) = self.choices(node, flat)? {
            return Ok((!choices.is_empty()).then(|| self.choice(&choices, flat, stand)));
        }
        let mut spec = FieldSpec::default();
        let fits = |count: u64| u32::try_from(count).ok();
        let least = self.count(flat, "minLength", true)?.unwrap_or_default();
        let most = self.count(flat, "maxLength", false)?;
        spec.min_length = fits(least).unwrap_or_default();
        spec.max_length = most.and_then(fits).unwrap_or_default();
        let long = fits(least).is_none();
        let none = most == Some(0);
        let mut first = None;
        for (atom, pattern) in flat.all("pattern") {
            let text = pattern.as_str().ok_or_else(|| malformed(&atom.at, "pattern", "text"))?;
            if first.is_none() && reads_alike(text) {
                let translated = crate::rule::translate(text);
                spec.pattern =
                    translated.map_err(|message| defect(&atom.at, DefectRule::BadPattern, message))?;
                first = Some(pattern);
            }
        }
        spec.json_schema = self.residual(flat, |name, value, _| {
            GENERAL.contains(&name)
                || (name == "pattern" && first.is_none_or(|first| !std::ptr::eq(first, value)))
                || (name == "minLength" && long)
                || (name == "maxLength" && none)
        })?;
        Ok(Some(Shaped::of(STRING, spec)))
    }

    fn choice(&mut self, choices: &[Json], flat: &Flat<'a>, stand: Stand<'_>) -> Shaped {
        let words: Vec<&str> = choices.iter().filter_map(Json::as_str).collect();
        let distinct: HashSet<&str> = words.iter().copied().collect();
        let plain = words.iter().all(|word| is_identifier(word)) && words.len() <= MAX_CHOICES;
        if !plain || distinct.len() != words.len() {
            let allowed_values = words.iter().map(|word| (*word).to_owned()).collect();
            return Shaped::of(STRING, FieldSpec { allowed_values, ..FieldSpec::default() });
        }
        let described = self.described(flat);
        let value = |(number, word): (i32, &&str)| EnumValue {
            name: (*word).to_owned(),
            number,
            options: described.get(*word).map(|description| EnumValueOptions {
                spec: Some(EnumValueSpec { description: description.clone(), ..EnumValueSpec::default() }),
            }),
        };
        let value = (FIRST_NUMBER..).zip(&words).map(value).collect();
        // A word may be `Enum` too; words of one enum are names in the message around it.
        let mut name = "Enum".to_owned();
        while distinct.contains(name.as_str()) {
            name.push('_');
        }
        let holder = self.type_name(&format!("{}Choice", type_name(stand.name)));
        let full_name = format!(".{}.{name}", self.full_name(&holder));
        let enum_type = vec![EnumType { name, value }];
        self.messages.push(MessageType { name: holder, enum_type, ..MessageType::default() });
        Shaped::typed(ENUM, &full_name)
    }

    /// `oneOf: [{const: "a", description: "…"}]`: what is said of each choice.
    fn described(&self, flat: &Flat<'a>) -> BTreeMap<String, String> {
        let mut described = BTreeMap::new();
        for (_, list) in flat.all("oneOf").chain(flat.all("anyOf")) {
            for branch in list.as_array().into_iter().flatten() {
                let word = branch.get("const").and_then(Json::as_str);
                let text = branch.get("description").or_else(|| branch.get("title")).and_then(Json::as_str);
                if let (Some(word), Some(text)) = (word, text) {
                    described.insert(word.to_owned(), text.to_owned());
                }
            }
        }
        described
    }

    /// The values that a node lists, but null, as far as they meet all else that it asks; none where it lists none.
    pub(super) fn choices(&mut self, node: &Node, flat: &Flat<'a>) -> Result<Option<Vec<Json>>, Defect> {
        let listed = flat.all("enum").find_map(|(_, list)| list.as_array().cloned());
        let single = || flat.all("const").next().map(|(_, value)| vec![value.clone()]);
        let Some(listed) = listed.or_else(single).or_else(|| branches(flat)) else { return Ok(None) };
        let text = self.whole(node)?;
        let at = node.first().map_or("#", String::as_str);
        let rule = Rule::read(&text).map_err(|message| defect(at, DefectRule::Malformed, message))?;
        let mut choices: Vec<Json> = Vec::new();
        let mut seen = HashSet::new();
        for value in listed.into_iter().filter(|value| !value.is_null()) {
            let text = value.to_string();
            let meets = Value::parse(text.as_bytes()).is_ok_and(|value| rule.check(&value).is_empty());
            if meets && seen.insert(text) {
                choices.push(value);
            }
        }
        Ok(Some(choices))
    }

    pub(super) fn boolean(&mut self, node: &Node, flat: &Flat<'a>) -> Result<Option<Shaped>, Defect> {
        let mut spec = FieldSpec::default();
        match self.choices(node, flat)? {
            Some(choices) if choices.is_empty() => return Ok(None),
            Some(choices) => spec.allowed_values = choices.iter().map(Json::to_string).collect(),
            None => spec.json_schema = self.residual(flat, |name, _, _| GENERAL.contains(&name))?,
        }
        Ok(Some(Shaped::of(BOOL, spec)))
    }

    pub(super) fn number(&mut self, node: &Node, flat: &Flat<'a>) -> Result<Option<Shaped>, Defect> {
        let mut spec = FieldSpec::default();
        if let Some(choices) = self.choices(node, flat)? {
            spec.allowed_values = choices.iter().map(Json::to_string).collect();
            return Ok((!choices.is_empty()).then(|| Shaped::of(DOUBLE, spec)));
        }
        let text = |bound: Strictest<'a>| bound.map(|(_, bound)| bound.to_string()).unwrap_or_default();
        spec.minimum = text(bound(flat, "minimum", true)?);
        spec.exclusive_minimum = text(bound(flat, "exclusiveMinimum", true)?);
        spec.maximum = text(bound(flat, "maximum", false)?);
        spec.exclusive_maximum = text(bound(flat, "exclusiveMaximum", false)?);
        spec.json_schema =
            self.residual(flat, |name, _, _| name == "multipleOf" || GENERAL.contains(&name))?;
        Ok(Some(Shaped::of(DOUBLE, spec)))
    }

    /// An int64, or an uint64 where only that reaches the greatest values that are asked for.
    pub(super) fn integer(&mut self, node: &Node, flat: &Flat<'a>) -> Result<Option<Shaped>, Defect> {
        let mut spec = FieldSpec::default();
        if let Some(choices) = self.choices(node, flat)? {
            let numbers: Vec<i128> = choices.iter().filter_map(exact).collect();
            let unsigned = numbers.iter().any(|it| i64::try_from(*it).is_err());
            let kind = if unsigned { UINT64 } else { INT64 };
            let fit = numbers.len() == choices.len() && (!unsigned || numbers.iter().all(|it| *it >= 0));
            if !fit {
                return self.any(node, flat).map(Some);
            }
            spec.allowed_values = numbers.iter().map(i128::to_string).collect();
            return Ok((!choices.is_empty()).then(|| Shaped::of(kind, spec)));
        }
        let least = integer_bound(flat, true)?;
        let most = integer_bound(flat, false)?;
        let signed = (i128::from(i64::MIN), i128::from(i64::MAX));
        let wide = least.is_some_and(|it| it >= 0) && most.is_some_and(|it| it > signed.1);
        let (kind, (low, high)) = if wide { (UINT64, (0, i128::from(u64::MAX))) } else { (INT64, signed) };
        let (from, to) = (least.unwrap_or(low).max(low), most.unwrap_or(high).min(high));
        if from > to {
            return Ok(None);
        }
        if from > low {
            spec.minimum = from.to_string();
        }
        if to < high {
            spec.maximum = to.to_string();
        }
        spec.json_schema =
            self.residual(flat, |name, _, _| name == "multipleOf" || GENERAL.contains(&name))?;
        Ok(Some(Shaped::of(kind, spec)))
    }
}

/// The constants of alternatives that are nothing else.
fn branches(flat: &Flat<'_>) -> Option<Vec<Json>> {
    let (_, list) = flat.all("oneOf").chain(flat.all("anyOf")).next()?;
    let words = ["const", "enum", "type", "title", "description"];
    let constants = |branch: &Json| -> Option<Vec<Json>> {
        let branch = branch.as_object()?;
        if !branch.keys().all(|name| words.contains(&name.as_str())) {
            return None;
        }
        let single = branch.get("const").map(|value| vec![value.clone()]);
        single.or_else(|| branch.get("enum")?.as_array().cloned())
    };
    let constants: Option<Vec<Vec<Json>>> = list.as_array()?.iter().map(constants).collect();
    constants.map(|constants| constants.into_iter().flatten().collect())
}

/// Whether a translated pattern means the same to those who read ECMA's.
fn reads_alike(pattern: &str) -> bool {
    !["\\b", "\\B", "\\p", "\\P", "\\u{", "\\uD", "\\ud"].iter().any(|it| pattern.contains(it))
}

/// The strictest of a node's bounds.
fn bound<'a>(flat: &Flat<'a>, name: &str, least: bool) -> Result<Strictest<'a>, Defect> {
    let mut strictest: Strictest<'a> = None;
    for (atom, value) in flat.all(name) {
        let number = value.as_f64().ok_or_else(|| malformed(&atom.at, name, "a number"))?;
        let stricter = |(known, _): (f64, &Json)| if least { number > known } else { number < known };
        if strictest.is_none_or(stricter) {
            strictest = Some((number, value));
        }
    }
    Ok(strictest)
}

/// The least or greatest integer within all bounds of a node.
fn integer_bound(flat: &Flat<'_>, least: bool) -> Result<Option<i128>, Defect> {
    let names = if least { ["minimum", "exclusiveMinimum"] } else { ["maximum", "exclusiveMaximum"] };
    let mut strictest: Option<i128> = None;
    for (exclusive, name) in [(false, names[0]), (true, names[1])] {
        for (atom, value) in flat.all(name) {
            let double = value.as_f64().ok_or_else(|| malformed(&atom.at, name, "a number"))?;
            let step = i128::from(exclusive);
            let limit = match (exact(value), least) {
                (Some(at), true) => at + step,
                (Some(at), false) => at - step,
                (None, true) => rounded(double.ceil()),
                (None, false) => rounded(double.floor()),
            };
            strictest = Some(match strictest {
                None => limit,
                Some(known) if least => known.max(limit),
                Some(known) => known.min(limit),
            });
        }
    }
    Ok(strictest)
}

/// The integer that a number is, of at most 100 bits.
fn exact(value: &Json) -> Option<i128> {
    let value = Value::parse(value.to_string().as_bytes()).ok()?;
    to_i128(&value).filter(|it| it.unsigned_abs() < 1 << 100)
}

/// Beyond all integers it is one that no type holds.
fn rounded(double: f64) -> i128 {
    integer_of(double).filter(|it| it.unsigned_abs() < 1 << 100).unwrap_or(if double > 0.0 {
        1 << 100
    } else {
        -(1 << 100)
    })
}

/// The places of a keyword's list.
pub(super) fn places(at: &str, name: &str, list: &Json) -> Vec<String> {
    let count = list.as_array().map_or(0, Vec::len);
    (0..count).map(|index| child(&child(at, name), &index.to_string())).collect()
}
