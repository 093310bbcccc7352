//! What a token is worth to one goal: looked up once, before its patterns are laid along the sentence.

use super::{
    index::{Domain, Goal, LexicalIndex, Weights},
    query::Query,
    vocabulary::Term,
};

/// What a token is worth to one goal; each between 0 and 1.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Worth {
    /// As a word of its topic.
    pub(crate) topic: f64,
    /// The same, less where other goals have the word too.
    pub(crate) telling: f64,
    /// As a word of the topic of any goal of its domain.
    pub(crate) shared: f64,
    /// As a value of its domain's entities.
    pub(crate) value: f64,
    /// As a word or value of another domain.
    pub(crate) elsewhere: f64,
}

impl Worth {
    /// What the token at `at` is worth.
    pub(crate) fn of(index: &LexicalIndex, goal: &Goal, query: &Query<'_>, at: usize) -> Self {
        let rarity = |term| 0.3 + 0.7 * index.rarity(term);
        let domain = index.domains.get(goal.domain);
        let own = |read: fn(&Domain) -> &Weights| {
            domain.map_or(0.0, |own| query.best(at, |term| get(read(own), term)))
        };
        let others = index.domains.iter().enumerate().filter(|(other, _)| *other != goal.domain);
        let known = |term, other: &Domain| get(&other.values, term).max(get(&other.topic, term));
        Self {
            topic: query.best(at, |term| get(&goal.topic, term)),
            telling: query.best(at, |term| get(&goal.topic, term) * rarity(term)),
            shared: own(|domain| &domain.topic),
            value: own(|domain| &domain.values),
            elsewhere: others.map(|(_, other)| query.best(at, |term| known(term, other))).fold(0.0, f64::max),
        }
    }

    /// The two that tell at a glance whether a goal is worth reading: topic and value.
    pub(crate) fn glance(index: &LexicalIndex, goal: &Goal, query: &Query<'_>, at: usize) -> f64 {
        let values = index.domains.get(goal.domain).map(|domain| &domain.values);
        let value = values.map_or(0.0, |values| query.best(at, |term| get(values, term)));
        query.best(at, |term| get(&goal.topic, term)) + 0.5 * value
    }
}

fn get(weights: &Weights, term: Term) -> f64 {
    weights.get(&term).copied().unwrap_or(0.0)
}
