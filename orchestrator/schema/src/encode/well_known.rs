//! Messages that have a JSON form of their own.

use super::{Sink, Walk};
use crate::value::{Object, Value};
use crate::wire::WireType;

// === impl Walk ===

impl<S: Sink> Walk<'_, S> {
    pub(super) fn moment(&mut self, seconds: i64, nanos: i32) {
        let begun = self.sink.begin();
        for (number, part) in [(1, seconds), (2, i64::from(nanos))] {
            if part != 0 {
                self.key(number, WireType::Varint);
                self.sink.varint(part.cast_unsigned());
            }
        }
        self.sink.end(begun);
    }

    pub(super) fn mask(&mut self, text: &str) -> Option<()> {
        let begun = self.sink.begin();
        for path in text.split(',').filter(|path| !path.is_empty()) {
            self.key(1, WireType::Length);
            self.delimited(snake_case(path).as_bytes())?;
        }
        self.sink.end(begun);
        Some(())
    }

    pub(super) fn structure(&mut self, object: &Object, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let begun = self.sink.begin();
        for (name, value) in object.iter() {
            self.key(1, WireType::Length);
            let entry = self.sink.begin();
            self.key(1, WireType::Length);
            self.delimited(name.as_bytes())?;
            self.key(2, WireType::Length);
            self.any(value, depth)?;
            self.sink.end(entry);
        }
        self.sink.end(begun);
        Some(())
    }

    pub(super) fn list_value(&mut self, list: &[Value], depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let begun = self.sink.begin();
        for value in list {
            self.key(1, WireType::Length);
            self.any(value, depth)?;
        }
        self.sink.end(begun);
        Some(())
    }

    /// A google.protobuf.Value.
    pub(super) fn any(&mut self, value: &Value, depth: usize) -> Option<()> {
        let begun = self.sink.begin();
        match value {
            Value::Null => {
                self.key(1, WireType::Varint);
                self.sink.varint(0);
            }
            Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_) => {
                self.key(2, WireType::Fixed64);
                self.sink.raw(&value.as_f64()?.to_le_bytes());
            }
            Value::Bool(it) => {
                self.key(4, WireType::Varint);
                self.sink.varint(u64::from(*it));
            }
            Value::Object(object) => {
                self.key(5, WireType::Length);
                self.structure(object, depth)?;
            }
            Value::List(list) => {
                self.key(6, WireType::Length);
                self.list_value(list, depth)?;
            }
            Value::Text(text) => {
                self.key(3, WireType::Length);
                self.delimited(text.as_bytes())?;
            }
            Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) | Value::Enum(_) => {
                self.key(3, WireType::Length);
                self.delimited(value.to_text().as_bytes())?;
            }
        }
        self.sink.end(begun);
        Some(())
    }
}

/// `departsAt.localTime` as the descriptor names it: `departs_at.local_time`.
fn snake_case(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
