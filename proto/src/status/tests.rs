use prost::Message;
use tonic::{Code, Status};

use super::{
    rpc::{Any, BadRequest, FieldViolation, RetryInfo, RpcStatus},
    *,
};
use crate::{
    error,
    v1::{
        clarification::Candidate,
        plan_report::{Finding, Severity},
        tool_error::Category,
    },
};

fn carrying(code: Code, details: Vec<Any>) -> Status {
    let carried = RpcStatus { code: code.into(), message: "m".to_owned(), details };
    Status::with_details(code, "m", carried.encode_to_vec().into())
}

fn foreign<M: Message>(name: &str, message: &M) -> Any {
    Any { type_url: format!("type.googleapis.com/{name}"), value: message.encode_to_vec() }
}

fn violation_at(path: usize) -> Violation {
    let text = "x".repeat(300);
    Violation { path: format!("f[{path}]"), expected: text.clone(), got: text, ..Violation::default() }
}

#[test]
fn an_error_comes_back_out_of_its_status_as_it_was() {
    let error = ToolError {
        retry_after: Some(prost_types::Duration { seconds: 3, nanos: 0 }),
        field_violations: vec![Violation { path: "amount".to_owned(), ..Violation::default() }],
        ..error::own(error::PARAMETERS_INVALID, "no amount")
    };
    let status = to_status(&error);
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "no amount"));
    assert_eq!(details(&status).tool_error, Some(error));
}

#[test]
fn the_details_repeat_code_and_message_for_stock_clients() {
    let status = to_status(&error::own(error::AGENT_UNAVAILABLE, "ü".repeat(2000)));
    let carried = RpcStatus::decode(status.details()).unwrap();
    assert_eq!((carried.code, carried.message.as_str()), (14, status.message()));
    assert_eq!(carried.details[0].type_url, "type.googleapis.com/convoke.v1.ToolError");
    assert!(status.message().len() <= 512 && status.message().ends_with('…'));
}

#[test]
fn a_large_error_is_trimmed_to_4_kib_and_says_so() {
    let mut error = error::parameters_invalid((0..100).map(violation_at).collect());
    error.details.insert("page".to_owned(), "y".repeat(9000));
    let status = to_status(&error);
    assert!(status.details().len() <= MAX_DETAILS, "{}", status.details().len());
    let kept = details(&status).tool_error.unwrap();
    assert_eq!(kept.code, error::PARAMETERS_INVALID);
    let left = kept.field_violations.len();
    assert!(left >= 5, "{left}");
    assert_eq!(kept.details["trimmed"], format!("{} of 100 field violations, page", 100 - left));
}

#[test]
fn no_field_of_an_error_can_make_its_status_too_large() {
    let long = "é".repeat(10_000);
    let mut error = error::tool_error(&long, Category::InputError, long.clone());
    error.remediation_hint = long.clone();
    error.details = (0..50).map(|i| (format!("{i}{long}"), "v".to_owned())).collect();
    assert!(to_status(&error).details().len() <= MAX_DETAILS);
    let report = PlanReport { findings: vec![Finding { message: long.clone(), ..Finding::default() }; 40] };
    assert!(with_plan_report(&error, &report).details().len() <= MAX_DETAILS);
    let candidate = Candidate { label: long.clone(), ..Candidate::default() };
    let question = Clarification {
        question: long.clone(),
        parameter: long.clone(),
        token: long,
        candidates: vec![candidate; 100],
    };
    assert!(clarify(&question).details().len() <= MAX_DETAILS);
}

#[test]
fn a_trimmed_report_keeps_its_first_findings_and_counts_the_others() {
    let finding =
        |i: usize| Finding { step_id: i.to_string(), message: "x".repeat(90), ..Finding::default() };
    let report = PlanReport { findings: (0..200).map(finding).collect() };
    let status = with_plan_report(&error::own(error::PLAN_INVALID, "200 errors"), &report);
    assert_eq!(status.code(), Code::InvalidArgument);
    let found = details(&status);
    assert_eq!(found.tool_error.unwrap().code, error::PLAN_INVALID);
    let findings = found.plan_report.unwrap().findings;
    let (note, kept) = findings.split_last().unwrap();
    assert_eq!((kept[0].step_id.as_str(), note.severity()), ("0", Severity::Note));
    assert!(note.message.starts_with(&format!("{} of 200 findings", 200 - kept.len())), "{}", note.message);
}

#[test]
fn a_clarification_is_a_failed_precondition() {
    let question = Clarification { question: "Which dollar?".to_owned(), ..Clarification::default() };
    let status = clarify(&question);
    assert_eq!((status.code(), status.message()), (Code::FailedPrecondition, "Which dollar?"));
    assert_eq!(details(&status).clarification, Some(question));
}

#[test]
fn a_bare_status_is_read_by_the_table() {
    let error = from_status(&Status::failed_precondition("closed on Sundays"));
    assert_eq!((error.code.as_str(), error.category()), ("FAILED_PRECONDITION", Category::InputError));
    assert_eq!((error.message.as_str(), retryable(&error)), ("closed on Sundays", false));
    assert_eq!(error.outcome(), Outcome::Unspecified, "a code alone promises nothing");
    assert!(!retryable(&from_status(&Status::unimplemented(""))));
    assert!(retryable(&from_status(&Status::unavailable(""))));
}

#[test]
fn an_agents_error_is_completed_from_its_status() {
    let status = carrying(Code::NotFound, vec![rpc::any(&ToolError::default())]);
    let error = from_status(&status);
    assert_eq!((error.code.as_str(), error.message.as_str()), ("NOT_FOUND", "m"));
    assert_eq!((error.category(), error.outcome()), (Category::NotFound, Outcome::Unspecified));
}

#[test]
fn an_agents_input_error_promises_that_nothing_was_applied() {
    let said = |category, outcome: Outcome| {
        let mut error = error::tool_error("X", category, "m");
        error.set_outcome(outcome);
        from_status(&carrying(Code::InvalidArgument, vec![rpc::any(&error)])).outcome()
    };
    assert_eq!(said(Category::InputError, Outcome::Unspecified), Outcome::NotApplied);
    assert_eq!(said(Category::InputError, Outcome::Applied), Outcome::Applied);
    assert_eq!(said(Category::ServiceError, Outcome::Unspecified), Outcome::Unspecified);
}

#[test]
fn retry_info_and_bad_request_of_google_rpc_are_read() {
    let wait = RetryInfo { retry_delay: Some(prost_types::Duration { seconds: 2, nanos: 500_000_000 }) };
    let bad = FieldViolation { field: "from".to_owned(), description: "must be a currency".to_owned() };
    let bad = BadRequest { field_violations: vec![bad] };
    let status = carrying(
        Code::InvalidArgument,
        vec![foreign("google.rpc.RetryInfo", &wait), foreign("google.rpc.BadRequest", &bad)],
    );
    let error = from_status(&status);
    assert_eq!(error.retry_after, Some(prost_types::Duration { seconds: 2, nanos: 500_000_000 }));
    let violation = &error.field_violations[0];
    assert_eq!((violation.path.as_str(), violation.expected.as_str()), ("from", "must be a currency"));
}

#[test]
fn a_wait_that_is_negative_or_absurd_is_not_believed() {
    let waiting = |seconds| {
        let mut error = error::tool_error("BUSY", Category::RateLimit, "m");
        error.retry_after = Some(prost_types::Duration { seconds, nanos: 0 });
        from_status(&carrying(Code::ResourceExhausted, vec![rpc::any(&error)])).retry_after.map(|d| d.seconds)
    };
    assert_eq!(waiting(-1), None);
    assert_eq!(waiting(i64::MAX), Some(86_400));
}

#[test]
fn broken_details_are_as_good_as_none() {
    let status = Status::with_details(Code::NotFound, "m", vec![0xff; 30].into());
    assert_eq!(details(&status), Details::default());
    let broken = Any { type_url: "x/convoke.v1.ToolError".to_owned(), value: vec![0xff] };
    assert_eq!(from_status(&carrying(Code::NotFound, vec![broken])).code, "NOT_FOUND");
}
