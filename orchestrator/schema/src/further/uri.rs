//! URIs, by the grammar of RFC 3986.

use super::address::is_ip;
use super::format::Family;

/// Letters that stand for themselves in a path's segment, beside letters, digits and `%` escapes.
const SEGMENT: &[u8] = b"-._~!$&'()*+,;=:@";
const USER: &[u8] = b"-._~!$&'()*+,;=:";
const NAME: &[u8] = b"-._~!$&'()*+,;=";
const FUTURE: &[u8] = b"-._~!$&'()*+,;=:";
const QUERY: &[u8] = b"-._~!$&'()*+,;=:@/?";

/// With a scheme.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.bytes();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'))
        && is_rest(rest)
}

/// With a scheme, or relative to something that has one.
pub(super) fn is_reference(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or("");
    let first = path.split('/').next().unwrap_or("");
    // A colon in the first segment would end a scheme.
    is_uri(text) || (!first.contains(':') && is_rest(text))
}

/// What follows a scheme: authority, path, query, fragment.
fn is_rest(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    if !made_of(query, QUERY) || !made_of(fragment, QUERY) {
        return false;
    }
    match text.strip_prefix("//") {
        None => is_path(text),
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            is_authority(authority) && is_path(path)
        }
    }
}

fn is_path(text: &str) -> bool {
    text.split('/').all(|segment| made_of(segment, SEGMENT))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    if !made_of(user, USER) {
        return false;
    }
    let port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(literal) = host.strip_prefix('[') {
        let Some((literal, rest)) = literal.split_once(']') else { return false };
        return is_literal(literal) && (rest.is_empty() || rest.strip_prefix(':').is_some_and(port));
    }
    let (name, digits) = host.split_once(':').unwrap_or((host, ""));
    port(digits) && made_of(name, NAME) && is_utf8(name)
}

/// An IPv6 address, with its zone behind `%25`, or an address of a version to come.
fn is_literal(text: &str) -> bool {
    if let Some(future) = text.strip_prefix(['v', 'V']) {
        return future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !address.is_empty()
                && address.bytes().all(|byte| byte.is_ascii_alphanumeric() || FUTURE.contains(&byte))
        });
    }
    match text.split_once("%25") {
        Some((address, zone)) => {
            !zone.is_empty() && made_of(zone, b"-._~") && is_utf8(zone) && is_ip(address, Family::V6)
        }
        None => !text.contains('%') && is_ip(text, Family::V6),
    }
}

/// Letters, digits, these, and `%` with two hexadecimal digits.
fn made_of(text: &str, these: &[u8]) -> bool {
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = match (first, tail) {
            (b'%', [high, low, tail @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => tail,
            (it, _) if it.is_ascii_alphanumeric() || these.contains(it) => tail,
            _ => return false,
        };
    }
    true
}

/// Whether the escapes of a name give UTF-8.
fn is_utf8(text: &str) -> bool {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = match (first, tail) {
            (b'%', [high, low, tail @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).unwrap_or("");
                bytes.push(u8::from_str_radix(digits, 16).unwrap_or(0));
                tail
            }
            (it, _) => {
                bytes.push(*it);
                tail
            }
        };
    }
    std::str::from_utf8(&bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3986 section 1.1.2, and what its grammar leaves out.
    #[test]
    fn a_uri_has_a_scheme_and_the_letters_of_the_grammar() {
        for good in [
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "tel:+1-816-555-1212",
            "telnet://192.0.2.16:80/",
            "http://a/b%20c?d#e",
            "http://[fe80::1%25eth0]:80",
        ] {
            assert!(is_uri(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "//a",
            "1a:b",
            "http://a b",
            "http://a/%2",
            "http://a:b/",
            "http://[::1",
            "a:#b#c",
            "h://%ff",
        ] {
            assert!(!is_uri(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_reference_may_be_relative() {
        for good in ["", "../a?b=c", "//a/b", "#x", "./a:b", "http://a"] {
            assert!(is_reference(good), "{good}");
        }
        for bad in ["1:b", "a b", "%"] {
            assert!(!is_reference(bad), "{bad}");
        }
    }
}
