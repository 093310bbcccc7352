//! Many outputs as one.

use crate::support::{Ends, Lab, after, finish};
use convoke_schema::Value;

fn lab() -> Lab {
    Lab::new([
        ("a", after(10).ends(Ends::Well("one", 0.5))),
        ("b", after(10).ends(Ends::Well("two", 0.9))),
        ("c", after(10).ends(Ends::Badly("NO"))),
    ])
}

fn steps(mode: &str) -> String {
    format!(
        r#"{{"combine_mode": "{mode}", "steps": [{{"id": "a", "capability": "read"}},
            {{"id": "b", "capability": "read", "output_key": "second"}},
            {{"id": "c", "capability": "read", "required": false}},
            {{"id": "d", "capability": "read", "required": false, "depends_on": ["c"]}}]}}"#
    )
}

fn result(output: &convoke_proto::v1::DomainOutput) -> Value {
    Value::from(output.result.clone().unwrap())
}

fn json(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn last_is_the_last_required_step_with_the_least_confidence() {
    let output = finish(&lab(), &steps("LAST")).await.output;
    assert_eq!(result(&output), json(r#"{"text": "two", "number": 0, "items": []}"#));
    assert_eq!((output.explanation.as_str(), output.confidence), ("b says two", 0.5));
}

#[tokio::test(start_paused = true)]
async fn report_tells_of_every_step() {
    let output = finish(&lab(), &steps("REPORT")).await.output;
    let skipped = "not run: it needs step c, which did not succeed: c failed";
    let expected = format!(
        r#"{{"steps": [
            {{"id": "a", "capability": "read", "status": "SUCCESS", "explanation": "a says one",
              "result": {{"text": "one", "number": 0, "items": []}}}},
            {{"id": "b", "capability": "read", "status": "SUCCESS", "explanation": "b says two",
              "result": {{"text": "two", "number": 0, "items": []}}}},
            {{"id": "c", "capability": "read", "status": "FAILURE", "explanation": "", "result": null}},
            {{"id": "d", "capability": "read", "status": "SKIPPED", "explanation": "{skipped}", "result": null}}]}}"#
    );
    assert_eq!(result(&output), json(&expected));
    assert_eq!((output.status().as_str_name(), output.confidence), ("SUCCESS", 0.5));
}

#[tokio::test(start_paused = true)]
async fn merge_keys_results_and_leaves_out_what_has_none() {
    let output = finish(&lab(), &steps("MERGE")).await.output;
    let expected = r#"{"a": {"text": "one", "number": 0, "items": []}, "second": {"text": "two", "number": 0, "items": []}}"#;
    assert_eq!(result(&output), json(expected));
    assert_eq!(output.confidence, 0.5);
}

#[tokio::test(start_paused = true)]
async fn a_plan_of_optional_steps_answers_by_the_last_that_succeeded() {
    let output = finish(
        &lab(),
        r#"{"steps": [{"id": "a", "capability": "read", "required": false},
            {"id": "c", "capability": "read", "required": false}]}"#,
    )
    .await
    .output;
    assert_eq!(output.explanation, "a says one");
    let failed = finish(&lab(), r#"{"steps": [{"id": "c", "capability": "read", "required": false}]}"#).await;
    assert_eq!((failed.state.as_str_name(), failed.output.status().as_str_name()), ("FAILED", "FAILURE"));
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_no_success_with_errors_inside_but_its_report_is_kept() {
    let lab =
        Lab::new([("a", after(10).ends(Ends::Well("one", 0.5))), ("b", after(20).ends(Ends::Badly("NO")))]);
    let plan = |mode: &str| {
        format!(
            r#"{{"combine_mode": "{mode}", "steps": [{{"id": "a", "capability": "read"}},
                {{"id": "b", "capability": "read"}}]}}"#
        )
    };
    let report = finish(&lab, &plan("REPORT")).await.output;
    assert_eq!(report.status().as_str_name(), "FAILURE");
    let told = result(&report);
    let statuses: Vec<_> = told
        .get("steps")
        .unwrap()
        .as_list()
        .unwrap()
        .iter()
        .map(|step| step.get("status").unwrap().as_str())
        .collect();
    assert_eq!(statuses, [Some("SUCCESS"), Some("FAILURE")]);
    let merged = finish(&lab, &plan("MERGE")).await.output;
    assert_eq!((merged.result, merged.error.unwrap().code.as_str()), (None, "NO"));
}
