//! A sentence as tokens: words, ideographs, numbers, dates, symbols, quotations.
//!
//! ```text
//! "¤250 in plums, please" → [250] [¤] [in] [plums] [please]
//! ```
//!
//! A token keeps its bytes in the sentence, so that an entity is the person's own words, and its folded form
//! (NFKC, lower case), by which it is compared. A symbol before a number reads after it, as it is spoken. Scripts
//! without spaces are read character by character. Punctuation is no token; it is remembered as a pause.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::{
    dates::Date,
    lexicon::{Entry, LanguageSet, Lexicon},
    numbers::Notation,
    phrases, scan,
};

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A run of letters (and digits, when letters come first).
    Word,
    /// One character of a script without spaces that carries meaning by itself.
    Ideograph,
    /// One character of a syllabary, mostly grammar.
    Syllable,
    /// `¤`, `°`, `%`.
    Symbol,
    /// A number, its digits in JSON's spelling.
    Number(String),
    /// A date, perhaps with a time.
    Date(Date),
    /// What stood in quotation marks; the range is what is inside.
    Quoted,
}

/// How much of a break stands before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pause {
    /// Nothing or a space.
    None,
    /// A comma, a hyphen, a bracket.
    Weak,
    /// The end of a sentence, a colon, a line break.
    Strong,
}

/// One token.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// Its bytes in the sentence.
    pub(crate) range: Range<usize>,
    /// NFKC, lower case.
    pub(crate) folded: String,
    /// What it is.
    pub(crate) kind: Kind,
    /// The break before it.
    pub(crate) pause: Pause,
    /// Nothing stands between it and the token before.
    pub(crate) glued: bool,
    /// It begins with a capital that the beginning of a sentence does not explain.
    pub(crate) capital: bool,
    /// What the word lists say.
    pub(crate) entry: Entry,
    /// It carries grammar, not a topic.
    pub(crate) function: bool,
    /// It is a content word that says little.
    pub(crate) light: bool,
    /// It is mere politeness.
    pub(crate) polite: bool,
}

impl Token {
    pub(crate) fn new(text: &str, range: Range<usize>, kind: Kind) -> Self {
        let slice = text.get(range.clone()).unwrap_or_default();
        Self {
            folded: fold(slice),
            capital: slice.chars().next().is_some_and(char::is_uppercase),
            range,
            kind,
            pause: Pause::None,
            glued: false,
            entry: Entry::default(),
            function: false,
            light: false,
            polite: false,
        }
    }

    /// Whether it says something about the topic.
    pub(crate) fn is_content(&self) -> bool {
        !self.function
            && !self.polite
            && matches!(self.kind, Kind::Word | Kind::Ideograph | Kind::Symbol | Kind::Quoted)
    }

    /// How much of a word it is.
    pub(crate) fn weight(&self) -> f64 {
        match self.kind {
            Kind::Ideograph => 0.5,
            Kind::Syllable => 0.1,
            _ if self.light => 0.3,
            _ => 1.0,
        }
    }
}

/// A sentence in tokens.
#[derive(Debug, Clone)]
pub(crate) struct Sentence<'a> {
    /// As it was said.
    pub(crate) text: &'a str,
    /// In the order in which they are read.
    pub(crate) tokens: Vec<Token>,
}

impl<'a> Sentence<'a> {
    /// Reads `text` as `locale` writes numbers and dates.
    pub(crate) fn read(text: &'a str, locale: &str) -> Self {
        let notation = Notation::of(locale);
        let lexicon = Lexicon::get();
        let mut tokens = scan::tokens(text, notation);
        for token in &mut tokens {
            token.entry = lexicon.entry(&token.folded);
        }
        let words = tokens.iter().filter(|token| matches!(token.kind, Kind::Word | Kind::Ideograph));
        let languages = lexicon.active(words.map(|token| token.folded.as_str()), locale);
        let shouted = !text.chars().any(char::is_lowercase);
        let mut after_number = false;
        for token in &mut tokens {
            let names = after_number && is_letter(token) || !shouted && is_abbreviation(text, token);
            after_number = matches!(token.kind, Kind::Number(_));
            if !names {
                classify(token, languages);
            }
        }
        let tokens = phrases::join(text, tokens, languages);
        Self { text, tokens }
    }

    /// The person's own words from one token to another, without what surrounds them.
    pub(crate) fn slice(&self, tokens: Range<usize>) -> &'a str {
        let covered = self.tokens.get(tokens).unwrap_or_default();
        let start = covered.iter().map(|token| token.range.start).min().unwrap_or(0);
        let end = covered.iter().map(|token| token.range.end).max().unwrap_or(0);
        self.text.get(start..end).unwrap_or_default().trim()
    }
}

/// "1.5 l in ml": a letter after a number names what is counted, whatever else it may be.
fn is_letter(token: &Token) -> bool {
    token.kind == Kind::Word && token.folded.chars().count() == 1
}

/// "100 US apples": where others are in lower case, a word all in capitals is a name.
fn is_abbreviation(text: &str, token: &Token) -> bool {
    let word = text.get(token.range.clone()).unwrap_or_default();
    token.kind == Kind::Word && word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

/// Grammar and politeness, in the languages that the sentence seems to be written in.
fn classify(token: &mut Token, languages: LanguageSet) {
    match token.kind {
        // "12in": glued to a number, it is a unit's name whatever else it may be.
        Kind::Word | Kind::Ideograph if !token.glued || token.kind == Kind::Ideograph => {
            token.function = token.entry.function & languages != 0;
            token.light = token.entry.light & languages != 0;
            token.polite = token.entry.polite & languages != 0;
        }
        Kind::Syllable => token.function = true,
        _ => {}
    }
}

/// NFKC and lower case: how two spellings of one word become equal.
pub(crate) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, locale: &str) -> Vec<String> {
        let sentence = Sentence::read(text, locale);
        let show = |token: &Token| match &token.kind {
            Kind::Number(digits) => format!("#{digits}"),
            Kind::Date(date) => format!("@{}", date.day),
            Kind::Quoted => format!("\"{}\"", token.folded),
            _ => token.folded.clone(),
        };
        sentence.tokens.iter().map(show).collect()
    }

    #[test]
    fn a_symbol_before_a_number_reads_after_it() {
        assert_eq!(read("¤250 in plums please", ""), ["#250", "¤", "in", "plums", "please"]);
        assert_eq!(read("US¤ 5", ""), ["#5", "us¤"]);
        assert_eq!(read("250¤", ""), ["#250", "¤"]);
        assert_eq!(read("ABC 250 in XYZ", ""), ["#250", "abc", "in", "xyz"]);
        assert_eq!(read("from ABC 250 apples", ""), ["from", "abc", "#250", "apples"]);
        assert_eq!(read("from ABC to XYZ 250", ""), ["from", "abc", "to", "xyz", "#250"]);
    }

    #[test]
    fn capitals_and_a_letter_after_a_number_are_names_and_no_grammar() {
        let function = |text: &str| -> Vec<bool> {
            Sentence::read(text, "en").tokens.iter().map(|token| token.function).collect()
        };
        assert_eq!(function("100 US apples to us"), [false, false, false, true, true]);
        assert_eq!(function("TELL US"), [false, true]);
        assert_eq!(function("1.5 a in ml"), [false, false, true, false]);
    }

    #[test]
    fn a_number_is_split_from_the_word_glued_to_it() {
        assert_eq!(read("run 5km at -40°C", ""), ["run", "#5", "km", "at", "#-40", "°c"]);
        assert_eq!(read("PETR4 1Z999A mp3", ""), ["petr4", "1z999a", "mp3"]);
        assert_eq!(read("12in in cm", ""), ["#12", "in", "in", "cm"]);
    }

    #[test]
    fn numbers_in_words_count_in_the_language_of_the_sentence() {
        assert_eq!(read("what is twenty-five pears in kg", ""), ["what", "is", "#25", "pears", "in", "kg"]);
        assert_eq!(read("two hundred thousand of them", ""), ["#200000", "of", "them"]);
        assert_eq!(read("2.5 million", ""), ["#2500000"]);
        assert_eq!(read("which one is it", ""), ["which", "one", "is", "it"]);
        assert_eq!(read("wie weit sind fünf Meilen", ""), ["wie", "weit", "sind", "#5", "meilen"]);
        assert_eq!(read("what is 10 cent in plums", ""), ["what", "is", "#10", "cent", "in", "plums"]);
    }

    #[test]
    fn dates_are_one_token_in_digits_and_in_words() {
        assert_eq!(read("rate on 2020-03-02", ""), ["rate", "on", "@2020-03-02"]);
        assert_eq!(read("on March 2nd, 2020?", ""), ["on", "@2020-03-02"]);
        assert_eq!(read("am 2. März 2020", "de"), ["am", "@2020-03-02"]);
        assert_eq!(read("em 2 de março de 2020", "pt"), ["em", "@2020-03-02"]);
        assert_eq!(read("2020年3月2日", "ja"), ["@2020-03-02"]);
    }

    #[test]
    fn quotations_are_one_token_and_apostrophes_are_none() {
        assert_eq!(read("find \"Die Hard\" for me", ""), ["find", "\"die hard\"", "for", "me"]);
        assert_eq!(read("what's l'arbre's don't", "")[0], "what's");
        assert_eq!(read("„Guten Tag“ auf Dänisch", "de")[0], "\"guten tag\"");
        assert_eq!(read("5' long \" open", ""), ["#5", "long", "open"]);
    }

    #[test]
    fn scripts_without_spaces_are_read_by_character() {
        assert_eq!(read("250ユーロを円に", "ja"), ["#250", "ユーロ", "を", "円", "に"]);
        assert_eq!(read("把5英里", "zh"), ["把", "#5", "英", "里"]);
    }

    #[test]
    fn an_entity_is_the_persons_own_words() {
        let sentence = Sentence::read("price of Bank of America, please", "");
        assert_eq!(sentence.slice(2..5), "Bank of America");
        let sentence = Sentence::read("US¤ 5", "");
        assert_eq!(sentence.slice(1..2), "US¤");
    }
}
