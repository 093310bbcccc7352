//! A registry in the process's own memory: the embedded default.
//!
//! Leases are deadlines of tokio's clock. There is no timer task: every call first ends the leases whose time has come,
//! and a watcher sleeps until the next deadline or the next change, whichever is first.
//!
//! ```text
//! register, keep_alive, deregister ─► State ── id of what changed ─► ring (1024) ─► each watcher looks the id up
//! ```
//!
//! The ring holds ids and no values, so a slow watcher costs nothing but its place in the ring: when that is
//! overwritten, the watcher is told so ([`Update::Lost`]) and compares all that is there with what it knows.

mod state;
mod watch;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use convoke_proto::v1::instance::State as InstanceState;
use futures::{
    future::{self, BoxFuture},
    stream::BoxStream,
};
use tokio::{sync::broadcast, time::Instant};

use self::state::State;
use crate::{Error, KeptAlive, Lease, Registration, Registry, Update, registration};

/// How many changes a watcher may be behind.
const RING: usize = 1024;

/// Instances in memory. A clone is the same registry.
#[derive(Clone, Debug)]
pub struct Memory {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: broadcast::Sender<Arc<str>>,
}

// === impl Memory ===

impl Memory {
    /// An empty registry. Its incarnations start at the milliseconds of the epoch, so that they grow across restarts of
    /// the process too.
    pub fn new() -> Self {
        let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::starting_at(u64::try_from(epoch.as_millis()).unwrap_or(1))
    }

    /// An empty registry whose first instance has this incarnation.
    pub fn starting_at(incarnation: u64) -> Self {
        let shared = Shared {
            state: Mutex::new(State::new(incarnation.max(1))),
            changed: broadcast::Sender::new(RING),
        };
        Self { shared: Arc::new(shared) }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry for Memory {
    fn register(&self, registration: Registration) -> BoxFuture<'_, Result<Lease, Error>> {
        let registered = registration::prepare(registration, SystemTime::now())
            .and_then(|prepared| self.shared.change(|state, now| state.register(prepared, now)));
        Box::pin(future::ready(registered))
    }

    fn keep_alive(
        &self,
        id: &str,
        incarnation: u64,
        state: Option<InstanceState>,
    ) -> BoxFuture<'_, Result<KeptAlive, Error>> {
        let kept = self.shared.change(|leases, now| leases.keep_alive(id, incarnation, state, now));
        Box::pin(future::ready(Ok(kept)))
    }

    fn deregister(&self, id: &str, incarnation: u64) -> BoxFuture<'_, Result<(), Error>> {
        self.shared.change(|state, _| state.deregister(id, incarnation));
        Box::pin(future::ready(Ok(())))
    }

    fn watch(&self) -> BoxStream<'static, Update> {
        watch::stream(&self.shared)
    }
}

// === impl Shared ===

impl Shared {
    /// Ends the leases whose time has come, makes one change, and tells the watchers of both.
    fn change<T>(&self, change: impl FnOnce(&mut State, Instant) -> T) -> T {
        let now = Instant::now();
        let mut state = self.lock();
        state.expire(now);
        let result = change(&mut state, now);
        for id in state.take_changed() {
            // Nobody watching is no error: the state itself is what a later watcher reads.
            let _ = self.changed.send(id);
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state whole: each change is made of infallible steps.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
