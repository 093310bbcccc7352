//! A word's terms: the keys under which two forms of one word meet.
//!
//! A word is indexed as it is, without accents, and by its stem in the language of the hint it comes from; a word
//! of a sentence is looked up by its stems in every language that the catalog's hints are written in.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{
    lexicon::primary,
    tokens::{Kind, Token},
};

/// The languages whose stemmers are at work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stems {
    languages: Vec<(String, Algorithm)>,
}

impl Stems {
    /// The stemmers of these BCP 47 languages, as far as there are any, and English: names of methods and fields
    /// are English more often than not.
    pub(crate) fn of<'a>(languages: impl Iterator<Item = &'a str>) -> Self {
        let mut stems = Self::default();
        stems.add("en");
        languages.for_each(|language| stems.add(language));
        stems
    }

    fn add(&mut self, language: &str) {
        let language = primary(language);
        let known = self.languages.iter().any(|(known, _)| *known == language);
        if let Some(algorithm) = algorithm(&language).filter(|_| !known) {
            self.languages.push((language, algorithm));
        }
    }

    /// The terms of a word of a hint in `language` (empty: English).
    pub(crate) fn index(&self, folded: &str, language: &str) -> Vec<String> {
        let language = primary(language);
        let stem = self.languages.iter().find(|(known, _)| *known == language);
        self.terms(folded, stem.into_iter())
    }

    /// The terms of a word of a sentence.
    pub(crate) fn query(&self, folded: &str) -> Vec<String> {
        self.terms(folded, self.languages.iter())
    }

    fn terms<'a>(
        &self,
        folded: &str,
        languages: impl Iterator<Item = &'a (String, Algorithm)>,
    ) -> Vec<String> {
        let plain = strip_accents(folded);
        let mut terms = vec![format!("={folded}"), format!("~{plain}")];
        for (language, algorithm) in languages {
            let stem = Stemmer::create(*algorithm).stem(folded).into_owned();
            terms.push(format!("{language}:{}", strip_accents(&stem)));
        }
        terms
    }
}

/// The pair that an ideograph makes with the one after it: the nearest thing to a word without a dictionary.
pub(crate) fn pair(token: &Token, next: Option<&Token>) -> Option<String> {
    let written = |token: &Token| matches!(token.kind, Kind::Ideograph | Kind::Syllable);
    let next = next.filter(|next| next.glued && written(next) && written(token))?;
    Some(format!("+{}{}", token.folded, next.folded))
}

/// "preço" → "preco": what a keyboard without accents makes of a word.
pub(crate) fn strip_accents(text: &str) -> String {
    text.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nb" | "nn" | "no" => Algorithm::Norwegian,
        "nl" => Algorithm::Dutch,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(hint: (&str, &str), word: &str, languages: &[&str]) -> bool {
        let stems = Stems::of(languages.iter().copied());
        let index = stems.index(hint.0, hint.1);
        stems.query(word).iter().any(|term| index.contains(term))
    }

    #[test]
    fn forms_of_one_word_meet() {
        assert!(meet(("convert", "en"), "converting", &[]));
        assert!(meet(("währung", "de"), "währungen", &["de"]));
        assert!(meet(("preço", "pt"), "preco", &["pt"]));
        assert!(!meet(("price", "en"), "weather", &["en"]));
    }
}
