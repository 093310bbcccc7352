//! The goals of a catalog, compiled: whose word is whose, how telling it is, and the patterns.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    pattern::{self, Pattern},
    slots::Naming,
    source::{Slot, SlotKind, Source, words_of_name},
    stem::{Stems, pair},
    tokens::{Kind, Sentence},
    vocabulary::{Term, Vocabulary, ratio},
};

/// The most terms of one goal.
const MAX_TERMS: usize = 20_000;

/// A keyword as a value of an entity, unless it is a word of the topic ("convert"), and what examples say are values.
const KEYWORD_VALUE: f64 = 0.9;
const SAID: f64 = 1.0;

/// How much a word says about a goal, by where it stands.
mod weight {
    pub(super) const KEYWORD: f64 = 1.0;
    pub(super) const NAME: f64 = 0.9;
    pub(super) const LABEL: f64 = 0.7;
    pub(super) const EXAMPLE: f64 = 0.85;
    pub(super) const ENUM: f64 = 0.8;
    pub(super) const DESCRIPTION: f64 = 0.7;
    pub(super) const DOMAIN: f64 = 0.6;
    pub(super) const FIELD: f64 = 0.5;
    pub(super) const FIELD_DESCRIPTION: f64 = 0.3;
}

/// Terms and how much each says, 0 to 1.
pub(crate) type Weights = HashMap<Term, f64>;

/// One goal.
#[derive(Debug)]
pub(crate) struct Goal {
    /// What it was compiled from.
    pub(crate) source: Source,
    /// Its place among the domains.
    pub(crate) domain: usize,
    /// The words of its topic.
    pub(crate) topic: Weights,
    /// Its sentences.
    pub(crate) patterns: Vec<Pattern>,
    /// The words that name its enums' values.
    pub(crate) namings: Vec<Naming>,
    /// For each slot: its domain's keywords name the values, so that a strange value speaks against the goal.
    pub(crate) listed: Vec<bool>,
    /// For each slot: the shapes of its examples that no plain word has.
    pub(crate) shapes: Vec<Vec<String>>,
}

/// What the goals of one domain share.
#[derive(Debug, Default)]
pub(crate) struct Domain {
    /// The words of any of its goals.
    pub(crate) topic: Weights,
    /// Words that are values of its entities: by its fields' examples, and by its keywords where these list values.
    pub(crate) values: Weights,
    /// Some field's values stand among the keywords.
    listing: bool,
}

/// All goals of one catalog.
#[derive(Debug, Default)]
pub(crate) struct LexicalIndex {
    /// In the catalog's order.
    pub(crate) goals: Vec<Goal>,
    /// By [`Goal::domain`].
    pub(crate) domains: Vec<Domain>,
    /// The stemmers of the hints' languages.
    pub(crate) stems: Stems,
    /// Every word.
    pub(crate) vocabulary: Vocabulary,
    rarity: HashMap<Term, f64>,
}

impl LexicalIndex {
    /// Compiles `sources`; linear in their text.
    pub(crate) fn compile(sources: Vec<Source>) -> Self {
        let languages = sources.iter().flat_map(|source| &source.hints).map(|hint| hint.language.as_str());
        let mut index = Self { stems: Stems::of(languages), ..Self::default() };
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for source in sources {
            let next = places.len();
            let domain = *places.entry(source.domain.clone()).or_insert(next);
            index.domains.resize_with(places.len(), Domain::default);
            index.add(source, domain);
        }
        index.look_for_lists();
        index.weigh_rarity();
        index
    }

    /// How telling a term is, 0 (every goal has it) to 1 (one goal has it).
    pub(crate) fn rarity(&self, term: Term) -> f64 {
        self.rarity.get(&term).copied().unwrap_or(1.0)
    }

    fn add(&mut self, source: Source, domain: usize) {
        let mut reader = Reader::new(&self.stems, &mut self.vocabulary);
        reader.texts(&source);
        reader.hints(&source);
        let mut bags = Vec::new();
        let patterns = pattern::compile(&source, reader.stems, reader.vocabulary, |language, bag| {
            bags.push((language.to_owned(), bag))
        });
        for (language, bag) in bags {
            for word in &bag.words {
                reader.word(word, &language, weight::EXAMPLE, false);
            }
            for pair in &bag.pairs {
                reader.term(pair, weight::EXAMPLE, false);
            }
        }
        reader.slots(&source.slots);
        let namings = reader.namings(&source.slots);
        if source.slots.iter().any(|slot| slot.kind == SlotKind::Text) {
            reader.keyword_values(&source);
        }
        let (topic, values) = (reader.topic, reader.values);
        if let Some(shared) = self.domains.get_mut(domain) {
            merge(&mut shared.topic, &topic);
            merge(&mut shared.values, &values);
        }
        let listed = vec![false; source.slots.len()];
        let shapes = source
            .slots
            .iter()
            .map(|slot| slot.examples.iter().filter_map(|text| shape(text)).collect())
            .collect();
        self.goals.push(Goal { source, domain, topic, patterns, namings, listed, shapes });
    }

    /// A field whose examples are keywords as well has its values listed there.
    fn look_for_lists(&mut self) {
        let Self { goals, domains, stems, vocabulary, .. } = self;
        let mut keywords: Vec<Weights> = vec![Weights::new(); domains.len()];
        for goal in goals.iter() {
            let mut reader = Reader::new(stems, vocabulary);
            reader.keywords(&goal.source);
            if let Some(known) = keywords.get_mut(goal.domain) {
                merge(known, &reader.topic);
            }
        }
        for goal in goals.iter_mut() {
            let Some(known) = keywords.get(goal.domain) else { continue };
            for (slot, listed) in goal.source.slots.iter().zip(&mut goal.listed) {
                let named = |example: &&String| {
                    let sentence = Sentence::read(example, "");
                    sentence.tokens.iter().any(|token| {
                        let terms = stems.query(&token.folded);
                        terms
                            .iter()
                            .filter_map(|term| vocabulary.term(term))
                            .any(|term| known.contains_key(&term))
                    })
                };
                let hits = slot.examples.iter().filter(named).count();
                *listed = slot.kind == SlotKind::Text && hits >= 1 && ratio(hits, slot.examples.len()) >= 0.5;
            }
            if let Some(domain) = domains.get_mut(goal.domain) {
                domain.listing |= goal.listed.contains(&true);
            }
        }
        for domain in domains.iter_mut().filter(|domain| !domain.listing) {
            domain.values.retain(|_, weight| *weight >= SAID);
        }
    }

    fn weigh_rarity(&mut self) {
        let mut goals: HashMap<Term, usize> = HashMap::new();
        let mut domains: HashMap<Term, usize> = HashMap::new();
        for goal in &self.goals {
            goal.topic.keys().for_each(|term| *goals.entry(*term).or_default() += 1);
        }
        for domain in &self.domains {
            domain.topic.keys().for_each(|term| *domains.entry(*term).or_default() += 1);
        }
        let (all_goals, all_domains) = (self.goals.len(), self.domains.len());
        for (term, among) in domains {
            let within = goals.get(&term).copied().unwrap_or(1);
            let rare = 0.7 * idf(among, all_domains) + 0.3 * idf(within, all_goals);
            self.rarity.insert(term, rare);
        }
    }
}

/// Inverse document frequency, relative to that of a word that one of `all` has.
fn idf(count: usize, all: usize) -> f64 {
    let raw = |count: usize| (1.0 + (ratio(all, 1) - ratio(count, 1) + 0.5) / (ratio(count, 1) + 0.5)).ln();
    raw(count) / raw(1)
}

fn merge(into: &mut Weights, from: &Weights) {
    for (term, weight) in from {
        let known = into.entry(*term).or_default();
        *known = known.max(*weight);
    }
}

/// The shape of a value, where it tells something: capitals, digits among letters, signs. `GBP` → `AAA`.
pub(crate) fn shape(text: &str) -> Option<String> {
    let text = text.trim();
    let mut shape = String::new();
    for c in text.chars().take(40) {
        shape.push(match c {
            _ if c.is_uppercase() => 'A',
            _ if c.is_alphabetic() => 'a',
            _ if c.is_numeric() => '9',
            _ => c,
        });
    }
    let telling = !shape.contains(char::is_whitespace)
        && shape.chars().count() > 1
        && shape.contains(['A', 'a'])
        && (!shape.contains('a') || shape.contains('9') || shape.contains(['@', '/', '_', '.', ':', '#']));
    telling.then_some(shape)
}

/// Reads a goal's texts into weights.
struct Reader<'a> {
    stems: &'a Stems,
    vocabulary: &'a mut Vocabulary,
    topic: Weights,
    values: Weights,
    /// Words of names and of examples outside their slots: topic, whatever keywords say.
    plain: HashSet<Term>,
}

impl<'a> Reader<'a> {
    fn new(stems: &'a Stems, vocabulary: &'a mut Vocabulary) -> Self {
        Self { stems, vocabulary, topic: Weights::new(), values: Weights::new(), plain: HashSet::new() }
    }

    fn term(&mut self, term: &str, weight: f64, value: bool) {
        let term = self.vocabulary.add(term);
        if !value && (weight == weight::NAME || weight == weight::EXAMPLE || weight == weight::DOMAIN) {
            self.plain.insert(term);
        }
        let weights = if value { &mut self.values } else { &mut self.topic };
        if weights.len() < MAX_TERMS {
            let known = weights.entry(term).or_default();
            *known = known.max(weight);
        }
    }

    fn word(&mut self, folded: &str, language: &str, weight: f64, value: bool) {
        for term in self.stems.index(folded, language) {
            self.term(&term, weight, value);
        }
        let term = self.vocabulary.add(&format!("={folded}"));
        self.vocabulary.add_word(folded, term);
    }

    fn text(&mut self, text: &str, language: &str, weight: f64, value: bool) {
        let sentence = Sentence::read(text, language);
        for (at, token) in sentence.tokens.iter().enumerate() {
            if let Some(pair) = pair(token, sentence.tokens.get(at + 1)) {
                self.term(&pair, weight, value);
            }
            if token.is_content() {
                let weight = if token.kind == Kind::Ideograph { weight / 2.0 } else { weight };
                self.word(&token.folded, language, weight, value);
            }
        }
    }

    fn texts(&mut self, source: &Source) {
        self.text(&words_of_name(&source.name), "en", weight::NAME, false);
        self.text(&words_of_name(&source.domain), "en", weight::DOMAIN, false);
        self.text(&source.description, "en", weight::DESCRIPTION, false);
        for label in &source.labels {
            self.text(&words_of_name(label), "en", weight::LABEL, false);
        }
    }

    fn keywords(&mut self, source: &Source) {
        for hint in &source.hints {
            for keyword in &hint.keywords {
                self.text(keyword, &hint.language, weight::KEYWORD, false);
            }
        }
    }

    fn hints(&mut self, source: &Source) {
        self.keywords(source);
        for sample in &source.samples {
            for (_, value) in &sample.values {
                self.text(value, "", SAID, true);
            }
        }
    }

    /// Keywords that are no form of a word of the topic may be values.
    fn keyword_values(&mut self, source: &Source) {
        for hint in &source.hints {
            for token in
                hint.keywords.iter().flat_map(|keyword| Sentence::read(keyword, &hint.language).tokens)
            {
                let terms = self.stems.index(&token.folded, &hint.language);
                let plain = terms
                    .iter()
                    .filter_map(|term| self.vocabulary.term(term))
                    .any(|term| self.plain.contains(&term));
                for term in terms.iter().filter(|_| token.is_content() && !plain) {
                    self.term(term, KEYWORD_VALUE, true);
                }
            }
        }
    }

    fn slots(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.text(&words_of_name(&slot.field), "en", weight::FIELD, false);
            self.text(&slot.description, "en", weight::FIELD_DESCRIPTION, false);
            for alias in &slot.aliases {
                self.text(&words_of_name(alias), "en", weight::FIELD, false);
            }
            for example in &slot.examples {
                self.text(example, "", SAID, true);
            }
            if let SlotKind::Enum(values) = &slot.kind {
                for word in values.iter().flat_map(|value| &value.words) {
                    self.text(word, "", weight::ENUM, false);
                    self.text(word, "", SAID, true);
                }
            }
        }
    }

    fn namings(&mut self, slots: &[Slot]) -> Vec<Naming> {
        let mut namings = Vec::new();
        for (slot, spec) in slots.iter().enumerate() {
            let SlotKind::Enum(values) = &spec.kind else { continue };
            for value in values {
                for words in &value.words {
                    let sentence = Sentence::read(words, "");
                    let words = sentence.tokens.iter().map(|token| self.every_term(&token.folded)).collect();
                    namings.push(Naming { slot, value: value.name.clone(), words });
                }
            }
        }
        namings
    }

    /// An alias has no language: it is known under its stems in all of them.
    fn every_term(&mut self, folded: &str) -> Vec<Term> {
        self.stems.query(folded).iter().map(|term| self.vocabulary.add(term)).collect()
    }
}
