//! A `google.protobuf.Any`: the message that its URL names.

use super::{DecodeError, Decoder, NO_TEXT, SHORT};
use crate::graph::MessageType;
use crate::value::{ANY_TYPE, ANY_VALUE, Name, Object, Value};
use crate::wire::Reader;
use crate::wire::WireType;

/// Why a packed message cannot be shown.
const UNKNOWN: &str = "an Any in it holds a type that is not among the descriptors";

// === impl Decoder ===

impl Decoder<'_> {
    /// What is packed, with its type; an empty object where there is neither.
    pub(super) fn any(
        &mut self,
        holder: &MessageType,
        bytes: &[u8],
        depth: usize,
    ) -> Result<Value, DecodeError> {
        let malformed = |reason| DecodeError::Malformed { message: holder.full_name.to_string(), reason };
        let (url, packed) = self.parts_of_any(bytes).ok_or_else(|| malformed(SHORT))?;
        let url = std::str::from_utf8(url).map_err(|_| malformed(NO_TEXT))?;
        if url.is_empty() && packed.is_empty() {
            return Ok(Value::Object(Object::new()));
        }
        let graph = self.graph;
        let (index, message) = graph.packed(url).ok_or_else(|| malformed(UNKNOWN))?;
        if depth > graph.limits.max_depth {
            return Err(DecodeError::TooDeep(graph.limits.max_depth));
        }
        let mut members = vec![(Name::from(ANY_TYPE), Value::from(url))];
        match &message.whole {
            Some(whole) => {
                members.push((Name::from(ANY_VALUE), self.parts(message, whole, packed, depth)?));
            }
            None => {
                if let Value::Object(mut object) = self.message(index, packed, depth)? {
                    members.append(&mut object.take());
                }
            }
        }
        Ok(Value::Object(Object::from(members)))
    }

    /// The URL and the bytes: the last of each.
    fn parts_of_any<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        let (mut url, mut packed): (&[u8], &[u8]) = (&[], &[]);
        let mut reader = Reader(bytes);
        while !reader.is_empty() {
            match reader.key()? {
                (1, WireType::Length) => url = reader.delimited()?,
                (2, WireType::Length) => packed = reader.delimited()?,
                (number, other) => reader.skip(other, number, self.graph.limits.max_depth)?,
            }
        }
        Some((url, packed))
    }
}
