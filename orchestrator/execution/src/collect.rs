//! An execution read to its end.

use std::collections::HashMap;
use std::pin::pin;

use convoke_proto::v1;
use convoke_proto::v1::execution_event::Kind;
use futures::{Stream, StreamExt};

/// What is left when an execution has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// SUCCEEDED, FAILED or CANCELLED.
    pub state: v1::execution::State,
    /// The combined output.
    pub output: v1::DomainOutput,
    /// One record a step, in the plan's order.
    pub steps: Vec<v1::StepRecord>,
}

/// Reads the events of one execution to the end.
///
/// A stream that ends without `Ended`, which the engine's never does, counts as cancelled.
pub async fn collect(events: impl Stream<Item = v1::ExecutionEvent>) -> Finished {
    let mut events = pin!(events);
    let mut order = HashMap::new();
    let mut finished = Finished {
        state: v1::execution::State::Cancelled,
        output: v1::DomainOutput::default(),
        steps: Vec::new(),
    };
    while let Some(event) = events.next().await {
        match event.kind {
            Some(Kind::Started(started)) => {
                let steps = started.plan.unwrap_or_default().steps;
                order = steps.into_iter().enumerate().map(|(place, step)| (step.id, place)).collect();
            }
            Some(Kind::StepEnded(ended)) => finished.steps.extend(ended.step),
            Some(Kind::Ended(ended)) => {
                finished.state = ended.state();
                finished.output = ended.output.unwrap_or_default();
            }
            Some(Kind::StepStarted(_) | Kind::Progress(_)) | None => {}
        }
    }
    finished.steps.sort_by_key(|step| order.get(&step.step_id).copied());
    finished
}
