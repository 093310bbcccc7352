//! Semantic versions, compared as semver.org 2.0.0 §11 says.

use std::cmp::Ordering;

/// A version that sorts: release numbers, then releases after their pre-releases; build metadata does not count.
/// Text that is no version sorts below every version, by its letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Version {
    Other(String),
    Semantic { numbers: [Number; 3], pre: Vec<Identifier> },
}

/// A number of any length without leading zeros: the longer one is greater.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number(String);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Identifier {
    Numeric(Number),
    Words(String),
}

// === impl Version ===

impl Version {
    pub(crate) fn parse(text: &str) -> Self {
        Self::semantic(text).unwrap_or_else(|| Self::Other(text.to_owned()))
    }

    fn semantic(text: &str) -> Option<Self> {
        let text = text.split_once('+').map_or(text, |(version, _build)| version);
        let (core, pre) = match text.split_once('-') {
            Some((core, pre)) => (core, pre.split('.').map(Identifier::parse).collect::<Option<_>>()?),
            None => (text, Vec::new()),
        };
        let mut numbers = core.split('.').map(Number::parse);
        let parsed = [numbers.next()??, numbers.next()??, numbers.next()??];
        numbers.next().is_none().then_some(Self::Semantic { numbers: parsed, pre })
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Other(a), Self::Other(b)) => a.cmp(b),
            (Self::Other(_), Self::Semantic { .. }) => Ordering::Less,
            (Self::Semantic { .. }, Self::Other(_)) => Ordering::Greater,
            (Self::Semantic { numbers: a, pre: before_a }, Self::Semantic { numbers: b, pre: before_b }) => {
                a.cmp(b).then_with(|| match (before_a.is_empty(), before_b.is_empty()) {
                    (true, true) => Ordering::Equal,
                    (true, false) => Ordering::Greater,
                    (false, true) => Ordering::Less,
                    (false, false) => before_a.cmp(before_b),
                })
            }
        }
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

// === impl Number ===

impl Number {
    fn parse(text: &str) -> Option<Self> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && (text == "0" || !text.starts_with('0'))).then(|| Self(text.to_owned()))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

// === impl Identifier ===

impl Identifier {
    fn parse(text: &str) -> Option<Self> {
        if let Some(number) = Number::parse(text) {
            return Some(Self::Numeric(number));
        }
        let words = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let leading_zero = text.bytes().all(|byte| byte.is_ascii_digit());
        (words && !leading_zero).then(|| Self::Words(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_sort_as_semver_says() {
        // The example of semver.org §11.4.4, with numbers that text would sort wrongly around it.
        let sorted = [
            "not a version",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.2.0",
            "1.10.0",
            "2.0.0",
            "10.0.0",
            "99999999999999999999999.0.0",
        ];
        for pair in sorted.windows(2) {
            assert!(Version::parse(pair[0]) < Version::parse(pair[1]), "{} < {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn build_metadata_does_not_count() {
        assert_eq!(Version::parse("1.0.0+a"), Version::parse("1.0.0+b"));
    }

    #[test]
    fn what_is_no_version_is_below_all_versions() {
        for text in ["", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.0-", "v1.0.0", "1.0.0-01"] {
            assert!(matches!(Version::parse(text), Version::Other(_)), "{text}");
        }
    }
}
