//! The planner for an intent that is one call.

use convoke_proto::v1;
use convoke_schema::Value;
use prost_types::Struct;

/// The id of the only step.
const STEP: &str = "1";

/// A plan of one required step whose parameters are the intent's, as literals: a person's text is never code.
///
/// `contract_digest` binds the step to the contract that the intent was resolved against.
#[must_use]
pub fn plan(intent: v1::ExecutionIntent, contract_digest: &str) -> v1::ExecutionPlan {
    let parameters = intent.parameters.unwrap_or_default();
    let literal = |value: prost_types::Value| convoke_plan::literal(Value::from(value));
    let params = parameters.fields.into_iter().map(|(name, value)| (name, literal(value))).collect();
    let step = v1::ExecutionStep {
        id: STEP.to_owned(),
        domain: intent.domain,
        capability: intent.capability,
        contract_digest: contract_digest.to_owned(),
        params: Some(Struct { fields: params }),
        required: Some(true),
        output_key: STEP.to_owned(),
        ..v1::ExecutionStep::default()
    };
    v1::ExecutionPlan {
        execution_mode: v1::execution_plan::ExecutionMode::Dag.into(),
        combine_mode: v1::execution_plan::CombineMode::Last.into(),
        steps: vec![step],
        original_query: intent.original_query,
        ..v1::ExecutionPlan::default()
    }
}
