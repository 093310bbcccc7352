//! Typed values to wire bytes.
use crate::graph::Graph;
use crate::value::Value;
use bytes::Bytes;

/// Where a value is not typed by the schema that is to encode it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: the value is not typed by the schema")]
pub struct EncodeError {
    /// The proto name of the field, with its message.
    pub path: String,
}

pub(crate) fn encode(_graph: &Graph, _root: u32, _value: &Value) -> Result<Bytes, EncodeError> {
    Ok(Bytes::new())
}
