//! The shapes of names: who may be called what.
//!
//! Names end up in etcd keys, metric labels, URLs and references inside plans, so they are plain ASCII everywhere.

/// A domain: `[a-z][a-z0-9-]{0,62}`.
pub fn valid_domain(name: &str) -> bool {
    shaped(name, 63, |first| first.is_ascii_lowercase(), |c| is_lower_alphanumeric(c) || c == b'-')
}

/// An instance: `[a-z][a-z0-9-]{0,62}`.
pub fn valid_instance(name: &str) -> bool {
    valid_domain(name)
}

/// A capability: `[a-z][a-z0-9_.-]{0,62}`.
pub fn valid_capability(name: &str) -> bool {
    let rest = |c| is_lower_alphanumeric(c) || matches!(c, b'-' | b'_' | b'.');
    shaped(name, 63, |first| first.is_ascii_lowercase(), rest)
}

/// A declared goal: `[A-Z][A-Z0-9_]{0,62}`. A capability that is its own goal keeps its own name.
pub fn valid_goal(name: &str) -> bool {
    let rest = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_';
    shaped(name, 63, |first| first.is_ascii_uppercase(), rest)
}

/// A step of a plan: `[A-Za-z0-9_-]{1,64}`.
pub fn valid_step_id(id: &str) -> bool {
    let any = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-');
    shaped(id, 64, any, any)
}

/// A version as semver.org 2.0.0 has it: `1.4.0`, `2.0.0-rc.1+build.5`.
pub fn valid_version(version: &str) -> bool {
    let (rest, build) = split_optional(version, '+');
    let (core, pre_release) = split_optional(rest, '-');
    let mut numbers = 0;
    let core_holds = core.split('.').all(|number| {
        numbers += 1;
        is_number(number)
    });
    core_holds
        && numbers == 3
        && version.len() <= 128
        && pre_release.is_none_or(|text| text.split('.').all(|part| is_identifier(part) && !is_padded(part)))
        && build.is_none_or(|text| text.split('.').all(is_identifier))
}

/// The name of a method as a capability has it: `ConvertUnits` is `convert_units`, `GetHTTPStatus` `get_http_status`.
pub fn snake_case(method: &str) -> String {
    let chars: Vec<char> = method.chars().collect();
    let mut name = String::with_capacity(method.len() + 4);
    for (i, &c) in chars.iter().enumerate() {
        let after_lower = i > 0 && (chars[i - 1].is_lowercase() || chars[i - 1].is_ascii_digit());
        let ends_acronym =
            i > 0 && chars[i - 1].is_uppercase() && chars.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_lower || ends_acronym) {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

fn shaped(name: &str, most: usize, first: impl Fn(u8) -> bool, rest: impl Fn(u8) -> bool) -> bool {
    match name.as_bytes() {
        [head, tail @ ..] => tail.len() < most && first(*head) && tail.iter().all(|&c| rest(c)),
        [] => false,
    }
}

fn is_lower_alphanumeric(c: u8) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn split_optional(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()) && !is_padded(text)
}

fn is_padded(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_lower_case_words_of_at_most_63_characters() {
        for good in ["a", "units", "home-2", &"a".repeat(63)] {
            assert!(valid_domain(good), "{good}");
        }
        for bad in ["", "Units", "2home", "-a", "a_b", "a.b", "é", "a b", &"a".repeat(64)] {
            assert!(!valid_domain(bad), "{bad}");
        }
    }

    #[test]
    fn capabilities_also_have_underscores_and_dots() {
        assert!(valid_capability("convert_units.v2-fast"));
        assert!(!valid_capability("_convert") && !valid_capability("Convert") && !valid_capability("a/b"));
    }

    #[test]
    fn goals_are_upper_case() {
        assert!(valid_goal("TOP_MOVERS") && valid_goal("A1"));
        assert!(!valid_goal("top_movers") && !valid_goal("_A") && !valid_goal("1A") && !valid_goal(""));
    }

    #[test]
    fn step_ids_are_words_of_at_most_64_characters() {
        assert!(valid_step_id("1") && valid_step_id("get-Rate_2") && valid_step_id(&"x".repeat(64)));
        assert!(!valid_step_id("") && !valid_step_id("a.b") && !valid_step_id(&"x".repeat(65)));
    }

    #[test]
    fn versions_are_semantic() {
        for good in ["0.1.0", "1.0.0-rc.1", "1.0.0-0a+build.007", "10.20.30+x-y"] {
            assert!(valid_version(good), "{good}");
        }
        for bad in ["", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", "1.0.0.0", "1.0.-1"] {
            assert!(!valid_version(bad), "{bad}");
        }
    }

    #[test]
    fn methods_become_snake_case_as_a_reader_would_write_them() {
        for (method, name) in [
            ("ConvertUnits", "convert_units"),
            ("GetHTTPStatus", "get_http_status"),
            ("list", "list"),
            ("ListV2Rates", "list_v2_rates"),
            ("already_snake", "already_snake"),
            ("ABC", "abc"),
        ] {
            assert_eq!(snake_case(method), name);
        }
    }
}
