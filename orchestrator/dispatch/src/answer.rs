//! From an agent's message to the output that the record and later steps see.

use bytes::Bytes;
use convoke_catalog::{Capability, Roles};
use convoke_plan::StepOutput;
use convoke_proto::error;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::tool_error::Outcome;
use convoke_proto::v1::{Clarification, DomainOutput, ToolError, Violation};
use convoke_schema::{Object, Value};
use prost_types::Struct;
use prost_types::value::Kind;

/// The confidence of an agent that names none.
const SURE: f64 = 1.0;

/// An output in both its forms.
pub(crate) struct Output {
    pub(crate) told: DomainOutput,
    pub(crate) typed: StepOutput,
}

/// Reads the response, and holds it against its own type.
///
/// # Errors
/// The agent broke its contract. It answered OK, so what it did is done.
pub(crate) fn success(capability: &Capability, reply: &Bytes) -> Result<Output, Box<ToolError>> {
    let value = capability.output.decode(reply).map_err(|error| {
        bad_answer(format!("the agent's answer is no {}: {error}", capability.output.full_name()), Vec::new())
    })?;
    let violations = capability.output.validate(&value);
    if !violations.is_empty() {
        let message = format!("the agent's answer breaks its own contract in {} places", violations.len());
        return Err(bad_answer(message, violations));
    }
    let result = capability.output.to_struct(&value);
    let Frame { explanation, confidence, metadata } = Frame::read(&capability.roles, &value);
    let told = DomainOutput {
        status: Status::Success.into(),
        explanation: explanation.clone(),
        confidence,
        metadata: metadata_of(&capability.roles, &result),
        result: Some(result),
        ..DomainOutput::default()
    };
    let typed =
        StepOutput { status: Status::Success, result: Some(value), explanation, confidence, metadata };
    Ok(Output { told, typed })
}

/// A failure, whoever found it.
pub(crate) fn failure(error: ToolError) -> Output {
    let told = DomainOutput {
        status: Status::Failure.into(),
        explanation: error.message.clone(),
        error: Some(error),
        ..DomainOutput::default()
    };
    without_result(Status::Failure, told)
}

/// A question of the agent.
pub(crate) fn clarification(question: Clarification) -> Output {
    let told = DomainOutput {
        status: Status::Clarification.into(),
        explanation: question.question.clone(),
        clarification: Some(question),
        ..DomainOutput::default()
    };
    without_result(Status::Clarification, told)
}

fn without_result(status: Status, told: DomainOutput) -> Output {
    let typed = StepOutput {
        status,
        result: None,
        explanation: told.explanation.clone(),
        confidence: told.confidence,
        metadata: Value::Object(Object::default()),
    };
    Output { told, typed }
}

/// What an answer says about itself; it stays in the result too.
struct Frame {
    explanation: String,
    confidence: f64,
    metadata: Value,
}

impl Frame {
    fn read(roles: &Roles, value: &Value) -> Self {
        let field = |name: &Option<String>| value.get(name.as_deref()?).filter(|value| !value.is_null());
        let confidence = field(&roles.confidence).and_then(Value::as_f64).filter(|value| value.is_finite());
        Self {
            explanation: field(&roles.explanation).and_then(Value::as_str).unwrap_or_default().to_owned(),
            confidence: confidence.map_or(SURE, |confidence| confidence.clamp(0.0, 1.0)),
            metadata: field(&roles.metadata).cloned().unwrap_or_else(|| Value::Object(Object::default())),
        }
    }
}

fn metadata_of(roles: &Roles, result: &Struct) -> Option<Struct> {
    match &result.fields.get(roles.metadata.as_deref()?)?.kind {
        Some(Kind::StructValue(metadata)) => Some(metadata.clone()),
        _ => None,
    }
}

fn bad_answer(message: String, field_violations: Vec<Violation>) -> Box<ToolError> {
    Box::new(ToolError {
        outcome: Outcome::Applied.into(),
        field_violations,
        ..error::own(error::OUTPUT_INVALID, message)
    })
}
