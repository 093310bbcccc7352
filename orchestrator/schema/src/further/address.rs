//! Hosts and addresses, as `buf.validate` wants them written.

use super::format::Family;
use std::net::{Ipv4Addr, Ipv6Addr};

/// RFC 1034 with RFC 1123: labels of letters, digits and dashes, the last not all digits; a dot may end it.
pub(super) fn is_hostname(text: &str) -> bool {
    if text.len() > 253 {
        return false;
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let last_is_number =
        name.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    name.split('.').all(label) && !last_is_number
}

/// An IPv6 address may name a zone: `fe80::1%eth0`.
pub(super) fn is_ip(text: &str, family: Family) -> bool {
    if family.takes_v4() && text.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    let address = match text.split_once('%') {
        Some((address, zone)) if !zone.is_empty() && !zone.contains('\0') => address,
        Some(_) => return false,
        None => text,
    };
    family.takes_v6() && address.parse::<Ipv6Addr>().is_ok()
}

/// An address, a slash and how many of its bits name the network; `strict`ly, the other bits are zero.
pub(super) fn is_prefix(text: &str, family: Family, strict: bool) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let plain = length == "0" || !length.starts_with('0');
    if !plain || length.len() > 3 || !length.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let Ok(length) = length.parse::<u32>() else { return false };
    if let (true, Ok(address)) = (family.takes_v4(), address.parse::<Ipv4Addr>()) {
        let host = u32::MAX.checked_shr(length).unwrap_or(0);
        return length <= 32 && (!strict || u32::from(address) & host == 0);
    }
    if let (true, Ok(address)) = (family.takes_v6(), address.parse::<Ipv6Addr>()) {
        let host = u128::MAX.checked_shr(length).unwrap_or(0);
        return length <= 128 && (!strict || u128::from(address) & host == 0);
    }
    false
}

/// `example.com:443`, `192.0.2.1:443` or `[2001:db8::1]:443`; the port is needed.
pub(super) fn is_host_and_port(text: &str) -> bool {
    let split = match text.strip_prefix('[') {
        Some(rest) => rest.split_once("]:").filter(|(host, _)| is_ip(host, Family::V6)),
        None => text.rsplit_once(':').filter(|(host, _)| is_hostname(host) || is_ip(host, Family::V4)),
    };
    split.is_some_and(|(_, port)| is_port(port))
}

fn is_port(text: &str) -> bool {
    let plain = text == "0" || !text.starts_with('0');
    plain && text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_has_labels_and_does_not_end_in_a_number() {
        for good in ["a", "example.com", "example.com.", "x-1.y2", "1.a"] {
            assert!(is_hostname(good), "{good}");
        }
        let long = format!("{}.com", "a".repeat(64));
        for bad in ["", ".", "a..b", "-a.com", "a-.com", "a_b.com", "127.0.0.1", "é.com", "a b", &long] {
            assert!(!is_hostname(bad), "{bad}");
        }
    }

    #[test]
    fn addresses_are_of_their_family() {
        assert!(is_ip("192.0.2.1", Family::V4) && !is_ip("192.0.2.1", Family::V6));
        assert!(is_ip("2001:db8::1", Family::V6) && !is_ip("2001:db8::1", Family::V4));
        assert!(is_ip("fe80::1%eth0", Family::Any) && !is_ip("fe80::1%", Family::Any));
        for bad in ["", "1.2.3", "1.2.3.256", "01.2.3.4", ":::", "[::1]"] {
            assert!(!is_ip(bad, Family::Any), "{bad}");
        }
    }

    #[test]
    fn a_network_has_no_host_bits() {
        for good in ["192.0.2.0/24", "0.0.0.0/0", "192.0.2.1/32", "2001:db8::/32", "::1/128"] {
            assert!(is_prefix(good, Family::Any, true), "{good}");
        }
        for bad in ["192.0.2.1/24", "192.0.2.0/33", "192.0.2.0/024", "192.0.2.0/", "192.0.2.0", "::1/64"] {
            assert!(!is_prefix(bad, Family::Any, true), "{bad}");
        }
        assert!(is_prefix("192.0.2.1/24", Family::V4, false));
    }

    #[test]
    fn a_host_has_its_port_beside_it() {
        for good in ["example.com:443", "192.0.2.1:0", "[::1]:65535"] {
            assert!(is_host_and_port(good), "{good}");
        }
        for bad in ["example.com", "example.com:", "example.com:65536", "::1:80", "a:01", "a:+1", "[a]:1"] {
            assert!(!is_host_and_port(bad), "{bad}");
        }
    }
}
