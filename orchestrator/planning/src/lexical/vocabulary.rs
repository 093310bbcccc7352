//! The words of all hints: terms by number, how rare each is, and the nearest known word to an unknown one.

use std::collections::HashMap;

use super::stem::strip_accents;

/// A term's number.
pub(crate) type Term = u32;

/// The least likeness at which an unknown word stands for a known one (Dice over trigrams).
const LIKE: f64 = 0.6;
/// The most words that share a trigram and are still compared.
const CROWD: usize = 400;

/// Terms, numbered, with the words that can be recognised in a misspelling.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    terms: HashMap<String, Term>,
    words: Vec<(Term, usize)>,
    known: HashMap<Term, ()>,
    grams: HashMap<[char; 3], Vec<u32>>,
}

impl Vocabulary {
    /// The number of `term`, new or not.
    pub(crate) fn add(&mut self, term: &str) -> Term {
        if let Some(known) = self.terms.get(term) {
            return *known;
        }
        let number = Term::try_from(self.terms.len()).unwrap_or(Term::MAX);
        self.terms.insert(term.to_owned(), number);
        number
    }

    /// Makes a word recognisable when it is misspelt or part of a compound.
    pub(crate) fn add_word(&mut self, folded: &str, term: Term) {
        let grams = grams(folded);
        if grams.len() < 4 || self.known.insert(term, ()).is_some() {
            return;
        }
        let at = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.push((term, grams.len()));
        for gram in grams {
            self.grams.entry(gram).or_default().push(at);
        }
    }

    /// The number of a term, if any hint has it.
    pub(crate) fn term(&self, term: &str) -> Option<Term> {
        self.terms.get(term).copied()
    }

    /// The known words that an unknown one is most like, with their likeness; at most three.
    pub(crate) fn like(&self, folded: &str) -> Vec<(Term, f64)> {
        let wanted = grams(folded);
        if wanted.len() < 4 {
            return Vec::new();
        }
        let mut shared: HashMap<u32, usize> = HashMap::new();
        for gram in &wanted {
            for word in self.grams.get(gram).into_iter().filter(|words| words.len() <= CROWD).flatten() {
                *shared.entry(*word).or_default() += 1;
            }
        }
        let likeness = |(at, shared): (&u32, &usize)| {
            let (term, grams) = self.words.get(usize::try_from(*at).ok()?)?;
            let dice = ratio(2 * shared, wanted.len() + grams);
            (dice >= LIKE).then_some((*term, dice))
        };
        let mut like: Vec<_> = shared.iter().filter_map(likeness).collect();
        like.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        like.truncate(3);
        like
    }
}

/// The trigrams of a word with its ends marked, each once.
fn grams(folded: &str) -> Vec<[char; 3]> {
    let plain = strip_accents(folded);
    let chars: Vec<char> =
        std::iter::once('^').chain(plain.chars().take(60)).chain(std::iter::once('$')).collect();
    let mut grams: Vec<[char; 3]> = chars.windows(3).filter_map(|w| <[char; 3]>::try_from(w).ok()).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// A quotient of two small counts.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    let small = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { small(part) / small(whole) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_recognised_and_a_strange_one_is_not() {
        let mut vocabulary = Vocabulary::default();
        for word in ["encyclopedia", "umbrella", "forecast"] {
            let term = vocabulary.add(&format!("={word}"));
            vocabulary.add_word(word, term);
        }
        assert_eq!(vocabulary.like("encyclopaedia")[0].0, vocabulary.term("=encyclopedia").unwrap());
        assert_eq!(vocabulary.like("forcast")[0].0, vocabulary.term("=forecast").unwrap());
        assert_eq!(vocabulary.like("poem"), []);
    }
}
