//! The formats of text and bytes that `buf.validate` knows by name.

use super::{address, uri};
use crate::value::Value;
use regex::Regex;

/// A format; what is recognised by its letters alone has them as an expression.
#[derive(Debug)]
pub(crate) enum Format {
    Hostname,
    Ip(Family),
    Address,
    IpWithPrefixLength(Family),
    IpPrefix(Family),
    HostAndPort,
    Uri,
    UriReference,
    Letters {
        words: &'static str,
        letters: Regex,
    },
    /// An address in bytes: of 4 or 16 of them.
    Packed(Family),
    /// A UUID in bytes.
    PackedUuid,
}

/// Which version of the Internet Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Any,
    V4,
    V6,
}

// === impl Family ===

impl Family {
    pub(crate) fn takes_v4(self) -> bool {
        self != Self::V6
    }

    pub(crate) fn takes_v6(self) -> bool {
        self != Self::V4
    }
}

// === impl Format ===

impl Format {
    /// A format that an expression tells.
    pub(crate) fn letters(words: &'static str, letters: &str) -> Result<Self, regex::Error> {
        Ok(Self::Letters { words, letters: Regex::new(letters)? })
    }

    pub(super) fn admits(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => self.admits_text(text),
            Value::Bytes(bytes) => match self {
                Self::Packed(family) => {
                    (family.takes_v4() && bytes.len() == 4) || (family.takes_v6() && bytes.len() == 16)
                }
                Self::PackedUuid => bytes.len() == 16,
                _ => false,
            },
            _ => false,
        }
    }

    fn admits_text(&self, text: &str) -> bool {
        match self {
            Self::Hostname => address::is_hostname(text),
            Self::Ip(family) => address::is_ip(text, *family),
            Self::Address => address::is_hostname(text) || address::is_ip(text, Family::Any),
            Self::IpWithPrefixLength(family) => address::is_prefix(text, *family, false),
            Self::IpPrefix(family) => address::is_prefix(text, *family, true),
            Self::HostAndPort => address::is_host_and_port(text),
            Self::Uri => uri::is_uri(text),
            Self::UriReference => uri::is_reference(text),
            Self::Letters { letters, .. } => letters.is_match(text),
            Self::Packed(_) | Self::PackedUuid => false,
        }
    }

    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Hostname => "a host name, like example.com",
            Self::Ip(Family::Any) => "an IP address",
            Self::Ip(Family::V4) => "an IPv4 address, like 192.0.2.1",
            Self::Ip(Family::V6) => "an IPv6 address, like 2001:db8::1",
            Self::Address => "a host name or an IP address",
            Self::IpWithPrefixLength(Family::Any) => "an IP address with a prefix length, like 192.0.2.1/24",
            Self::IpWithPrefixLength(Family::V4) => "an IPv4 address with a prefix length, like 192.0.2.1/24",
            Self::IpWithPrefixLength(Family::V6) => {
                "an IPv6 address with a prefix length, like 2001:db8::1/64"
            }
            Self::IpPrefix(Family::Any) => "an IP network without host bits, like 192.0.2.0/24",
            Self::IpPrefix(Family::V4) => "an IPv4 network without host bits, like 192.0.2.0/24",
            Self::IpPrefix(Family::V6) => "an IPv6 network without host bits, like 2001:db8::/32",
            Self::HostAndPort => "a host and a port, like example.com:443",
            Self::Uri => "a URI with its scheme, like https://example.com/a",
            Self::UriReference => "a URI or a relative reference, like ../a?b=c",
            Self::Letters { words, .. } => words,
            Self::Packed(Family::Any) => "an IP address in 4 or 16 bytes",
            Self::Packed(Family::V4) => "an IPv4 address in 4 bytes",
            Self::Packed(Family::V6) => "an IPv6 address in 16 bytes",
            Self::PackedUuid => "a UUID in 16 bytes",
        }
    }
}
