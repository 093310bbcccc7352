//! The keys, written and read.

use convoke_proto::names;

/// The keys of one namespace.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    prefix: String,
}

// === impl Keys ===

impl Keys {
    pub(super) fn new(namespace: &str) -> Self {
        Self { prefix: format!("/convoke/v1/{namespace}/") }
    }

    pub(super) fn descriptors(&self, sha256: &str) -> String {
        format!("{}descriptors/{sha256}", self.prefix)
    }

    pub(super) fn manifest(&self, domain: &str, sha256: &str) -> String {
        format!("{}manifests/{domain}/{sha256}", self.prefix)
    }

    pub(super) fn reference(&self, domain: &str, sha256: &str) -> String {
        format!("{}refs/{domain}/{sha256}", self.prefix)
    }

    pub(super) fn instance(&self, domain: &str, id: &str) -> String {
        format!("{}instances/{domain}/{id}", self.prefix)
    }

    /// What the keys of all instances start with.
    pub(super) fn instances(&self) -> String {
        format!("{}instances/", self.prefix)
    }

    /// Domain and id of an instance's key; `None` when it isn't well formed.
    pub(super) fn read_instance<'a>(&self, key: &'a str) -> Option<(&'a str, &'a str)> {
        let (domain, id) = key.strip_prefix(&self.instances())?.split_once('/')?;
        (names::valid_domain(domain) && names::valid_instance(id)).then_some((domain, id))
    }
}

/// The first key behind those with a prefix; ours end with a slash, so their last byte can be counted up.
pub(super) fn prefix_end(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last = last.saturating_add(1);
    }
    end
}

/// The first key behind this one.
pub(super) fn after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_contract() {
        let keys = Keys::new("default");
        assert_eq!(keys.descriptors("ab"), "/convoke/v1/default/descriptors/ab");
        assert_eq!(keys.manifest("units", "ab"), "/convoke/v1/default/manifests/units/ab");
        assert_eq!(keys.reference("units", "ab"), "/convoke/v1/default/refs/units/ab");
        assert_eq!(keys.instance("units", "u1"), "/convoke/v1/default/instances/units/u1");
    }

    #[test]
    fn an_instance_is_read_off_its_key_and_from_no_other() {
        let keys = Keys::new("default");
        assert_eq!(keys.read_instance("/convoke/v1/default/instances/units/u1"), Some(("units", "u1")));
        for other in [
            "/convoke/v1/default/instances/units",
            "/convoke/v1/default/instances/units/u1/x",
            "/convoke/v1/default/instances/Units/u1",
            "/convoke/v1/default/instances/units/",
            "/convoke/v1/other/instances/units/u1",
        ] {
            assert_eq!(keys.read_instance(other), None, "{other}");
        }
    }
}
