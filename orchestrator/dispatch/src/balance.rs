//! Which instance gets the next attempt: power of two choices over what the catalog names now.
//!
//! Two of the healthy, SERVING instances of the capability's contract are drawn; the one with fewer calls in flight,
//! measured against its weight, gets the call. A tie is drawn in proportion to the weights. An instance that was tried
//! for this call is not drawn again. Where this orchestrator has a zone, its own zone's instances go first; where it
//! has none, an instance's zone is information for people.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use convoke_catalog::{Capability, Instance, Live, Unresolved};
use convoke_proto::error;
use fastrand::Rng;
use tonic::Code;

use crate::failure::{self, Failure};
use crate::pool::Pool;

/// Up to so many instances are looked at one by one; among more, two are drawn.
const FEW: usize = 8;
/// How often two are drawn before all are looked at.
const DRAWS: usize = 4;
/// More further attempts than these do not shorten an attempt's time.
const MAX_FURTHER: usize = 2;

/// The choice of an instance.
pub(crate) struct Balance {
    live: Live,
    zone: Option<String>,
    seed: AtomicU64,
}

/// An instance for one attempt.
pub(crate) struct Pick {
    pub(crate) instance: Arc<Instance>,
    /// How many other instances could still be tried after it, counted up to [`MAX_FURTHER`].
    pub(crate) further: usize,
}

// === impl Balance ===

impl Balance {
    pub(crate) fn new(live: Live, zone: Option<String>, seed: u64) -> Self {
        Self { live, zone, seed: AtomicU64::new(seed) }
    }

    /// An instance that is not among `tried`, by id.
    ///
    /// # Errors
    /// None is left, or the contract is no longer on offer.
    pub(crate) fn pick(
        &self,
        wanted: &Capability,
        tried: &HashSet<String>,
        pool: &Pool,
    ) -> Result<Pick, Box<Failure>> {
        let catalog = self.live.load();
        pool.sweep(&catalog);
        let capability = match catalog.resolve(&wanted.domain, &wanted.name, &wanted.contract_digest) {
            Ok(capability) => capability,
            Err(Unresolved::ContractChanged { .. }) => return Err(contract_changed(wanted)),
            Err(Unresolved::NotFound { .. } | Unresolved::Ambiguous { .. }) => return Err(nobody(wanted)),
        };
        let untried = |instance: &Instance| instance.callable() && !tried.contains(&instance.id);
        let near = |instance: &Instance| {
            untried(instance) && self.zone.as_ref().is_some_and(|zone| *zone == instance.zone)
        };
        let mut rng = self.dice();
        let instances = &capability.instances;
        let load = |endpoints: [&str; 2]| pool.in_flight(endpoints);
        let near = self.zone.as_ref().and_then(|_| choose(instances, near, load, &mut rng));
        let picked =
            near.or_else(|| choose(instances, untried, load, &mut rng)).ok_or_else(|| nobody(wanted))?;
        let others = instances.iter().filter(|other| other.id != picked.id && untried(other));
        Ok(Pick { instance: Arc::clone(picked), further: others.take(MAX_FURTHER).count() })
    }

    /// A generator of its own for each pick, so that picks share nothing but one addition.
    fn dice(&self) -> Rng {
        Rng::with_seed(self.seed.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed))
    }
}

fn nobody(wanted: &Capability) -> Box<Failure> {
    failure::unavailable(format!(
        "no instance of {} that can be called offers {}",
        wanted.domain, wanted.name
    ))
}

fn contract_changed(wanted: &Capability) -> Box<Failure> {
    let message = format!("{}.{} changed its contract while it was called", wanted.domain, wanted.name);
    failure::not_started(Code::FailedPrecondition, error::own(error::CONTRACT_CHANGED, message))
}

/// One of the eligible instances; constant time where most of many are eligible.
fn choose<'a>(
    instances: &'a [Arc<Instance>],
    eligible: impl Fn(&Instance) -> bool,
    in_flight: impl Fn([&str; 2]) -> [usize; 2],
    rng: &mut Rng,
) -> Option<&'a Arc<Instance>> {
    let (one, other) = match two(instances, eligible, rng)? {
        (only, None) => return Some(only),
        (one, Some(other)) => (one, other),
    };
    let loads = in_flight([&one.endpoint, &other.endpoint]);
    let [weight_of_one, weight_of_other] = [one, other].map(|instance| u64::from(instance.weight.max(1)));
    let [one_has, other_has] = loads.map(|load| u64::try_from(load).unwrap_or(u64::MAX));
    let order = one_has.saturating_mul(weight_of_other).cmp(&other_has.saturating_mul(weight_of_one));
    let first = match order {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => rng.u64(..weight_of_one + weight_of_other) < weight_of_one,
    };
    Some(if first { one } else { other })
}

/// Two different eligible instances, or the only one.
fn two<'a>(
    instances: &'a [Arc<Instance>],
    eligible: impl Fn(&Instance) -> bool,
    rng: &mut Rng,
) -> Option<(&'a Arc<Instance>, Option<&'a Arc<Instance>>)> {
    if instances.len() > FEW {
        for _ in 0..DRAWS {
            let (one, other) = (rng.choice(instances)?, rng.choice(instances)?);
            if !Arc::ptr_eq(one, other) && eligible(one) && eligible(other) {
                return Some((one, Some(other)));
            }
        }
    }
    let eligible: Vec<_> = instances.iter().filter(|instance| eligible(instance)).collect();
    match eligible.as_slice() {
        [] => None,
        [only] => Some((only, None)),
        several => {
            let one = rng.usize(..several.len());
            let other = (one + rng.usize(1..several.len())) % several.len();
            Some((several[one], Some(several[other])))
        }
    }
}

#[cfg(test)]
mod tests {
    use convoke_proto::v1;

    use super::*;

    fn instances(weights: &[u32]) -> Vec<Arc<Instance>> {
        let of = |(place, &weight): (usize, &u32)| {
            let record = v1::Instance {
                id: format!("i-{place}"),
                endpoint: format!("http://h:{place}"),
                weight,
                ..Default::default()
            };
            Arc::new(Instance::from(record))
        };
        weights.iter().enumerate().map(of).collect()
    }

    fn shares(instances: &[Arc<Instance>], in_flight: impl Fn([&str; 2]) -> [usize; 2] + Copy) -> Vec<usize> {
        let mut rng = Rng::with_seed(7);
        let mut shares = vec![0; instances.len()];
        for _ in 0..10_000 {
            let chosen = choose(instances, |_| true, in_flight, &mut rng).unwrap();
            shares[instances.iter().position(|instance| Arc::ptr_eq(instance, chosen)).unwrap()] += 1;
        }
        shares
    }

    #[test]
    fn the_busier_of_two_gets_no_call() {
        let busy_first =
            |endpoints: [&str; 2]| endpoints.map(|endpoint| usize::from(endpoint == "http://h:0"));
        assert_eq!(shares(&instances(&[1, 1]), busy_first), [0, 10_000]);
    }

    #[test]
    fn idle_instances_share_by_weight() {
        let shares = shares(&instances(&[300, 100]), |_| [0, 0]);
        assert!((7_200..7_800).contains(&shares[0]), "{shares:?}");
    }

    #[test]
    fn every_one_of_many_gets_its_share() {
        let shares = shares(&instances(&[1; 100]), |_| [0, 0]);
        assert!(shares.iter().all(|share| (50..200).contains(share)), "{shares:?}");
    }

    #[test]
    fn the_one_eligible_among_many_is_found() {
        let instances = instances(&[1; 1000]);
        let chosen = choose(&instances, |one| one.id == "i-567", |_| [0, 0], &mut Rng::with_seed(1));
        assert_eq!(chosen.unwrap().id, "i-567");
        assert!(choose(&instances, |_| false, |_| [0, 0], &mut Rng::with_seed(1)).is_none());
    }
}
