//! Where an agent says that it can be reached, and whether the orchestrator may dial it.
//!
//! A registration makes the orchestrator open a connection on somebody else's word. So the address is read
//! strictly (a scheme, a host, a port, nothing else), and unless the operator said otherwise it must be on
//! this machine. Names are not resolved to find that out: what a name means may have changed by the time it
//! is dialled. Only `localhost` counts, which RFC 6761 reserves.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::config::AgentEndpoints;

/// The longest that is looked at: a DNS name has at most 253 characters.
const MAX_LENGTH: usize = 300;

/// An address that was read and may be dialled, normalised to `http://host:port`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint(String);

/// Why an address is not dialled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EndpointError {
    /// It is not an address.
    #[error("http(s)://host:port, or host:port for http: {0}")]
    Malformed(&'static str),
    /// It asks for TLS.
    #[error("http://host:port: calls to agents over TLS are not served yet")]
    Tls,
    /// The policy forbids it.
    #[error("a loopback address (127.0.0.0/8, ::1 or localhost), unless the orchestrator allows others")]
    NotLoopback,
}

// === impl Endpoint ===

impl Endpoint {
    /// Reads `text` and holds it against `policy`.
    pub(crate) fn read(text: &str, policy: AgentEndpoints) -> Result<Self, EndpointError> {
        use EndpointError::{Malformed, NotLoopback, Tls};
        if text.is_empty() || text.len() > MAX_LENGTH {
            return Err(Malformed("it is empty or too long"));
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        let authority = match text.split_once("://") {
            None => text,
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("https") => return Err(Tls),
            Some(_) => return Err(Malformed("the scheme is another")),
        };
        let (host, port) = authority.rsplit_once(':').ok_or(Malformed("there is no port"))?;
        let port = read_port(port).ok_or(Malformed("the port is not between 1 and 65535"))?;
        let host = Host::read(host).ok_or(Malformed("the host is no name and no address"))?;
        if !host.can_be_dialled() {
            return Err(Malformed("nobody can be reached at that address"));
        }
        match policy {
            AgentEndpoints::Loopback if !host.is_loopback() => Err(NotLoopback),
            AgentEndpoints::Loopback | AgentEndpoints::Any => Ok(Self(host.uri(port))),
        }
    }

    /// `http://host:port`.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Digits alone: `u16::from_str` would take a sign.
fn read_port(text: &str) -> Option<u16> {
    let digits = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port > 0)
}

enum Host {
    V4(Ipv4Addr),
    V6(Ipv6Addr),
    Name(String),
}

// === impl Host ===

impl Host {
    fn read(text: &str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            return inner.strip_suffix(']')?.parse().ok().map(Self::V6);
        }
        if let Ok(address) = text.parse() {
            return Some(Self::V4(address));
        }
        is_name(text).then(|| Self::Name(text.to_ascii_lowercase()))
    }

    fn address(&self) -> Option<IpAddr> {
        match self {
            Self::V4(address) => Some(IpAddr::V4(*address)),
            Self::V6(address) => Some(IpAddr::V6(*address).to_canonical()),
            Self::Name(_) => None,
        }
    }

    fn is_loopback(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost",
            Self::V4(_) | Self::V6(_) => self.address().is_some_and(|address| address.is_loopback()),
        }
    }

    fn can_be_dialled(&self) -> bool {
        !self.address().is_some_and(|address| {
            let broadcast = address == IpAddr::V4(Ipv4Addr::BROADCAST);
            address.is_unspecified() || address.is_multicast() || broadcast
        })
    }

    fn uri(&self, port: u16) -> String {
        match self {
            Self::V4(address) => format!("http://{address}:{port}"),
            Self::V6(address) => format!("http://[{address}]:{port}"),
            Self::Name(name) => format!("http://{name}:{port}"),
        }
    }
}

/// A host name: labels of letters, digits, `-` and `_`, the last of which is no number (`127.1` and `0x7f.1`
/// mean an address to some resolvers, and a name to no one).
fn is_name(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let last_is_a_word = text
        .rsplit('.')
        .next()
        .is_some_and(|last| last.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic()));
    text.split('.').all(label) && last_is_a_word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loopback(text: &str) -> Result<String, EndpointError> {
        Endpoint::read(text, AgentEndpoints::Loopback).map(|endpoint| endpoint.0)
    }

    #[test]
    fn a_loopback_address_is_normalised() {
        for (text, uri) in [
            ("127.0.0.1:50051", "http://127.0.0.1:50051"),
            ("http://127.9.9.9:1", "http://127.9.9.9:1"),
            ("HTTP://LocalHost:65535/", "http://localhost:65535"),
            ("http://[::1]:7000", "http://[::1]:7000"),
            ("[::ffff:127.0.0.1]:7000", "http://[::ffff:127.0.0.1]:7000"),
        ] {
            assert_eq!(loopback(text).as_deref(), Ok(uri), "{text}");
        }
    }

    #[test]
    fn another_machine_is_dialled_only_where_that_is_configured() {
        for text in
            ["192.0.2.7:80", "http://metadata.internal:80", "[2001:db8::1]:80", "localhost.example:80"]
        {
            assert_eq!(loopback(text), Err(EndpointError::NotLoopback), "{text}");
            assert!(Endpoint::read(text, AgentEndpoints::Any).is_ok(), "{text}");
        }
    }

    #[test]
    fn tls_is_not_served_yet() {
        assert_eq!(loopback("https://127.0.0.1:50051"), Err(EndpointError::Tls));
    }

    #[test]
    fn what_is_no_scheme_host_and_port_is_no_endpoint() {
        for text in [
            "",
            "127.0.0.1",
            "http://127.0.0.1",
            "127.0.0.1:0",
            "127.0.0.1:70000",
            "127.0.0.1:+1",
            ":80",
            "http://127.0.0.1:80//",
            "http://127.0.0.1:80/path",
            "http://user@127.0.0.1:80",
            "127.0.0.1:80?q",
            "http://u:p@localhost:80",
            "unix:///tmp/socket",
            "ftp://127.0.0.1:80",
            "127.1:80",
            "0x7f.0.0.1:80",
            "2130706433:80",
            "http://local host:80",
            "http://lo\ncal:80",
            "[::1:80",
            "::1:80",
            "0.0.0.0:80",
            "[::]:80",
            "224.0.0.1:80",
            "255.255.255.255:80",
            "http://127.0.0.1#@localhost:80",
            "ex..ample:80",
            "http://http://127.0.0.1:80",
            "１２７.0.0.1:80",
        ] {
            for policy in [AgentEndpoints::Loopback, AgentEndpoints::Any] {
                let read = Endpoint::read(text, policy);
                assert!(matches!(read, Err(EndpointError::Malformed(_))), "{text}: {read:?}");
            }
        }
        let long = format!("{}:80", "a.".repeat(200));
        assert!(matches!(loopback(&long), Err(EndpointError::Malformed(_))));
    }
}
