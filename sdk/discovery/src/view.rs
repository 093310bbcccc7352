//! What one watcher has been told, so that it is told what it needs next and nothing twice.

use std::collections::{HashMap, HashSet, VecDeque};

use convoke_proto::v1;

use crate::{Record, Update};

/// One watcher's knowledge. It decides when a manifest has to go before an instance and what a relist removes.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// By id, the last [`Update::Put`] or [`Update::Invalid`].
    known: HashMap<String, Update>,
    /// How many known instances name a manifest: one that nobody names may have been forgotten by the watcher.
    manifests: HashMap<String, usize>,
    /// What the watcher has still to take, in order.
    pub(crate) queue: VecDeque<Update>,
}

// === impl View ===

impl View {
    /// The instance stands in the registry like this.
    pub(crate) fn put(&mut self, instance: v1::Instance, record: &Record) {
        let manifest = (!self.names(&instance.manifest_digest)).then(|| Update::Manifest {
            digest: instance.manifest_digest.clone(),
            manifest: record.manifest.clone(),
            descriptors: record.descriptors.clone(),
        });
        self.learn(instance.id.clone(), manifest, Update::Put(instance));
    }

    /// What stands in the registry under `instance.id` cannot be served. In memory, nothing of the kind can stand.
    #[cfg(any(feature = "etcd", test))]
    pub(crate) fn put_invalid(&mut self, instance: v1::Instance, reason: String) {
        self.learn(instance.id.clone(), None, Update::Invalid { instance, reason });
    }

    /// Nothing stands in the registry under this id.
    pub(crate) fn remove(&mut self, id: &str) {
        if let Some(known) = self.known.remove(id) {
            self.forget(&known);
            self.queue.push_back(Update::Removed { id: id.to_owned() });
        }
    }

    /// Nothing but these ids stands in the registry.
    pub(crate) fn retain(&mut self, present: &HashSet<&str>) {
        let gone: Vec<_> = self.known.keys().filter(|id| !present.contains(id.as_str())).cloned().collect();
        for id in gone {
            self.remove(&id);
        }
    }

    /// Whether an instance that the watcher knows names this manifest.
    pub(crate) fn names(&self, manifest_digest: &str) -> bool {
        self.manifests.contains_key(manifest_digest)
    }

    /// Queues what is new under an id, with the manifest that has to go before it.
    fn learn(&mut self, id: String, manifest: Option<Update>, update: Update) {
        if self.known.get(&id) == Some(&update) {
            return;
        }
        self.queue.extend(manifest);
        self.queue.push_back(update.clone());
        if let Update::Put(instance) = &update {
            *self.manifests.entry(instance.manifest_digest.clone()).or_default() += 1;
        }
        if let Some(before) = self.known.insert(id, update) {
            self.forget(&before);
        }
    }

    fn forget(&mut self, known: &Update) {
        let Update::Put(instance) = known else { return };
        if let Some(count) = self.manifests.get_mut(&instance.manifest_digest) {
            *count -= 1;
            if *count == 0 {
                self.manifests.remove(&instance.manifest_digest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(description: &str) -> Record {
        let domain = v1::Domain { name: "d".into(), description: description.into(), ..Default::default() };
        Record::new(v1::Manifest { domain: Some(domain), ..Default::default() }, Default::default()).unwrap()
    }

    fn instance(id: &str, record: &Record) -> v1::Instance {
        v1::Instance { id: id.into(), manifest_digest: record.digest.clone(), ..Default::default() }
    }

    fn told(view: &mut View) -> Vec<String> {
        view.queue
            .drain(..)
            .map(|update| match update {
                Update::Manifest { manifest, .. } => {
                    format!("manifest {}", manifest.domain.unwrap_or_default().description)
                }
                Update::Put(instance) => format!("put {}", instance.id),
                Update::Removed { id } => format!("removed {id}"),
                Update::Invalid { instance, reason } => format!("invalid {} {reason}", instance.id),
                Update::Synced => "synced".into(),
                Update::Lost(reason) => format!("lost {reason}"),
            })
            .collect()
    }

    #[test]
    fn a_manifest_goes_once_before_the_instances_that_name_it_and_again_after_the_last_is_gone() {
        let (one, two) = (record("one"), record("two"));
        let mut view = View::default();
        view.put(instance("a", &one), &one);
        view.put(instance("b", &one), &one);
        assert_eq!(told(&mut view), ["manifest one", "put a", "put b"]);
        view.put(instance("a", &two), &two);
        assert_eq!(told(&mut view), ["manifest two", "put a"]);
        view.remove("b");
        view.put(instance("c", &one), &one);
        assert_eq!(told(&mut view), ["removed b", "manifest one", "put c"]);
    }

    #[test]
    fn nothing_is_told_twice() {
        let one = record("one");
        let mut view = View::default();
        view.put(instance("a", &one), &one);
        view.put(instance("a", &one), &one);
        view.put_invalid(instance("x", &one), "bad".into());
        view.put_invalid(instance("x", &one), "bad".into());
        view.remove("x");
        view.remove("x");
        assert_eq!(told(&mut view), ["manifest one", "put a", "invalid x bad", "removed x"]);
    }

    #[test]
    fn what_is_invalid_holds_no_manifest() {
        let one = record("one");
        let mut view = View::default();
        view.put(instance("a", &one), &one);
        view.put_invalid(instance("a", &one), "bad".into());
        assert!(!view.names(&one.digest));
        view.put(instance("a", &one), &one);
        assert_eq!(told(&mut view), ["manifest one", "put a", "invalid a bad", "manifest one", "put a"]);
    }

    #[test]
    fn a_relist_removes_what_is_not_in_it() {
        let one = record("one");
        let mut view = View::default();
        view.put(instance("a", &one), &one);
        view.put(instance("b", &one), &one);
        told(&mut view);
        view.retain(&HashSet::from(["b"]));
        assert_eq!(told(&mut view), ["removed a"]);
    }
}
