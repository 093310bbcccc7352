//! How a name that came finds the field or enum value it means.
//!
//! An exact name is one hash look-up without an allocation. Every other spelling is looked up in tiers (another
//! exact name such as the JSON name, a declared alias, then any case and separators): a nearer tier hides a farther
//! one, and two meanings within one tier make the spelling ambiguous, which is never guessed.

use hashbrown::HashMap;
use std::sync::Arc;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// The declared name itself.
    Exact(u32),
    /// Another spelling of it.
    Spelling(u32),
    /// A declared alias, in any spelling.
    Alias(u32),
    /// One spelling of these two, and perhaps more.
    Ambiguous(u32, u32),
    /// Nothing.
    Unknown,
}

/// How near a spelling is to the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// The name that protobuf JSON uses.
    Json,
    /// An alias as declared.
    Alias,
    /// The name in another case, with other separators.
    Loose,
    /// The name with its type's prefix added or taken away, in any case.
    LoosePrefix,
    /// An alias in another case, with other separators.
    LooseAlias,
}

/// The names of one message's fields or of one enum's values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    exact: HashMap<Arc<str>, u32>,
    other: HashMap<Box<str>, Spelled>,
    loose: HashMap<Box<str>, Spelled>,
    /// A normalised name; kept for its capacity.
    scratch: String,
}

#[derive(Clone, Copy, Debug)]
struct Spelled {
    tier: Tier,
    index: u32,
    rival: Option<u32>,
}

// === impl Names ===

impl Names {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            exact: HashMap::with_capacity(capacity),
            other: HashMap::with_capacity(capacity),
            loose: HashMap::with_capacity(capacity),
            scratch: String::new(),
        }
    }

    /// Adds a declared name; the first of two equal ones stays.
    pub(crate) fn declare(&mut self, name: &Arc<str>, index: u32) {
        self.exact.entry(Arc::clone(name)).or_insert(index);
    }

    /// Adds another way to write a name.
    pub(crate) fn add(&mut self, text: &str, tier: Tier, index: u32) {
        let raw = matches!(tier, Tier::Json | Tier::Alias);
        let (table, key) = if raw {
            (&mut self.other, text)
        } else {
            self.scratch.clear();
            normalise(text, &mut self.scratch);
            if self.scratch.is_empty() {
                return;
            }
            (&mut self.loose, self.scratch.as_str())
        };
        let spelled = Spelled { tier, index, rival: None };
        let Some(known) = table.get_mut(key) else {
            table.insert(Box::from(key), spelled);
            return;
        };
        if tier < known.tier {
            *known = spelled;
        } else if tier == known.tier && index != known.index && known.rival.is_none() {
            known.rival = Some(index);
        }
    }

    /// The field or value that has exactly this name.
    pub(crate) fn exact(&self, name: &str) -> Option<u32> {
        self.exact.get(name).copied()
    }

    /// What a name means; `scratch` is overwritten.
    pub(crate) fn find(&self, name: &str, scratch: &mut String) -> Match {
        if let Some(index) = self.exact(name) {
            return Match::Exact(index);
        }
        if let Some(spelled) = self.other.get(name) {
            return spelled.meaning();
        }
        scratch.clear();
        normalise(name, scratch);
        self.loose.get(scratch.as_str()).map_or(Match::Unknown, Spelled::meaning)
    }

    /// How many ways to write a name there are.
    pub(crate) fn count(&self) -> usize {
        self.exact.len() + self.other.len() + self.loose.len()
    }

    /// Every way to write a name, those that differ in case and separators once.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &str> {
        let declared = self.exact.keys().map(AsRef::as_ref);
        declared.chain(self.other.keys().chain(self.loose.keys()).map(AsRef::as_ref))
    }

    /// Aliases that are also the name or alias of another owner: the alias, its owner, the other.
    pub(crate) fn clashes<'a>(
        &self,
        aliases: impl Iterator<Item = (&'a str, u32)>,
    ) -> Vec<(&'a str, u32, u32)> {
        let mut owners: HashMap<&str, u32> = HashMap::new();
        let mut clashes = Vec::new();
        for (alias, owner) in aliases {
            let named = self.other.get(alias).filter(|it| it.tier == Tier::Json).map(|it| it.index);
            let other = self.exact(alias).or(named).unwrap_or_else(|| *owners.entry(alias).or_insert(owner));
            if other != owner {
                clashes.push((alias, owner, other));
            }
        }
        clashes
    }
}

// === impl Spelled ===

impl Spelled {
    fn meaning(&self) -> Match {
        match (self.rival, self.tier) {
            (Some(rival), _) => Match::Ambiguous(self.index, rival),
            (None, Tier::Alias | Tier::LooseAlias) => Match::Alias(self.index),
            (None, _) => Match::Spelling(self.index),
        }
    }
}

/// Appends a name without case, blanks, dashes and underscores.
pub(crate) fn normalise(name: &str, out: &mut String) {
    if name.is_ascii() {
        out.reserve(name.len());
        for byte in name.bytes() {
            if !matches!(byte, b'_' | b'-' | b' ' | b'\t' | b'\n' | b'\r') {
                out.push(char::from(byte.to_ascii_lowercase()));
            }
        }
    } else {
        let kept = name.chars().filter(|letter| !matches!(letter, '_' | '-') && !letter.is_whitespace());
        out.extend(kept.flat_map(char::to_lowercase));
    }
}

/// `RED` of `COLOR_RED` in enum `Color`, in the normalised form.
pub(crate) fn unprefixed(type_name: &str, name: &str) -> Option<String> {
    let (mut prefix, mut full) = (String::new(), String::new());
    normalise(type_name, &mut prefix);
    normalise(name, &mut full);
    let short = full.strip_prefix(&prefix)?;
    (!short.is_empty()).then(|| short.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        for (index, name) in [(0, "departs_at"), (1, "fooBar"), (2, "foo_bar")] {
            names.declare(&Arc::from(name), index);
            names.add(name, Tier::Loose, index);
        }
        names.add("departsAt", Tier::Json, 0);
        names.add("abflug", Tier::Alias, 0);
        names.add("abflug", Tier::LooseAlias, 0);
        names
    }

    fn find(name: &str) -> Match {
        names().find(name, &mut String::new())
    }

    #[test]
    fn finds_every_spelling() {
        assert_eq!(find("departs_at"), Match::Exact(0));
        for name in ["departsAt", "DepartsAt", "departs-at", "DEPARTS AT", "departsat", "Departs_At"] {
            assert_eq!(find(name), Match::Spelling(0), "{name}");
        }
        assert_eq!(find("abflug"), Match::Alias(0));
        assert_eq!(find("ABFLUG"), Match::Alias(0));
        assert_eq!(find("departs"), Match::Unknown);
        assert_eq!(find(""), Match::Unknown);
    }

    #[test]
    fn never_guesses_between_two() {
        assert_eq!(find("fooBar"), Match::Exact(1));
        assert_eq!(find("foo_bar"), Match::Exact(2));
        assert_eq!(find("FOO_BAR"), Match::Ambiguous(1, 2));
    }
}
