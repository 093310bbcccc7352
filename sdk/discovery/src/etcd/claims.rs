//! Who holds an id and an endpoint.
//!
//! One id is one instance, and one endpoint is one instance, but in etcd two keys can name the same one: an id may stand
//! under two domains, and an agent that came back on its endpoint under another id leaves its old key behind until the
//! lease ends. The greater incarnation holds both.

use std::collections::{BTreeSet, HashMap};

#[derive(Debug, Default)]
pub(super) struct Claims {
    by_key: HashMap<Vec<u8>, Claim>,
    by_id: HashMap<String, Vec<u8>>,
    by_endpoint: HashMap<String, Vec<u8>>,
}

/// What one key claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) id: String,
    /// Empty: none, because what stands there can't be served.
    pub(super) endpoint: String,
    pub(super) incarnation: u64,
}

/// What follows from a change of one key.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Consequence {
    /// Whether what stands at the key is to be shown.
    pub(super) shown: bool,
    /// The ids that nothing holds any more.
    pub(super) gone: BTreeSet<String>,
}

// === impl Claims ===

impl Claims {
    /// The key now claims this.
    pub(super) fn put(&mut self, key: &[u8], claim: Claim) -> Consequence {
        let mut lost = Vec::from_iter(self.release(key));
        let rivals: BTreeSet<Vec<u8>> = [self.by_id.get(&claim.id), self.by_endpoint.get(&claim.endpoint)]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let outranked =
            |rival: &Vec<u8>| self.by_key.get(rival).is_some_and(|r| r.incarnation > claim.incarnation);
        let shown = !rivals.iter().any(outranked);
        if shown {
            lost.extend(rivals.iter().filter_map(|rival| self.release(rival)));
            self.by_id.insert(claim.id.clone(), key.to_vec());
            if !claim.endpoint.is_empty() {
                self.by_endpoint.insert(claim.endpoint.clone(), key.to_vec());
            }
            self.by_key.insert(key.to_vec(), claim);
        }
        self.consequence(shown, lost)
    }

    /// The key is gone.
    pub(super) fn delete(&mut self, key: &[u8]) -> Consequence {
        let lost = Vec::from_iter(self.release(key));
        self.consequence(false, lost)
    }

    /// Whether what stands at the key is to be shown.
    pub(super) fn holds(&self, key: &[u8]) -> bool {
        self.by_key.contains_key(key)
    }

    /// Every id that something holds.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(String::as_str)
    }

    fn release(&mut self, key: &[u8]) -> Option<Claim> {
        let claim = self.by_key.remove(key)?;
        self.by_id.remove(&claim.id);
        self.by_endpoint.remove(&claim.endpoint);
        Some(claim)
    }

    fn consequence(&self, shown: bool, lost: Vec<Claim>) -> Consequence {
        let gone = lost.into_iter().map(|claim| claim.id).filter(|id| !self.by_id.contains_key(id)).collect();
        Consequence { shown, gone }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(id: &str, endpoint: &str, incarnation: u64) -> Claim {
        Claim { id: id.into(), endpoint: endpoint.into(), incarnation }
    }

    fn consequence(shown: bool, gone: &[&str]) -> Consequence {
        Consequence { shown, gone: gone.iter().map(|id| (*id).to_owned()).collect() }
    }

    #[test]
    fn a_key_that_changes_keeps_its_place() {
        let mut claims = Claims::default();
        assert_eq!(claims.put(b"d/a", claim("a", "e1", 1)), consequence(true, &[]));
        assert_eq!(claims.put(b"d/a", claim("a", "e2", 2)), consequence(true, &[]));
        assert_eq!(claims.put(b"d/b", claim("b", "e1", 3)), consequence(true, &[]));
        assert_eq!(claims.delete(b"d/a"), consequence(false, &["a"]));
        assert_eq!(claims.delete(b"d/a"), consequence(false, &[]));
    }

    #[test]
    fn an_endpoint_belongs_to_the_greater_incarnation() {
        let mut claims = Claims::default();
        claims.put(b"d/old", claim("old", "e", 1));
        assert_eq!(claims.put(b"d/new", claim("new", "e", 2)), consequence(true, &["old"]));
        assert_eq!(claims.put(b"d/old", claim("old", "e", 1)), consequence(false, &[]));
        assert_eq!(claims.delete(b"d/old"), consequence(false, &[]));
        assert_eq!(claims.ids().collect::<Vec<_>>(), ["new"]);
    }

    #[test]
    fn an_id_under_two_domains_belongs_to_the_greater_incarnation() {
        let mut claims = Claims::default();
        claims.put(b"one/a", claim("a", "e1", 1));
        assert_eq!(claims.put(b"two/a", claim("a", "e2", 2)), consequence(true, &[]));
        assert_eq!(claims.delete(b"one/a"), consequence(false, &[]));
        assert_eq!(claims.delete(b"two/a"), consequence(false, &["a"]));
    }

    #[test]
    fn what_cannot_be_served_claims_no_endpoint() {
        let mut claims = Claims::default();
        claims.put(b"d/x", claim("x", "", 0));
        assert_eq!(claims.put(b"d/y", claim("y", "", 0)), consequence(true, &[]));
        assert_eq!(claims.put(b"d/x", claim("x", "e", 1)), consequence(true, &[]));
    }
}
