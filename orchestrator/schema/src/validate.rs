//! What a typed value breaks: an agent's output, or a coerced value before it is sent.
//!
//! A field without presence that is at zero counts as absent unless it is required: the wire cannot tell the two.

use crate::coerce::demand::key_value;
use crate::constraint::Broken;
use crate::demand;
use crate::graph::{FieldType, Graph, MessageType, Shape};
use crate::kind::{IntegerType, Type};
use crate::place::Place;
use crate::report::{REDACTED, Report, Violation, ViolationRule, got};
use crate::rule;
use crate::time;
use crate::value::{ANY_TYPE, ANY_VALUE, Name, Object, Value, to_i128};
use crate::words;
use hashbrown::HashSet;

pub(crate) fn validate(graph: &Graph, root: u32, value: &Value) -> Vec<Violation> {
    let mut validator =
        Validator { graph, report: Report::new(graph.limits.max_report_bytes), veiled: false };
    if let Some(message) = graph.message(root) {
        match &message.whole {
            Some(whole) => validator.element(whole, value, &Place::ROOT, 0),
            None => validator.message(message, value, &Place::ROOT, 1),
        }
    }
    validator.report.into_violations()
}

struct Validator<'g> {
    graph: &'g Graph,
    report: Report,
    /// Within the value of a secret field: everything there is as secret.
    veiled: bool,
}

// === impl Validator ===

impl<'g> Validator<'g> {
    fn message(&mut self, message: &'g MessageType, value: &Value, place: &Place<'_>, depth: usize) {
        let Value::Object(object) = value else {
            let expected = format!("an object with the fields of {}", message.full_name);
            return self.refuse(message.sensitive, ViolationRule::WrongType, expected, value, place);
        };
        if depth > self.graph.limits.max_depth {
            let expected = format!("at most {} messages within each other", self.graph.limits.max_depth);
            return self.refuse(message.sensitive, ViolationRule::TooDeep, expected, value, place);
        }
        let before = self.report.violations().len();
        self.members(message, object.iter(), place, depth);
        // Of a value whose parts are wrong themselves there is nothing to say as a whole.
        if let Some(rule) = message.rule.as_ref().filter(|_| self.report.violations().len() == before) {
            let failures = crate::original::broken(self.graph, message, rule, value);
            self.report_all(rule::violations(failures, place, message.sensitive || self.veiled));
        }
    }

    fn report_all(&mut self, violations: impl Iterator<Item = Violation>) {
        for violation in violations {
            self.report.violate(violation);
        }
    }

    fn members<'v>(
        &mut self,
        message: &'g MessageType,
        members: impl Iterator<Item = (&'v Name, &'v Value)>,
        place: &Place<'_>,
        depth: usize,
    ) {
        let mut present = vec![false; message.fields.len()];
        let mut set = HashSet::new();
        for (name, member) in members {
            let Some((field, index)) =
                message.names.exact(name).and_then(|it| Some((message.field(it)?, it)))
            else {
                let expected = format!("a field of {}", message.full_name);
                self.refuse(
                    message.sensitive,
                    ViolationRule::UnknownField,
                    expected,
                    member,
                    &place.field(name),
                );
                continue;
            };
            if let Some(present) = usize::try_from(index).ok().and_then(|index| present.get_mut(index)) {
                *present = true;
            }
            if !message.demands.is_empty() && demand::is_set(field, member) {
                set.insert(field.number);
            }
            self.field(field, member, &place.field(name), depth);
        }
        for (field, _) in
            message.fields.iter().zip(present).filter(|(field, present)| field.required && !present)
        {
            self.report.missing(&place.field(&field.name), words::expected_whole(self.graph, field));
        }
        for (name, broken, came) in demand::broken(message, |field| set.contains(&field.number)) {
            let path = if name.is_empty() { place.path() } else { place.field(name).path() };
            self.report.violate(broken.at(path, came));
        }
    }

    fn field(&mut self, field: &'g FieldType, value: &Value, place: &Place<'_>, depth: usize) {
        let around = self.veiled;
        self.veiled |= field.spec.secret;
        self.shaped(field, value, place, depth);
        self.veiled = around;
    }

    fn shaped(&mut self, field: &'g FieldType, value: &Value, place: &Place<'_>, depth: usize) {
        match (field.shape, value) {
            (Shape::Single, _) => {
                let absent =
                    field.is_implicit() && !field.required && field.zero(self.graph).as_ref() == Some(value);
                if !absent {
                    self.element(field, value, place, depth);
                }
            }
            (Shape::List { .. }, Value::List(list)) => self.list(field, list, value, place, depth),
            (Shape::Map(_), Value::Object(object)) => self.map(field, object, value, place, depth),
            _ => {
                let expected = words::expected_whole(self.graph, field);
                self.refuse(field.sensitive, ViolationRule::WrongType, expected, value, place);
            }
        }
    }

    fn list(&mut self, field: &'g FieldType, list: &[Value], value: &Value, place: &Place<'_>, depth: usize) {
        // An empty list and none are one on the wire.
        if !list.is_empty() || field.required {
            self.items(field, list.len(), value, place);
        }
        for (index, element) in list.iter().enumerate() {
            self.element(field, element, &place.index(index), depth);
        }
        let repeats = field.constraints.as_ref().map(|it| it.repeats(list)).unwrap_or_default();
        for (index, first) in repeats {
            let expected = format!("a value different from that at {}", place.index(first).path());
            if let Some(element) = list.get(index) {
                self.refuse(
                    field.sensitive,
                    ViolationRule::NotUnique,
                    expected,
                    element,
                    &place.index(index),
                );
            }
        }
    }

    fn map(&mut self, field: &'g FieldType, object: &Object, value: &Value, place: &Place<'_>, depth: usize) {
        if !object.is_empty() || field.required {
            self.items(field, object.len(), value, place);
        }
        for (name, member) in object.iter() {
            self.key(field, name, &place.key(name));
            self.element(field, member, &place.key(name), depth);
        }
    }

    fn key(&mut self, field: &FieldType, name: &Name, place: &Place<'_>) {
        let (Some(constraints), Shape::Map(key)) = (&field.constraints, field.shape) else { return };
        if constraints.keys.is_empty() {
            return;
        }
        for mut broken in constraints.keys.check(&key_value(key.kind, name)) {
            broken.expected = format!("as the key {}", broken.expected);
            self.broken(field, broken, &Value::from(name.as_str()), place);
        }
    }

    fn items(&mut self, field: &FieldType, count: usize, value: &Value, place: &Place<'_>) {
        if let Some(broken) = field.constraints.as_ref().and_then(|constraints| constraints.items(count)) {
            self.broken(field, broken, value, place);
        }
    }

    fn element(&mut self, field: &'g FieldType, value: &Value, place: &Place<'_>, depth: usize) {
        if self.report.is_full() {
            return;
        }
        if let Type::Message(index) = field.kind {
            if let Some(message) = self.graph.message(index) {
                self.message(message, value, place, depth.saturating_add(1));
            }
            return;
        }
        if field.kind == Type::Any {
            return self.any(field, value, place, depth.saturating_add(1));
        }
        if let Some(rule) = mistyped(self.graph, field, value) {
            return self.refuse(field.sensitive, rule, words::expected(self.graph, field.kind), value, place);
        }
        for broken in field.constraints.as_ref().map(|it| it.element.check(value)).unwrap_or_default() {
            self.broken(field, broken, value, place);
        }
        let failures = field.rule.as_ref().map(|rule| rule.check(value)).unwrap_or_default();
        self.report_all(rule::violations(failures, place, field.sensitive || self.veiled));
    }

    fn any(&mut self, field: &'g FieldType, value: &Value, place: &Place<'_>, depth: usize) {
        let Value::Object(object) = value else {
            let expected = words::expected(self.graph, field.kind);
            return self.refuse(field.sensitive, ViolationRule::WrongType, expected, value, place);
        };
        if object.is_empty() {
            return;
        }
        let packed = object.get(ANY_TYPE).and_then(Value::as_str).and_then(|url| self.graph.packed(url));
        let Some((_, message)) = packed else {
            let expected = words::expected(self.graph, field.kind);
            return self.refuse(field.sensitive, ViolationRule::NotAllowed, expected, value, place);
        };
        if depth > self.graph.limits.max_depth {
            let expected = format!("at most {} messages within each other", self.graph.limits.max_depth);
            return self.refuse(field.sensitive, ViolationRule::TooDeep, expected, value, place);
        }
        match &message.whole {
            Some(whole) => match object.get(ANY_VALUE) {
                Some(value) => self.element(whole, value, &place.field(ANY_VALUE), depth),
                None => {
                    let expected = words::expected(self.graph, whole.kind);
                    self.report.missing(&place.field(ANY_VALUE), expected);
                }
            },
            None => {
                let fields = |name: &str| name != ANY_TYPE && !(name == ANY_VALUE && message.is_empty_type());
                let members = object.iter().filter(|(name, _)| fields(name));
                self.members(message, members, place, depth);
            }
        }
    }

    fn broken(&mut self, field: &FieldType, broken: Broken, value: &Value, place: &Place<'_>) {
        let got = if field.sensitive || self.veiled { REDACTED.to_owned() } else { got(value) };
        self.report.violate(broken.at(place.path(), got));
    }

    fn refuse(
        &mut self,
        sensitive: bool,
        rule: ViolationRule,
        expected: String,
        value: &Value,
        place: &Place<'_>,
    ) {
        let got = if sensitive || self.veiled { REDACTED.to_owned() } else { got(value) };
        self.report.violate(Violation {
            path: place.path(),
            rule: rule.into(),
            expected,
            got,
            suggestion: String::new(),
        });
    }
}

/// What is wrong with a value that should be typed by a field's kind.
fn mistyped(graph: &Graph, field: &FieldType, value: &Value) -> Option<ViolationRule> {
    let right = match (field.kind, value) {
        (Type::Double | Type::Float, Value::Float(it)) => {
            return (!it.is_finite() && !field.allow_non_finite).then_some(ViolationRule::NotFinite);
        }
        (Type::Integer(integer), Value::Int(_) | Value::Uint(_)) => return out_of_range(integer, value),
        (Type::Timestamp, Value::Timestamp(it)) => {
            let in_range = (0..1_000_000_000).contains(&it.nanos)
                && time::timestamp_from_nanos(time::timestamp_nanos(*it)).is_ok();
            return (!in_range).then_some(ViolationRule::OutOfRange);
        }
        (Type::Duration, Value::Duration(it)) => {
            let one_sign = i64::from(it.nanos).signum() * it.seconds.signum() >= 0;
            let in_range = one_sign
                && it.nanos.unsigned_abs() < 1_000_000_000
                && time::duration_from_nanos(time::duration_nanos(*it)).is_ok();
            return (!in_range).then_some(ViolationRule::OutOfRange);
        }
        (Type::Struct | Type::Value | Type::ListValue, any) => {
            let shape = match field.kind {
                Type::Struct => matches!(any, Value::Object(_)),
                Type::ListValue => matches!(any, Value::List(_)),
                _ => true,
            };
            return if shape { non_finite_within(any) } else { Some(ViolationRule::WrongType) };
        }
        (Type::Enum(index), Value::Null) => graph.enumeration(index).is_some_and(|it| it.null),
        (Type::Bool, Value::Bool(_))
        | (Type::String | Type::FieldMask, Value::Text(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Enum(_), Value::Enum(_)) => true,
        _ => false,
    };
    (!right).then_some(ViolationRule::WrongType)
}

fn out_of_range(integer: IntegerType, value: &Value) -> Option<ViolationRule> {
    let (least, greatest) = integer.range();
    let within = to_i128(value).is_some_and(|it| (least..=greatest).contains(&it));
    (!within).then_some(ViolationRule::OutOfRange)
}

fn non_finite_within(value: &Value) -> Option<ViolationRule> {
    match value {
        Value::Float(it) if !it.is_finite() => Some(ViolationRule::NotFinite),
        Value::List(list) => list.iter().find_map(non_finite_within),
        Value::Object(object) => object.iter().find_map(|(_, member)| non_finite_within(member)),
        _ => None,
    }
}
