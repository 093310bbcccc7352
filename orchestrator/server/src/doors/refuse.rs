//! Refusals: the statuses by which a door says no before there is an execution.

use convoke_catalog::Unresolved;
use convoke_proto::v1::plan_report::Severity;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{PlanReport, ToolError, Violation, violation::Rule};
use convoke_proto::{error, status};
use tonic::Status;

/// How much of what a caller wrote is said back.
const SAID_BACK: usize = 200;

/// Nothing was called.
pub(super) fn refusal(mut error: ToolError) -> Status {
    error.set_outcome(Outcome::NotStarted);
    status::to_status(&error)
}

/// A field of the request is wrong.
pub(super) fn field(path: &str, rule: Rule, expected: &str, got: &str) -> Status {
    let message = format!("the request has a mistake at {path}: {expected}");
    let violation = violation(path, rule, expected, got);
    refusal(ToolError { field_violations: vec![violation], ..error::own(error::PARAMETERS_INVALID, message) })
}

/// A field of the request is needed and absent.
pub(super) fn missing(path: &str, expected: &str) -> Status {
    field(path, Rule::Missing, expected, "")
}

/// A field that the contract has and this version does not serve is set.
pub(super) fn not_served(request: &str, field: &str) -> Status {
    refusal(error::not_served(&format!("{request}.{field}")))
}

/// A registration has mistakes.
pub(super) fn manifest(violations: Vec<Violation>) -> Status {
    refusal(error::manifest_invalid(violations))
}

/// The plan does not verify: the first error in words, all findings beside it.
pub(super) fn plan(report: &PlanReport) -> Status {
    let errors: Vec<_> =
        report.findings.iter().filter(|finding| finding.severity() == Severity::Error).collect();
    let message = match errors.as_slice() {
        [] => "the plan does not verify".to_owned(),
        [only] => format!("the plan does not verify: {}: {}", only.path, only.message),
        [first, rest @ ..] => {
            let more = rest.len();
            format!("the plan does not verify: {}: {}; and {more} more", first.path, first.message)
        }
    };
    let mut error = error::own(error::PLAN_INVALID, message);
    error.set_outcome(Outcome::NotStarted);
    status::with_plan_report(&error, report)
}

/// A name leads nowhere.
pub(super) fn unresolved(unresolved: &Unresolved) -> Status {
    refusal(unresolved.to_tool_error())
}

/// A sentence or an intent did not become a plan.
pub(super) fn planning(planning: &convoke_planning::Error) -> Status {
    refusal(planning.to_tool_error())
}

/// A service behind the door does not answer.
pub(super) fn unavailable(message: &str) -> Status {
    refusal(error::tool_error("UNAVAILABLE", Category::ServiceError, message))
}

/// One thing that is wrong with a request.
pub(super) fn violation(path: &str, rule: Rule, expected: &str, got: &str) -> Violation {
    let got: String = got.chars().take(SAID_BACK).collect();
    Violation {
        path: path.to_owned(),
        rule: rule.into(),
        expected: expected.to_owned(),
        got,
        suggestion: String::new(),
    }
}
