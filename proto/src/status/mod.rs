//! Failures on the wire: gRPC statuses and what stands in their details, both ways.
//!
//! ```text
//! ToolError ─to_status─► Status { code, message, details: google.rpc.Status [ToolError, …] } ─details─► Details
//!                                                             without a ToolError: table ─from_status─► ToolError
//! ```
//!
//! The details travel in the header `grpc-status-details-bin`. Peers cap their headers at 8 KiB, so the encoded
//! `google.rpc.Status` keeps to [`MAX_DETAILS`]: what is larger is trimmed, and says so.
//! Nothing here reads the words of a message to decide something.

mod rpc;
mod table;
mod trim;

use std::time::Duration;

use prost::{Message, Name};
use tonic::{Code, Status};

pub use self::table::{category, category_of, code_name, code_of, http_status, retryable};
use self::{
    rpc::{BadRequest, RetryInfo, RpcStatus, any},
    trim::{clip, trim_clarification, trim_error, trim_report},
};
use crate::v1::{Clarification, PlanReport, ToolError, Violation, tool_error::Outcome, violation::Rule};

/// Most bytes of an encoded `google.rpc.Status`: 4 KiB.
pub const MAX_DETAILS: usize = 4096;

/// Most bytes of a status message; it travels in a header of its own.
const MAX_MESSAGE: usize = 512;

/// What stood in the details of a status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// The agent's or orchestrator's own account.
    pub tool_error: Option<ToolError>,
    /// With `PLAN_INVALID`.
    pub plan_report: Option<PlanReport>,
    /// With FAILED_PRECONDITION: not a failure, a question.
    pub clarification: Option<Clarification>,
    /// `google.rpc.RetryInfo`.
    pub retry_after: Option<Duration>,
    /// `google.rpc.BadRequest`: fields, and what is wrong with each.
    pub bad_request: Vec<(String, String)>,
}

/// The status of a failure: code by [`code_of`], the error in its details.
pub fn to_status(error: &ToolError) -> Status {
    let error = trim_error(error, MAX_DETAILS - MAX_MESSAGE - 64);
    status(code_of(&error), &error.message, vec![any(&error)])
}

/// The status of a plan that does not verify: the error, and beside it the report.
pub fn with_plan_report(error: &ToolError, report: &PlanReport) -> Status {
    let error = trim_error(error, MAX_DETAILS / 4);
    let left = MAX_DETAILS - MAX_MESSAGE - 128 - error.encoded_len();
    let report = trim_report(report, left);
    status(code_of(&error), &error.message, vec![any(&error), any(&report)])
}

/// The status by which an agent asks back.
pub fn clarify(question: &Clarification) -> Status {
    let question = trim_clarification(question, MAX_DETAILS - MAX_MESSAGE - 64);
    status(Code::FailedPrecondition, &question.question, vec![any(&question)])
}

/// Reads the details of a status. What is missing, unknown or broken is absent.
pub fn details(status: &Status) -> Details {
    let mut found = Details::default();
    let Ok(carried) = RpcStatus::decode(status.details()) else { return found };
    for detail in &carried.details {
        let (name, bytes) = (detail.type_name(), detail.value.as_slice());
        if name == ToolError::full_name() {
            found.tool_error = ToolError::decode(bytes).ok();
        } else if name == PlanReport::full_name() {
            found.plan_report = PlanReport::decode(bytes).ok();
        } else if name == Clarification::full_name() {
            found.clarification = Clarification::decode(bytes).ok();
        } else if name == RetryInfo::NAME {
            found.retry_after = RetryInfo::decode(bytes).ok().and_then(|info| info.delay());
        } else if name == BadRequest::NAME {
            found.bad_request = BadRequest::decode(bytes).map(BadRequest::into_pairs).unwrap_or_default();
        }
    }
    found
}

/// The error that a status carries, or else what its code alone says by the error table.
///
/// An error that an agent sent is completed: a missing code, message or category from the status, `retry_after` from
/// `RetryInfo`, `field_violations` from `BadRequest`, and NOT_APPLIED where the agent's category promises it
/// (INPUT_ERROR, NOT_FOUND, AUTH_ERROR). A bare status code promises nothing: its outcome stays unspecified.
pub fn from_status(status: &Status) -> ToolError {
    let details = details(status);
    let mut error = match details.tool_error {
        Some(error) => completed(error, status),
        None => bare(status),
    };
    if error.field_violations.is_empty() {
        error.field_violations = details.bad_request.into_iter().map(violation).collect();
    }
    error.retry_after = error
        .retry_after
        .and_then(|wait| Duration::try_from(wait).ok())
        .or(details.retry_after)
        .and_then(|wait| prost_types::Duration::try_from(wait.min(LONGEST_WAIT)).ok());
    error
}

/// The longest `retry_after` that is passed on; also what JSON can print.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

fn completed(mut error: ToolError, status: &Status) -> ToolError {
    use crate::v1::tool_error::Category::{AuthError, InputError, NotFound, Unspecified};
    if error.category() == Unspecified {
        error.set_category(category_of(status.code()));
    } else if error.outcome() == Outcome::Unspecified
        && matches!(error.category(), InputError | NotFound | AuthError)
    {
        error.set_outcome(Outcome::NotApplied);
    }
    if error.code.is_empty() {
        code_name(status.code()).clone_into(&mut error.code);
    }
    if error.message.is_empty() {
        error.message = clip(status.message(), MAX_MESSAGE);
    }
    error
}

fn bare(status: &Status) -> ToolError {
    let code = status.code();
    let mut error =
        crate::error::tool_error(code_name(code), category_of(code), clip(status.message(), MAX_MESSAGE));
    if matches!(code, Code::FailedPrecondition | Code::Unimplemented) {
        error.retryable = Some(false);
    }
    error
}

fn violation((path, description): (String, String)) -> Violation {
    Violation { path, rule: Rule::Constraint.into(), expected: description, ..Violation::default() }
}

/// Stock clients check that message and code stand in the details as they do in the status.
fn status(code: Code, message: &str, details: Vec<rpc::Any>) -> Status {
    let message = clip(message, MAX_MESSAGE);
    let carried = RpcStatus { code: code.into(), message: message.clone(), details };
    Status::with_details(code, message, carried.encode_to_vec().into())
}

#[cfg(test)]
mod tests;
