//! One connection an endpoint: dialled when needed, shared by all calls, dropped with its instance.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use convoke_catalog::Catalog;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared, WeakShared};
use tokio::time::timeout;

use crate::connection::{Endpoint, Sender, Unreachable, dial};

/// The connections of a process.
pub(crate) struct Pool {
    max: usize,
    dial_timeout: Duration,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    /// The catalog's revision at the last sweep.
    swept: AtomicU64,
    /// Counts uses, to tell which slot was used least recently.
    uses: AtomicU64,
}

/// An endpoint's connection, and how many calls it carries.
pub(crate) struct Slot {
    endpoint: Endpoint,
    in_flight: AtomicUsize,
    last_use: AtomicU64,
    state: Mutex<State>,
}

type Dialled = BoxFuture<'static, Result<Sender, Unreachable>>;

/// A slot's connection; `generation` counts dials, so that only the connection that failed is discarded.
struct State {
    generation: u64,
    connection: Connection,
}

enum Connection {
    None,
    /// Lives as long as a call waits for it: a dial that nobody waits for is given up.
    Dialling(WeakShared<Dialled>),
    Ready(Sender),
}

/// What a call finds at a slot.
enum Found {
    Ready(Sender),
    Dialling(Shared<Dialled>),
}

/// A way to an agent, good for one request.
pub(crate) struct Lease {
    pub(crate) sender: Sender,
    /// Whether the connection was there before: it may have ended unnoticed.
    pub(crate) reused: bool,
    /// Which of the slot's connections it is.
    pub(crate) generation: u64,
}

/// Counts a call for as long as it is held.
pub(crate) struct InFlight(Arc<Slot>);

// === impl Pool ===

impl Pool {
    pub(crate) fn new(max: usize, dial_timeout: Duration) -> Self {
        Self {
            max: max.max(1),
            dial_timeout,
            slots: Mutex::default(),
            swept: AtomicU64::new(0),
            uses: AtomicU64::new(0),
        }
    }

    /// Drops the connections of instances that the catalog no longer has. Calls under way keep theirs.
    pub(crate) fn sweep(&self, catalog: &Catalog) {
        let revision = catalog.revision();
        if self.swept.swap(revision, Ordering::Relaxed) == revision {
            return;
        }
        let known: HashSet<&str> = catalog.agents().map(|instance| instance.endpoint.as_str()).collect();
        lock(&self.slots).retain(|endpoint, _| known.contains(endpoint.as_str()));
    }

    /// How many calls each of two endpoints carries now.
    pub(crate) fn in_flight(&self, endpoints: [&str; 2]) -> [usize; 2] {
        let slots = lock(&self.slots);
        endpoints.map(|endpoint| slots.get(endpoint).map_or(0, |slot| slot.in_flight.load(Ordering::Relaxed)))
    }

    /// Whether a call to the endpoint would need no dial.
    pub(crate) fn is_connected(&self, endpoint: &str) -> bool {
        let slot = lock(&self.slots).get(endpoint).map(Arc::clone);
        slot.is_some_and(
            |slot| matches!(&lock(&slot.state).connection, Connection::Ready(sender) if !sender.is_closed()),
        )
    }

    /// The slot of an endpoint; a call is counted on it until the guard is dropped.
    pub(crate) fn enter(&self, endpoint: &str) -> Result<InFlight, Unreachable> {
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let mut slots = lock(&self.slots);
        let slot = match slots.get(endpoint) {
            Some(slot) => Arc::clone(slot),
            None => {
                let slot = Arc::new(Slot::new(Endpoint::parse(endpoint)?));
                if slots.len() >= self.max {
                    evict(&mut slots);
                }
                slots.insert(endpoint.to_owned(), Arc::clone(&slot));
                slot
            }
        };
        slot.last_use.store(now, Ordering::Relaxed);
        slot.in_flight.fetch_add(1, Ordering::Relaxed);
        Ok(InFlight(slot))
    }

    /// How long a dial may take at most, whoever waits for it.
    pub(crate) fn dial_timeout(&self) -> Duration {
        self.dial_timeout
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.slots).len()
    }
}

/// Makes room: the slot that was used least recently goes, an idle one first. Its calls keep their connection.
fn evict(slots: &mut HashMap<String, Arc<Slot>>) {
    let age =
        |slot: &Slot| (slot.in_flight.load(Ordering::Relaxed) > 0, slot.last_use.load(Ordering::Relaxed));
    if let Some(oldest) = slots.iter().min_by_key(|(_, slot)| age(slot)).map(|(endpoint, _)| endpoint.clone())
    {
        slots.remove(&oldest);
    }
}

// === impl InFlight ===

impl InFlight {
    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.0.endpoint
    }

    /// The endpoint's connection, dialled if there is none. All who wait for a dial wait for the same one.
    pub(crate) async fn connect(&self, pool: &Pool, within: Duration) -> Result<Lease, Unreachable> {
        let (dialling, generation) = match self.0.current(pool.dial_timeout()) {
            (Found::Ready(sender), generation) => return Ok(Lease { sender, reused: true, generation }),
            (Found::Dialling(dial), generation) => (dial, generation),
        };
        let sender = timeout(within, dialling).await.map_err(|_| Unreachable::TimedOut)?;
        self.0.dialled(generation, sender.as_ref().ok());
        Ok(Lease { sender: sender?, reused: false, generation })
    }

    /// This connection is of no more use for new calls.
    pub(crate) fn discard(&self, generation: u64) {
        let mut state = lock(&self.0.state);
        if state.generation == generation {
            state.connection = Connection::None;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

// === impl Slot ===

impl Slot {
    fn new(endpoint: Endpoint) -> Self {
        let state = State { generation: 0, connection: Connection::None };
        Self {
            endpoint,
            in_flight: AtomicUsize::new(0),
            last_use: AtomicU64::new(0),
            state: Mutex::new(state),
        }
    }

    /// The connection or the dial under way; a dial is begun where there is neither.
    fn current(&self, dial_timeout: Duration) -> (Found, u64) {
        let mut state = lock(&self.state);
        let found = match &state.connection {
            Connection::Ready(sender) if !sender.is_closed() => Some(Found::Ready(sender.clone())),
            Connection::Dialling(dial) => dial.upgrade().map(Found::Dialling),
            Connection::Ready(_) | Connection::None => None,
        };
        if let Some(found) = found {
            return (found, state.generation);
        }
        let dial = dial(self.endpoint.clone(), dial_timeout).boxed().shared();
        state.generation = state.generation.wrapping_add(1);
        state.connection = dial.downgrade().map_or(Connection::None, Connection::Dialling);
        (Found::Dialling(dial), state.generation)
    }

    /// A dial ended. The first who sees it notes it for all.
    fn dialled(&self, generation: u64, sender: Option<&Sender>) {
        let mut state = lock(&self.state);
        if state.generation == generation && matches!(state.connection, Connection::Dialling(_)) {
            state.connection = sender.map_or(Connection::None, |sender| Connection::Ready(sender.clone()));
        }
    }
}

/// Every critical section leaves its data whole, so a poisoned lock is as good as another.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(port: usize) -> String {
        format!("http://127.0.0.1:{port}")
    }

    #[test]
    fn the_pool_is_bounded_and_the_idle_one_used_longest_ago_goes_first() {
        let pool = Pool::new(2, Duration::from_secs(1));
        let busy = pool.enter(&endpoint(1)).unwrap();
        drop(pool.enter(&endpoint(2)).unwrap());
        drop(pool.enter(&endpoint(3)).unwrap());
        assert_eq!(pool.len(), 2);
        assert_eq!(pool.in_flight([&endpoint(1), &endpoint(2)]), [1, 0], "2 went: 1 is older, but busy");
        drop(busy);
        assert_eq!(pool.in_flight([&endpoint(1), &endpoint(3)]), [0, 0]);
    }

    #[test]
    fn instances_that_are_gone_take_their_slots_with_them() {
        let pool = Pool::new(2, Duration::from_secs(1));
        drop(pool.enter(&endpoint(1)).unwrap());
        // A revision that the pool has not seen: the empty catalog starts at 0, as an unswept pool does.
        pool.swept.store(7, Ordering::Relaxed);
        pool.sweep(&Catalog::default());
        assert_eq!(pool.len(), 0);
    }
}
