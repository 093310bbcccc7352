//! The confidence gate: an intent that is not sure enough becomes a question.

use convoke_catalog::{Catalog, Goal};
use convoke_proto::v1::{self, clarification::Candidate};
use prost_types::value::Kind;

/// The most candidates that a question names.
pub const MAX_CANDIDATES: usize = 5;

/// The question to ask instead of acting, or nothing when `intent` is sure enough.
///
/// Its `parameter` is empty: the goal itself is in question. Each candidate's value is `domain.GOAL`; the
/// intent's own goal comes first, then its alternatives, and the catalog's first goals where it has neither.
#[must_use]
pub fn check(intent: &v1::IntentOutput, threshold: f64, catalog: &Catalog) -> Option<v1::Clarification> {
    if !intent.goal.is_empty() && intent.confidence >= threshold {
        return None;
    }
    let own = (intent.primary_domain.as_str(), intent.goal.as_str(), intent.confidence);
    let others = intent
        .alternatives
        .iter()
        .map(|other| (other.domain.as_str(), other.goal.as_str(), other.confidence));
    let mut candidates: Vec<Candidate> = std::iter::once(own)
        .chain(others)
        .filter_map(|(domain, goal, confidence)| Some(candidate(find(catalog, domain, goal)?, confidence)))
        .take(MAX_CANDIDATES)
        .collect();
    if candidates.is_empty() {
        candidates = catalog.goals().take(MAX_CANDIDATES).map(|goal| candidate(goal, 0.0)).collect();
    }
    Some(v1::Clarification {
        question: question(intent, catalog),
        candidates,
        ..v1::Clarification::default()
    })
}

fn find<'a>(catalog: &'a Catalog, domain: &str, goal: &str) -> Option<&'a Goal> {
    catalog.goals().find(|known| known.domain == domain && known.name == goal).map(AsRef::as_ref)
}

fn candidate(goal: &Goal, confidence: f64) -> Candidate {
    let value =
        prost_types::Value { kind: Some(Kind::StringValue(format!("{}.{}", goal.domain, goal.name))) };
    Candidate { value: Some(value), label: label(goal), description: goal.description.clone(), confidence }
}

/// `find_books` of `library` → `Find books (library)`.
fn label(goal: &Goal) -> String {
    let words = crate::lexical::source::words_of_name(&goal.name);
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{} ({})", chars.as_str(), goal.domain)
}

/// What is missing, where the goal is clear; else which goal is meant.
fn question(intent: &v1::IntentOutput, catalog: &Catalog) -> String {
    let Some(goal) = find(catalog, &intent.primary_domain, &intent.goal) else {
        return match catalog.goals().next() {
            Some(_) => "I could not tell what you want. Is it one of these?".to_owned(),
            None => "No agent is registered, so there is nothing that I could do.".to_owned(),
        };
    };
    let said =
        |field: &str| intent.entities.as_ref().is_some_and(|entities| entities.fields.contains_key(field));
    let missing: Vec<String> = goal
        .entities
        .fields()
        .filter(|field| field.is_required() && field.default_value().is_none() && !said(field.name()))
        .map(|field| field.name().to_owned())
        .collect();
    if missing.is_empty() {
        format!("I am not sure what you want. Did you mean {}?", label(goal))
    } else {
        format!("{} also needs: {}. What do you want?", label(goal), missing.join(", "))
    }
}
