//! Wire bytes to typed values.
use crate::graph::Graph;
use crate::value::Value;

/// Why bytes are no message of a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end too early or are not protobuf.
    #[error("the bytes are no {message}: {reason}")]
    Malformed {
        /// Full name of the message.
        message: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// Messages nest deeper than the limit.
    #[error("messages nest deeper than {0}")]
    TooDeep(usize),
    /// There are more values than the limit.
    #[error("more than {0} values")]
    TooLarge(usize),
}

pub(crate) fn decode(graph: &Graph, _root: u32, _bytes: &[u8]) -> Result<Value, DecodeError> {
    Err(DecodeError::TooLarge(graph.limits.max_values))
}
