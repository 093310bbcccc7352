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

/// The instances now, and what happens next.
#[derive(Debug)]
pub(crate) struct Roster {
    state: Mutex<State>,
    happenings: broadcast::Sender<Happening>,
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
    pub(crate) happenings: broadcast::Receiver<Happening>,
}

// === impl Roster ===

impl Roster {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::default(),
            happenings: broadcast::channel(BEHIND).0,
            published: watch::channel(0).0,
        }
    }

    /// Takes in what happened and tells the watchers.
    pub(crate) fn publish(&self, happened: Vec<Happening>) {
        let mut state = self.state();
        for happening in happened {
            state.apply(&happening);
            // Nobody may be watching.
            let _ = self.happenings.send(happening);
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
        Watch { instances: state.valid(), synced: state.synced, happenings: self.happenings.subscribe() }
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
    fn apply(&mut self, happening: &Happening) {
        match happening {
            Happening::Put(instance) => self.put(instance, None),
            Happening::Invalid(instance, reason) => self.put(instance, Some(reason.clone())),
            Happening::Removed(id) => {
                self.entries.remove(id);
            }
            Happening::Health { id, unhealthy } => {
                if let Some(entry) = self.entries.get_mut(id) {
                    entry.unhealthy.clone_from(unhealthy);
                }
            }
            Happening::Synced => self.synced = true,
        }
    }

    fn put(&mut self, instance: &Arc<v1::Instance>, invalid: Option<String>) {
        let before = self.entries.remove(&instance.id);
        let same = before.filter(|entry| entry.instance.incarnation == instance.incarnation);
        let unhealthy = same.and_then(|entry| entry.unhealthy);
        let entry = Entry { instance: Arc::clone(instance), invalid, unhealthy };
        self.entries.insert(instance.id.clone(), entry);
    }

    fn valid(&self) -> Vec<Arc<v1::Instance>> {
        let valid = self.entries.values().filter(|entry| entry.invalid.is_none());
        valid.map(|entry| Arc::clone(&entry.instance)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(id: &str, incarnation: u64) -> Happening {
        Happening::Put(Arc::new(v1::Instance { id: id.to_owned(), incarnation, ..Default::default() }))
    }

    #[tokio::test]
    async fn a_watch_has_no_gap_between_what_is_there_and_what_happens() {
        let roster = Roster::new();
        roster.publish(vec![put("a", 1), Happening::Synced]);
        let mut watch = roster.watch();
        roster.publish(vec![put("b", 1), Happening::Removed("a".to_owned())]);
        assert_eq!(watch.instances.iter().map(|instance| instance.id.as_str()).collect::<Vec<_>>(), ["a"]);
        assert!(watch.synced);
        assert!(matches!(watch.happenings.recv().await, Ok(Happening::Put(instance)) if instance.id == "b"));
        assert!(matches!(watch.happenings.recv().await, Ok(Happening::Removed(id)) if id == "a"));
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
