//! What stands in etcd, read with suspicion: other programs and people write there too.

use std::sync::Arc;

use bytes::Bytes;
use convoke_proto::{
    json,
    v1::{self, instance::State},
};

use super::{Shared, calls::within, keys::Keys};
use crate::{Error, Record, normalise_endpoint, record};

/// The longest part of a malformed key that is handed on as an id.
const MAX_ID: usize = 200;

/// Something under the prefix of instances that can't be served.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unusable {
    /// As much as could be read.
    pub(super) instance: v1::Instance,
    pub(super) reason: String,
}

/// An instance as the text that is stored.
pub(super) fn text(instance: &v1::Instance) -> String {
    json::render("convoke.v1.Instance", instance).to_string()
}

/// Reads the instance at a key.
pub(super) fn instance(keys: &Keys, key: &[u8], value: &[u8]) -> Result<v1::Instance, Box<Unusable>> {
    let key = String::from_utf8_lossy(key);
    let Some((domain, id)) = keys.read_instance(&key) else {
        let rest = key.strip_prefix(&keys.instances()).unwrap_or(&key);
        let id = rest.chars().take(MAX_ID).collect();
        let instance = v1::Instance { id, ..Default::default() };
        let reason = "its key is not instances/{domain}/{instance} with valid names".into();
        return Err(Box::new(Unusable { instance, reason }));
    };
    let named = v1::Instance { id: id.into(), domain: domain.into(), ..Default::default() };
    let read = str::from_utf8(value)
        .map_err(|_| "its value is not UTF-8".to_owned())
        .and_then(|text| json::parse("convoke.v1.Instance", text).map_err(|error| error.to_string()));
    match read {
        Ok(instance) => check(instance, domain, id),
        Err(reason) => Err(Box::new(Unusable { instance: named, reason })),
    }
}

fn check(mut instance: v1::Instance, domain: &str, id: &str) -> Result<v1::Instance, Box<Unusable>> {
    let agrees = instance.id == id && instance.domain == domain;
    instance.id = id.to_owned();
    instance.domain = domain.to_owned();
    let reason = if !agrees {
        Some("its value names another domain or instance than its key".to_owned())
    } else if record::hex(&instance.manifest_digest).is_none() {
        Some(format!("manifest_digest {:?} is no SHA-256 digest", instance.manifest_digest))
    } else {
        match normalise_endpoint(&instance.endpoint) {
            Ok(endpoint) => {
                instance.endpoint = endpoint;
                None
            }
            Err(error) => Some(error.to_string()),
        }
    };
    if let Some(reason) = reason {
        return Err(Box::new(Unusable { instance, reason }));
    }
    if instance.state() == State::Unspecified {
        instance.set_state(State::Serving);
    }
    Ok(instance)
}

/// Fetches the manifest that an instance names.
///
/// # Errors
/// [`Error::Unavailable`] without contact; [`Error::Invalid`] when what is stored can't be used.
pub(super) async fn record(shared: &Shared, instance: &v1::Instance) -> Result<Arc<Record>, Error> {
    let missing =
        |what: &str| Error::Invalid { field: "manifest", reason: format!("{what} is not in the registry") };
    let sha256 = record::hex(&instance.manifest_digest).unwrap_or_default();
    let text = value(shared, shared.keys.manifest(&instance.domain, sha256)).await?;
    let text = text.ok_or_else(|| missing("its manifest"))?;
    let manifest = Record::read_manifest(&instance.manifest_digest, &text)?;
    if manifest.domain.as_ref().is_none_or(|domain| domain.name != instance.domain) {
        return Err(Error::Invalid { field: "manifest", reason: "it is that of another domain".into() });
    }
    let descriptors = value(shared, shared.keys.descriptors(&manifest.descriptors_digest)).await?;
    let descriptors = descriptors.ok_or_else(|| missing("the descriptors of its manifest"))?;
    Record::stored(&instance.manifest_digest, manifest, descriptors).map(Arc::new)
}

async fn value(shared: &Shared, key: String) -> Result<Option<Bytes>, Error> {
    let mut client = shared.client().await?.kv_client();
    let mut found = within("get", client.get(key, None)).await?;
    Ok(found.take_kvs().pop().map(|kv| Bytes::from(kv.into_key_value().1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"/convoke/v1/default/instances/units/u1";

    fn read(key: &[u8], value: &str) -> Result<v1::Instance, Box<Unusable>> {
        instance(&Keys::new("default"), key, value.as_bytes())
    }

    fn value(change: impl FnOnce(&mut v1::Instance)) -> String {
        let mut instance = v1::Instance {
            id: "u1".into(),
            domain: "units".into(),
            endpoint: "http://127.0.0.1:5000".into(),
            manifest_digest: format!("sha256:{}", "a".repeat(64)),
            ..Default::default()
        };
        change(&mut instance);
        text(&instance)
    }

    #[test]
    fn what_was_written_is_read_back_and_serves_unless_it_says_otherwise() {
        let instance = read(KEY, &value(|_| ())).unwrap();
        assert_eq!((instance.id.as_str(), instance.state()), ("u1", State::Serving));
        let draining = read(KEY, &value(|instance| instance.set_state(State::Draining))).unwrap();
        assert_eq!(draining.state(), State::Draining);
    }

    #[test]
    fn whatever_else_stands_there_is_named_with_a_reason() {
        for (value, reason) in [
            ("", "EOF"),
            ("{\"id\": 7}", "line 1"),
            (&value(|i| i.id = "u2".into()), "names another"),
            (&value(|i| i.domain = "other".into()), "names another"),
            (&value(|i| i.endpoint = "somewhere".into()), "host:port"),
            (&value(|i| i.manifest_digest = "abc".into()), "SHA-256"),
        ] {
            let unusable = read(KEY, value).unwrap_err();
            assert!(unusable.reason.contains(reason), "{value}: {}", unusable.reason);
            assert_eq!((unusable.instance.domain.as_str(), unusable.instance.id.as_str()), ("units", "u1"));
        }
        let unusable = read(b"/convoke/v1/default/instances/\xff/x", "{}").unwrap_err();
        assert!(unusable.reason.contains("key"), "{}", unusable.reason);
        assert!(unusable.instance.id.ends_with("/x"));
    }
}
