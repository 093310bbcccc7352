//! The mutable side: changes come in, snapshots go out. One task owns it.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use convoke_proto::descriptors::Descriptors;
use convoke_proto::v1;
use convoke_schema::Defect;

use crate::quarantine::summary;
use crate::view::View;
use crate::{Admitted, Catalog, Instance, Quarantine, admit};

/// How many manifests that no instance offers are kept compiled, for instances that are about to come (back).
const IDLE_MANIFESTS: usize = 1024;

/// One thing that the registry or a health stream said.
#[derive(Debug, Clone)]
pub enum Change {
    /// A manifest, with the descriptors that it was read from. Before the instances that name it, as a rule; an instance
    /// that came first is admitted with it.
    Manifest {
        /// The name by which instances know it.
        digest: String,
        /// The manifest.
        manifest: v1::Manifest,
        /// An encoded `FileDescriptorSet`.
        descriptors: Bytes,
    },
    /// An instance is there, or is otherwise than before. An older incarnation than the known one is passed over.
    Put(v1::Instance),
    /// An instance is gone.
    Removed {
        /// Its id.
        id: String,
        /// The incarnation that is gone; a younger one stays. `None`: whichever there is.
        incarnation: Option<u64>,
    },
    /// What an instance's health stream says; an unknown id is passed over.
    Health {
        /// The instance's id.
        id: String,
        /// Whether it may be called.
        healthy: bool,
    },
}

/// Everything that the registry said and that still holds.
#[derive(Debug, Default)]
pub struct Index {
    manifests: HashMap<String, Entry>,
    /// Manifests without instances, the longest idle first.
    idle: VecDeque<String>,
    /// By domain, then by id.
    instances: BTreeMap<String, BTreeMap<String, Arc<Instance>>>,
    /// The domain that an id lives in.
    homes: HashMap<String, String>,
    /// Domains that changed since the last snapshot.
    dirty: BTreeSet<String>,
    revision: u64,
    last: Arc<Catalog>,
}

/// A manifest by its digest.
#[derive(Debug, Default)]
struct Entry {
    /// `None` until it comes; a bad one is a reason.
    admitted: Option<Result<Admitted, String>>,
    /// The instances that name it.
    users: BTreeSet<String>,
}

// === impl Index ===

impl Index {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in one change. Its cost does not grow with the number of instances.
    ///
    /// # Errors
    /// [`Quarantine`] when what came cannot be served. It is kept and listed, and nothing else is affected.
    pub fn apply(&mut self, change: Change) -> Result<(), Quarantine> {
        match change {
            Change::Manifest { digest, manifest, descriptors } => {
                self.manifest(digest, manifest, &descriptors)
            }
            Change::Put(record) => self.put(record.into()),
            Change::Removed { id, incarnation } => {
                self.remove(&id, incarnation);
                Ok(())
            }
            Change::Health { id, healthy } => {
                self.health(&id, healthy);
                Ok(())
            }
        }
    }

    /// What a manifest declares and nobody enforces: see [`Admitted::not_enforced`]. Nothing where it is not admitted.
    pub fn not_enforced(&self, digest: &str) -> Vec<&Defect> {
        let admitted = self.manifests.get(digest).and_then(|entry| entry.admitted.as_ref()?.as_ref().ok());
        admitted.map(Admitted::not_enforced).unwrap_or_default()
    }

    /// The catalog after the changes so far. Only the domains that changed are built anew.
    pub fn snapshot(&mut self) -> Arc<Catalog> {
        if self.dirty.is_empty() {
            return Arc::clone(&self.last);
        }
        self.revision += 1;
        let mut next = Catalog::clone(&self.last);
        next.revision = self.revision;
        for domain in std::mem::take(&mut self.dirty) {
            self.rebuild(&mut next, domain);
        }
        self.last = Arc::new(next);
        Arc::clone(&self.last)
    }

    fn rebuild(&self, next: &mut Catalog, domain: String) {
        let view = self.instances.get(&domain).map(|instances| {
            View::build(instances, |digest| self.manifests.get(digest)?.admitted.as_ref()?.as_ref().ok())
        });
        let domain: Arc<str> = domain.into();
        let before = match &view {
            Some(_) => next.domains.get(&domain).cloned(),
            None => next.domains.remove(&domain),
        };
        rename(next, &domain, before.as_deref(), view.as_ref());
        if let Some(view) = view {
            next.domains.insert(domain, Arc::new(view));
        }
    }

    fn manifest(
        &mut self,
        digest: String,
        manifest: v1::Manifest,
        descriptors: &[u8],
    ) -> Result<(), Quarantine> {
        let entry = self.manifests.entry(digest.clone()).or_default();
        if matches!(entry.admitted, Some(Ok(_))) {
            return Ok(());
        }
        let admitted = read(manifest, descriptors);
        let result = match &admitted {
            Ok(_) => Ok(()),
            Err(violations) => Err(Quarantine::manifest(
                &digest,
                format!("its manifest is invalid: {}", summary(violations)),
                violations.clone(),
            )),
        };
        entry.admitted = Some(admitted.map_err(|violations| summary(&violations)));
        let users: Vec<String> = entry.users.iter().cloned().collect();
        if users.is_empty() {
            self.idles(digest);
        }
        for id in users {
            self.judge_again(&id);
        }
        result
    }

    fn put(&mut self, mut instance: Instance) -> Result<(), Quarantine> {
        if let Some(known) = self.instance(&instance.id) {
            if known.incarnation > instance.incarnation {
                return Ok(());
            }
            let same_process =
                known.incarnation == instance.incarnation && known.endpoint == instance.endpoint;
            instance.healthy = !same_process || known.healthy;
        }
        let id = instance.id.clone();
        self.remove(&id, None);
        self.manifests.entry(instance.manifest_digest.clone()).or_default().users.insert(id.clone());
        self.judge(&mut instance);
        let verdict = match &instance.quarantined {
            Some(reason) => Err(Quarantine::instance(&id, reason.clone())),
            None => Ok(()),
        };
        self.dirty.insert(instance.domain.clone());
        self.homes.insert(id.clone(), instance.domain.clone());
        self.instances.entry(instance.domain.clone()).or_default().insert(id, Arc::new(instance));
        verdict
    }

    fn remove(&mut self, id: &str, incarnation: Option<u64>) {
        let younger = |known: &Instance| incarnation.is_some_and(|gone| known.incarnation > gone);
        if self.instance(id).is_none_or(|known| younger(known)) {
            return;
        }
        let Some(domain) = self.homes.remove(id) else { return };
        let Some(instances) = self.instances.get_mut(&domain) else { return };
        let removed = instances.remove(id);
        if instances.is_empty() {
            self.instances.remove(&domain);
        }
        self.dirty.insert(domain);
        if let Some(instance) = removed {
            self.unused(id, &instance.manifest_digest);
        }
    }

    fn health(&mut self, id: &str, healthy: bool) {
        let Some(known) = self.instance(id).filter(|known| known.healthy != healthy) else { return };
        let changed = Instance { healthy, ..Instance::clone(known) };
        self.replace(changed);
    }

    fn judge_again(&mut self, id: &str) {
        let Some(known) = self.instance(id) else { return };
        let mut changed = Instance::clone(known);
        self.judge(&mut changed);
        self.replace(changed);
    }

    /// Puts an instance in the place of itself.
    fn replace(&mut self, instance: Instance) {
        if let Some(place) =
            self.instances.get_mut(&instance.domain).and_then(|known| known.get_mut(&instance.id))
        {
            self.dirty.insert(instance.domain.clone());
            *place = Arc::new(instance);
        }
    }

    /// Decides whether an instance can be served, and fills in the version that its manifest has.
    fn judge(&self, instance: &mut Instance) {
        let manifest =
            self.manifests.get(&instance.manifest_digest).and_then(|entry| entry.admitted.as_ref());
        instance.quarantined = fault(instance, manifest).or_else(|| {
            let admitted = manifest?.as_ref().ok()?;
            if instance.version.is_empty() {
                instance.version.clone_from(&admitted.domain.version);
            }
            None
        });
    }

    fn instance(&self, id: &str) -> Option<&Arc<Instance>> {
        self.instances.get(self.homes.get(id)?)?.get(id)
    }

    /// One instance less names a manifest.
    fn unused(&mut self, id: &str, digest: &str) {
        let Some(entry) = self.manifests.get_mut(digest) else { return };
        entry.users.remove(id);
        if entry.users.is_empty() {
            self.idles(digest.to_owned());
        }
    }

    /// Keeps the manifests that were used last; of one that never came there is nothing to keep.
    fn idles(&mut self, digest: String) {
        if self.manifests.get(&digest).is_none_or(|entry| entry.admitted.is_none()) {
            self.manifests.remove(&digest);
            return;
        }
        self.idle.retain(|known| *known != digest);
        self.idle.push_back(digest);
        while self.idle.len() > IDLE_MANIFESTS {
            let Some(oldest) = self.idle.pop_front() else { return };
            if self.manifests.get(&oldest).is_some_and(|entry| entry.users.is_empty()) {
                self.manifests.remove(&oldest);
            }
        }
    }
}

fn read(manifest: v1::Manifest, descriptors: &[u8]) -> Result<Admitted, Vec<v1::Violation>> {
    let descriptors = Descriptors::read_for(descriptors, &manifest)?;
    admit(convoke_proto::manifest::adopt(manifest, &descriptors)?, &descriptors)
}

/// What keeps an instance from being called, if anything does.
fn fault(instance: &Instance, manifest: Option<&Result<Admitted, String>>) -> Option<String> {
    let admitted = match manifest {
        None => return Some(format!("its manifest {} is not in the registry", instance.manifest_digest)),
        Some(Err(reason)) => return Some(format!("its manifest is invalid: {reason}")),
        Some(Ok(admitted)) => admitted,
    };
    let domain = &admitted.domain;
    let http = ["http://", "https://"].iter().find_map(|scheme| instance.endpoint.strip_prefix(scheme));
    if http.is_none_or(str::is_empty) {
        Some("its endpoint is not http(s)://host:port".to_owned())
    } else if domain.name != instance.domain {
        Some(format!("its manifest is that of domain {:?}", domain.name))
    } else if !instance.version.is_empty() && domain.version != instance.version {
        Some(format!("its manifest is that of version {:?}", domain.version))
    } else {
        None
    }
}

/// Keeps the table of bare names; it is touched only when a domain's names changed.
fn rename(next: &mut Catalog, domain: &Arc<str>, before: Option<&View>, after: Option<&View>) {
    let names = |view: Option<&View>| -> BTreeSet<String> {
        view.into_iter().flat_map(|view| view.names().cloned()).collect()
    };
    let (before, after) = (names(before), names(after));
    if before == after {
        return;
    }
    let table = Arc::make_mut(&mut next.names);
    for gone in before.difference(&after) {
        if let Some(homes) = table.get_mut(gone) {
            homes.retain(|home| home != domain);
            if homes.is_empty() {
                table.remove(gone);
            }
        }
    }
    for new in after.difference(&before) {
        let homes = table.entry(new.clone()).or_default();
        homes.push(Arc::clone(domain));
        homes.sort();
    }
}
