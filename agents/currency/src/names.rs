//! What people call a currency: codes, CLDR's names in five languages, symbols, and the head nouns of the names.
//!
//! A text is folded (case, accents, spaces and dashes do not count) and looked up. Codes and full names come before
//! symbols and nouns, so "US dollars" is one currency while "dollars" is many. Which of many is meant is not decided
//! here: [`Names::find`] gives them all, in the order of the rate file.

use std::collections::HashMap;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::rates::{Currency, Rates};

/// Written by `data/make_names.py` from CLDR.
const SHIPPED: &str = include_str!("../data/names.tsv");

/// How many names [`Names::nearest`] offers at most.
const NEAREST: usize = 5;

/// The part of the best name's likeness that each of them has.
const NEARLY: f64 = 0.8;

/// The index of all the words.
#[derive(Debug)]
pub struct Names {
    words: HashMap<String, Word>,
    about: HashMap<Currency, About>,
}

/// What one folded text stands for.
#[derive(Debug, Default)]
struct Word {
    /// As the data spells it first.
    spelling: String,
    /// Whose code or full name it is.
    exact: Vec<Currency>,
    /// Whose symbol or head noun it is.
    shared: Vec<Currency>,
}

/// What an answer says of a currency.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct About {
    /// The English CLDR name, "Japanese Yen".
    pub label: String,
    /// CLDR's symbols, the usual one first.
    pub symbols: Vec<String>,
}

/// A line of the names file that is none, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {0} of the names is not code, kind, text and locales, or its code has no rates")]
pub struct BadLine(usize);

// === impl Names ===

impl Names {
    /// The names in the binary.
    ///
    /// # Errors
    /// None with the files that are shipped; a test reads them.
    pub fn shipped(rates: &Rates) -> Result<Self, BadLine> {
        Self::read(SHIPPED, rates)
    }

    /// Reads `code, kind, text, locales`, a tab between.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn read(tsv: &str, rates: &Rates) -> Result<Self, BadLine> {
        let mut names = Self { words: HashMap::new(), about: HashMap::new() };
        for currency in rates.currencies() {
            names.add(rates.code(currency), currency, true);
            names.about.insert(currency, About { label: rates.code(currency).to_owned(), symbols: vec![] });
        }
        for (index, line) in tsv.lines().enumerate() {
            names.add_line(line, rates).ok_or(BadLine(index + 1))?;
        }
        for word in names.words.values_mut() {
            word.exact.sort_unstable();
            word.shared.sort_unstable();
        }
        Ok(names)
    }

    /// The currencies that a text may mean, in the file's order; none where it is unknown.
    pub fn find(&self, text: &str) -> &[Currency] {
        let key = fold(text);
        let word = self.words.get(&key).or_else(|| self.words.get(key.strip_suffix('s')?));
        word.map_or(&[], |word| if word.exact.is_empty() { &word.shared } else { &word.exact })
    }

    /// The known words nearest to an unknown one, best first, each of another currency, as the data spells them. At
    /// least one; others only where they are nearly as near.
    pub fn nearest(&self, text: &str) -> Vec<&str> {
        let key = fold(text);
        let mut words: Vec<_> = (self.words.iter())
            .map(|(known, word)| (strsim::normalized_damerau_levenshtein(&key, known), known, word))
            .collect();
        words.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let least = words.first().map_or(0.0, |(best, ..)| best * NEARLY);
        let mut nearest: Vec<&Word> = vec![];
        for (_, _, word) in words.into_iter().take_while(|(likeness, ..)| *likeness >= least) {
            if nearest.len() < NEAREST && !nearest.iter().any(|taken| taken.means() == word.means()) {
                nearest.push(word);
            }
        }
        nearest.into_iter().map(|word| word.spelling.as_str()).collect()
    }

    /// Label and symbols of a currency.
    pub fn about(&self, currency: Currency) -> Option<&About> {
        self.about.get(&currency)
    }

    fn add_line(&mut self, line: &str, rates: &Rates) -> Option<()> {
        let mut columns = line.split('\t');
        let (code, kind, text) = (columns.next()?, columns.next()?, columns.next()?);
        let currency = rates.currency(code)?;
        let about = self.about.entry(currency).or_default();
        match kind {
            "label" => about.label = text.to_owned(),
            "symbol" => about.symbols.push(text.to_owned()),
            "name" | "noun" => {}
            _ => return None,
        }
        self.add(text, currency, matches!(kind, "label" | "name"));
        Some(())
    }

    fn add(&mut self, text: &str, currency: Currency, exact: bool) {
        let word = self.words.entry(fold(text)).or_default();
        if word.spelling.is_empty() {
            text.clone_into(&mut word.spelling);
        }
        let list = if exact { &mut word.exact } else { &mut word.shared };
        if !list.contains(&currency) {
            list.push(currency);
        }
    }
}

// === impl Word ===

impl Word {
    fn means(&self) -> &[Currency] {
        if self.exact.is_empty() { &self.shared } else { &self.exact }
    }
}

/// One spelling of a text for all that differ in case, accents, width, spaces and punctuation alone. Symbols stay.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in
        text.nfkd().filter(|&character| !is_combining_mark(character)).flat_map(char::to_lowercase)
    {
        match character {
            'ł' => folded.push('l'),
            'ø' => folded.push('o'),
            '.' | '\'' | '’' => {}
            '-' | '–' | '—' | '‐' | '‑' | '_' | '(' | ')' | ',' | '/' => separate(&mut folded),
            space if space.is_whitespace() || space.is_control() => separate(&mut folded),
            other => folded.push(other),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn separate(folded: &mut String) {
    if !folded.is_empty() && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
