//! A sentence as the index sees it: each token with the terms that it can stand for.

use super::{
    stem::{Stems, pair},
    tokens::{Kind, Sentence, Token},
    vocabulary::{Term, Vocabulary},
};

/// How much less a word counts that is only like a known one.
const MISSPELT: f64 = 0.75;

/// A sentence and its terms.
#[derive(Debug)]
pub(crate) struct Query<'a> {
    /// The sentence.
    pub(crate) sentence: Sentence<'a>,
    /// For each token its terms, and how surely each is meant, 0 to 1.
    pub(crate) terms: Vec<Vec<(Term, f64)>>,
    /// There is no lower-case letter: capitals say nothing.
    pub(crate) shouted: bool,
}

impl<'a> Query<'a> {
    /// Reads a sentence against the words of an index.
    pub(crate) fn read(text: &'a str, locale: &str, stems: &Stems, vocabulary: &Vocabulary) -> Self {
        let sentence = Sentence::read(text, locale);
        let mut terms: Vec<Vec<(Term, f64)>> =
            sentence.tokens.iter().map(|token| token_terms(token, stems, vocabulary)).collect();
        for (at, token) in sentence.tokens.iter().enumerate() {
            let pair = pair(token, sentence.tokens.get(at + 1)).and_then(|pair| vocabulary.term(&pair));
            for place in terms.iter_mut().skip(at).take(2) {
                place.extend(pair.map(|term| (term, 1.0)));
            }
        }
        let shouted = !text.chars().any(char::is_lowercase);
        Self { sentence, terms, shouted }
    }

    /// The tokens.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.sentence.tokens
    }

    /// How surely the token at `at` is one of `terms`, 0 to 1.
    pub(crate) fn meets(&self, at: usize, terms: &[Term]) -> f64 {
        let known = self.terms.get(at).map(Vec::as_slice).unwrap_or_default();
        known.iter().filter(|(term, _)| terms.contains(term)).map(|(_, sure)| *sure).fold(0.0, f64::max)
    }

    /// The most that `weigh` finds for the token at `at`.
    pub(crate) fn best(&self, at: usize, weigh: impl Fn(Term) -> f64) -> f64 {
        let known = self.terms.get(at).map(Vec::as_slice).unwrap_or_default();
        known.iter().map(|(term, sure)| weigh(*term) * sure).fold(0.0, f64::max)
    }
}

fn token_terms(token: &Token, stems: &Stems, vocabulary: &Vocabulary) -> Vec<(Term, f64)> {
    let spelt = match token.kind {
        Kind::Date(_) => return Vec::new(),
        Kind::Number(_) | Kind::Symbol | Kind::Ideograph | Kind::Syllable => {
            vec![format!("={}", token.folded)]
        }
        Kind::Word | Kind::Quoted => stems.query(&token.folded),
    };
    let known: Vec<(Term, f64)> =
        spelt.iter().filter_map(|term| vocabulary.term(term)).map(|term| (term, 1.0)).collect();
    if known.is_empty() && token.kind == Kind::Word && !token.function && !token.polite {
        return vocabulary
            .like(&token.folded)
            .into_iter()
            .map(|(term, like)| (term, like * MISSPELT))
            .collect();
    }
    known
}
