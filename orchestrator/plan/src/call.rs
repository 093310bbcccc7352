//! What the engine hands to dispatch, and what comes back.

use std::sync::Arc;
use std::time::Instant;

use convoke_catalog::Capability;
use convoke_proto::v1;
use convoke_schema::Value;

use crate::{Ledger, StepOutput};

/// One step, ready to be called. Dropping the future of the call cancels it.
#[derive(Debug, Clone)]
pub struct StepCall {
    /// The execution that the step belongs to.
    pub execution_id: Arc<str>,
    /// The step's id in its plan.
    pub step_id: Arc<str>,
    /// What is called, as it was checked; dispatch looks up its instances anew for each attempt.
    pub capability: Arc<Capability>,
    /// The evaluated parameters; not coerced yet.
    pub parameters: Value,
    /// When the step has to have ended; `None`: whenever it does.
    pub deadline: Option<Instant>,
    /// What all steps of the execution share.
    pub context: Arc<CallContext>,
    /// What the call has done so far, for who drops it.
    pub ledger: Ledger,
}

/// What travels with every call of an execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallContext {
    /// The caller's session; empty where there is none.
    pub session_id: String,
    /// The user's own sentence; empty where there is none.
    pub query: String,
    /// How many orchestrators the request has passed.
    pub hops: u32,
    /// The execution's key; the keys of its steps derive from it.
    pub idempotency_key: String,
    /// The W3C trace context that came with the request.
    pub traceparent: Option<String>,
}

/// How a step ended.
#[derive(Debug, Clone)]
pub struct StepResult {
    /// What is told about it: coercion, attempts, and the answer as `DomainOutput`.
    pub record: v1::StepRecord,
    /// The same answer as later steps refer to it.
    pub output: StepOutput,
}
