//! What fills an entity: where in a sentence typed slots could be filled, and the values that come of it.

use super::{
    query::Query,
    source::{Slot, SlotKind},
    tokens::Kind,
    vocabulary::Term,
};

/// The value of an entity.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entity {
    /// A number, its digits in JSON's spelling.
    Number(String),
    /// The person's own words, a date, or the exact name of an enum's value.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// Several.
    List(Vec<Entity>),
}

/// The words that name one value of an enum, as the index has them.
#[derive(Debug, Clone)]
pub(crate) struct Naming {
    /// The slot whose value it is.
    pub(crate) slot: usize,
    /// The value's exact name.
    pub(crate) value: String,
    /// The terms of each word.
    pub(crate) words: Vec<Vec<Term>>,
}

/// One place where a typed slot could be filled.
#[derive(Debug, Clone)]
pub(crate) struct Filler {
    slot: usize,
    /// The first token.
    pub(crate) start: usize,
    /// The token after the last.
    pub(crate) end: usize,
    /// What it is there.
    pub(crate) entity: Entity,
}

/// Every place where a typed slot of one goal could be filled.
#[derive(Debug, Default)]
pub(crate) struct Fillers {
    found: Vec<Filler>,
}

impl Fillers {
    /// Finds them; linear in tokens × (slots + names of enum values).
    pub(crate) fn find(query: &Query<'_>, slots: &[Slot], namings: &[Naming]) -> Self {
        let mut fillers = Self::default();
        for (start, token) in query.tokens().iter().enumerate() {
            for (slot, spec) in slots.iter().enumerate() {
                if let Some(entity) = typed(&token.kind, &token.folded, &spec.kind) {
                    fillers.found.push(Filler { slot, start, end: start + 1, entity });
                }
            }
            for naming in namings {
                let end = start + naming.words.len();
                let named =
                    naming.words.iter().enumerate().all(|(at, terms)| query.meets(start + at, terms) >= 0.6);
                if named && !naming.words.is_empty() && end <= query.tokens().len() {
                    let entity = Entity::Text(naming.value.clone());
                    fillers.found.push(Filler { slot: naming.slot, start, end, entity });
                }
            }
        }
        fillers
    }

    /// Where content of `slot` that begins at token `start` could end.
    pub(crate) fn ends(&self, slot: usize, start: usize) -> impl Iterator<Item = usize> {
        let from = self.found.partition_point(|filler| filler.start < start);
        let here = self.found.iter().skip(from).take_while(move |filler| filler.start == start);
        here.filter(move |filler| filler.slot == slot).map(|filler| filler.end)
    }

    /// Every place for `slot`, in order.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = &Filler> {
        self.found.iter().filter(move |filler| filler.slot == slot)
    }

    /// What `slot` is when it takes these tokens.
    pub(crate) fn entity(&self, slot: usize, start: usize, end: usize) -> Option<Entity> {
        self.of(slot)
            .find(|filler| filler.start == start && filler.end == end)
            .map(|filler| filler.entity.clone())
    }
}

fn typed(kind: &Kind, folded: &str, slot: &SlotKind) -> Option<Entity> {
    match (kind, slot) {
        (Kind::Number(digits), SlotKind::Number { integer }) => {
            let whole = digits.parse::<f64>().is_ok_and(|value| value.fract() == 0.0);
            (whole || !integer).then(|| Entity::Number(digits.clone()))
        }
        (Kind::Date(date), SlotKind::Date { timestamp: true }) => {
            Some(Entity::Text(date.instant.clone().unwrap_or_else(|| format!("{}T00:00:00Z", date.day))))
        }
        (Kind::Date(date), SlotKind::Date { timestamp: false }) => Some(Entity::Text(date.day.clone())),
        (Kind::Word, SlotKind::Bool) => match folded {
            "true" | "yes" | "on" => Some(Entity::Bool(true)),
            "false" | "no" | "off" => Some(Entity::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}
