//! The engine's own cost: plans over a service that answers at once. Under 10 µs a step is the bar.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench that cannot go on says so")]

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use convoke_execution::{Engine, Limits, Permits, Run, collect};
use convoke_plan::{CallContext, StepCall, StepOutput, StepResult};
use convoke_proto::v1;
use convoke_proto::v1::domain_output::Status;
use convoke_schema::Value;
use tokio_util::sync::CancellationToken;
use tower::Service;

#[path = "../tests/execution/support/mod.rs"]
mod support;

fn main() {
    divan::main();
}

/// Answers at once, with an empty result.
#[derive(Clone)]
struct Instant;

impl Service<StepCall> for Instant {
    type Response = StepResult;
    type Error = Infallible;
    type Future = Ready<Result<StepResult, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: StepCall) -> Self::Future {
        let output = v1::DomainOutput { status: Status::Success.into(), ..Default::default() };
        let record =
            v1::StepRecord { step_id: call.step_id.to_string(), output: Some(output), ..Default::default() };
        let nothing = Value::Object(Default::default());
        let output = StepOutput {
            status: Status::Success,
            result: Some(nothing.clone()),
            explanation: String::new(),
            confidence: 1.0,
            metadata: nothing,
        };
        ready(Ok(StepResult { record, output }))
    }
}

/// `steps` steps, each of which depends on the one before it (`chain`) or on nothing.
fn plan(steps: usize, chain: bool) -> String {
    let step = |place: usize| {
        let after =
            if chain && place > 0 { format!(r#", "depends_on": ["{}"]"#, place - 1) } else { String::new() };
        format!(r#"{{"id": "{place}", "capability": "read"{after}}}"#)
    };
    format!(r#"{{"steps": [{}]}}"#, (0..steps).map(step).collect::<Vec<_>>().join(","))
}

fn run(bencher: divan::Bencher<'_, '_>, steps: usize, chain: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let engine = Engine::new(Instant, Permits::default(), Limits::default());
    let checked = support::plan(&plan(steps, chain));
    bencher.counter(divan::counter::ItemsCount::new(steps)).with_inputs(|| checked.clone()).bench_values(
        |plan| {
            let run = Run {
                execution_id: "o.e".into(),
                context: Arc::new(CallContext::default()),
                deadline: None,
                cancel: CancellationToken::new(),
                intent: None,
                plan_report: None,
            };
            runtime.block_on(collect(engine.run(plan, run)))
        },
    );
}

#[divan::bench(args = [1, 10, 100])]
fn chained(bencher: divan::Bencher<'_, '_>, steps: usize) {
    run(bencher, steps, true);
}

#[divan::bench(args = [10, 100])]
fn side_by_side(bencher: divan::Bencher<'_, '_>, steps: usize) {
    run(bencher, steps, false);
}
