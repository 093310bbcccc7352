//! One step call to one agent: what the plan says becomes what the agent's method takes, and what the agent answers
//! becomes the record.
//!
//! ```text
//! StepCall ─► coerce → validate → encode ─► AgentCall ─► retry( balance( attempt timeout → transport ))
//!                │                              │            │      │        └ HTTP/2 connection of the endpoint, pooled
//!                │                              │            │      └ power of two choices over the healthy instances
//!                │                              │            └ the same bytes to another instance, if that is safe
//!                ▼                              ▼
//! StepResult ◄─ record: coercion report, attempts, output ◄─ decode → validate ◄─ message, or status with ToolError
//! ```
//!
//! Above `encode` a request is a `StepCall`; below it an `AgentCall` (path, bytes, headers), whose clone is a count of
//! references: nothing is encoded twice. Everything is plain async code; the one box is the transport's dial.
//!
//! **Outcomes are honest.** `NOT_STARTED` is said only when the transport knows that no agent saw the call: the
//! connection was refused, the request never left, the peer refused the stream or named a last stream below it.
//! `NOT_APPLIED` is the agent's own word. Everything else that failed is `UNKNOWN`, whatever its status code. Only what
//! is NOT_STARTED, or belongs to a READ_ONLY or IDEMPOTENT capability, is repeated.
//!
//! Each attempt stands in the call's `Ledger` from its beginning: who drops a call reads there what it had done.
//!
//! Only the native unary binding is served. It keeps no plan and no order of steps, asks no model, and stores nothing.

mod answer;
mod balance;
mod carry;
mod config;
mod connection;
mod dispatch;
mod failure;
mod outcome;
mod policy;
mod pool;
mod retry;
mod unary;

use convoke_catalog::Live;

pub use config::Config;
pub use dispatch::{CallFuture, Dispatch};

/// The stack that calls agents: the instances are those that `live` names at each attempt.
pub fn stack(live: Live, config: Config) -> Dispatch {
    Dispatch::new(live, config)
}
