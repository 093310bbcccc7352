//! A `google.protobuf.Any`: an object with the URL of its type under `@type`, and beside it the fields of that type,
//! or under `value` what has a JSON form of its own. It adds no segment to a path. An empty object is an empty Any.

use super::{At, Coercer, Shown, is_object};
use crate::graph::FieldType;
use crate::nearest::nearest;
use crate::place::Place;
use crate::report::ViolationRule;
use crate::value::{ANY_TYPE, ANY_VALUE, Name, Object, Value};
use crate::words;

/// What stands before the name of a type where nothing else is asked for.
const PREFIX: &str = "type.googleapis.com/";

impl Coercer<'_> {
    /// A value that says its type. Says whether it is right now.
    pub(super) fn any(&mut self, field: &FieldType, value: &mut Value, at: At<'_>) -> bool {
        let shown = Shown { sensitive: field.sensitive };
        let error = self.open_text(value, is_object, shown, at.place);
        let Value::Object(object) = value else {
            let mut expected = words::expected(self.graph, field.kind);
            if let Some(error) = error {
                expected = format!("{expected}; the text is no JSON: {error}");
            }
            self.refuse(field.sensitive, at.place, ViolationRule::WrongType, expected, value, String::new());
            return false;
        };
        if object.is_empty() {
            return true;
        }
        let mut members = object.take();
        let Some(place) = members.iter().position(|(name, _)| name.as_str() == ANY_TYPE) else {
            *value = Value::Object(Object::from(members));
            let expected = format!("the type as a URL, such as {PREFIX}{}", self.example_type());
            self.report.missing(&at.place.key(ANY_TYPE), expected);
            return false;
        };
        let (name, url) = members.remove(place);
        let mut right = self.type_once(&members, at.place);
        members.retain(|(name, _)| name.as_str() != ANY_TYPE);
        let mut packed = Value::Object(Object::from(members));
        right &= self.packed(&url, &mut packed, at);
        if let Value::Object(packed) = &mut packed {
            packed.members_mut().insert(0, (name, url));
        }
        *value = packed;
        right
    }

    /// The fields of the type that the URL names.
    fn packed(&mut self, url: &Value, packed: &mut Value, at: At<'_>) -> bool {
        let at = At { depth: at.depth.saturating_add(1), ..at };
        let graph = self.graph;
        match url.as_str().and_then(|url| graph.packed(url)) {
            None => {
                self.unknown_type(url, at.place);
                false
            }
            Some((index, message)) => match &message.whole {
                None if message.is_empty_type() => self.packed_empty(index, packed, at),
                None => self.message(index, packed, at),
                Some(whole) if at.depth > graph.limits.max_depth => {
                    let expected = format!("at most {} messages within each other", graph.limits.max_depth);
                    let rule = ViolationRule::TooDeep;
                    self.refuse(whole.sensitive, at.place, rule, expected, packed, String::new());
                    false
                }
                Some(whole) => self.packed_value(whole, packed, at),
            },
        }
    }

    /// An Empty, which some print as a message without fields, and some under `value`: it stays as it came.
    fn packed_empty(&mut self, index: u32, packed: &mut Value, at: At<'_>) -> bool {
        let mut held = Vec::new();
        if let Value::Object(object) = packed {
            held = object.take();
            let (value, others) = held.into_iter().partition(|(name, _)| name.as_str() == ANY_VALUE);
            held = value;
            *object = Object::from(others);
        }
        let mut right = self.message(index, packed, at);
        for (count, (name, value)) in held.iter_mut().enumerate() {
            let place = at.place.field(name);
            if count > 0 {
                let rule = ViolationRule::DuplicateField;
                self.refuse(false, &place, rule, "each key once".to_owned(), value, String::new());
                right = false;
            } else {
                right &= self.message(index, value, At { place: &place, ..at });
            }
        }
        if let Value::Object(object) = packed {
            object.members_mut().append(&mut held);
        }
        right
    }

    /// The one member `value`.
    fn packed_value(&mut self, whole: &FieldType, packed: &mut Value, at: At<'_>) -> bool {
        let Value::Object(object) = packed else { return false };
        let (mut right, mut came) = (true, 0);
        for (name, member) in object.iter_mut() {
            let place = at.place.field(name);
            if name.as_str() != ANY_VALUE {
                let expected = "value alone beside @type".to_owned();
                let rule = ViolationRule::UnknownField;
                self.refuse(whole.sensitive, &place, rule, expected, member, String::new());
                if !nearest(name, [ANY_VALUE].into_iter()).is_empty() {
                    self.report.suggest(ANY_VALUE.to_owned());
                }
                right = false;
            } else if came > 0 {
                let expected = "each key once".to_owned();
                let rule = ViolationRule::DuplicateField;
                self.refuse(whole.sensitive, &place, rule, expected, member, String::new());
                right = false;
            } else {
                came += 1;
                right &= self.element(whole, member, At { place: &place, ..at });
            }
        }
        if came == 0 && right {
            self.report.missing(&at.place.field(ANY_VALUE), words::expected(self.graph, whole.kind));
        }
        right && came > 0
    }

    fn type_once(&mut self, others: &[(Name, Value)], place: &Place<'_>) -> bool {
        let Some((_, second)) = others.iter().find(|(name, _)| name.as_str() == ANY_TYPE) else {
            return true;
        };
        let expected = "each key once".to_owned();
        let rule = ViolationRule::DuplicateField;
        self.refuse(false, &place.key(ANY_TYPE), rule, expected, second, String::new());
        false
    }

    fn unknown_type(&mut self, url: &Value, place: &Place<'_>) {
        let names: Vec<&str> = self.graph.packable().map(|message| message.full_name.as_ref()).collect();
        let mut suggestion = String::new();
        if let Some(text) = url.as_str() {
            let (prefix, name) = text.rsplit_once('/').map_or(("", text), |(host, name)| (host, name));
            // A full name that lacks its host is as near as can be.
            if let Some(known) = nearest(name, names.iter().copied()).first() {
                suggestion =
                    if prefix.is_empty() { format!("{PREFIX}{known}") } else { format!("{prefix}/{known}") };
            }
        }
        let rule = if url.as_str().is_some() { ViolationRule::NotAllowed } else { ViolationRule::WrongType };
        let known = words::one_of(names.iter().copied());
        let expected = format!("the URL of a type, such as {PREFIX}{}; {known}", self.example_type());
        self.refuse(false, &place.key(ANY_TYPE), rule, expected, url, String::new());
        self.report.suggest(suggestion);
    }

    /// A type of the team's own, else any.
    fn example_type(&self) -> String {
        let names = || self.graph.packable().map(|message| message.full_name.as_ref());
        let own = names().find(|name| !name.starts_with("google.protobuf."));
        own.or_else(|| names().next()).unwrap_or_default().to_owned()
    }
}
