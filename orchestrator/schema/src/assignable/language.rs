//! Sets of texts that regular expressions describe, compared by walking their automata side by side.

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use std::collections::HashSet;

/// How large one automaton may become, in bytes.
const MAX_SIZE: usize = 1 << 20;
/// How many combinations of states are looked at.
const MAX_STATES: usize = 4_000;
/// Beyond so many characters lengths are not told apart.
const MAX_LENGTH: u32 = 256;

/// The texts that a pattern is found in.
pub(super) struct Language(dense::DFA<Vec<u32>>);

// === impl Language ===

impl Language {
    /// None where the automaton would be too large, or the pattern has no automaton.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .dfa_size_limit(Some(MAX_SIZE))
            .determinize_size_limit(Some(MAX_SIZE));
        let whole = format!(r"\A(?s:.*)(?:{pattern})(?s:.*)\z");
        dense::Builder::new().configure(config).build(&whole).ok().map(Self)
    }

    fn start(&self) -> Option<StateID> {
        self.0.start_state_forward(&Input::new("").anchored(Anchored::Yes)).ok()
    }
}

/// Whether there is a text that the first language has and that is wanted: `wanted` is told for each language
/// whether it has the text, and of how many characters that is. None where that would take too long.
pub(super) fn exists(
    languages: &[&Language],
    longest: u32,
    wanted: impl Fn(&[bool], u32) -> bool,
) -> Option<bool> {
    let longest = longest.saturating_add(1);
    if longest > MAX_LENGTH {
        return None;
    }
    let start: Vec<StateID> = languages.iter().map(|it| it.start()).collect::<Option<_>>()?;
    let mut seen = HashSet::from([(start.clone(), 0_u32)]);
    let mut open = vec![(start, 0_u32)];
    while let Some((states, length)) = open.pop() {
        let ends = |(language, state): (&&Language, &StateID)| {
            language.0.is_match_state(language.0.next_eoi_state(*state))
        };
        let accepted: Vec<bool> = languages.iter().zip(&states).map(ends).collect();
        if accepted.first() == Some(&true) && wanted(&accepted, length) {
            return Some(true);
        }
        let mut last: Option<(Vec<StateID>, u32)> = None;
        for byte in 0..=u8::MAX {
            let next: Vec<StateID> =
                languages.iter().zip(&states).map(|(it, state)| it.0.next_state(*state, byte)).collect();
            if languages.iter().zip(&next).any(|(it, state)| it.0.is_quit_state(*state)) {
                return None;
            }
            let dead =
                languages.iter().zip(&next).next().is_some_and(|(it, state)| it.0.is_dead_state(*state));
            // Bytes that go on with a character count for none.
            let length = if byte & 0xc0 == 0x80 { length } else { length.saturating_add(1).min(longest) };
            let next = (next, length);
            if dead || last.as_ref() == Some(&next) || seen.contains(&next) {
                continue;
            }
            if seen.len() >= MAX_STATES {
                return None;
            }
            seen.insert(next.clone());
            open.push(next.clone());
            last = Some(next);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(one: &str, other: &str, longest: u32) -> Option<bool> {
        let (one, other) = (Language::new(one).unwrap(), Language::new(other).unwrap());
        exists(&[&one, &other], longest, |has, length| has[1] && length <= longest)
    }

    fn within(one: &str, other: &str) -> Option<bool> {
        let (one, other) = (Language::new(one).unwrap(), Language::new(other).unwrap());
        exists(&[&one, &other], 0, |has, _| !has[1]).map(|beyond| !beyond)
    }

    #[test]
    fn patterns_that_share_a_text_are_told_from_those_that_share_none() {
        assert_eq!(meet("^[a-z]+$", "^[A-Z]+$", 20), Some(false));
        assert_eq!(meet("^[a-z]+$", "^[A-Za-f]{3}$", 20), Some(true));
        assert_eq!(meet("^[a-z]+$", "^[A-Za-f]{3}$", 2), Some(false));
        assert_eq!(meet("é", "^.{2}$", 2), Some(true));
        assert_eq!(meet("x", "", 0), Some(false));
        assert_eq!(meet(r"\A(?:[a-z][A-Za-z0-9]*(?:,[a-z]+)*)?\z", r"\A\s*[+-]?[0-9]+\z", 20), Some(false));
    }

    #[test]
    fn a_pattern_within_another_is_found_to_be() {
        assert_eq!(within("^[a-z]{2,4}$", "^[a-z]+$"), Some(true));
        assert_eq!(within("^[a-z]+$", "^[a-z]{2,4}$"), Some(false));
        assert_eq!(within("^(EUR|USD)$", "^[A-Z]{3}$"), Some(true));
        assert_eq!(within("abc", "b"), Some(true));
        assert_eq!(within("^a$", "^(?i)A$"), Some(true));
    }
}
