//! The process-wide pool of permits: how many step calls run at once, over all executions.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A bounded pool that all executions of a process share; a call holds one permit from its start to its end, also
/// where it ends in the background after a cancellation.
///
/// It is fair between executions, not between steps: waiters are served in the order in which they came, and an
/// execution never waits for more than one permit at a time. A plan of a thousand steps therefore takes turns with a
/// plan of one.
#[derive(Debug, Clone)]
pub struct Permits(Arc<Semaphore>);

pub(crate) type Permit = OwnedSemaphorePermit;

impl Permits {
    /// How many calls run at once unless configured otherwise.
    pub const DEFAULT: usize = 1024;

    /// A pool of `calls` permits, at least one.
    pub fn new(calls: usize) -> Self {
        Self(Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// A permit that is free now; `None` also while others wait for one.
    pub(crate) fn try_acquire(&self) -> Option<Permit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }

    /// The next permit. `None` never comes: the pool is not closed.
    pub(crate) async fn acquire(self) -> Option<Permit> {
        self.0.acquire_owned().await.ok()
    }
}

impl Default for Permits {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}
