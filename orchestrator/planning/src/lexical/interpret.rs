//! A sentence against all goals of an index.

use super::{
    index::{Goal, LexicalIndex},
    lexicon::primary,
    query::Query,
    reading::{self, Evidence, Reading},
    score,
    slots::Entity,
    source::SlotKind,
    tokens::Kind,
    worth::Worth,
};

/// The most goals whose patterns are laid along one sentence.
const MAX_READ: usize = 24;
/// The most tokens × goals that are read closely: of a very long sentence, fewer goals.
const MAX_WORK: usize = 2400;
/// The least evidence at which a goal is named as the intent's.
const ANYTHING: f64 = 0.02;

/// What a sentence seems to want.
#[derive(Debug, Default)]
pub(crate) struct Interpreted {
    /// The goal, its entities and the confidence; nothing when no goal has any evidence.
    pub(crate) best: Option<Ranked>,
    /// The other goals, best first; all of them, without confidence, when none has any evidence.
    pub(crate) others: Vec<Ranked>,
}

/// A goal's reading, and how much it is believed.
#[derive(Debug, Clone)]
pub(crate) struct Ranked {
    /// The goal's place in the index.
    pub(crate) goal: usize,
    /// Field and value, in the order of the fields.
    pub(crate) entities: Vec<(String, Entity)>,
    /// 0 to 1.
    pub(crate) confidence: f64,
    /// What the confidence is made of.
    pub(crate) evidence: Evidence,
}

/// Reads `text` against every goal of `index`.
pub(crate) fn interpret(index: &LexicalIndex, text: &str, locale: &str) -> Interpreted {
    let query = Query::read(text, locale, &index.stems, &index.vocabulary);
    let language = primary(locale);
    let mut readings: Vec<(usize, Reading, f64)> = shortlist(index, &query)
        .into_iter()
        .filter_map(|at| Some((at, index.goals.get(at)?)))
        .map(|(at, goal)| {
            let reading = reading::read(index, goal, &query, &language, score::rank);
            let rank = score::rank(&reading.evidence);
            (at, reading, rank)
        })
        .collect();
    readings.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let mut ranked = Vec::with_capacity(readings.len());
    for (place, (goal, reading, rank)) in readings.iter().enumerate() {
        let rival = if place == 0 { 1 } else { 0 };
        let lead = readings.get(rival).map_or(f64::INFINITY, |(_, _, other)| rank - other);
        ranked.push(believe(index, *goal, reading, lead));
    }
    let mut ranked = ranked.into_iter();
    match ranked.next().filter(|best| best.confidence >= ANYTHING && evident(&best.evidence)) {
        Some(best) => Interpreted {
            best: Some(best),
            others: ranked.filter(|other| evident(&other.evidence)).collect(),
        },
        None => Interpreted { best: None, others: (0..index.goals.len()).map(nothing).collect() },
    }
}

/// Whether anything at all speaks for a reading.
fn evident(evidence: &Evidence) -> bool {
    evidence.topic > 0.05 || evidence.values > 0.3 || evidence.pattern > 0.5
}

fn nothing(goal: usize) -> Ranked {
    Ranked { goal, entities: Vec::new(), confidence: 0.0, evidence: Evidence::default() }
}

fn believe(index: &LexicalIndex, goal: usize, reading: &Reading, lead: f64) -> Ranked {
    let slots = index.goals.get(goal).map(|goal| goal.source.slots.as_slice()).unwrap_or_default();
    let named = reading
        .entities
        .iter()
        .filter_map(|(slot, entity)| slots.get(*slot).map(|slot| (slot.field.clone(), entity.clone())));
    let confidence = score::confidence(&reading.evidence, lead);
    Ranked { goal, entities: named.collect(), confidence, evidence: reading.evidence }
}

/// The goals worth a closer look, in the catalog's order: those that know the sentence's words, or have a place for
/// its numbers.
fn shortlist(index: &LexicalIndex, query: &Query<'_>) -> Vec<usize> {
    let most = (MAX_WORK / query.tokens().len().max(1)).clamp(2, MAX_READ);
    let mut goals: Vec<(usize, f64)> =
        index.goals.iter().map(|goal| glance(index, goal, query)).enumerate().collect();
    goals.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    goals.truncate(most);
    let mut goals: Vec<usize> = goals.into_iter().map(|(at, _)| at).collect();
    goals.sort_unstable();
    goals
}

fn glance(index: &LexicalIndex, goal: &Goal, query: &Query<'_>) -> f64 {
    let mut sum = 0.0;
    for (at, token) in query.tokens().iter().enumerate() {
        let factor = if token.is_content() { 1.0 } else { 0.1 };
        sum += factor * token.weight() * Worth::glance(index, goal, query, at);
    }
    let has = |wanted: fn(&SlotKind) -> bool| goal.source.slots.iter().any(|slot| wanted(&slot.kind));
    let number = query.tokens().iter().any(|token| matches!(token.kind, Kind::Number(_)));
    if number && has(|kind| matches!(kind, SlotKind::Number { .. })) {
        sum += 0.3;
    }
    sum
}
