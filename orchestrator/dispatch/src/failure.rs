//! How an attempt failed, in the contract's words: the agent's where it spoke, the transport's knowledge where not.

use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{Clarification, ToolError};
use convoke_proto::{error, status};
use tonic::{Code, Status};

use crate::connection::Unreachable;
use crate::unary::Failed;

/// An attempt without a message for an answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The gRPC code's name, also where no agent sent it.
    pub(crate) code: &'static str,
    /// What is said about it; its outcome is never unspecified.
    pub(crate) error: ToolError,
    /// The agent asks back: the error is then not told.
    pub(crate) question: Option<Clarification>,
}

/// The agent could not be reached.
pub(crate) fn unreachable(reason: Unreachable) -> Box<Failure> {
    unavailable(format!("the agent could not be reached: {reason}"))
}

/// Nobody took the call: no agent saw it.
pub(crate) fn unavailable(message: impl Into<String>) -> Box<Failure> {
    not_started(Code::Unavailable, error::own(error::AGENT_UNAVAILABLE, message))
}

/// No agent saw the call.
pub(crate) fn not_started(code: Code, error: ToolError) -> Box<Failure> {
    own(code, error, Outcome::NotStarted)
}

/// The time was up. `sent`: whether an agent may have seen the call.
pub(crate) fn timed_out(sent: bool) -> Box<Failure> {
    let (message, outcome) = match sent {
        true => ("the agent did not answer in time", Outcome::Unknown),
        false => ("the time was up before the agent could be called", Outcome::NotStarted),
    };
    own(Code::DeadlineExceeded, error::own(error::REQUEST_TIMEOUT, message), outcome)
}

/// What the transport or the agent's status says.
pub(crate) fn read(failed: Failed) -> Box<Failure> {
    match failed {
        Failed::NotSent => unavailable("the agent closed the connection before it took up the call"),
        Failed::Refused => unavailable("the agent refused the call before it took it up"),
        Failed::Broken(reason) => {
            tracing::debug!(error = %reason, "a call broke");
            let error = error::tool_error(
                status::code_name(Code::Unavailable),
                Category::ServiceError,
                "the connection to the agent broke before its answer was complete",
            );
            own(Code::Unavailable, error, Outcome::Unknown)
        }
        Failed::TooLarge { size } => {
            let message = format!("the agent's answer has {size} bytes, more than is read");
            own(Code::ResourceExhausted, error::own(error::MESSAGE_TOO_LARGE, message), Outcome::Unknown)
        }
        Failed::Protocol(message) => {
            let error = error::tool_error(status::code_name(Code::Internal), Category::ServiceError, message);
            own(Code::Internal, error, Outcome::Unknown)
        }
        Failed::Status(status) => answered(&status),
    }
}

/// The agent's own answer: a failure or a question.
fn answered(status: &Status) -> Box<Failure> {
    let question = status::details(status).clarification;
    let mut error = status::from_status(status);
    let said = error.outcome();
    error.outcome = match said {
        _ if question.is_some() => Outcome::NotApplied,
        // A status code alone says nothing about the effect.
        Outcome::Unspecified => Outcome::Unknown,
        Outcome::NotStarted | Outcome::NotApplied | Outcome::Applied | Outcome::Unknown => said,
    }
    .into();
    // The token would promise that somebody waits for the answer.
    let question = question.map(|question| Clarification { token: String::new(), ..question });
    Box::new(Failure { code: status::code_name(status.code()), error, question })
}

fn own(code: Code, error: ToolError, outcome: Outcome) -> Box<Failure> {
    let error = ToolError { outcome: outcome.into(), ..error };
    Box::new(Failure { code: status::code_name(code), error, question: None })
}
