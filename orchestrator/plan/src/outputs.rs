//! What steps have answered, as references find it.

use std::collections::HashMap;
use std::sync::Arc;

use convoke_proto::v1::domain_output::Status;
use convoke_schema::Value;

/// A step's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutput {
    /// SUCCESS, FAILURE or CLARIFICATION.
    pub status: Status,
    /// The typed response; `None` unless the step succeeded.
    pub result: Option<Value>,
    /// In words; empty where the agent said nothing.
    pub explanation: String,
    /// Between 0 and 1.
    pub confidence: f64,
    /// An object; empty where the agent said nothing.
    pub metadata: Value,
}

/// The answers so far, by step id. A step that was skipped or cancelled has none.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    by_step: HashMap<Arc<str>, Arc<StepOutput>>,
}

// === impl Outputs ===

impl Outputs {
    /// No answers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a step's answer, in the place of an earlier one.
    pub fn insert(&mut self, step_id: impl Into<Arc<str>>, output: impl Into<Arc<StepOutput>>) {
        self.by_step.insert(step_id.into(), output.into());
    }

    /// A step's answer.
    pub fn get(&self, step_id: &str) -> Option<&Arc<StepOutput>> {
        self.by_step.get(step_id)
    }
}
