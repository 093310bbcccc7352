//! The confidence gate: an intent that is not sure enough becomes a question.

use convoke_catalog::Catalog;
use convoke_proto::v1;

/// The most candidates that a question names.
pub const MAX_CANDIDATES: usize = 5;

/// The question to ask instead of acting, or nothing when `intent` is sure enough.
///
/// Its `parameter` is empty: the goal itself is in question. Each candidate's value is `domain.GOAL`.
#[must_use]
pub fn check(intent: &v1::IntentOutput, threshold: f64, catalog: &Catalog) -> Option<v1::Clarification> {
    let _ = (intent, threshold, catalog);
    None
}
