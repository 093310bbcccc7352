//! Where the registry is, as a person writes it: `grpc://host:port`, `etcd://host:port[,host:port]` or `memory`.

use std::{fmt, str::FromStr};

use http::uri::Authority;

/// A registry's address, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryUrl {
    /// Instances live in the orchestrator's own memory. Only an orchestrator can be told so.
    Memory,
    /// The `Registry` service of the orchestrator at this `host:port`.
    Grpc(String),
    /// An etcd cluster: the `host:port` of each member, at least one.
    Etcd(Vec<String>),
}

/// Why a registry's address cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// It starts with no scheme that we know.
    #[error("{url:?} is no registry: expected grpc://host:port, etcd://host:port[,host:port] or memory")]
    Scheme {
        /// What was given.
        url: String,
    },
    /// What follows the scheme is no `host:port`.
    #[error("{url:?}: {part:?} is not host:port")]
    HostPort {
        /// What was given.
        url: String,
        /// The part that is wrong.
        part: String,
    },
    /// This program was built without what the address needs.
    #[error("{url:?}: this program is built without etcd; build it with the cargo feature `etcd`")]
    NoEtcd {
        /// What was given.
        url: String,
    },
    /// An agent cannot register in memory that is not its own.
    #[error(
        "memory is a registry for an orchestrator alone: an agent takes grpc://host:port or etcd://host:port"
    )]
    MemoryForAgent,
}

/// Reads a registry's address.
///
/// # Errors
/// [`UrlError::Scheme`] and [`UrlError::HostPort`].
pub fn parse_url(url: &str) -> Result<RegistryUrl, UrlError> {
    let host_port = |part: &str| {
        parse_host_port(part).ok_or_else(|| UrlError::HostPort { url: url.into(), part: part.into() })
    };
    if url == "memory" {
        Ok(RegistryUrl::Memory)
    } else if let Some(rest) = url.strip_prefix("grpc://") {
        host_port(rest.strip_suffix('/').unwrap_or(rest)).map(RegistryUrl::Grpc)
    } else if let Some(rest) = url.strip_prefix("etcd://") {
        let members = rest.strip_suffix('/').unwrap_or(rest).split(',');
        members.map(host_port).collect::<Result<_, _>>().map(RegistryUrl::Etcd)
    } else {
        Err(UrlError::Scheme { url: url.into() })
    }
}

/// A host and a port that is not 0, without user, path or blanks.
pub(crate) fn parse_host_port(text: &str) -> Option<String> {
    let authority = Authority::from_str(text).ok()?;
    let port = authority.port_u16()?;
    let well_formed = port != 0 && !authority.host().is_empty() && !text.contains('@');
    well_formed.then(|| authority.as_str().to_owned())
}

// === impl RegistryUrl ===

impl FromStr for RegistryUrl {
    type Err = UrlError;

    fn from_str(url: &str) -> Result<Self, UrlError> {
        parse_url(url)
    }
}

impl fmt::Display for RegistryUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            Self::Grpc(address) => write!(f, "grpc://{address}"),
            Self::Etcd(members) => write!(f, "etcd://{}", members.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_kind_and_prints_it_back() {
        let cases = [
            ("memory", RegistryUrl::Memory),
            ("grpc://127.0.0.1:7400", RegistryUrl::Grpc("127.0.0.1:7400".into())),
            ("grpc://[::1]:7400", RegistryUrl::Grpc("[::1]:7400".into())),
            ("grpc://orchestrator.mesh:7400", RegistryUrl::Grpc("orchestrator.mesh:7400".into())),
            ("etcd://a:2379", RegistryUrl::Etcd(vec!["a:2379".into()])),
            ("etcd://a:2379,b:2379", RegistryUrl::Etcd(vec!["a:2379".into(), "b:2379".into()])),
        ];
        for (text, url) in cases {
            assert_eq!(parse_url(text), Ok(url.clone()));
            assert_eq!(url.to_string(), text);
        }
        assert_eq!(parse_url("grpc://h:1/"), Ok(RegistryUrl::Grpc("h:1".into())));
    }

    #[test]
    fn says_what_is_wrong_with_the_rest() {
        for text in ["", "127.0.0.1:7400", "http://127.0.0.1:7400", "GRPC://h:1", "consul://h:1"] {
            assert_eq!(parse_url(text), Err(UrlError::Scheme { url: text.into() }));
        }
        for (text, part) in [
            ("grpc://", ""),
            ("grpc://h", "h"),
            ("grpc://h:0", "h:0"),
            ("grpc://h:70000", "h:70000"),
            ("grpc://:7400", ":7400"),
            ("grpc://u@h:1", "u@h:1"),
            ("grpc://h:1/path", "h:1/path"),
            ("etcd://a:1,", ""),
            ("etcd://a:1, b:1", " b:1"),
        ] {
            assert_eq!(parse_url(text), Err(UrlError::HostPort { url: text.into(), part: part.into() }));
        }
    }
}
