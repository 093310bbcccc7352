//! The records of steps that no agent speaks for: skipped, cancelled, out of time, out of room.

use convoke_plan::{CheckedStep, EvalError, Ledger};
use convoke_proto::error;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::step_record::State;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{DomainOutput, StepRecord, ToolError, Violation};
use tokio::time::Instant;

/// The code of what the caller gave up. Where no code of the orchestrator's own fits, gRPC's names do.
const CANCELLED: &str = "CANCELLED";

/// A record of `step` in `state`, without coercion or attempts.
pub(crate) fn record(step: &CheckedStep, state: State, output: Option<DomainOutput>) -> StepRecord {
    StepRecord {
        step_id: step.id.to_string(),
        domain: step.capability.domain.clone(),
        capability: step.capability.name.clone(),
        contract_digest: step.capability.contract_digest.clone(),
        state: state.into(),
        output,
        ..StepRecord::default()
    }
}

/// What a call that was broken off had done by then; its error says what is known of the effect.
pub(crate) fn fill(record: &mut StepRecord, ledger: &Ledger, now: Instant) {
    let Some(error) = record.output.as_mut().and_then(|output| output.error.as_mut()) else { return };
    let kept = ledger.broken_off(error, now.into_std());
    error.outcome = kept.outcome().into();
    record.coercion = kept.coercion;
    record.attempts = kept.attempts;
}

/// A failure as the contract has it.
pub(crate) fn failure(error: ToolError) -> DomainOutput {
    DomainOutput { status: Status::Failure.into(), error: Some(error), ..DomainOutput::default() }
}

/// A step that cannot run because one that it needs did not succeed. The error is of that one's kind, and says so.
pub(crate) fn skipped(dependency: &str, cause: Option<&DomainOutput>) -> DomainOutput {
    let cause = cause.and_then(|output| output.error.as_ref());
    let reason = cause.map_or("it gave no result", |error| error.message.as_str());
    let message = format!("not run: it needs step {dependency}, which did not succeed: {reason}");
    let mut error = cause.map_or_else(
        || error::tool_error("FAILED_PRECONDITION", Category::InputError, ""),
        |cause| error::tool_error(&cause.code, cause.category(), ""),
    );
    error.message.clone_from(&message);
    error.retryable = cause.and_then(|cause| cause.retryable);
    error.outcome = Outcome::NotStarted.into();
    DomainOutput { explanation: message, ..failure(error) }
}

/// Arguments that could not be evaluated.
pub(crate) fn unevaluated(reason: &EvalError) -> DomainOutput {
    let violation =
        Violation { path: reason.path.clone(), expected: reason.message.clone(), ..Violation::default() };
    let mut error = error::parameters_invalid(vec![violation]);
    error.outcome = Outcome::NotStarted.into();
    failure(error)
}

/// A call that was under way when its time was up.
pub(crate) fn timed_out() -> DomainOutput {
    let mut error = error::own(error::REQUEST_TIMEOUT, "the step's time was up before its agent answered");
    error.outcome = Outcome::Unknown.into();
    failure(error)
}

/// An execution whose time was up while steps were left to run.
pub(crate) fn out_of_time() -> DomainOutput {
    failure(error::own(error::REQUEST_TIMEOUT, "the execution's time was up before its last step"))
}

/// A call that was reset, or left to the background.
pub(crate) fn interrupted() -> DomainOutput {
    cancelled("the call was cancelled before its agent answered", Outcome::Unknown)
}

/// A step that did not begin.
pub(crate) fn unstarted() -> DomainOutput {
    cancelled("the execution ended before this step began", Outcome::NotStarted)
}

/// An execution that its caller gave up.
pub(crate) fn given_up() -> DomainOutput {
    cancelled("the execution was cancelled by its caller", Outcome::Unspecified)
}

fn cancelled(message: &str, outcome: Outcome) -> DomainOutput {
    let mut error = error::tool_error(CANCELLED, Category::ServiceError, message);
    error.retryable = Some(false);
    error.outcome = outcome.into();
    failure(error)
}

/// A result that the execution has no room for. What the step did is done.
pub(crate) fn too_much(size: usize, left: usize) -> DomainOutput {
    let message =
        format!("the step's output has {size} bytes, and the execution's results have room for {left}");
    let mut error = error::own(error::BUDGET_EXHAUSTED, message);
    error.outcome = Outcome::Applied.into();
    failure(error)
}

/// A service that broke its own contract: it ended a call without an output.
pub(crate) fn no_output() -> DomainOutput {
    let mut error = error::tool_error("INTERNAL", Category::ServiceError, "the call ended without an output");
    error.outcome = Outcome::Unknown.into();
    failure(error)
}
