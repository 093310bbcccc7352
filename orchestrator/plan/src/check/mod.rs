//! Everything that can be known about a plan before its first step runs.
//!
//! ```text
//! frame (steps, ids, keys, timeouts) ─► bind (capabilities) ─► params (literals, references) ─► edges (who waits)
//!     ─► types (each literal and each reference against the consumer's field) ─► PlanReport, CheckedPlan
//! ```
//!
//! All findings are reported at once; an error means that there is no checked plan. What the types leave open is a note,
//! and dispatch checks it again when the value is there.

mod bind;
mod edges;
mod findings;
mod frame;
mod graph;
mod params;
mod producer;
mod types;

use std::sync::Arc;

use convoke_catalog::{Capability, Catalog};
use convoke_proto::v1::execution_plan::ExecutionMode;
use convoke_proto::v1::{ExecutionPlan, ExecutionStep, PlanReport};

use self::findings::Findings;
use self::frame::Frame;
use self::graph::Waits;
use self::params::Params;
use crate::{CheckedPlan, CheckedStep, Limits};

/// Verifies a plan against what the mesh offers now. The plan that comes back is bound: domains and contract digests are
/// filled in. Near linear in the plan's size.
pub fn check(
    mut plan: ExecutionPlan,
    catalog: &Catalog,
    limits: &Limits,
) -> (PlanReport, Option<CheckedPlan>) {
    let mut findings = Findings::new(limits.max_findings);
    let Some(frame) = frame::read(&plan, limits, &mut findings) else {
        return (findings.into_report(), None);
    };
    let steps = plan.steps.iter_mut().enumerate();
    let capabilities: Vec<_> =
        steps.map(|(position, step)| bind::bind(step, position, catalog, &mut findings)).collect();
    let params = read_params(&plan, limits, &mut findings);
    let waits = edges::read(&plan, &frame, &params, &mut findings);
    types::check(&plan, &frame, &capabilities, &params, &mut findings);
    if findings.has_errors() {
        return (findings.into_report(), None);
    }
    let checked = bound(plan, frame, capabilities, params, &waits);
    (findings.into_report(), checked)
}

fn read_params(plan: &ExecutionPlan, limits: &Limits, findings: &mut Findings) -> Vec<Params> {
    let mut reader = params::Reader::new(limits, findings);
    let steps = plan.steps.iter().enumerate();
    steps.map(|(position, step)| reader.read(position, &step.id, step.params.as_ref())).collect()
}

/// The plan that runs; `None` only if a step without a capability got this far.
fn bound(
    plan: ExecutionPlan,
    frame: Frame,
    capabilities: Vec<Option<Arc<Capability>>>,
    params: Vec<Params>,
    waits: &[Waits],
) -> Option<CheckedPlan> {
    let parts = plan.steps.iter().zip(capabilities).zip(params).zip(waits).zip(&frame.timeouts).enumerate();
    let steps = parts.map(|(position, ((((step, capability), params), waits), timeout))| {
        Some(checked_step(step, capability?, params, waits, previous(position, frame.mode), *timeout))
    });
    let steps = steps.collect::<Option<Vec<_>>>()?;
    Some(CheckedPlan {
        steps,
        combine: frame.combine,
        max_concurrency: frame.max_concurrency,
        timeout: frame.timeout,
        plan,
    })
}

fn checked_step(
    step: &ExecutionStep,
    capability: Arc<Capability>,
    params: Params,
    waits: &Waits,
    previous: Option<usize>,
    timeout: Option<std::time::Duration>,
) -> CheckedStep {
    let data_dependencies = waits.producers();
    let order_dependencies =
        previous.filter(|before| !data_dependencies.contains(before)).into_iter().collect();
    CheckedStep {
        id: step.id.as_str().into(),
        capability,
        arguments: params.argument,
        tolerated: waits.tolerated(),
        data_dependencies,
        order_dependencies,
        required: is_required(step),
        output_key: frame::output_key(step).to_owned(),
        timeout,
    }
}

/// The step before, where the order alone says that it comes first.
fn previous(position: usize, mode: ExecutionMode) -> Option<usize> {
    if mode == ExecutionMode::Sequential { position.checked_sub(1) } else { None }
}

fn is_required(step: &ExecutionStep) -> bool {
    step.required.unwrap_or(true)
}
