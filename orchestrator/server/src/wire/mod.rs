//! The server's side of the transport, below every door: which connections and requests are taken, how they end.
//!
//! ```text
//! incoming (bounded, severable connections) ─► gate (bounded requests and streams, drain) ─► services
//!                                                └ explain: a failure without a ToolError gets one
//! ```
//!
//! It knows paths, headers and statuses. It does not read a message.

mod body;
mod explain;
mod gate;
mod incoming;

pub(crate) use gate::Gate;
pub(crate) use incoming::incoming;
