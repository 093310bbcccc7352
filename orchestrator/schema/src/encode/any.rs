//! A `google.protobuf.Any`: the URL of a type, and the bytes of one message of it.

use super::{EncodeError, Sink, Walk};
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
            // Bytes with their length, as the field `value` of the Any holds them.
            return self.element(whole, 2, object.get(ANY_VALUE)?, depth + 1);
        }
        self.key(2, WireType::Length);
        let begun = self.sink.begin();
        let fields = |name: &str| name != ANY_TYPE && !(name == ANY_VALUE && message.is_empty_type());
        let members = object.iter().filter(|(name, _)| fields(name));
        let written = self.members(message, members, depth + 1);
        self.sink.end(begun);
        Some(written)
    }
}
