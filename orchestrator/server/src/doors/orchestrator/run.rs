//! An execution, from the door's side: it gets an id, is run, and is read to the end or told as it goes.

use std::sync::Arc;

use convoke_execution::{Finished, Run, collect, detach};
use convoke_plan::CheckedPlan;
use convoke_proto::v1;
use convoke_proto::v1::execution_event::Kind;
use futures::{Stream, StreamExt, stream};
use ulid::Ulid;

use super::Doors;
use crate::doors::request::Caller;

/// What is to be run, and for whom.
pub(super) struct Asked {
    pub(super) caller: Caller,
    pub(super) plan: CheckedPlan,
    pub(super) intent: Option<v1::IntentOutput>,
    pub(super) report: Option<v1::PlanReport>,
}

/// `{orchestrator}.{ULID}`.
fn new_id(orchestrator: &str) -> String {
    format!("{orchestrator}.{}", Ulid::generate())
}

/// Runs to the end. Dropping the future, which is what the transport does when the caller hangs up, cancels it.
pub(super) async fn to_the_end(doors: &Doors, asked: Asked) -> (Arc<str>, Finished) {
    let (execution_id, events) = start(doors, asked);
    let finished = collect(events).await;
    ended(&execution_id, finished.state);
    (execution_id, finished)
}

/// Runs and tells: each event as it happens, then the response. Dropping the stream cancels.
///
/// The execution has a task of its own, so that a caller who reads slowly does not slow it down.
pub(super) fn told<T: Send + 'static>(
    doors: &Doors,
    asked: Asked,
    event: impl Fn(v1::ExecutionEvent) -> T + Send + 'static,
    response: impl FnOnce(&Arc<str>, Finished) -> T + Send + 'static,
) -> impl Stream<Item = T> + Send + 'static {
    let (execution_id, events) = start(doors, asked);
    let telling = Telling { events: detach(events), kept: Vec::new(), execution_id, response };
    stream::unfold((Some(telling), event), async |(telling, event)| {
        let mut telling = telling?;
        let next = telling.events.next().await;
        Some(match next {
            Some(next) => {
                telling.keep(&next);
                (event(next), (Some(telling), event))
            }
            None => (telling.end().await, (None, event)),
        })
    })
}

fn start(doors: &Doors, asked: Asked) -> (Arc<str>, impl Stream<Item = v1::ExecutionEvent> + Send + use<>) {
    let Asked { caller, plan, intent, report } = asked;
    let execution_id: Arc<str> = new_id(&doors.id).into();
    tracing::debug!(execution_id = &*execution_id, steps = plan.steps.len(), "execution started");
    let mut context = caller.context;
    context.idempotency_key = execution_id.to_string();
    let run = Run {
        execution_id: Arc::clone(&execution_id),
        context: Arc::new(context),
        deadline: caller.deadline,
        cancel: doors.late.child_token(),
        intent,
        plan_report: report,
    };
    (execution_id, doors.engine.run(plan, run))
}

fn ended(execution_id: &str, state: v1::execution::State) {
    tracing::debug!(execution_id, state = state.as_str_name(), "execution ended");
}

/// An execution that is told: what was told is kept as far as the response needs it.
struct Telling<E, R> {
    events: E,
    kept: Vec<v1::ExecutionEvent>,
    execution_id: Arc<str>,
    response: R,
}

// === impl Telling ===

impl<E, R, T> Telling<E, R>
where
    R: FnOnce(&Arc<str>, Finished) -> T,
{
    fn keep(&mut self, event: &v1::ExecutionEvent) {
        match &event.kind {
            Some(Kind::Started(_) | Kind::StepEnded(_) | Kind::Ended(_)) => self.kept.push(event.clone()),
            Some(Kind::StepStarted(_) | Kind::Progress(_)) | None => {}
        }
    }

    async fn end(self) -> T {
        let finished = collect(stream::iter(self.kept)).await;
        ended(&self.execution_id, finished.state);
        (self.response)(&self.execution_id, finished)
    }
}
