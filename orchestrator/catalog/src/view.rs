//! One domain of a snapshot, built from its instances and their manifests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use convoke_proto::v1;

use crate::version::Version;
use crate::{Admitted, Capability, Contract, Goal, Instance};

/// What one domain offers.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// As the best manifest has it; `None` while every instance is quarantined.
    pub(crate) domain: Option<v1::Domain>,
    /// By name; the contract that an unbound call takes comes first.
    pub(crate) capabilities: BTreeMap<String, Vec<Arc<Capability>>>,
    pub(crate) goals: Vec<Arc<Goal>>,
    /// All of them, by id.
    pub(crate) instances: Vec<Arc<Instance>>,
}

/// An admitted manifest and those who offer it.
struct Offer<'a> {
    digest: &'a str,
    version: Version,
    manifest: &'a Admitted,
    instances: Vec<Arc<Instance>>,
}

/// A contract, and the positions of the offers that have it.
struct Offered<'a> {
    contract: &'a Arc<Contract>,
    by: Vec<usize>,
}

// === impl View ===

impl View {
    /// Linear in the instances, and in the capabilities of the manifests among them.
    pub(crate) fn build<'a>(
        instances: &'a BTreeMap<String, Arc<Instance>>,
        admitted: impl Fn(&str) -> Option<&'a Admitted>,
    ) -> Self {
        let offers = offers(instances, admitted);
        Self {
            domain: offers.first().map(|offer| offer.manifest.domain.clone()),
            capabilities: capabilities(&offers),
            goals: goals(&offers),
            instances: instances.values().cloned().collect(),
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.capabilities.keys()
    }
}

// === impl Offer ===

impl Offer<'_> {
    fn healthy(&self) -> bool {
        self.instances.iter().any(|instance| instance.callable())
    }
}

/// The manifests on offer, best first: healthy ones before others, then the highest version.
fn offers<'a>(
    instances: &'a BTreeMap<String, Arc<Instance>>,
    admitted: impl Fn(&str) -> Option<&'a Admitted>,
) -> Vec<Offer<'a>> {
    let mut by_manifest: HashMap<&str, Vec<Arc<Instance>>> = HashMap::new();
    for instance in instances.values().filter(|instance| instance.quarantined.is_none()) {
        by_manifest.entry(&instance.manifest_digest).or_default().push(Arc::clone(instance));
    }
    let mut offers: Vec<Offer<'a>> = by_manifest
        .into_iter()
        .filter_map(|(digest, instances)| {
            let manifest = admitted(digest)?;
            Some(Offer { digest, version: Version::parse(&manifest.domain.version), manifest, instances })
        })
        .collect();
    offers.sort_by(|a, b| {
        (b.healthy(), &b.version).cmp(&(a.healthy(), &a.version)).then_with(|| a.digest.cmp(b.digest))
    });
    offers
}

/// Equal contracts of several manifests become one capability with one pool.
fn capabilities(offers: &[Offer<'_>]) -> BTreeMap<String, Vec<Arc<Capability>>> {
    let mut found: BTreeMap<&str, Vec<Offered<'_>>> = BTreeMap::new();
    for (position, offer) in offers.iter().enumerate() {
        for contract in &offer.manifest.contracts {
            let contracts = found.entry(&contract.name).or_default();
            match contracts
                .iter_mut()
                .find(|known| known.contract.contract_digest == contract.contract_digest)
            {
                Some(known) => known.by.push(position),
                None => contracts.push(Offered { contract, by: vec![position] }),
            }
        }
    }
    let mut pools = Pools { offers, made: HashMap::new() };
    found
        .into_iter()
        .map(|(name, contracts)| {
            let offered = contracts.into_iter().map(|offered| {
                let contract = Arc::clone(offered.contract);
                Arc::new(Capability { contract, instances: pools.of(offered.by) })
            });
            (name.to_owned(), offered.collect())
        })
        .collect()
}

/// A capability's goals are those of the best manifest that has the capability: an older version that called it
/// otherwise adds nothing.
fn goals(offers: &[Offer<'_>]) -> Vec<Arc<Goal>> {
    let mut settled: BTreeSet<&str> = BTreeSet::new();
    let mut goals = Vec::new();
    for offer in offers {
        let new = |goal: &&Arc<Goal>| !settled.contains(goal.capability.as_str());
        goals.extend(offer.manifest.goals.iter().filter(new).cloned());
        settled.extend(offer.manifest.contracts.iter().map(|contract| contract.name.as_str()));
    }
    goals
}

/// One allocation for every set of manifests, however many capabilities they share.
struct Pools<'a> {
    offers: &'a [Offer<'a>],
    made: HashMap<Vec<usize>, Arc<[Arc<Instance>]>>,
}

impl Pools<'_> {
    fn of(&mut self, offered_by: Vec<usize>) -> Arc<[Arc<Instance>]> {
        if let Some(pool) = self.made.get(&offered_by) {
            return Arc::clone(pool);
        }
        let mut instances: Vec<Arc<Instance>> = offered_by
            .iter()
            .filter_map(|position| self.offers.get(*position))
            .flat_map(|offer| offer.instances.iter().cloned())
            .collect();
        if offered_by.len() > 1 {
            instances.sort_by(|a, b| a.id.cmp(&b.id));
        }
        let pool: Arc<[Arc<Instance>]> = instances.into();
        self.made.insert(offered_by, Arc::clone(&pool));
        pool
    }
}
