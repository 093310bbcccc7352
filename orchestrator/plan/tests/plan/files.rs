//! Plan files: the spellings that are read.

use convoke_plan::parse;
use convoke_proto::v1::execution_plan::{CombineMode, ExecutionMode};
use convoke_proto::v1::violation::Rule;
use prost_types::value::Kind;

use crate::support;

#[test]
fn lower_case_modes_and_numbers_for_ids_are_read() {
    let plan = parse(
        br#"{
            "execution_mode": "dag", "combine_mode": "report",
            "steps": [
                {"id": 1, "capability": "convert", "params": {"amount": 250, "from": "EUR", "to": "JPY"}},
                {"id": 2, "capability": "convert", "depends_on": [1], "required": false,
                 "params": {"amount": "${1.result.amount}", "from": "JPY", "to": "USD"}, "timeout": "30s"}
            ]
        }"#,
    )
    .unwrap();
    assert_eq!((plan.execution_mode(), plan.combine_mode()), (ExecutionMode::Dag, CombineMode::Report));
    assert_eq!((plan.steps[0].id.as_str(), plan.steps[0].required), ("1", None));
    assert_eq!((&plan.steps[1].depends_on, plan.steps[1].required), (&vec!["1".to_owned()], Some(false)));
    assert_eq!(plan.steps[1].timeout, Some(prost_types::Duration { seconds: 30, nanos: 0 }));
    let checked = support::clean(plan);
    assert_eq!(checked.combine, CombineMode::Report);
    assert_eq!(checked.steps[1].data_dependencies, [0]);
}

#[test]
fn a_key_that_no_plan_has_suggests_the_nearest() {
    let report = parse(br#"{"steps": [{"id": 1, "capabilty": "convert"}]}"#).unwrap_err();
    let violation = &report.violations[0];
    assert_eq!((violation.rule(), violation.path.as_str()), (Rule::UnknownField, "steps[0].capabilty"));
    assert_eq!(violation.suggestion, "capability");
}

#[test]
fn a_parameter_that_stands_twice_is_refused() {
    let report = parse(br#"{"steps": [{"id": 1, "params": {"a": 1, "a": 2}}]}"#).unwrap_err();
    assert_eq!(report.violations[0].rule(), Rule::DuplicateField);
}

#[test]
fn long_integers_in_params_keep_every_digit() {
    let plan = parse(br#"{"steps": [{"id": 1, "params": {"id": 9007199254740993, "n": 7}}]}"#).unwrap();
    let fields = &plan.steps[0].params.as_ref().unwrap().fields;
    assert_eq!(fields["id"].kind, Some(Kind::StringValue("9007199254740993".to_owned())));
    assert_eq!(fields["n"].kind, Some(Kind::NumberValue(7.0)));
}

#[test]
fn text_that_is_no_json_says_where() {
    let report = parse(b"{\n  \"steps\": [}\n").unwrap_err();
    assert_eq!(report.violations[0].rule(), Rule::InvalidJson);
    assert!(report.violations[0].expected.contains("line 2"), "{}", report.violations[0].expected);
}
