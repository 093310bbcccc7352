//! The engine and what it needs to run one plan.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use convoke_plan::{CallContext, CheckedPlan, StepCall, StepResult};
use convoke_proto::v1;
use futures::{Stream, stream};
use tokio_util::sync::CancellationToken;
use tower::Service;

use crate::drive::Execution;
use crate::{Limits, Permits};

/// Runs checked plans over a service of step calls. Cheap to clone; all clones share one pool of permits.
#[derive(Debug, Clone)]
pub struct Engine<S> {
    service: S,
    permits: Permits,
    limits: Limits,
    clock: fn() -> SystemTime,
}

/// One execution: who asked for it, and for how long it may go on.
#[derive(Debug, Clone)]
pub struct Run {
    /// `{orchestrator}.{ULID}`.
    pub execution_id: Arc<str>,
    /// What every call of it carries.
    pub context: Arc<CallContext>,
    /// When the caller stops waiting (`grpc-timeout`); the plan's timeout and the engine's own may be earlier.
    pub deadline: Option<Instant>,
    /// Cancels the execution; so does dropping the stream of its events.
    pub cancel: CancellationToken,
    /// What the plan came from, for the first event.
    pub intent: Option<v1::IntentOutput>,
    /// What the check found, for the first event.
    pub plan_report: Option<v1::PlanReport>,
}

impl<S> Engine<S> {
    /// An engine over `service`, with a pool of permits that may be shared with other engines.
    pub fn new(service: S, permits: Permits, limits: Limits) -> Self {
        Self { service, permits, limits, clock: SystemTime::now }
    }

    /// Stamps events by another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> SystemTime) -> Self {
        self.clock = clock;
        self
    }
}

impl<S> Engine<S>
where
    S: Service<StepCall, Response = StepResult, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    /// Runs a plan. The events come as they happen: Started, StepStarted and StepEnded of each step, Ended.
    ///
    /// Every step of the plan has exactly one StepEnded; one that was skipped, or cancelled before it began, has no
    /// StepStarted. The execution works while the stream is polled, on a tokio runtime with time. Dropping the stream
    /// cancels it: calls without effects are reset, a running side effect is awaited in the background.
    pub fn run(&self, plan: CheckedPlan, run: Run) -> impl Stream<Item = v1::ExecutionEvent> + Send + use<S> {
        let execution =
            Execution::new(self.service.clone(), self.permits.clone(), self.limits, self.clock, plan, run);
        stream::unfold(execution, |mut execution| async move {
            let event = execution.next().await?;
            Some((event, execution))
        })
    }
}
