//! The orchestrator's own errors: their codes, and what each means for whoever gets it.
//!
//! A code stands in one row of one table together with its category, its gRPC code and whether the same request may
//! be made again, so that no two places can disagree. Agents use codes of their own; [`crate::status`] maps both.

use tonic::Code;

use crate::v1::{ToolError, Violation, tool_error::Category};

/// No instance in the mesh offers the capability.
pub const CAPABILITY_NOT_FOUND: &str = "CAPABILITY_NOT_FOUND";
/// Several domains offer a capability of that name, and the request names none.
pub const CAPABILITY_AMBIGUOUS: &str = "CAPABILITY_AMBIGUOUS";
/// The plan does not verify; a `PlanReport` says why.
pub const PLAN_INVALID: &str = "PLAN_INVALID";
/// The parameters could not be mended; `field_violations` say why.
pub const PARAMETERS_INVALID: &str = "PARAMETERS_INVALID";
/// No instance of the agent could be reached.
pub const AGENT_UNAVAILABLE: &str = "AGENT_UNAVAILABLE";
/// The deadline passed.
pub const REQUEST_TIMEOUT: &str = "REQUEST_TIMEOUT";
/// A registration is wrong; `field_violations` name each mistake.
pub const MANIFEST_INVALID: &str = "MANIFEST_INVALID";
/// The capability no longer has the contract that the request was bound to.
pub const CONTRACT_CHANGED: &str = "CONTRACT_CHANGED";
/// A message is larger than what the orchestrator reads or sends.
pub const MESSAGE_TOO_LARGE: &str = "MESSAGE_TOO_LARGE";
/// A capability was called as often as one execution may.
pub const TOOL_CALL_CAP_EXCEEDED: &str = "TOOL_CALL_CAP_EXCEEDED";
/// The execution has used up what it may spend.
pub const BUDGET_EXHAUSTED: &str = "BUDGET_EXHAUSTED";
/// The idempotency key was used before, with another request.
pub const IDEMPOTENCY_CONFLICT: &str = "IDEMPOTENCY_CONFLICT";
/// The orchestrator that owned the execution is gone.
pub const EXECUTION_OWNER_LOST: &str = "EXECUTION_OWNER_LOST";
/// An agent's answer breaks the type that the agent itself declares.
pub const OUTPUT_INVALID: &str = "OUTPUT_INVALID";
/// A message that does not decode as what the method takes.
pub const MESSAGE_INVALID: &str = "MESSAGE_INVALID";
/// As many requests as the orchestrator takes are being answered.
pub const TOO_MANY_REQUESTS: &str = "TOO_MANY_REQUESTS";
/// A watcher did not keep up with the changes, and was cut off.
pub const WATCH_TOO_SLOW: &str = "WATCH_TOO_SLOW";
/// The contract has it, this version does not serve it.
pub const NOT_SERVED: &str = "NOT_SERVED";

/// What one code of the orchestrator means.
struct Meaning {
    code: &'static str,
    category: Category,
    grpc: Code,
    /// `None`: what its category says.
    retryable: Option<bool>,
}

const fn row(code: &'static str, category: Category, grpc: Code, retryable: Option<bool>) -> Meaning {
    Meaning { code, category, grpc, retryable }
}

const TABLE: [Meaning; 18] = [
    row(CAPABILITY_NOT_FOUND, Category::NotFound, Code::NotFound, None),
    row(CAPABILITY_AMBIGUOUS, Category::InputError, Code::InvalidArgument, None),
    row(PLAN_INVALID, Category::InputError, Code::InvalidArgument, None),
    row(PARAMETERS_INVALID, Category::InputError, Code::InvalidArgument, None),
    row(AGENT_UNAVAILABLE, Category::ServiceError, Code::Unavailable, None),
    row(REQUEST_TIMEOUT, Category::ServiceError, Code::DeadlineExceeded, None),
    row(MANIFEST_INVALID, Category::InputError, Code::InvalidArgument, Some(false)),
    row(CONTRACT_CHANGED, Category::InputError, Code::FailedPrecondition, Some(false)),
    row(MESSAGE_TOO_LARGE, Category::InputError, Code::ResourceExhausted, Some(false)),
    row(TOOL_CALL_CAP_EXCEEDED, Category::RateLimit, Code::ResourceExhausted, Some(false)),
    row(BUDGET_EXHAUSTED, Category::RateLimit, Code::ResourceExhausted, Some(false)),
    row(IDEMPOTENCY_CONFLICT, Category::InputError, Code::AlreadyExists, Some(false)),
    row(EXECUTION_OWNER_LOST, Category::ServiceError, Code::Unavailable, None),
    row(OUTPUT_INVALID, Category::ServiceError, Code::Internal, None),
    row(MESSAGE_INVALID, Category::InputError, Code::InvalidArgument, Some(false)),
    row(TOO_MANY_REQUESTS, Category::RateLimit, Code::ResourceExhausted, None),
    row(WATCH_TOO_SLOW, Category::RateLimit, Code::ResourceExhausted, None),
    row(NOT_SERVED, Category::NotFound, Code::Unimplemented, Some(false)),
];

/// An error with this code and message.
pub fn tool_error(code: &str, category: Category, message: impl Into<String>) -> ToolError {
    ToolError {
        code: code.to_owned(),
        message: message.into(),
        category: category.into(),
        ..ToolError::default()
    }
}

/// An error with one of the codes of this module; category and retryability come from the table. A code that is not
/// in it is a SERVICE_ERROR.
pub fn own(code: &'static str, message: impl Into<String>) -> ToolError {
    let meaning = meaning_of(code);
    let mut error = tool_error(code, meaning.map_or(Category::ServiceError, |m| m.category), message);
    error.retryable = meaning.and_then(|m| m.retryable);
    error
}

/// What the contract has and this version does not serve: an RPC, a field of a request, an option.
pub fn not_served(what: &str) -> ToolError {
    own(NOT_SERVED, format!("{what} is part of the contract, but not served by this version"))
}

/// A registration with mistakes, all of them.
pub fn manifest_invalid(violations: Vec<Violation>) -> ToolError {
    let message = counted("the agent's manifest has", &violations);
    ToolError { field_violations: violations, ..own(MANIFEST_INVALID, message) }
}

/// Parameters with mistakes, all of them. Nothing was called.
pub fn parameters_invalid(violations: Vec<Violation>) -> ToolError {
    let message = counted("the parameters have", &violations);
    ToolError { field_violations: violations, ..own(PARAMETERS_INVALID, message) }
}

/// Adds `details["candidates"]`, a JSON list of the nearest names; nothing where there are none.
pub fn with_candidates<'a>(mut error: ToolError, names: impl IntoIterator<Item = &'a str>) -> ToolError {
    let names: Vec<&str> = names.into_iter().collect();
    if !names.is_empty() {
        error.details.insert("candidates".to_owned(), serde_json::Value::from(names).to_string());
    }
    error
}

/// The gRPC code of one of this module's codes in its own category; `None` for an agent's.
pub(crate) fn grpc_code(error: &ToolError) -> Option<Code> {
    meaning_of(&error.code).filter(|m| m.category == error.category()).map(|m| m.grpc)
}

fn meaning_of(code: &str) -> Option<&'static Meaning> {
    TABLE.iter().find(|meaning| meaning.code == code)
}

fn counted(what: &str, violations: &[Violation]) -> String {
    match violations {
        [only] => format!("{what} a mistake at {}: {}", only.path, only.expected),
        many => format!("{what} {} mistakes", many.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_error_carries_the_category_of_its_code() {
        let error = own(AGENT_UNAVAILABLE, "gone");
        assert_eq!((error.category(), error.retryable), (Category::ServiceError, None));
        let error = not_served("Plan");
        assert_eq!((error.category(), error.retryable), (Category::NotFound, Some(false)));
        assert!(error.message.starts_with("Plan "), "{}", error.message);
    }

    #[test]
    fn one_mistake_is_told_in_the_message_and_several_are_counted() {
        let violation = |path: &str| Violation {
            path: path.to_owned(),
            expected: "a number".to_owned(),
            ..Violation::default()
        };
        let one = parameters_invalid(vec![violation("amount")]);
        assert_eq!(one.message, "the parameters have a mistake at amount: a number");
        let two = parameters_invalid(vec![violation("amount"), violation("date")]);
        assert_eq!(two.message, "the parameters have 2 mistakes");
        assert_eq!(two.field_violations.len(), 2);
    }

    #[test]
    fn candidates_are_a_json_list() {
        let error = with_candidates(own(CAPABILITY_NOT_FOUND, "no"), ["a", "b\"c"]);
        assert_eq!(error.details["candidates"], r#"["a","b\"c"]"#);
        assert!(with_candidates(own(CAPABILITY_NOT_FOUND, "no"), []).details.is_empty());
    }
}
