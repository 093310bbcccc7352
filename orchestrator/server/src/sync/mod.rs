//! From the registry to the catalog: one task that owns the index and is the only one to write.
//!
//! ```text
//! Registry::watch ─Update─┐
//!                         ├─► Index ─snapshot─► Live (planning, dispatch)  then  Roster (the Registry service)
//! health of each instance ┘
//! ```
//!
//! Updates that are there already are taken in together and published once. What cannot be served is quarantined and
//! affects nobody else. While contact with the registry is lost, the last snapshot keeps serving.
//!
//! It picks no instance and ends no lease: an unhealthy instance stays listed until the registry says that it is gone.

mod health;
mod roster;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use convoke_catalog::{Change, Index, Live};
use convoke_discovery::{Registry, Update};
use futures::{FutureExt, StreamExt};
use tokio_util::sync::CancellationToken;

pub(crate) use roster::{Change as RosterChange, Roster, Watch};

use health::{Health, Word};
use roster::Happening;

/// How many updates are taken in before what they change is published.
const BATCH: usize = 1024;
/// How many rules of one manifest that are left to the agent are told one by one.
const MAX_TOLD: usize = 20;

/// The task's state.
pub(crate) struct Sync {
    registry: Arc<dyn Registry>,
    index: Index,
    live: Live,
    roster: Arc<Roster>,
    health: Health,
    /// What the roster learns with the next publication.
    happened: Vec<Happening>,
}

// === impl Sync ===

impl Sync {
    pub(crate) fn new(registry: Arc<dyn Registry>, live: Live, roster: Arc<Roster>) -> Self {
        Self { registry, index: Index::new(), live, roster, health: Health::new(), happened: Vec::new() }
    }

    /// Runs until `ended`, or until the registry itself is gone.
    pub(crate) async fn run(mut self, ended: CancellationToken) {
        let mut updates = self.registry.watch();
        loop {
            tokio::select! {
                () = ended.cancelled() => return,
                word = self.health.next() => self.hear(word),
                update = updates.next() => match update {
                    Some(update) => self.take(update).await,
                    None => {
                        tracing::error!("the registry ended; the catalog stays as it is");
                        return;
                    }
                },
            }
            for _ in 1..BATCH {
                let Some(Some(update)) = updates.next().now_or_never() else { break };
                self.take(update).await;
            }
            self.publish();
        }
    }

    async fn take(&mut self, update: Update) {
        match update {
            Update::Manifest { digest, manifest, descriptors } => {
                self.admit(Change::Manifest { digest, manifest, descriptors }).await;
            }
            Update::Put(instance) => {
                tracing::info!(
                    id = instance.id,
                    domain = instance.domain,
                    incarnation = instance.incarnation,
                    state = instance.state().as_str_name(),
                    "instance is there"
                );
                self.health.follow(&instance);
                if let Err(quarantine) = self.index.apply(Change::Put(instance.clone())) {
                    tracing::warn!(id = instance.id, reason = %quarantine, "instance quarantined");
                }
                self.happened.push(Happening::Put(Arc::new(instance)));
            }
            Update::Removed { id } => {
                tracing::info!(id, "instance is gone");
                self.forget(&id);
                self.happened.push(Happening::Removed(id));
            }
            Update::Invalid { instance, reason } => {
                tracing::warn!(id = instance.id, reason, "instance quarantined, it cannot be read");
                self.forget(&instance.id);
                self.happened.push(Happening::Invalid(Arc::new(instance), reason));
            }
            Update::Synced => {
                tracing::info!("catalog is in step with the registry");
                self.happened.push(Happening::Synced);
            }
            Update::Lost(reason) => {
                tracing::warn!(reason, "contact with the registry is lost, the last catalog keeps serving");
            }
        }
    }

    /// Compiles a manifest off the runtime's threads: descriptors may be large, and whoever can write to the registry
    /// wrote them.
    async fn admit(&mut self, change: Change) {
        let digest = match &change {
            Change::Manifest { digest, .. } => Some(digest.clone()),
            _ => None,
        };
        let mut index = std::mem::take(&mut self.index);
        let admitting = tokio::task::spawn_blocking(move || {
            // What a manifest can do at worst is to be refused, also where the compiler has a defect.
            let verdict = catch_unwind(AssertUnwindSafe(|| index.apply(change)));
            (index, verdict)
        });
        // It neither panics nor is cancelled, except with the runtime itself.
        let Ok((index, verdict)) = admitting.await else { return };
        self.index = index;
        match verdict {
            Ok(Ok(())) => digest.iter().for_each(|digest| self.tell_not_enforced(digest)),
            Ok(Err(quarantine)) => tracing::warn!(reason = %quarantine, "manifest quarantined"),
            Err(_) => {
                tracing::error!("a manifest broke the compiler of schemas, its instances are quarantined")
            }
        }
    }

    /// Its operator has to know which declared rules only the agent itself can keep.
    fn tell_not_enforced(&self, manifest: &str) {
        let rules = self.index.not_enforced(manifest);
        for defect in rules.iter().take(MAX_TOLD) {
            let (path, reason) = (&defect.path, &defect.message);
            tracing::warn!(manifest, path, reason, "a declared rule is left to the agent");
        }
        if rules.len() > MAX_TOLD {
            tracing::warn!(
                manifest,
                more = rules.len() - MAX_TOLD,
                "further declared rules are left to the agent"
            );
        }
    }

    fn forget(&mut self, id: &str) {
        self.health.forget(id);
        // The index never refuses a removal.
        let _ = self.index.apply(Change::Removed { id: id.to_owned(), incarnation: None });
    }

    fn hear(&mut self, word: Word) {
        let Word { id, incarnation, unhealthy } = word;
        if self.health.incarnation(&id) != Some(incarnation) {
            return;
        }
        match &unhealthy {
            Some(reason) => tracing::warn!(id, reason, "instance is unhealthy"),
            None => tracing::info!(id, "instance is healthy"),
        }
        // The index passes over what it does not know.
        let _ = self.index.apply(Change::Health { id: id.clone(), healthy: unhealthy.is_none() });
        self.happened.push(Happening::Health { id, unhealthy });
    }

    /// The catalog first: whoever waits for the roster may call what it names.
    fn publish(&mut self) {
        self.live.store(self.index.snapshot());
        self.roster.publish(std::mem::take(&mut self.happened));
    }
}
