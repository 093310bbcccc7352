//! The function words of several languages: what carries no topic, and how numbers and months are called.
//!
//! The list is data (`words.txt`) and names nothing of any domain. A word may belong to several languages; which
//! of them a sentence is written in is guessed by counting ([`Lexicon::active`]), so that "los" is an article in
//! a Spanish sentence and the beginning of a name in an English one.

use std::{collections::HashMap, sync::OnceLock};

const WORDS: &str = include_str!("words.txt");

/// A set of languages, one bit each, in the order of [`Lexicon::languages`].
pub(crate) type LanguageSet = u32;

/// What the list says about one word.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry {
    /// The languages in which it is a function word.
    pub(crate) function: LanguageSet,
    /// The languages in which it says little: "show", "know", "now".
    pub(crate) light: LanguageSet,
    /// The languages in which it is mere politeness.
    pub(crate) polite: LanguageSet,
    /// The month that it names, 1 to 12.
    pub(crate) month: Option<u8>,
    /// The small number that it names, in the languages of `counts`.
    pub(crate) number: Option<u32>,
    /// The factor that it names (hundred, thousand, …), in the languages of `counts`.
    pub(crate) times: Option<u32>,
    /// The languages in which it is a number: "cent" is one in French and a coin in English.
    pub(crate) counts: LanguageSet,
}

/// The list, read once.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    words: HashMap<&'static str, Entry>,
    languages: Vec<&'static str>,
}

impl Lexicon {
    /// The list that is compiled in.
    pub(crate) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(|| Self::read(WORDS))
    }

    fn read(text: &'static str) -> Self {
        let mut lexicon = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split_whitespace();
            let (Some(language), Some(class)) = (parts.next(), parts.next()) else { continue };
            let bit = lexicon.bit(language);
            for part in parts {
                let (word, value) = part.split_once('=').unwrap_or((part, ""));
                let entry = lexicon.words.entry(word).or_default();
                if matches!(class, "number" | "times") {
                    entry.counts |= bit;
                }
                match class {
                    "function" => entry.function |= bit,
                    "light" => entry.light |= bit,
                    "polite" => entry.polite |= bit,
                    "month" => entry.month = value.parse().ok(),
                    "number" => entry.number = value.parse().ok(),
                    "times" => entry.times = value.parse().ok(),
                    _ => {}
                }
            }
        }
        lexicon
    }

    fn bit(&mut self, language: &'static str) -> LanguageSet {
        let at = self.languages.iter().position(|known| *known == language).unwrap_or_else(|| {
            self.languages.push(language);
            self.languages.len() - 1
        });
        1 << at.min(31)
    }

    /// What is known about a folded word; nothing is known about most.
    pub(crate) fn entry(&self, folded: &str) -> Entry {
        self.words.get(folded).copied().unwrap_or_default()
    }

    /// The languages that the function words of a sentence speak for; the locale's breaks ties.
    pub(crate) fn active<'a>(&self, folded: impl Iterator<Item = &'a str>, locale: &str) -> LanguageSet {
        let mut votes: Vec<u32> = vec![0; self.languages.len()];
        for word in folded {
            let entry = self.entry(word);
            for (at, vote) in votes.iter_mut().enumerate() {
                *vote += 2 * u32::from((entry.function | entry.polite | entry.light) & (1 << at) != 0);
            }
        }
        let home = self.languages.iter().position(|known| *known == primary(locale));
        if let Some(vote) = home.and_then(|at| votes.get_mut(at)) {
            *vote += 1;
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        votes.iter().enumerate().filter(|(_, vote)| **vote == most).fold(0, |set, (at, _)| set | (1 << at))
    }
}

/// The language of a BCP 47 tag, lower case; English for an empty one.
pub(crate) fn primary(locale: &str) -> String {
    let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    if language.is_empty() { "en".to_owned() } else { language }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(sentence: &str, locale: &str) -> Vec<&'static str> {
        let lexicon = Lexicon::get();
        let set = lexicon.active(sentence.split(' '), locale);
        lexicon.languages.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0).map(|(_, l)| *l).collect()
    }

    #[test]
    fn the_language_of_a_sentence_is_that_of_its_function_words() {
        assert_eq!(active("wie viel sind 20 birnen in kisten", "en"), ["de"]);
        assert_eq!(active("qual o preço da nordea", "pt-BR"), ["pt"]);
        assert_eq!(active("weather in los angeles", "en-GB"), ["en"]);
    }

    #[test]
    fn no_word_is_listed_with_an_unreadable_value() {
        for line in WORDS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let parts: Vec<_> = line.split_whitespace().collect();
            assert!(
                ["function", "light", "polite", "month", "number", "times"].contains(&parts[1]),
                "{line}"
            );
            for word in &parts[2..] {
                assert!(word.split_once('=').is_none_or(|(_, value)| value.parse::<u32>().is_ok()), "{word}");
            }
        }
    }
}
