//! What a plan must be before its values are looked at: steps, ids, keys, modes, timeouts.

use std::collections::HashMap;
use std::time::Duration;

use convoke_proto::names;
use convoke_proto::v1::execution_plan::{CombineMode, ExecutionMode};
use convoke_proto::v1::plan_report::Rule;
use convoke_proto::v1::{ExecutionPlan, ExecutionStep};

use super::findings::{At, Findings};
use crate::Limits;

/// How long a key of a merged result may be, in characters.
const MAX_OUTPUT_KEY: usize = 128;

/// The plan's frame, read.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) mode: ExecutionMode,
    pub(crate) combine: CombineMode,
    pub(crate) max_concurrency: usize,
    pub(crate) timeout: Option<Duration>,
    /// Each step's own timeout.
    pub(crate) timeouts: Vec<Option<Duration>>,
    /// The position of each id; of several, the first.
    pub(crate) ids: HashMap<String, usize>,
}

/// Checks the frame. `None` when there is nothing, or too much, to look at any further.
pub(crate) fn read(plan: &ExecutionPlan, limits: &Limits, findings: &mut Findings) -> Option<Frame> {
    if plan.steps.is_empty() {
        findings.error(At::plan("steps"), Rule::BadPlan, "the plan has no steps");
        return None;
    }
    if plan.steps.len() > limits.max_steps {
        let message =
            format!("the plan has {} steps; at most {} are allowed", plan.steps.len(), limits.max_steps);
        findings.error(At::plan("steps"), Rule::LimitExceeded, message);
        return None;
    }
    let mode = match ExecutionMode::try_from(plan.execution_mode) {
        Ok(ExecutionMode::Unspecified) => ExecutionMode::Dag,
        Ok(mode) => mode,
        Err(_) => {
            findings.error(
                At::plan("execution_mode"),
                Rule::BadPlan,
                "there is no such mode; SEQUENTIAL, PARALLEL or DAG",
            );
            ExecutionMode::Dag
        }
    };
    let combine = match CombineMode::try_from(plan.combine_mode) {
        Ok(CombineMode::Unspecified) => CombineMode::Last,
        Ok(combine) => combine,
        Err(_) => {
            findings.error(
                At::plan("combine_mode"),
                Rule::BadPlan,
                "there is no such mode; LAST, REPORT or MERGE",
            );
            CombineMode::Last
        }
    };
    if combine == CombineMode::Merge {
        output_keys(plan, findings);
    }
    Some(Frame {
        mode,
        combine,
        max_concurrency: max_concurrency(plan, limits, findings),
        timeout: timeout(plan.timeout.as_ref(), At::plan("timeout"), findings),
        timeouts: timeouts(plan, findings),
        ids: ids(plan, findings),
    })
}

/// The name of a step's result in a merged output.
pub(crate) fn output_key(step: &ExecutionStep) -> &str {
    if step.output_key.is_empty() { &step.id } else { &step.output_key }
}

fn ids(plan: &ExecutionPlan, findings: &mut Findings) -> HashMap<String, usize> {
    let mut ids = HashMap::with_capacity(plan.steps.len());
    for (position, step) in plan.steps.iter().enumerate() {
        let path = format!("steps[{position}].id");
        let at = At::step(position, &step.id, &path);
        if !names::valid_step_id(&step.id) {
            findings.error(at, Rule::BadPlan, "an id is 1 to 64 of the letters A-Z, a-z, 0-9, _ and -");
        } else if let Some(first) = ids.get(&step.id) {
            findings.error(at, Rule::DuplicateId, format!("steps[{first}] has the id {:?} too", step.id));
        } else {
            ids.insert(step.id.clone(), position);
        }
    }
    ids
}

fn output_keys(plan: &ExecutionPlan, findings: &mut Findings) {
    let mut keys: HashMap<&str, usize> = HashMap::with_capacity(plan.steps.len());
    for (position, step) in plan.steps.iter().enumerate() {
        let key = output_key(step);
        let path = format!("steps[{position}].output_key");
        let at = At::step(position, &step.id, &path);
        if key.chars().count() > MAX_OUTPUT_KEY {
            findings.error(at, Rule::LimitExceeded, format!("a key has at most {MAX_OUTPUT_KEY} characters"));
        } else if let Some(first) = keys.get(key) {
            findings.error(at, Rule::DuplicateOutputKey, format!("steps[{first}] has the key {key:?} too"));
        } else {
            keys.insert(key, position);
        }
    }
}

fn max_concurrency(plan: &ExecutionPlan, limits: &Limits, findings: &mut Findings) -> usize {
    let most = limits.max_concurrency.max(1);
    let wanted = usize::try_from(plan.max_concurrency).unwrap_or(usize::MAX);
    if wanted > most {
        let message = format!("at most {most} steps run at a time: {most} is used");
        findings.warning(At::plan("max_concurrency"), Rule::LimitExceeded, message);
    }
    if wanted == 0 { limits.default_concurrency.clamp(1, most) } else { wanted.min(most) }
}

fn timeouts(plan: &ExecutionPlan, findings: &mut Findings) -> Vec<Option<Duration>> {
    let steps = plan.steps.iter().enumerate();
    steps
        .map(|(position, step)| {
            let path = format!("steps[{position}].timeout");
            timeout(step.timeout.as_ref(), At::step(position, &step.id, &path), findings)
        })
        .collect()
}

fn timeout(
    declared: Option<&prost_types::Duration>,
    at: At<'_>,
    findings: &mut Findings,
) -> Option<Duration> {
    let declared = declared?;
    match Duration::try_from(*declared) {
        Ok(timeout) if !timeout.is_zero() => Some(timeout),
        _ => {
            findings.error(at, Rule::BadPlan, "a timeout is above zero; leave it out for none");
            None
        }
    }
}
