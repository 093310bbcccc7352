//! Goal → capability, by the manifest alone.

use convoke_catalog::Catalog;
use convoke_proto::v1;

use crate::Error;

/// The capability that an intent's goal leads to, and its parameters.
///
/// # Errors
/// [`Error::UnknownGoal`], [`Error::AmbiguousGoal`] or [`Error::NoCapability`].
pub fn resolve(intent: &v1::IntentOutput, catalog: &Catalog) -> Result<v1::ExecutionIntent, Error> {
    let _ = catalog;
    Err(Error::UnknownGoal { goal: intent.goal.clone(), nearest: Vec::new() })
}
