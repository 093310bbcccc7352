//! The doors: the services of the contract that the orchestrator serves.
//!
//! Every door does three things: it reads its request strictly (what this version does not serve is refused by name,
//! never ignored), it asks the crate whose business it is, and it answers. Before there is an execution a failure is a
//! non-OK status with a ToolError in its details; once there is one, the answer is OK and its output says how it went.

pub(crate) mod orchestrator;
mod paging;
mod refuse;
pub(crate) mod registry;
mod request;

/// The largest message that a door reads.
pub(crate) const MAX_REQUEST: usize = 4 << 20;
/// The largest that it writes: the results of one execution. An agent's message grows when it becomes a result, and
/// what ran should not be lost to the size of its record; a caller decides what it takes.
pub(crate) const MAX_RESPONSE: usize = 64 << 20;
