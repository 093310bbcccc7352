//! Sets of texts that regular expressions describe, compared by walking their automata side by side.

use super::work::Work;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use std::collections::HashSet;
use std::fmt;

/// How large the automaton of a declared pattern may be, in bytes, before and after it is made deterministic; ordinary
/// ones take a few thousand.
const MAX_DECLARED: (usize, usize) = (1 << 15, 1 << 16);
/// The same for the forms that values have here.
const MAX_FORM: (usize, usize) = (1 << 18, 1 << 18);
/// How long a pattern may be, in bytes.
const MAX_PATTERN: usize = 4 << 10;
/// How many combinations of states are looked at.
const MAX_STATES: usize = 4_000;
/// Beyond so many characters lengths are not told apart.
const MAX_LENGTH: u32 = 256;
/// What looking at one way on from a combination of states costs, in steps of work.
const COST_OF_WAY: u64 = 5;

/// The texts that a pattern is found in.
pub(super) struct Language(dense::DFA<Vec<u32>>);

// === impl Language ===

impl Language {
    /// What building any costs, in steps of work.
    pub(super) const COST_AT_LEAST: u64 = 5_000;
    /// What it costs to find that one becomes too large.
    pub(super) const COST_OF_NONE: u64 = 400_000;

    /// None where the automaton would be too large, or the pattern has no automaton.
    pub(super) fn new(pattern: &str, declared: bool) -> Option<Self> {
        if pattern.len() > MAX_PATTERN {
            return None;
        }
        let (nfa_size, size) = if declared { MAX_DECLARED } else { MAX_FORM };
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .accelerate(false)
            .dfa_size_limit(Some(size))
            .determinize_size_limit(Some(size));
        let whole = format!(r"\A(?s:.*)(?:{pattern})(?s:.*)\z");
        let mut builder = dense::Builder::new();
        builder.configure(config);
        builder.thompson(thompson::Config::new().nfa_size_limit(Some(nfa_size)));
        builder.build(&whole).ok().map(Self)
    }

    /// In bytes.
    pub(super) fn size(&self) -> usize {
        self.0.memory_usage()
    }

    /// What building it cost beside the least, in steps of work.
    pub(super) fn cost(&self) -> u64 {
        u64::try_from(self.size()).unwrap_or(u64::MAX).saturating_mul(2)
    }

    /// Whether it has a text; none where that is not found out.
    pub(super) fn has(&self, text: &str) -> Option<bool> {
        let mut state = self.start()?;
        for byte in text.bytes() {
            state = self.0.next_state(state, byte);
        }
        let end = self.0.next_eoi_state(state);
        (!self.0.is_quit_state(end)).then(|| self.0.is_match_state(end))
    }

    fn start(&self) -> Option<StateID> {
        self.0.start_state_forward(&Input::new("").anchored(Anchored::Yes)).ok()
    }

    fn ends(&self, state: StateID) -> bool {
        self.0.is_match_state(self.0.next_eoi_state(state))
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Language").field("size", &self.size()).finish()
    }
}

/// Whether there is a text that the first language has and that is wanted: `wanted` is told whether the other has it,
/// too, and of how many characters it is. None where that would take too long.
pub(super) fn exists(
    one: &Language,
    other: &Language,
    longest: u32,
    work: &Work,
    wanted: impl Fn(bool, u32) -> bool,
) -> Option<bool> {
    let longest = longest.saturating_add(1);
    if longest > MAX_LENGTH {
        return None;
    }
    let bytes = bytes_told_apart(one, other);
    let cost = COST_OF_WAY.saturating_mul(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let start = (one.start()?, other.start()?, 0_u32);
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some((own, others, length)) = open.pop() {
        if one.ends(own) && wanted(other.ends(others), length) {
            return Some(true);
        }
        if !work.spend(cost) {
            return None;
        }
        for byte in &bytes {
            let next = (one.0.next_state(own, *byte), other.0.next_state(others, *byte));
            if one.0.is_quit_state(next.0) || other.0.is_quit_state(next.1) {
                return None;
            }
            // Bytes that go on with a character count for none.
            let length = if goes_on(*byte) { length } else { length.saturating_add(1).min(longest) };
            let next = (next.0, next.1, length);
            if one.0.is_dead_state(next.0) || seen.contains(&next) {
                continue;
            }
            if seen.len() >= MAX_STATES {
                return None;
            }
            seen.insert(next);
            open.push(next);
        }
    }
    Some(false)
}

fn goes_on(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// One of all bytes that neither language tells from one another.
fn bytes_told_apart(one: &Language, other: &Language) -> Vec<u8> {
    let class = |it: &Language, byte: u8| it.0.byte_classes().get(byte);
    let mut seen = HashSet::new();
    let new = |byte: &u8| seen.insert((class(one, *byte), class(other, *byte), goes_on(*byte)));
    (0..=u8::MAX).filter(new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(one: &str, other: &str, longest: u32) -> Option<bool> {
        let (one, other) = (Language::new(one, true).unwrap(), Language::new(other, true).unwrap());
        exists(&one, &other, longest, &Work::new(false), |has, length| has && length <= longest)
    }

    fn within(one: &str, other: &str) -> Option<bool> {
        let (one, other) = (Language::new(one, true).unwrap(), Language::new(other, true).unwrap());
        exists(&one, &other, 0, &Work::new(false), |has, _| !has).map(|beyond| !beyond)
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
