//! Which known names a misspelt one may have meant: those within two edits, the nearest first.
//!
//! Letter case, blanks, dashes and underscores count for nothing; a swap of neighbours is one edit. Names that
//! cannot be that near are passed over by length and by the letters they hold, so that a thousand unknown names
//! against a thousand known ones stay cheap.

use crate::names::normalise;

/// How many edits a name may be away.
const MAX_EDITS: usize = 2;
/// Longer names are not looked up: no person types them.
const MAX_LENGTH: usize = 256;

/// Known names, prepared for many look-ups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearest {
    known: Vec<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    text: Box<str>,
    length: usize,
    mask: u64,
    index: u32,
}

// === impl Nearest ===

impl Nearest {
    pub(crate) fn add(&mut self, name: &str, index: u32) {
        if name.len() <= MAX_LENGTH {
            let text = normal(name);
            self.known.push(Known { length: text.chars().count(), mask: mask(&text), text, index });
        }
    }

    /// The indices of the names at the least distance, if that is at most two edits; each once.
    pub(crate) fn find(&self, name: &str) -> Vec<u32> {
        let mut found: Vec<(usize, u32)> = self.within(name);
        found.sort_unstable();
        let least = found.first().map_or(0, |(distance, _)| *distance);
        let mut indices: Vec<u32> = found
            .into_iter()
            .take_while(|(distance, _)| *distance == least)
            .map(|(_, index)| index)
            .collect();
        indices.dedup();
        indices
    }

    /// The indices of all names within two edits.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = u32> {
        self.within(name).into_iter().map(|(_, index)| index)
    }

    fn within(&self, name: &str) -> Vec<(usize, u32)> {
        if name.len() > MAX_LENGTH {
            return Vec::new();
        }
        let text = normal(name);
        let (length, mask) = (text.chars().count(), mask(&text));
        let near = |known: &&Known| {
            known.length.abs_diff(length) <= MAX_EDITS
                && (known.mask & !mask).count_ones() <= 2
                && (mask & !known.mask).count_ones() <= 2
        };
        let measured = self
            .known
            .iter()
            .filter(near)
            .map(|known| (strsim::osa_distance(&known.text, &text), known.index));
        measured.filter(|(distance, _)| *distance <= MAX_EDITS).collect()
    }
}

fn normal(name: &str) -> Box<str> {
    let mut text = String::new();
    normalise(name, &mut text);
    text.into_boxed_str()
}

/// One bit for each letter, many letters to a bit: an edit changes at most one bit on either side.
fn mask(text: &str) -> u64 {
    text.chars().fold(0, |mask, letter| mask | 1 << (u32::from(letter) % 64))
}

/// The known names within two edits of a name, the nearest first, and those equally near as they come.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let names: Vec<&str> = known.collect();
    let mut index = Nearest::default();
    for (place, known) in (0_u32..).zip(&names) {
        index.add(known, place);
    }
    let mut found = index.within(name);
    found.sort_unstable();
    let mut nearest: Vec<&str> = Vec::new();
    for (_, place) in found {
        if let Some(known) = usize::try_from(place).ok().and_then(|place| names.get(place))
            && !nearest.contains(known)
        {
            nearest.push(known);
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_within_two_edits_nearest_first() {
        let known = ["amount", "account", "count", "date"];
        assert_eq!(nearest("amuont", known.into_iter()), ["amount"]);
        assert_eq!(nearest("acount", known.into_iter()), ["amount", "account", "count"]);
        assert_eq!(nearest("Amount_", known.into_iter()), ["amount", "account", "count"]);
        assert!(nearest("altitude", known.into_iter()).is_empty());
    }

    #[test]
    fn passes_over_names_of_absurd_length() {
        assert!(nearest(&"a".repeat(1_000_000), ["a"].into_iter()).is_empty());
    }

    #[test]
    fn gives_only_the_nearest_of_a_prepared_set() {
        let mut index = Nearest::default();
        for (name, place) in [("red", 0), ("reed", 1), ("blue", 2)] {
            index.add(name, place);
        }
        assert_eq!(index.find("redd"), [0, 1]);
        assert_eq!(index.find("blu"), [2]);
        assert!(index.find("magenta").is_empty());
    }
}
