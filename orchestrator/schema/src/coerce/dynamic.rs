//! Struct, Value and ListValue: any JSON, whose numbers are doubles.

use super::map::repeated_names;
use super::{At, Coercer, is_list, is_object, untyped};
use crate::graph::FieldType;
use crate::json;
use crate::kind::Type;
use crate::report::{Op, Rule, ViolationRule};
use crate::value::{Number, SAFE, Value};
use crate::words;

impl Coercer<'_> {
    /// A field that holds any JSON. Says whether it is right now.
    pub(super) fn dynamic_field(&mut self, field: &FieldType, value: &mut Value, at: At<'_>) -> bool {
        let wanted = match field.kind {
            Type::Struct => is_object,
            Type::ListValue => is_list,
            _ => return self.dynamic(value, field.sensitive, at),
        };
        let shown = self.shown(field.sensitive);
        let error = self.open_text(value, wanted, shown, at.place);
        if !wanted(value) {
            let mut expected = words::expected(self.graph, field.kind);
            if let Some(error) = error {
                expected = format!("{expected}; the text is no JSON: {error}");
            }
            self.refuse(field.sensitive, at.place, ViolationRule::WrongType, expected, value, String::new());
            return false;
        }
        self.dynamic(value, field.sensitive, at)
    }

    fn dynamic(&mut self, value: &mut Value, sensitive: bool, at: At<'_>) -> bool {
        match value {
            Value::Null | Value::Bool(_) | Value::Text(_) => true,
            Value::Int(it) if (-SAFE..=SAFE).contains(it) => true,
            Value::Float(it) if it.is_finite() => true,
            Value::Float(_) => {
                let expected = "a finite number".to_owned();
                self.refuse(sensitive, at.place, ViolationRule::NotFinite, expected, value, String::new());
                false
            }
            Value::Int(_) | Value::Uint(_) => {
                let text = Value::Text(value.to_json());
                self.write_out(value, text, sensitive, at)
            }
            Value::Number(number) => match decimal(number) {
                Some(text @ Value::Text(_)) => self.write_out(value, text, sensitive, at),
                Some(double) => {
                    *value = double;
                    true
                }
                None => {
                    let expected = "a number that a double holds".to_owned();
                    self.refuse(
                        sensitive,
                        at.place,
                        ViolationRule::OutOfRange,
                        expected,
                        value,
                        String::new(),
                    );
                    false
                }
            },
            Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) | Value::Enum(_) => {
                *value = untyped(value);
                true
            }
            Value::List(_) | Value::Object(_) => self.nested(value, sensitive, at),
        }
    }

    /// An integer that a double's neighbours could be taken for becomes its decimal text.
    fn write_out(&mut self, value: &mut Value, text: Value, sensitive: bool, at: At<'_>) -> bool {
        let shown = self.shown(sensitive);
        let draft = shown.before(self.report.begin(at.place, Rule::NumberToText, Op::Set), value);
        shown.after(draft, &text).finish();
        *value = text;
        true
    }

    fn nested(&mut self, value: &mut Value, sensitive: bool, at: At<'_>) -> bool {
        let depth = at.depth.saturating_add(1);
        if depth > self.graph.limits.max_depth {
            let expected = format!("at most {} levels within each other", self.graph.limits.max_depth);
            self.refuse(sensitive, at.place, ViolationRule::TooDeep, expected, value, String::new());
            return false;
        }
        let mut right = true;
        match value {
            Value::List(list) => {
                for (index, element) in list.iter_mut().enumerate() {
                    let place = at.place.index(index);
                    right &= !self.report.is_full()
                        && self.dynamic(element, sensitive, At { place: &place, depth });
                }
            }
            Value::Object(object) => {
                let repeated = repeated_names(object);
                for (index, (name, member)) in object.iter_mut().enumerate() {
                    let place = at.place.key(name);
                    if repeated.contains(&index) {
                        let expected = "each key once".to_owned();
                        let rule = ViolationRule::DuplicateField;
                        self.refuse(sensitive, &place, rule, expected, member, String::new());
                        right = false;
                        continue;
                    }
                    right &= !self.report.is_full()
                        && self.dynamic(member, sensitive, At { place: &place, depth });
                }
            }
            _ => {}
        }
        right
    }
}

/// The double of a literal, or its digits where it is an integer written out; none beyond every double.
fn decimal(number: &Number) -> Option<Value> {
    let plain = number.decimal().is_some_and(|decimal| decimal.is_plain() && !decimal.is_negative_zero());
    if plain {
        let mut text = String::new();
        json::number(number, &mut text);
        return Some(Value::Text(text));
    }
    let double = number.to_f64();
    double.is_finite().then_some(Value::Float(double))
}
