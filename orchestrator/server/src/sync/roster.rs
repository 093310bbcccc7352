//! What the registry holds, instance by instance, for those who list and watch it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use convoke_proto::v1;
use tokio::sync::{broadcast, watch};

/// How far a watcher may fall behind before it is cut.
const BEHIND: usize = 1024;

/// One thing that happened to one instance.
#[derive(Debug, Clone)]
pub(crate) enum Happening {
    /// It came or changed.
    Put(Arc<v1::Instance>),
    /// It cannot be served, for this reason.
    Invalid(Arc<v1::Instance>, String),
    /// It is gone.
    Removed(String),
    /// What its health stream says: the reason when it is not well.
    Health { id: String, unhealthy: Option<String> },
    /// All that the registry held has been told.
    Synced,
}

/// What a watcher is told. An instance that moves to another domain, or can no longer be read, is removed first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// It came or changed.
    Put(Arc<v1::Instance>),
    /// It is gone; as it was known last.
    Removed(Arc<v1::Instance>),
    /// Everything that was there has been told.
    Synced,
}

/// The instances now, and what happens next.
#[derive(Debug)]
pub(crate) struct Roster {
    state: Mutex<State>,
    changes: broadcast::Sender<Change>,
    published: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    entries: BTreeMap<String, Entry>,
    synced: bool,
}

#[derive(Debug)]
struct Entry {
    instance: Arc<v1::Instance>,
    invalid: Option<String>,
    unhealthy: Option<String>,
}

/// A watcher's start: what is there, whether that is all, and everything after it.
pub(crate) struct Watch {
    pub(crate) instances: Vec<Arc<v1::Instance>>,
    pub(crate) synced: bool,
    pub(crate) changes: broadcast::Receiver<Change>,
}

// === impl Roster ===

impl Roster {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::default(),
            changes: broadcast::channel(BEHIND).0,
            published: watch::channel(0).0,
        }
    }

    /// Takes in what happened and tells the watchers.
    pub(crate) fn publish(&self, happened: Vec<Happening>) {
        let mut state = self.state();
        for happening in happened {
            for change in state.apply(happening) {
                // Nobody may be watching.
                let _ = self.changes.send(change);
            }
        }
        drop(state);
        self.published.send_modify(|count| *count += 1);
    }

    /// The instances that can be read, by id.
    pub(crate) fn instances(&self) -> Vec<Arc<v1::Instance>> {
        self.state().valid()
    }

    /// The instances that cannot be read, with the reason.
    pub(crate) fn invalid(&self) -> Vec<(Arc<v1::Instance>, String)> {
        let state = self.state();
        let entries = state.entries.values();
        entries.filter_map(|entry| Some((Arc::clone(&entry.instance), entry.invalid.clone()?))).collect()
    }

    /// Why an instance is not well; `None` also for one that is not there.
    pub(crate) fn unhealthy(&self, id: &str) -> Option<String> {
        self.state().entries.get(id)?.unhealthy.clone()
    }

    /// What is there and what happens from now on, without a gap.
    pub(crate) fn watch(&self) -> Watch {
        let state = self.state();
        Watch { instances: state.valid(), synced: state.synced, changes: self.changes.subscribe() }
    }

    /// Waits until an instance of this incarnation, or a later one, is in the catalog.
    pub(crate) async fn has(&self, id: &str, incarnation: u64) {
        self.until(|state| {
            state.entries.get(id).is_some_and(|entry| entry.instance.incarnation >= incarnation)
        })
        .await;
    }

    /// Waits until an instance of this incarnation is out of the catalog.
    pub(crate) async fn has_not(&self, id: &str, incarnation: u64) {
        self.until(|state| {
            state.entries.get(id).is_none_or(|entry| entry.instance.incarnation > incarnation)
        })
        .await;
    }

    async fn until(&self, reached: impl Fn(&State) -> bool) {
        let mut published = self.published.subscribe();
        // The sender lives as long as `self`.
        let _ = published.wait_for(|_| reached(&self.state())).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// === impl State ===

impl State {
    /// Takes in what happened; what a watcher is told of it.
    fn apply(&mut self, happening: Happening) -> impl Iterator<Item = Change> + use<> {
        let (before, after) = match happening {
            Happening::Put(instance) => {
                let gone = self.put(&instance, None).filter(|known| known.domain != instance.domain);
                (gone, Some(Change::Put(instance)))
            }
            Happening::Invalid(instance, reason) => (self.put(&instance, Some(reason)), None),
            Happening::Removed(id) => (self.entries.remove(&id).and_then(Entry::into_valid), None),
            Happening::Health { id, unhealthy } => {
                if let Some(entry) = self.entries.get_mut(&id) {
                    entry.unhealthy = unhealthy;
                }
                (None, None)
            }
            Happening::Synced => {
                (None, (!std::mem::replace(&mut self.synced, true)).then_some(Change::Synced))
            }
        };
        before.map(Change::Removed).into_iter().chain(after)
    }

    /// The instance that was known under the id, if it could be read.
    fn put(&mut self, instance: &Arc<v1::Instance>, invalid: Option<String>) -> Option<Arc<v1::Instance>> {
        let before = self.entries.remove(&instance.id);
        let same = before.as_ref().filter(|entry| entry.instance.incarnation == instance.incarnation);
        let unhealthy = same.and_then(|entry| entry.unhealthy.clone());
        let entry = Entry { instance: Arc::clone(instance), invalid, unhealthy };
        self.entries.insert(instance.id.clone(), entry);
        before.and_then(Entry::into_valid)
    }

    fn valid(&self) -> Vec<Arc<v1::Instance>> {
        let valid = self.entries.values().filter(|entry| entry.invalid.is_none());
        valid.map(|entry| Arc::clone(&entry.instance)).collect()
    }
}

// === impl Entry ===

impl Entry {
    fn into_valid(self) -> Option<Arc<v1::Instance>> {
        self.invalid.is_none().then_some(self.instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(id: &str, incarnation: u64, domain: &str) -> Arc<v1::Instance> {
        let (id, domain) = (id.to_owned(), domain.to_owned());
        Arc::new(v1::Instance { id, incarnation, domain, ..Default::default() })
    }

    fn put(id: &str, incarnation: u64) -> Happening {
        Happening::Put(instance(id, incarnation, "d"))
    }

    #[tokio::test]
    async fn a_watch_has_no_gap_between_what_is_there_and_what_happens() {
        let roster = Roster::new();
        roster.publish(vec![put("a", 1), Happening::Synced]);
        let mut watch = roster.watch();
        roster.publish(vec![put("b", 1), Happening::Removed("a".to_owned()), Happening::Synced]);
        assert_eq!(watch.instances, [instance("a", 1, "d")]);
        assert!(watch.synced);
        assert_eq!(watch.changes.recv().await, Ok(Change::Put(instance("b", 1, "d"))));
        assert_eq!(watch.changes.recv().await, Ok(Change::Removed(instance("a", 1, "d"))));
        assert!(watch.changes.is_empty(), "it was in step before");
    }

    #[tokio::test]
    async fn what_moves_or_cannot_be_read_any_more_is_removed_from_where_it_was() {
        let roster = Roster::new();
        roster.publish(vec![put("a", 1), put("b", 1)]);
        let mut watch = roster.watch();
        roster.publish(vec![
            Happening::Put(instance("a", 2, "other")),
            Happening::Invalid(instance("b", 1, ""), "no JSON".to_owned()),
            Happening::Removed("b".to_owned()),
        ]);
        assert_eq!(watch.changes.recv().await, Ok(Change::Removed(instance("a", 1, "d"))));
        assert_eq!(watch.changes.recv().await, Ok(Change::Put(instance("a", 2, "other"))));
        assert_eq!(watch.changes.recv().await, Ok(Change::Removed(instance("b", 1, "d"))));
        assert!(watch.changes.is_empty(), "what cannot be read was never told");
    }

    #[tokio::test]
    async fn a_waiter_is_woken_by_the_incarnation_it_waits_for() {
        let roster = Roster::new();
        roster.publish(vec![put("a", 1)]);
        let arrived = tokio::join!(roster.has("a", 2), async { roster.publish(vec![put("a", 2)]) });
        assert_eq!(arrived, ((), ()));
        tokio::join!(roster.has_not("a", 2), async {
            roster.publish(vec![Happening::Removed("a".to_owned())])
        });
    }

    #[test]
    fn what_cannot_be_read_is_listed_apart() {
        let roster = Roster::new();
        let instance = Arc::new(v1::Instance { id: "x".to_owned(), ..Default::default() });
        roster.publish(vec![Happening::Invalid(instance, "no JSON".to_owned()), put("y", 1)]);
        assert_eq!(roster.instances().len(), 1);
        assert_eq!(roster.invalid()[0].1, "no JSON");
    }

    #[test]
    fn a_new_incarnation_starts_well() {
        let roster = Roster::new();
        let ill = Happening::Health { id: "a".to_owned(), unhealthy: Some("broken".to_owned()) };
        roster.publish(vec![put("a", 1), ill]);
        assert_eq!(roster.unhealthy("a").as_deref(), Some("broken"));
        roster.publish(vec![put("a", 2)]);
        assert_eq!(roster.unhealthy("a"), None);
    }
}
