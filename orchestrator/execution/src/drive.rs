//! One execution: its whole state in one place, moved on by one future.
//!
//! [`Execution::next`] gives the next event. It starts whatever is free, then waits for one thing to happen (a call
//! ends, a permit comes, the caller cancels), settles it and looks again.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use convoke_plan::{CheckedPlan, Ledger, Outputs, StepCall, StepResult};
use convoke_proto::v1;
use convoke_proto::v1::capability::Effects;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::execution_event::{Ended as ExecutionEnded, Kind, Started, StepEnded, StepStarted};
use convoke_proto::v1::step_record::State;
use futures::future::BoxFuture;
use prost::Message;
use tokio::time::{Instant, timeout_at};
use tower::{Service, ServiceExt};

use crate::calls::{Calls, Ended, Running};
use crate::combine::{self, Outcome};
use crate::events::Events;
use crate::graph::Graph;
use crate::permits::Permit;
use crate::verdict::Verdict;
use crate::{Limits, Permits, Run, record};

/// A deadline for those who set none that a clock can show.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub(crate) struct Execution<S> {
    service: S,
    permits: Permits,
    run: Run,
    plan: CheckedPlan,
    deadline: Instant,
    /// Bytes that further results may have.
    room: usize,
    graph: Graph,
    calls: Calls,
    /// The one permit that this execution waits for.
    queued: Option<BoxFuture<'static, Option<Permit>>>,
    /// A permit that came and has no call yet.
    spare: Option<Permit>,
    outputs: Outputs,
    outcomes: Vec<Outcome>,
    verdict: Option<Verdict>,
    events: Events,
    over: bool,
}

/// What an execution waits for.
enum Happening {
    Cancelled,
    CallEnded(Ended, Running),
    /// `None`: the time was up first.
    Admitted(Option<Permit>),
}

// === impl Execution ===

impl<S> Execution<S> {
    pub(crate) fn new(
        service: S,
        permits: Permits,
        limits: Limits,
        clock: fn() -> SystemTime,
        mut plan: CheckedPlan,
        mut run: Run,
    ) -> Self {
        let mut events = Events::new(Arc::clone(&run.execution_id), clock);
        events.push(Kind::Started(Started {
            plan: Some(std::mem::take(&mut plan.plan)),
            intent: run.intent.take(),
            plan_report: run.plan_report.take(),
        }));
        let edges =
            plan.steps.iter().map(|step| step.data_dependencies.iter().chain(&step.order_dependencies));
        Self {
            service,
            permits,
            deadline: deadline(&limits, &plan, &run),
            room: limits.max_result_bytes,
            graph: Graph::new(edges),
            calls: Calls::default(),
            queued: None,
            spare: None,
            outputs: Outputs::new(),
            outcomes: plan.steps.iter().map(|_| Outcome::default()).collect(),
            verdict: None,
            events,
            over: false,
            plan,
            run,
        }
    }

    /// Ends every step that need not run any more, once something has ended the execution.
    fn wind_down(&mut self) {
        self.queued = None;
        self.spare = None;
        for (step, running) in self.calls.reset() {
            self.broken_off(step, State::Cancelled, record::interrupted(), &running);
        }
        if self.verdict == Some(Verdict::Cancelled) {
            for (step, running) in self.calls.abandon() {
                self.broken_off(step, State::Cancelled, record::interrupted(), &running);
            }
        }
        for step in self.graph.take_all() {
            self.settle(step, State::Cancelled, record::unstarted());
        }
    }

    /// What a step says that cannot run because one that it needs did not succeed.
    fn unmet(&self, step: usize) -> Option<v1::DomainOutput> {
        let checked = &self.plan.steps[step];
        let &unmet = checked.data_dependencies.iter().find(|&&dependency| {
            self.outcomes[dependency].state != State::Succeeded && !checked.tolerated.contains(&dependency)
        })?;
        Some(record::skipped(&self.plan.steps[unmet].id, self.outcomes[unmet].output.as_ref()))
    }

    /// A call ended by itself, or by its deadline.
    fn call_ended(&mut self, ended: Ended, running: &Running) {
        let Ended { step, result } = ended;
        let Some(StepResult { mut record, output: answer }) = result.map(|result| *result) else {
            return self.broken_off(step, State::Failed, record::timed_out(), running);
        };
        let size = record.output.as_ref().map_or(0, Message::encoded_len);
        let output = match record.output.take() {
            Some(_) if size > self.room => record::too_much(size, self.room),
            Some(output) => output,
            None => record::no_output(),
        };
        self.room = self.room.saturating_sub(size);
        record.state =
            if output.status() == Status::Success { State::Succeeded } else { State::Failed }.into();
        record.step_id = self.plan.steps[step].id.to_string();
        record.elapsed = record.elapsed.or_else(|| running.elapsed().try_into().ok());
        // The same status unless the output was replaced above.
        if output.status() == answer.status {
            self.outputs.insert(Arc::clone(&self.plan.steps[step].id), answer);
        }
        self.ended(step, v1::StepRecord { output: Some(output), ..record });
    }

    /// A step ended without a call.
    fn settle(&mut self, step: usize, state: State, output: v1::DomainOutput) {
        let record = record::record(&self.plan.steps[step], state, Some(output));
        self.ended(step, record);
    }

    /// A step ended without the last word of its call: what the call did until then is in its ledger.
    fn broken_off(&mut self, step: usize, state: State, output: v1::DomainOutput, running: &Running) {
        let mut record = record::record(&self.plan.steps[step], state, Some(output));
        record.elapsed = running.elapsed().try_into().ok();
        record::fill(&mut record, &running.ledger, Instant::now());
        self.ended(step, record);
    }

    /// Notes how a step ended, judges what that means for the plan, and frees its dependents.
    fn ended(&mut self, step: usize, record: v1::StepRecord) {
        let state = record.state();
        let status = record.output.as_ref().map_or(Status::Unspecified, v1::DomainOutput::status);
        let keeps = state != State::Succeeded || combine::keeps(self.plan.combine, &self.plan.steps, step);
        self.outcomes[step] = Outcome {
            state,
            confidence: record.output.as_ref().map_or(0.0, |output| output.confidence),
            output: record.output.as_ref().filter(|_| keeps).cloned(),
        };
        let required = self.plan.steps[step].required;
        match state {
            State::Failed if required && status == Status::Clarification => {
                Verdict::raise(&mut self.verdict, Verdict::Clarified(step));
            }
            State::Failed | State::Skipped if required => {
                Verdict::raise(&mut self.verdict, Verdict::Failed(step));
            }
            _ => {}
        }
        self.events.push(Kind::StepEnded(StepEnded { step: Some(record) }));
        self.graph.ended(step);
    }

    /// Whether every step has ended.
    fn is_done(&self) -> bool {
        self.calls.is_empty() && self.graph.is_drained()
    }

    /// The last event.
    fn finish(&mut self) {
        let (mode, steps) = (self.plan.combine, &self.plan.steps);
        let ending = match self.verdict {
            None => None,
            Some(Verdict::Cancelled) => Some(record::given_up()),
            Some(Verdict::TimedOut) => Some(record::out_of_time()),
            Some(Verdict::Failed(step) | Verdict::Clarified(step)) => self.outcomes[step].output.clone(),
        };
        let output = match (ending, self.verdict) {
            (None, None) => combine::succeeded(mode, steps, &mut self.outcomes),
            (ending, _) => combine::ended(mode, ending.unwrap_or_default(), steps, &mut self.outcomes),
        };
        let state = match self.verdict {
            Some(Verdict::Cancelled) => v1::execution::State::Cancelled,
            None if output.status() == Status::Success => v1::execution::State::Succeeded,
            _ => v1::execution::State::Failed,
        };
        self.events.push(Kind::Ended(ExecutionEnded { state: state.into(), output: Some(output) }));
        self.over = true;
    }

    /// Waits for one thing to happen. Only called while a call runs or a permit is waited for.
    async fn happening(&mut self) -> Happening {
        let queued = &mut self.queued;
        let admitted = async {
            match queued {
                Some(permit) => permit.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.run.cancel.cancelled() => Happening::Cancelled,
            (ended, running) = self.calls.next() => Happening::CallEnded(ended, running),
            permit = admitted => Happening::Admitted(permit),
        }
    }
}

impl<S> Execution<S>
where
    S: Service<StepCall, Response = StepResult, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    /// The next event; `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<v1::ExecutionEvent> {
        loop {
            if let Some(event) = self.events.pop() {
                return Some(event);
            }
            if self.over {
                return None;
            }
            self.advance();
            if self.over || !self.events.is_empty() {
                continue;
            }
            match self.happening().await {
                Happening::Cancelled => Verdict::raise(&mut self.verdict, Verdict::Cancelled),
                Happening::CallEnded(ended, running) => self.call_ended(ended, &running),
                Happening::Admitted(permit) => {
                    self.queued = None;
                    self.spare = permit;
                }
            }
        }
    }

    /// Everything that can be done without waiting.
    fn advance(&mut self) {
        if self.run.cancel.is_cancelled() && !self.is_done() {
            Verdict::raise(&mut self.verdict, Verdict::Cancelled);
        }
        if self.verdict.is_none() {
            self.start_free();
        }
        if self.verdict.is_some() {
            self.wind_down();
        }
        if self.is_done() {
            self.finish();
        }
    }

    /// Starts what is free, as far as permits and the plan's concurrency go.
    fn start_free(&mut self) {
        while let (Some(step), None) = (self.graph.next_free(), self.verdict) {
            if Instant::now() >= self.deadline {
                return Verdict::raise(&mut self.verdict, Verdict::TimedOut);
            }
            if let Some(output) = self.unmet(step) {
                self.graph.take(step);
                self.settle(step, State::Skipped, output);
                continue;
            }
            if self.queued.is_some() || self.calls.len() >= self.plan.max_concurrency.max(1) {
                return;
            }
            let Some(permit) = self.spare.take().or_else(|| self.permits.try_acquire()) else {
                let (permits, deadline) = (self.permits.clone(), self.deadline);
                let permit = async move { timeout_at(deadline, permits.acquire()).await.ok().flatten() };
                self.queued = Some(Box::pin(permit));
                return;
            };
            self.graph.take(step);
            self.start(step, permit);
        }
        // A permit must not lie idle while calls run.
        self.spare = None;
    }

    fn start(&mut self, step: usize, permit: Permit) {
        let checked = &self.plan.steps[step];
        self.events.push(Kind::StepStarted(StepStarted { step_id: checked.id.to_string() }));
        let parameters = match checked.arguments.evaluate(&self.outputs) {
            Ok(parameters) => parameters,
            Err(error) => {
                self.spare = Some(permit);
                return self.settle(step, State::Failed, record::unevaluated(&error));
            }
        };
        let own = checked.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = own.map_or(self.deadline, |own| own.min(self.deadline));
        let ledger = Ledger::default();
        let call = StepCall {
            execution_id: Arc::clone(&self.run.execution_id),
            step_id: Arc::clone(&checked.id),
            capability: Arc::clone(&checked.capability),
            parameters,
            deadline: Some(deadline.into_std()),
            context: Arc::clone(&self.run.context),
            ledger: ledger.clone(),
        };
        let resettable = matches!(checked.capability.effects, Effects::ReadOnly | Effects::Idempotent);
        let service = self.service.clone();
        let call = async move {
            let answer = timeout_at(deadline, service.oneshot(call)).await;
            drop(permit);
            Ended { step, result: answer.ok().map(|Ok(result)| Box::new(result)) }
        };
        self.calls.start(step, resettable, ledger, Box::pin(call));
    }
}

impl<S> Drop for Execution<S> {
    /// The caller is gone: calls without effects are reset, the others end in the background.
    fn drop(&mut self) {
        self.calls.abandon();
    }
}

/// The least of what the caller, the plan and the configuration allow.
fn deadline(limits: &Limits, plan: &CheckedPlan, run: &Run) -> Instant {
    let now = Instant::now();
    let timeout = plan.timeout.map_or(limits.timeout, |timeout| timeout.min(limits.timeout));
    let own = now.checked_add(timeout).unwrap_or(now + A_YEAR);
    run.deadline.map_or(own, |caller| own.min(Instant::from_std(caller)))
}
