//! What a registration must be, whichever registry takes it.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, SystemTime},
};

use convoke_proto::{
    digest, names,
    v1::{self, instance::State},
};

use crate::{Error, Record, Registration, url::parse_host_port};

/// The shortest time to live; less is raised to it.
pub const MIN_TTL: Duration = Duration::from_secs(1);
/// The longest time to live; more is lowered to it.
pub const MAX_TTL: Duration = Duration::from_secs(60);
/// The time to live of an instance that asks for none.
pub const DEFAULT_TTL: Duration = Duration::from_secs(10);

/// The longest name of a zone, in bytes.
const MAX_ZONE: usize = 128;
/// The most that an instance's metadata may hold, keys and values together, in bytes.
const MAX_METADATA: usize = 8 * 1024;
/// The longest id, as `names::valid_instance` has it.
const MAX_ID: usize = 63;
/// Hex digits of an endpoint's digest in an id that we give.
const ID_DIGITS: usize = 12;

/// A registration that has been checked and filled in, except for the incarnation.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) instance: v1::Instance,
    /// Whether the agent chose the id itself.
    pub(crate) id_was_asked_for: bool,
    pub(crate) record: Arc<Record>,
    pub(crate) ttl: Duration,
}

/// The time to live that an instance gets when it asks for `asked`; zero asks for nothing.
pub fn clamp_ttl(asked: Duration) -> Duration {
    if asked.is_zero() { DEFAULT_TTL } else { asked.clamp(MIN_TTL, MAX_TTL) }
}

/// `http://host:port` or `https://host:port`; a bare `host:port` means http. The host is in lower case, so that one
/// endpoint has one spelling.
///
/// # Errors
/// [`Error::Invalid`] for anything else: a path, a user, no port, port 0.
pub fn normalise_endpoint(endpoint: &str) -> Result<String, Error> {
    let (scheme, rest) = endpoint.split_once("://").unwrap_or(("http", endpoint));
    let authority = parse_host_port(rest.strip_suffix('/').unwrap_or(rest));
    match (scheme, authority) {
        ("http" | "https", Some(authority)) => Ok(format!("{scheme}://{}", authority.to_ascii_lowercase())),
        _ => Err(Error::Invalid {
            field: "endpoint",
            reason: format!("{endpoint:?} is neither http(s)://host:port nor host:port"),
        }),
    }
}

/// Checks a registration and fills in what it leaves open. An id that wasn't asked for follows from domain and
/// endpoint, so that an agent which starts again on its endpoint takes its own place.
pub(crate) fn prepare(registration: Registration, now: SystemTime) -> Result<Prepared, Error> {
    let Registration { mut instance, manifest, descriptors, ttl } = registration;
    instance.endpoint = normalise_endpoint(&instance.endpoint)?;
    let domain = manifest.domain.clone().unwrap_or_default();
    agree("domain", &mut instance.domain, domain.name)?;
    agree("version", &mut instance.version, domain.version)?;
    if !names::valid_domain(&instance.domain) {
        return Err(malformed("domain", &instance.domain));
    }
    let id_was_asked_for = !instance.id.is_empty();
    if !id_was_asked_for {
        instance.id = given_id(&instance.domain, &instance.endpoint);
    }
    if !names::valid_instance(&instance.id) {
        return Err(malformed("instance_id", &instance.id));
    }
    check_size(&instance.zone, &instance.metadata)?;

    let record = Arc::new(Record::new(manifest, descriptors)?);
    instance.manifest_digest = record.digest.clone();
    instance.set_state(State::Serving);
    instance.registered = Some(now.into());
    Ok(Prepared { instance, id_was_asked_for, record, ttl: clamp_ttl(ttl) })
}

/// An instance speaks for its manifest: what it says itself must not differ from it.
fn agree(field: &'static str, own: &mut String, manifest: String) -> Result<(), Error> {
    if !own.is_empty() && *own != manifest {
        let reason = format!("the instance says {own:?}, its manifest {manifest:?}");
        return Err(Error::Invalid { field, reason });
    }
    *own = manifest;
    Ok(())
}

fn malformed(field: &'static str, name: &str) -> Error {
    Error::Invalid { field, reason: format!("{name:?} is not [a-z][a-z0-9-]{{0,62}}") }
}

fn given_id(domain: &str, endpoint: &str) -> String {
    let digits = digest::sha256_hex(endpoint.as_bytes());
    let digits = digits.get(..ID_DIGITS).unwrap_or(&digits);
    let room = MAX_ID - ID_DIGITS - 1;
    format!("{}-{digits}", domain.get(..room).unwrap_or(domain))
}

fn check_size(zone: &str, metadata: &BTreeMap<String, String>) -> Result<(), Error> {
    if zone.len() > MAX_ZONE {
        return Err(Error::Invalid { field: "zone", reason: format!("it is longer than {MAX_ZONE} bytes") });
    }
    let size: usize = metadata.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > MAX_METADATA {
        let reason = format!("it holds {size} bytes; at most {MAX_METADATA} are kept");
        return Err(Error::Invalid { field: "metadata", reason });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registration() -> Registration {
        Registration {
            instance: v1::Instance { endpoint: "127.0.0.1:5000".into(), ..Default::default() },
            manifest: v1::Manifest {
                domain: Some(v1::Domain {
                    name: "units".into(),
                    version: "1.2.0".into(),
                    ..Default::default()
                }),
                ..Default::default()
            },
            ..Default::default()
        }
    }

    fn refused_field(change: impl FnOnce(&mut Registration)) -> &'static str {
        let mut registration = registration();
        change(&mut registration);
        match prepare(registration, SystemTime::UNIX_EPOCH) {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_endpoint_alone_is_filled_in_from_the_manifest() {
        let prepared = prepare(registration(), SystemTime::UNIX_EPOCH).unwrap();
        let instance = prepared.instance;
        assert_eq!(instance.endpoint, "http://127.0.0.1:5000");
        assert_eq!((instance.domain.as_str(), instance.version.as_str()), ("units", "1.2.0"));
        assert!(instance.id.starts_with("units-") && instance.id.len() == 18, "{}", instance.id);
        assert_eq!(instance.state(), State::Serving);
        assert_eq!(instance.manifest_digest, prepared.record.digest);
        assert_eq!(prepared.ttl, Duration::from_secs(10));
    }

    #[test]
    fn a_given_id_follows_from_domain_and_endpoint_and_stays_valid_for_long_domains() {
        assert_eq!(given_id("units", "http://h:1"), given_id("units", "http://h:1"));
        assert_ne!(given_id("units", "http://h:1"), given_id("units", "http://h:2"));
        let longest = given_id(&"d".repeat(63), "http://h:1");
        assert_eq!(longest.len(), 63);
        assert!(names::valid_instance(&longest));
    }

    #[test]
    fn endpoints_have_one_spelling() {
        for (given, normal) in [
            ("127.0.0.1:5000", "http://127.0.0.1:5000"),
            ("http://Localhost:5000/", "http://localhost:5000"),
            ("https://agent.mesh:443", "https://agent.mesh:443"),
            ("[::1]:5000", "http://[::1]:5000"),
        ] {
            assert_eq!(normalise_endpoint(given).unwrap(), normal);
        }
        for bad in
            ["", "localhost", "http://h", "ftp://h:1", "http://h:1/path", "h:0", "http://u@h:1", "unix:///s"]
        {
            assert!(normalise_endpoint(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ttls_are_clamped() {
        for (asked, granted) in [(0, 10_000), (1, 1000), (999, 1000), (2500, 2500), (60_001, 60_000)] {
            assert_eq!(clamp_ttl(Duration::from_millis(asked)), Duration::from_millis(granted));
        }
    }

    #[test]
    fn each_malformed_field_is_named() {
        assert_eq!(refused_field(|r| r.instance.endpoint.clear()), "endpoint");
        assert_eq!(refused_field(|r| r.instance.domain = "other".into()), "domain");
        assert_eq!(refused_field(|r| r.manifest.domain = None), "domain");
        assert_eq!(refused_field(|r| r.instance.version = "2.0.0".into()), "version");
        assert_eq!(refused_field(|r| r.instance.id = "Units_1".into()), "instance_id");
        assert_eq!(refused_field(|r| r.instance.zone = "z".repeat(129)), "zone");
        assert_eq!(
            refused_field(|r| {
                r.instance.metadata.insert("k".into(), "v".repeat(8192));
            }),
            "metadata"
        );
    }
}
