//! The leases and who holds them, without clock or watchers: time comes in, ids of what changed go out.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
    sync::{Arc, Weak},
    time::Duration,
};

use convoke_proto::v1::{self, instance::State as InstanceState};
use tokio::time::Instant;

use crate::{Error, KeptAlive, Lease, Record, registration::Prepared};

/// What a registry in memory holds at most.
const MAX_INSTANCES: usize = 100_000;

#[derive(Debug)]
pub(super) struct State {
    held: HashMap<Arc<str>, Held>,
    by_endpoint: HashMap<String, Arc<str>>,
    /// One copy of a manifest, however many instances name it.
    records: HashMap<String, Weak<Record>>,
    /// Earliest first; each held instance has exactly one.
    deadlines: BTreeSet<(Instant, Arc<str>)>,
    next_incarnation: u64,
    changed: Vec<Arc<str>>,
}

#[derive(Debug)]
pub(super) struct Held {
    pub(super) instance: v1::Instance,
    pub(super) record: Arc<Record>,
    ttl: Duration,
    deadline: Instant,
}

// === impl State ===

impl State {
    pub(super) fn new(next_incarnation: u64) -> Self {
        Self {
            held: HashMap::new(),
            by_endpoint: HashMap::new(),
            records: HashMap::new(),
            deadlines: BTreeSet::new(),
            next_incarnation,
            changed: Vec::new(),
        }
    }

    pub(super) fn register(&mut self, prepared: Prepared, now: Instant) -> Result<Lease, Error> {
        let Prepared { mut instance, id_was_asked_for, record, ttl } = prepared;
        let same_endpoint = self.by_endpoint.get(&instance.endpoint).and_then(|id| self.held.get(id));
        if let Some(before) = same_endpoint
            && before.instance.domain == instance.domain
            && !id_was_asked_for
        {
            instance.id.clone_from(&before.instance.id);
        }
        if self.held.get(instance.id.as_str()).is_some_and(|held| held.instance.endpoint != instance.endpoint)
        {
            return Err(Error::IdTaken { id: instance.id });
        }
        if let Some(before) = self.by_endpoint.get(&instance.endpoint).cloned() {
            self.remove(&before);
        }
        if self.held.len() >= MAX_INSTANCES {
            let reason = format!("it holds {MAX_INSTANCES} instances already");
            return Err(Error::Unavailable { reason, source: None });
        }
        instance.incarnation = self.next_incarnation;
        self.next_incarnation += 1;

        let id: Arc<str> = instance.id.as_str().into();
        let record = self.share(record);
        let deadline = now + ttl;
        self.deadlines.insert((deadline, id.clone()));
        self.by_endpoint.insert(instance.endpoint.clone(), id.clone());
        self.held.insert(id.clone(), Held { instance: instance.clone(), record, ttl, deadline });
        self.changed.push(id);
        Ok(Lease { instance, ttl })
    }

    pub(super) fn keep_alive(
        &mut self,
        id: &str,
        incarnation: u64,
        state: Option<InstanceState>,
        now: Instant,
    ) -> KeptAlive {
        let Some((id, _)) = self.held.get_key_value(id) else { return KeptAlive::Lapsed };
        let id = id.clone();
        let Some(held) = self.held.get_mut(&id).filter(|held| held.instance.incarnation == incarnation)
        else {
            return KeptAlive::Lapsed;
        };
        self.deadlines.remove(&(held.deadline, id.clone()));
        held.deadline = now + held.ttl;
        self.deadlines.insert((held.deadline, id.clone()));
        if let Some(state) = state.filter(|state| *state != held.instance.state()) {
            held.instance.set_state(state);
            self.changed.push(id);
        }
        KeptAlive::Alive { ttl: held.ttl }
    }

    pub(super) fn deregister(&mut self, id: &str, incarnation: u64) {
        if self.held.get(id).is_some_and(|held| held.instance.incarnation == incarnation) {
            self.remove(id);
        }
    }

    /// Ends every lease whose deadline has come.
    pub(super) fn expire(&mut self, now: Instant) {
        while let Some((deadline, id)) = self.deadlines.first()
            && *deadline <= now
        {
            let id = id.clone();
            tracing::info!(instance = %id, "lease lapsed");
            self.remove(&id);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    pub(super) fn get(&self, id: &str) -> Option<&Held> {
        self.held.get(id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Held> {
        self.held.values()
    }

    /// The ids that changed since the last call, in order.
    pub(super) fn take_changed(&mut self) -> Vec<Arc<str>> {
        mem::take(&mut self.changed)
    }

    fn remove(&mut self, id: &str) {
        let Some((id, held)) = self.held.remove_entry(id) else { return };
        self.deadlines.remove(&(held.deadline, id.clone()));
        self.by_endpoint.remove(&held.instance.endpoint);
        let digest = held.record.digest.clone();
        drop(held);
        if self.records.get(&digest).is_some_and(|record| record.strong_count() == 0) {
            self.records.remove(&digest);
        }
        self.changed.push(id);
    }

    fn share(&mut self, record: Arc<Record>) -> Arc<Record> {
        if let Some(known) = self.records.get(&record.digest).and_then(Weak::upgrade) {
            return known;
        }
        self.records.insert(record.digest.clone(), Arc::downgrade(&record));
        record
    }
}
