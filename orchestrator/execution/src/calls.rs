//! The calls that run now, kept apart by whether they may be reset.

use std::collections::BTreeMap;
use std::time::Duration;

use convoke_plan::StepResult;
use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::time::Instant;

/// A call that came to its end.
pub(crate) struct Ended {
    /// The step's place in the plan.
    pub(crate) step: usize,
    /// What the service answered; `None` when the step's time was up first.
    pub(crate) result: Option<Box<StepResult>>,
}

/// A call under way; it holds its permit until it ends.
pub(crate) type Call = BoxFuture<'static, Ended>;

/// The running calls of one execution.
#[derive(Default)]
pub(crate) struct Calls {
    /// READ_ONLY and IDEMPOTENT: dropping one resets it and nothing is lost.
    resettable: FuturesUnordered<Call>,
    /// All others: awaited whatever happens, so that their outcome is known.
    awaited: FuturesUnordered<Call>,
    running: BTreeMap<usize, Running>,
}

#[derive(Clone, Copy)]
struct Running {
    resettable: bool,
    since: Instant,
}

impl Calls {
    pub(crate) fn start(&mut self, step: usize, resettable: bool, call: Call) {
        self.running.insert(step, Running { resettable, since: Instant::now() });
        if resettable { &self.resettable } else { &self.awaited }.push(call);
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The next call that ends, and how long it took. Pending forever while none runs.
    pub(crate) async fn next(&mut self) -> (Ended, Duration) {
        let ended = tokio::select! {
            biased;
            Some(ended) = self.awaited.next() => ended,
            Some(ended) = self.resettable.next() => ended,
            else => std::future::pending().await,
        };
        let since = self.running.remove(&ended.step).map(|running| running.since);
        (ended, since.map_or(Duration::ZERO, |since| since.elapsed()))
    }

    /// Resets what may be reset; the steps, in the plan's order, and how long each ran.
    pub(crate) fn reset(&mut self) -> Vec<(usize, Duration)> {
        self.resettable.clear();
        let reset = self.running.iter().filter(|(_, running)| running.resettable);
        let reset: Vec<_> = reset.map(|(&step, running)| (step, running.since.elapsed())).collect();
        self.running.retain(|_, running| !running.resettable);
        reset
    }

    /// Leaves the awaited calls to the background; the steps, in the plan's order, and how long each has run.
    ///
    /// They go on in a task of their own, where there is a runtime to spawn it on. Each ends by its step's deadline.
    pub(crate) fn abandon(&mut self) -> Vec<(usize, Duration)> {
        self.resettable.clear();
        let mut awaited = std::mem::take(&mut self.awaited);
        if let (false, Ok(runtime)) = (awaited.is_empty(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                while let Some(ended) = awaited.next().await {
                    let outcome = ended.result.as_ref().and_then(|result| result.record.output.as_ref());
                    tracing::info!(
                        step = ended.result.as_ref().map(|result| result.record.step_id.as_str()),
                        status = outcome.map(|output| output.status().as_str_name()),
                        "a side effect ended after its execution was cancelled"
                    );
                }
            });
        }
        let left = std::mem::take(&mut self.running);
        left.into_iter().map(|(step, running)| (step, running.since.elapsed())).collect()
    }
}
