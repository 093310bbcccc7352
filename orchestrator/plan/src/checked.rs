//! A plan that was verified: what runs is what was checked.

use std::sync::Arc;
use std::time::Duration;

use convoke_catalog::Capability;
use convoke_proto::v1;
use convoke_proto::v1::execution_plan::{CombineMode, ExecutionMode};
use convoke_schema::Value;

use crate::{Argument, literal};

/// A plan without errors, bound to the contracts that it was checked against.
#[derive(Debug, Clone)]
pub struct CheckedPlan {
    /// As it came, with domains and contract digests filled in.
    pub plan: v1::ExecutionPlan,
    /// In the plan's order; never empty.
    pub steps: Vec<CheckedStep>,
    /// Never unspecified.
    pub combine: CombineMode,
    /// How many steps may run at a time; at least 1.
    pub max_concurrency: usize,
    /// The plan's own timeout, above zero.
    pub timeout: Option<Duration>,
}

/// One step of a checked plan. Dependencies are positions in [`CheckedPlan::steps`], sorted, each once, without cycles.
#[derive(Debug, Clone)]
pub struct CheckedStep {
    /// Unique in the plan.
    pub id: Arc<str>,
    /// What it calls.
    pub capability: Arc<Capability>,
    /// Its `params`, read.
    pub arguments: Argument,
    /// The steps that it refers to or names in `depends_on`: when one of them is missing, so is this step's input.
    pub data_dependencies: Vec<usize>,
    /// Those of the data dependencies whose failure this step survives: every reference to them has a default or asks
    /// for the status alone.
    pub tolerated: Vec<usize>,
    /// The step before it, in a SEQUENTIAL plan, unless it is a data dependency already.
    pub order_dependencies: Vec<usize>,
    /// Whether the plan fails with it.
    pub required: bool,
    /// Its name in a merged result: the plan's, else the id.
    pub output_key: String,
    /// Its own timeout, above zero.
    pub timeout: Option<Duration>,
}

// === impl CheckedPlan ===

impl CheckedPlan {
    /// The plan of an Invoke: one step with the id "1". Every value in `parameters` is a literal; `${…}` is text there.
    pub fn single(capability: Arc<Capability>, parameters: Value, timeout: Option<Duration>) -> Self {
        let step = v1::ExecutionStep {
            id: "1".to_owned(),
            domain: capability.domain.clone(),
            capability: capability.name.clone(),
            contract_digest: capability.contract_digest.clone(),
            params: literal::params(&parameters),
            ..Default::default()
        };
        let plan = v1::ExecutionPlan {
            execution_mode: ExecutionMode::Dag.into(),
            combine_mode: CombineMode::Last.into(),
            steps: vec![step],
            timeout: timeout.and_then(|timeout| timeout.try_into().ok()),
            ..Default::default()
        };
        let step = CheckedStep {
            id: "1".into(),
            capability,
            arguments: Argument::Literal(parameters),
            data_dependencies: Vec::new(),
            tolerated: Vec::new(),
            order_dependencies: Vec::new(),
            required: true,
            output_key: "1".to_owned(),
            timeout: None,
        };
        Self { plan, steps: vec![step], combine: CombineMode::Last, max_concurrency: 1, timeout }
    }
}
