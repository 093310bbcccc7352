//! A `google.protobuf.Any`: the URL of a type, and the bytes of one message of it.

use super::{EncodeError, Sink, Walk, is_zero, key};
use crate::graph::FieldType;
use crate::kind::Type;
use crate::value::{ANY_TYPE, ANY_VALUE, Value};
use crate::wire::WireType;

// === impl Walk ===

impl<S: Sink> Walk<'_, S> {
    /// None where the value is no Any.
    pub(super) fn packed(&mut self, value: &Value, depth: usize) -> Option<Result<(), EncodeError>> {
        let object = value.as_object()?;
        let begun = self.sink.begin();
        let written = if object.is_empty() { Ok(()) } else { self.packed_message(value, depth)? };
        self.sink.end(begun);
        Some(written)
    }

    fn packed_message(&mut self, value: &Value, depth: usize) -> Option<Result<(), EncodeError>> {
        let object = value.as_object()?;
        let url = object.get(ANY_TYPE)?.as_str()?;
        let (_, message) = self.graph.packed(url)?;
        if depth >= self.graph.limits.max_depth {
            return None;
        }
        self.key(1, WireType::Length);
        self.delimited(url.as_bytes())?;
        if let Some(whole) = &message.whole {
            let value = object.get(ANY_VALUE)?;
            if has_no_bytes(whole, value) {
                return Some(Ok(()));
            }
            // Bytes with their length, as the field `value` of the Any holds them.
            return self.element(whole, 2, value, depth + 1);
        }
        let key = key(2, WireType::Length);
        let begun = self.sink.begin_some(key);
        let fields = |name: &str| name != ANY_TYPE && !(name == ANY_VALUE && message.is_empty_type());
        let members = object.iter().filter(|(name, _)| fields(name));
        let written = self.members(message, members, depth + 1);
        self.sink.end_some(key, begun);
        Some(written)
    }
}

/// Whether the message of a value with a JSON form of its own is at its default throughout.
fn has_no_bytes(whole: &FieldType, value: &Value) -> bool {
    match (whole.kind, value) {
        _ if whole.wrapped => is_zero(value),
        (Type::Timestamp, Value::Timestamp(it)) => it.seconds == 0 && it.nanos == 0,
        (Type::Duration, Value::Duration(it)) => it.seconds == 0 && it.nanos == 0,
        (Type::FieldMask, Value::Text(text)) => text.is_empty(),
        (Type::ListValue, Value::List(list)) => list.is_empty(),
        (Type::Struct | Type::Any, Value::Object(object)) => object.is_empty(),
        _ => false,
    }
}
