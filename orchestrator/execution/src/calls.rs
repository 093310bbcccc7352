//! The calls that run now, kept apart by whether they may be reset.

use std::collections::BTreeMap;
use std::time::Duration;

use convoke_plan::{Ledger, StepResult};
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

/// What is known of a call from outside.
pub(crate) struct Running {
    resettable: bool,
    since: Instant,
    /// What it has done so far.
    pub(crate) ledger: Ledger,
}

// === impl Running ===

impl Default for Running {
    fn default() -> Self {
        Self { resettable: false, since: Instant::now(), ledger: Ledger::default() }
    }
}

impl Running {
    /// How long it has run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}

// === impl Calls ===

impl Calls {
    pub(crate) fn start(&mut self, step: usize, resettable: bool, ledger: Ledger, call: Call) {
        self.running.insert(step, Running { resettable, since: Instant::now(), ledger });
        if resettable { &self.resettable } else { &self.awaited }.push(call);
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The next call that ends, and what is known of it. Pending forever while none runs.
    pub(crate) async fn next(&mut self) -> (Ended, Running) {
        let ended = tokio::select! {
            biased;
            Some(ended) = self.awaited.next() => ended,
            Some(ended) = self.resettable.next() => ended,
            else => std::future::pending().await,
        };
        // Each call has its entry from its start to here; a clock that starts now stands for one that had none.
        let running = self.running.remove(&ended.step).unwrap_or_default();
        (ended, running)
    }

    /// Resets what may be reset; the steps, in the plan's order.
    pub(crate) fn reset(&mut self) -> Vec<(usize, Running)> {
        self.resettable.clear();
        self.running.extract_if(.., |_, running| running.resettable).collect()
    }

    /// Leaves the awaited calls to the background; the steps, in the plan's order.
    ///
    /// They go on in a task of their own, where there is a runtime to spawn it on. Each ends by its step's deadline.
    pub(crate) fn abandon(&mut self) -> Vec<(usize, Running)> {
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
        std::mem::take(&mut self.running).into_iter().collect()
    }
}
