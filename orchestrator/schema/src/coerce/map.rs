//! Maps: an object, the JSON text of one, or a list of `{key, value}` as strict JSON Schemas ask for.

use super::number::{integer, number_text};
use super::row::{Refusal, Row};
use super::text::{string, word};
use super::{At, Coercer, Shown};
use crate::graph::{FieldType, MapKey};
use crate::kind::{IntegerType, Type};
use crate::place::Place;
use crate::report::{Op, Rule, ViolationRule};
use crate::value::{Name, Object, Value};
use crate::words;
use hashbrown::HashSet;

/// A key that is no canonical text of its type.
enum Key {
    Right,
    /// Mended by this rule; the key as it came.
    Mended(Rule, Name),
    Refused(Box<Refusal>),
}

impl Coercer<'_> {
    /// A map field. Says whether it is right now.
    pub(super) fn map(&mut self, field: &FieldType, key: MapKey, value: &mut Value, at: At<'_>) -> bool {
        let shown = self.shown(field.sensitive);
        let error =
            self.open_text(value, |it| matches!(it, Value::Object(_) | Value::List(_)), shown, at.place);
        let paired = self.pairs(key.kind, value, shown, at.place);
        let Value::Object(object) = value else {
            let mut expected = words::expected_whole(self.graph, field);
            if let Some(error) = error {
                expected = format!("{expected}; the text is no JSON: {error}");
            }
            self.refuse(field.sensitive, at.place, ViolationRule::WrongType, expected, value, String::new());
            return false;
        };
        let mut object = Object::from(object.take());
        let right = self.entries(field, key, &mut object, paired, at);
        *value = Value::Object(object);
        right && self.map_items(field, value, at.place)
    }

    fn map_items(&mut self, field: &FieldType, value: &Value, place: &Place<'_>) -> bool {
        let (Some(constraints), Value::Object(object)) = (&field.constraints, value) else { return true };
        let broken = constraints.items(object.len());
        let holds = broken.is_none();
        if let Some(broken) = broken {
            self.broken(field, broken, value, place);
        }
        holds
    }

    fn entries(
        &mut self,
        field: &FieldType,
        key: MapKey,
        object: &mut Object,
        paired: bool,
        at: At<'_>,
    ) -> bool {
        let keys: Vec<Key> =
            object.members_mut().iter_mut().map(|(name, _)| canonical_key(key.kind, name)).collect();
        let repeated = repeated_names(object);
        let mut right = true;
        for (index, ((name, value), key_read)) in object.iter_mut().zip(&keys).enumerate() {
            if self.report.is_full() {
                return false;
            }
            let came = if let Key::Mended(_, came) = key_read { came } else { name };
            let key_place =
                if paired { at.place.pair(name, index, "key") } else { at.place.key_from(name, came) };
            let place = if paired { at.place.pair(name, index, "value") } else { key_place };
            right &= self.key(field, key, key_read, name, &key_place);
            if repeated.contains(&index) {
                let expected = "each key once".to_owned();
                self.refuse(
                    field.sensitive,
                    &place,
                    ViolationRule::DuplicateField,
                    expected,
                    value,
                    String::new(),
                );
                right = false;
            } else if value.is_null() && !self.takes_null(field.kind) {
                let expected = words::expected(self.graph, field.kind);
                self.refuse(
                    field.sensitive,
                    &place,
                    ViolationRule::NullElement,
                    expected,
                    value,
                    String::new(),
                );
                right = false;
            } else {
                right &= self.element(field, value, At { place: &place, depth: at.depth });
            }
        }
        right
    }

    fn key(&mut self, field: &FieldType, key: MapKey, read: &Key, name: &Name, place: &Place<'_>) -> bool {
        match read {
            Key::Right => self.key_rules(field, key, name, place),
            Key::Mended(rule, came) => {
                let shown = self.shown(false);
                let draft = self.report.begin(place, *rule, Op::Rename);
                let draft = shown.before(draft, &Value::from(came.as_str()));
                shown.after(draft, &Value::from(name.as_str())).finish();
                self.key_rules(field, key, name, place)
            }
            Key::Refused(refusal) => {
                let expected = format!("as the key {}", words::expected(self.graph, key.kind));
                let got = Value::Text(name.as_str().to_owned());
                self.refuse(field.sensitive, place, refusal.rule, expected, &got, refusal.suggestion.clone());
                false
            }
        }
    }

    /// Makes an object of a list of pairs. Says whether it was one.
    fn pairs(&mut self, kind: Type, value: &mut Value, shown: Shown, place: &Place<'_>) -> bool {
        let Value::List(list) = &*value else { return false };
        let Some(members) = list.iter().map(|value| pair(kind, value)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let object = Value::Object(Object::from(members));
        let draft = shown.before(self.report.begin(place, Rule::PairsToMap, Op::Set), value);
        shown.after(draft, &object).finish();
        *value = object;
        true
    }
}

/// `{"key": k, "value": v}` in either order, nothing else; the key is text, a number or a boolean.
fn pair(kind: Type, value: &Value) -> Option<(Name, Value)> {
    let object = value.as_object()?;
    let key = match object.get("key")? {
        Value::Text(text) => text.clone(),
        // As text for the row of its kind; that of an integer keeps every digit.
        key if !matches!(kind, Type::Integer(_)) => match string(key) {
            Row::Mended(_, Value::Text(text)) => text,
            _ => return None,
        },
        scalar @ (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_)) => {
            scalar.to_json()
        }
        _ => return None,
    };
    let value = object.get("value")?;
    (object.len() == 2).then(|| (Name::from(key), value.clone()))
}

/// Puts a key into the text that protobuf JSON uses for it.
fn canonical_key(kind: Type, name: &mut Name) -> Key {
    let (rule, text) = match kind {
        Type::Integer(kind) => match integer_key(kind, name) {
            Ok(None) => return Key::Right,
            Ok(Some(text)) => (Rule::TextToNumber, text),
            Err(refusal) => return Key::Refused(refusal),
        },
        Type::Bool if matches!(name.as_str(), "true" | "false") => return Key::Right,
        Type::Bool => match word(name) {
            Some(value) => (Rule::TextToBool, value.to_string()),
            None => return Key::Refused(Box::new(Refusal::new(ViolationRule::WrongType))),
        },
        _ => return Key::Right,
    };
    Key::Mended(rule, std::mem::replace(name, Name::from(text)))
}

/// The canonical text of an integer key, where it came in another one.
fn integer_key(kind: IntegerType, name: &str) -> Result<Option<String>, Box<Refusal>> {
    let value = match integer(kind, &Value::Text(name.to_owned())) {
        Row::Typed(value) | Row::Mended(_, value) => value,
        Row::Refused(refusal) => return Err(refusal),
        Row::Keep => return Ok(None),
    };
    let text = value.to_json();
    let canonical = number_text(name).is_some_and(|(digits, _)| digits.len() == name.len()) && text == name;
    Ok((!canonical).then_some(text))
}

/// The places of members whose name came before.
pub(super) fn repeated_names(object: &Object) -> HashSet<usize> {
    let mut seen = HashSet::with_capacity(object.len());
    let members = object.members().iter().enumerate();
    members.filter(|(_, (name, _))| !seen.insert(name.as_str())).map(|(index, _)| index).collect()
}
