//! Refusals: the statuses by which a door says no before there is an execution.

use convoke_catalog::Unresolved;
use convoke_proto::v1::plan_report::Severity;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{PlanReport, ToolError, Violation, violation::Rule};
use convoke_proto::{error, status};
use convoke_schema::Value;
use tonic::Status;

/// How much of what a caller wrote is said back.
const SAID_BACK: usize = 200;

/// Nothing was called.
pub(super) fn refusal(mut error: ToolError) -> Status {
    error.set_outcome(Outcome::NotStarted);
    status::to_status(&error)
}

/// A field of the request is wrong.
pub(super) fn field(path: &str, rule: Rule, expected: &str, got: impl Into<Value>) -> Status {
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

/// One thing that is wrong with a request; `got` is what came, an empty text where nothing did.
pub(super) fn violation(path: &str, rule: Rule, expected: &str, got: impl Into<Value>) -> Violation {
    let got = match got.into() {
        Value::Text(text) if text.is_empty() => String::new(),
        came => shown(&came),
    };
    Violation {
        path: path.to_owned(),
        rule: rule.into(),
        expected: expected.to_owned(),
        got,
        suggestion: String::new(),
    }
}

/// A value as JSON text, cut to what is said back.
fn shown(value: &Value) -> String {
    let mut text = value.to_json();
    if let Some((cut, _)) = text.char_indices().nth(SAID_BACK) {
        text.truncate(cut);
        text.pop();
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn got(value: impl Into<Value>) -> String {
        violation("locale", Rule::BadFormat, "a tag", value).got
    }

    #[test]
    fn what_came_is_said_back_as_json_of_bounded_length() {
        assert_eq!(got(""), "");
        assert_eq!(got("a\"b"), r#""a\"b""#);
        assert_eq!(got(-1_i64), "-1");
        let long = got("é".repeat(300));
        assert!(long.starts_with("\"éé") && long.ends_with('…'), "{long}");
        assert_eq!(long.chars().count(), SAID_BACK);
    }
}
