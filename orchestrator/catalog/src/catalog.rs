//! The snapshot: everything that the mesh offers at one moment.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use convoke_proto::v1;

use crate::view::View;
use crate::{Capability, Goal, Instance};

/// An immutable snapshot. Domains that a change did not touch are shared with the snapshot before.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub(crate) revision: u64,
    pub(crate) domains: BTreeMap<Arc<str>, Arc<View>>,
    /// Which domains offer a capability of that name; for names that come without a domain.
    pub(crate) names: Arc<HashMap<String, Vec<Arc<str>>>>,
}

impl Catalog {
    /// Greater with each change that the snapshot has seen.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Every domain that offers something, by name; as its highest healthy version describes it.
    pub fn domains(&self) -> impl Iterator<Item = &v1::Domain> {
        self.domains.values().filter_map(|view| view.domain.as_ref())
    }

    /// Whether a domain of that name offers something.
    pub fn has_domain(&self, name: &str) -> bool {
        self.domains.get(name).is_some_and(|view| view.domain.is_some())
    }

    /// Every capability that an instance offers, by domain and name; of several contracts under one name, the one that
    /// an unbound call takes comes first.
    pub fn capabilities(&self) -> impl Iterator<Item = &Arc<Capability>> {
        self.domains.values().flat_map(|view| view.capabilities.values().flatten())
    }

    /// Every goal, by domain. Two domains may have goals of one name.
    pub fn goals(&self) -> impl Iterator<Item = &Arc<Goal>> {
        self.domains.values().flat_map(|view| view.goals.iter())
    }

    /// Every instance that the registry holds, by domain and id, with those that are quarantined.
    pub fn agents(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.domains.values().flat_map(|view| view.instances.iter())
    }
}
