//! An intent adapter that needs no model: words, patterns and types.
//!
//! ```text
//! catalog ─manifest─► Source ─index─► LexicalIndex: words with weights, patterns, stems, trigrams
//! sentence ─scan, phrases─► tokens ─query─► terms ─┐
//!                           index's shortlist ─────┴─► reading per goal: align every pattern, fill what is left,
//!                                                      weigh the evidence ─score─► intent, confidence, alternatives
//! ```
//!
//! What tells two goals apart is in their manifests alone: names, descriptions, keywords, example sentences with
//! slots, the types and examples of their entities. The lists in this folder hold words of grammar. Hints of every
//! language count whatever the locale, which decides how numbers and dates read and breaks ties.
//!
//! It is deterministic and bounded: a sentence of at most 4 KiB, at most 24 goals read closely, an alignment linear
//! in pattern × sentence. The index is compiled when the catalog's goals change, not for each sentence.
//!
//! It does not read dates relative to today, does not look at earlier sentences, and never asks a domain.

mod align;
mod dates;
mod index;
mod interpret;
mod lexicon;
pub(crate) mod manifest;
mod numbers;
mod pattern;
mod phrases;
mod query;
mod reading;
mod scan;
mod score;
mod slots;
pub(crate) mod source;
mod stem;
mod tokens;
mod vocabulary;
mod worth;

use std::sync::{Arc, Mutex, PoisonError};

use convoke_catalog::{Catalog, Contract, Goal};
use convoke_proto::v1::{self, intent_output::Alternative};
use prost_types::{ListValue, Struct, Value, value::Kind};

use self::{
    index::LexicalIndex,
    interpret::{Interpreted, Ranked},
    slots::Entity,
};
use crate::{
    Error, Utterance,
    adapter::{IntentAdapter, Interpreting},
};

/// The most goals that an intent names beside its own.
const MAX_ALTERNATIVES: usize = 10;
/// The greatest integer that a double holds without doubt.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// The lexical intent adapter.
#[derive(Debug, Default)]
pub struct Lexical {
    compiled: Mutex<Option<Arc<Compiled>>>,
}

/// A goal, and the contract that a call for it would take.
type Known = (Arc<Goal>, Option<Arc<Contract>>);

/// An index and the goals that it was compiled from.
#[derive(Debug)]
struct Compiled {
    goals: Vec<Known>,
    index: LexicalIndex,
}

// === impl Lexical ===

impl Lexical {
    /// The confidence below which this adapter's intents are not acted upon; set from measurement.
    pub const THRESHOLD: f64 = score::THRESHOLD;

    /// An adapter that has seen no catalog yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a sentence. Takes time in proportion to the sentence and the goals; does not wait for anything.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn read(&self, utterance: Utterance<'_>, catalog: &Catalog) -> Result<v1::IntentOutput, Error> {
        let Utterance { text, locale } = utterance;
        if text.len() > Utterance::MAX_BYTES {
            return Err(Error::TooLong { bytes: text.len(), limit: Utterance::MAX_BYTES });
        }
        let compiled = self.compiled(catalog);
        Ok(compiled.intent(text, interpret::interpret(&compiled.index, text, locale)))
    }

    /// The index of the catalog's goals, compiled anew only when they are others than last time.
    fn compiled(&self, catalog: &Catalog) -> Arc<Compiled> {
        let goals: Vec<_> =
            catalog.goals().map(|goal| (Arc::clone(goal), manifest::contract(goal, catalog))).collect();
        let known = self.compiled.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known.filter(|known| known.is_of(&goals)) {
            return known;
        }
        // Compiled outside the lock: whoever comes meanwhile compiles too, and nobody waits.
        let compiled = Arc::new(Compiled::new(goals));
        *self.compiled.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&compiled));
        compiled
    }
}

impl IntentAdapter for Lexical {
    fn interpret<'a>(&'a self, utterance: Utterance<'a>, catalog: &'a Catalog) -> Interpreting<'a> {
        Box::pin(std::future::ready(self.read(utterance, catalog)))
    }

    fn threshold(&self) -> f64 {
        Self::THRESHOLD
    }
}

// === impl Compiled ===

impl Compiled {
    fn new(goals: Vec<Known>) -> Self {
        let sources =
            goals.iter().map(|(goal, contract)| manifest::source(goal, contract.as_deref())).collect();
        Self { index: LexicalIndex::compile(sources), goals }
    }

    /// Whether these are the very goals and contracts that it was compiled from.
    fn is_of(&self, goals: &[Known]) -> bool {
        let contract = |known: &Known| known.1.as_ref().map(Arc::as_ptr);
        let same = |(known, other): (&Known, &Known)| {
            Arc::ptr_eq(&known.0, &other.0) && contract(known) == contract(other)
        };
        self.goals.len() == goals.len() && self.goals.iter().zip(goals).all(same)
    }

    fn intent(&self, text: &str, interpreted: Interpreted) -> v1::IntentOutput {
        let others = interpreted.others.iter().filter_map(|other| self.alternative(other));
        let mut intent = v1::IntentOutput {
            original_query: text.to_owned(),
            alternatives: others.take(MAX_ALTERNATIVES).collect(),
            ..v1::IntentOutput::default()
        };
        let found = interpreted.best.and_then(|best| Some((self.goals.get(best.goal)?, best)));
        if let Some(((goal, _), best)) = found {
            intent.primary_domain = goal.domain.clone();
            intent.goal = goal.name.clone();
            intent.confidence = best.confidence;
            let fields = best.entities.into_iter().map(|(field, entity)| (field, value(entity)));
            intent.entities = Some(Struct { fields: fields.collect() });
        }
        intent
    }

    fn alternative(&self, ranked: &Ranked) -> Option<Alternative> {
        let (goal, _) = self.goals.get(ranked.goal)?;
        Some(Alternative {
            domain: goal.domain.clone(),
            goal: goal.name.clone(),
            description: goal.description.clone(),
            confidence: ranked.confidence,
        })
    }
}

/// An entity as the contract has it: an integer that a double cannot hold is its digits.
fn value(entity: Entity) -> Value {
    let kind = match entity {
        Entity::Number(digits) => match digits.parse::<f64>() {
            Ok(number) if number.abs() <= SAFE || digits.contains(['.', 'e', 'E']) => {
                Kind::NumberValue(number)
            }
            _ => Kind::StringValue(digits),
        },
        Entity::Text(text) => Kind::StringValue(text),
        Entity::Bool(value) => Kind::BoolValue(value),
        Entity::List(values) => {
            Kind::ListValue(ListValue { values: values.into_iter().map(value).collect() })
        }
    };
    Value { kind: Some(kind) }
}
