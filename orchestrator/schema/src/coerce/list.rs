//! Lists: a list, the JSON text of one, several values in one text, or one value alone.

use super::{At, Coercer, is_list, is_object};
use crate::graph::FieldType;
use crate::kind::Type;
use crate::place::Place;
use crate::report::{MAX_GOT, Op, Rule, ViolationRule};
use crate::value::Value;
use crate::words;

impl Coercer<'_> {
    /// A repeated field. Says whether it is right now.
    pub(super) fn list(&mut self, field: &FieldType, value: &mut Value, at: At<'_>) -> bool {
        let wrapped = match value {
            Value::List(_) => false,
            Value::Text(_) => match self.list_text(field, value, at.place) {
                Some(wrapped) => wrapped,
                None => return false,
            },
            _ => {
                self.wrap(field, value, at.place);
                true
            }
        };
        let mut right = match (&field.constraints, &*value) {
            (Some(constraints), Value::List(list)) => match constraints.items(list.len()) {
                Some(broken) => {
                    self.broken(field, broken, value, at.place);
                    false
                }
                None => true,
            },
            _ => true,
        };
        let Value::List(list) = value else { return right };
        for (index, element) in list.iter_mut().enumerate() {
            if self.report.is_full() {
                return false;
            }
            let place = if wrapped { at.place.wrapped() } else { at.place.index(index) };
            if element.is_null() && !self.takes_null(field.kind) {
                let expected = words::expected(self.graph, field.kind);
                self.refuse(
                    field.sensitive,
                    &place,
                    ViolationRule::NullElement,
                    expected,
                    element,
                    String::new(),
                );
                right = false;
            } else {
                let known = self.report.violations().len();
                right &= self.element(field, element, At { place: &place, depth: at.depth });
                if wrapped && self.report.violations().len() > known {
                    self.suggest_list(field, element);
                }
            }
        }
        self.unique(field, list, at.place) && right
    }

    fn unique(&mut self, field: &FieldType, list: &[Value], place: &Place<'_>) -> bool {
        let Some(constraints) = &field.constraints else { return true };
        let repeats = constraints.repeats(list);
        for (index, first) in &repeats {
            let Some(element) = list.get(*index) else { continue };
            let expected = format!("a value different from that at {}", place.index(*first).path());
            let place = place.index(*index);
            self.refuse(field.sensitive, &place, ViolationRule::NotUnique, expected, element, String::new());
        }
        repeats.is_empty()
    }

    /// A text with commas that is no value of the list's kind, while each of its parts is one: the list that is not
    /// taken for it is suggested.
    fn suggest_list(&mut self, field: &FieldType, element: &Value) {
        let hidden = field.sensitive || self.veiled;
        if let (false, Value::Text(text)) = (hidden, element)
            && self.report.violations().last().is_some_and(|last| last.suggestion.is_empty())
            && let Some(list) = self.parts(field, text)
        {
            self.report.suggest(list.to_json());
        }
    }

    /// The typed list of what stands between the commas; none where there is anything else.
    fn parts(&self, field: &FieldType, text: &str) -> Option<Value> {
        if text.len() > MAX_GOT || !text.contains(',') {
            return None;
        }
        let part = |part: &str| {
            let mut value = Value::from(part.trim_ascii());
            let right = Coercer::new(self.graph).single(field, &mut value).is_empty();
            right.then_some(value)
        };
        text.split(',').map(part).collect::<Option<Vec<_>>>().map(Value::List)
    }

    /// Makes a list of text. Says whether the text was wrapped; none where it was refused.
    fn list_text(&mut self, field: &FieldType, value: &mut Value, place: &Place<'_>) -> Option<bool> {
        let shown = self.shown(field.sensitive);
        let object = matches!(field.kind, Type::Message(_) | Type::Struct | Type::Any);
        let wanted = if object { |it: &Value| is_list(it) || is_object(it) } else { is_list };
        let error = self.open_text(value, wanted, shown, place);
        let Value::Text(text) = &*value else {
            if is_list(value) {
                return Some(false);
            }
            self.wrap(field, value, place);
            return Some(true);
        };
        if let Some(error) = error
            && text.trim_ascii_start().starts_with('[')
            && !matches!(field.kind, Type::String | Type::Value)
        {
            let expected =
                format!("{}; the text is no JSON: {error}", words::expected_whole(self.graph, field));
            self.refuse(field.sensitive, place, ViolationRule::WrongType, expected, value, String::new());
            return None;
        }
        let several = matches!(field.kind, Type::Enum(_) | Type::Integer(_)) && text.contains(',');
        if !several {
            self.wrap(field, value, place);
            return Some(true);
        }
        if may_be_one_number(text) {
            let expected = format!(
                "{}: the text could be one number or several",
                words::expected_whole(self.graph, field)
            );
            let suggestion = self.parts(field, text).map(|list| list.to_json()).unwrap_or_default();
            self.refuse(field.sensitive, place, ViolationRule::WrongType, expected, value, suggestion);
            return None;
        }
        let list = separated(text);
        let draft = shown.before(self.report.begin(place, Rule::TextToList, Op::Set), value);
        shown.after(draft, &list).finish();
        *value = list;
        Some(false)
    }

    fn wrap(&mut self, field: &FieldType, value: &mut Value, place: &Place<'_>) {
        let shown = self.shown(field.sensitive);
        let draft = shown.before(self.report.begin(place, Rule::SingleToList, Op::Wrap), value);
        let list = Value::List(vec![std::mem::take(value)]);
        shown.after(draft, &list).finish();
        *value = list;
    }
}

/// The texts between the commas, without the blanks around them.
fn separated(text: &str) -> Value {
    Value::List(text.split(',').map(|part| Value::from(part.trim_ascii())).collect())
}

/// `1,5` and `1,234,567`: digits with a decimal comma, or with commas before groups of three.
fn may_be_one_number(text: &str) -> bool {
    let text = text.trim_ascii();
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = |text: &str, separator: char| {
        let mut groups = text.split(separator);
        groups.next().is_some_and(|first| first.len() <= 3 && digits(first))
            && groups.all(|group| group.len() == 3 && digits(group))
    };
    // A decimal comma, perhaps after points before groups of three.
    if let Some((whole, fraction)) = text.split_once(',')
        && digits(fraction.split(['e', 'E']).next().unwrap_or_default())
        && fraction.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'e' | b'E' | b'+' | b'-'))
        && (digits(whole) || grouped(whole, '.'))
    {
        return true;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    grouped(whole, ',') && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::may_be_one_number;

    #[test]
    fn a_text_that_could_be_one_number_is_told_from_a_list() {
        for text in ["1,5", "1,234,567", "-1,5", " 10,20 ", "1,234.5", "1.234,5", "1,5e3"] {
            assert!(may_be_one_number(text), "{text}");
        }
        for text in ["1, 2", "1,2,3", "1,2345,678", "red,blue", "1,", ",1", "1,x", "1,-2", "1234,567,890"] {
            assert!(!may_be_one_number(text), "{text}");
        }
    }
}
