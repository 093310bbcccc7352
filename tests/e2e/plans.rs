//! Plans from files: checked before anything runs.

use convoke_tests::{Agent, Mesh, convoke, grpcurl, plan};
use serde_json::{Value, json};

use crate::values::{at, close, list, number, text};

#[tokio::test]
async fn a_step_takes_its_amount_from_the_step_before_it() {
    let answer = convoke(&["run", "--embedded", "--json", &plan("chained.json")]).await.exits(0);

    // The row of 2020-03-02 in the shipped file: JPY 119.82, CHF 1.0655 for one euro.
    let steps = list(&answer, "/output/result/steps");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["id"], "1");
    assert_eq!(steps[0]["status"], "SUCCESS");
    close(number(&steps[0], "/result/amount"), 250.0 * 119.82);
    close(number(&steps[1], "/result/amount"), 250.0 * 1.0655);
    assert_eq!(text(&steps[1], "/result/date"), "2020-03-02");
    assert!(!text(&steps[1], "/explanation").is_empty());
}

#[tokio::test]
async fn a_misspelt_result_field_is_found_before_any_call() {
    let report = convoke(&["verify", "--embedded", "--json", &plan("misspelt.json")]).await.exits(2);

    let findings = list(&report, "/plan_report/findings");
    assert_eq!(findings.len(), 1, "{report:#}");
    assert_misspelt(&findings[0]);
}

#[tokio::test]
async fn execute_plan_refuses_what_verify_refuses_and_calls_nothing() {
    let mut mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    mesh.sees("currency").await;
    let text_of_plan = std::fs::read_to_string(plan("misspelt.json")).expect("the plan can be read");
    let request = json!({ "plan": serde_json::from_str::<Value>(&text_of_plan).expect("a plan is JSON") });

    let refusal = grpcurl(&[
        "-format-error",
        "-d",
        &request.to_string(),
        mesh.address(),
        "convoke.v1.Orchestrator/ExecutePlan",
    ])
    .await;

    assert_ne!(refusal.code, 0);
    let status: Value = serde_json::from_str(&refusal.stderr).expect("grpcurl prints the status as JSON");
    let details = list(&status, "/details");
    let error = details.iter().find(|detail| detail["code"] == "PLAN_INVALID").expect("a ToolError");
    assert_eq!(error["category"], "INPUT_ERROR");
    let report = details.iter().find(|detail| detail.get("findings").is_some()).expect("a PlanReport");
    assert_misspelt(&report["findings"][0]);
    mesh.process().terminate();
    mesh.process().ended().await;
}

#[track_caller]
fn assert_misspelt(finding: &Value) {
    assert_eq!(finding["severity"], "ERROR");
    let step = finding.get("step_id").or_else(|| finding.get("stepId"));
    assert_eq!(step, Some(&json!("2")));
    assert_eq!(finding["path"], "steps[1].params.amount");
    assert_eq!(finding["rule"], "UNKNOWN_FIELD");
    assert!(text(finding, "/suggestion").contains("amount"), "{finding:#}");
}

#[tokio::test]
async fn a_plan_with_lower_case_modes_and_numbers_for_ids_verifies_and_runs() {
    let verified = convoke(&["verify", "--embedded", "--json", &plan("numbered.json")]).await.exits(0);
    assert_eq!(text(&verified, "/plan/execution_mode"), "DAG");
    assert_eq!(text(&verified, "/plan/steps/1/id"), "2");
    assert_eq!(at(&verified, "/plan/steps/1/depends_on"), &json!(["1"]));
    assert!(text(&verified, "/plan/steps/1/contract_digest").starts_with("sha256:"));

    let answer = convoke(&["run", "--embedded", "--json", &plan("numbered.json")]).await.exits(0);
    close(number(&answer, "/output/result/steps/1/result/amount"), 250.0 * 1.0655);
}

#[tokio::test]
async fn a_plan_file_that_is_no_plan_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("plan.json");
    std::fs::write(&path, r#"{"steps": [{"id": 1, "capabilty": "get_rate"}]}"#).expect("it can be written");

    let refusal = convoke(&["verify", "--embedded", "--json", &path.to_string_lossy()]).await.exits(2);

    assert_eq!(text(&refusal, "/error/code"), "PLAN_INVALID");
    let violation = at(&refusal, "/error/field_violations/0");
    assert_eq!(violation["path"], "steps[0].capabilty");
    assert_eq!(violation["suggestion"], "capability");
}

#[tokio::test]
async fn plan_shows_what_would_run_and_calls_nothing() {
    let planned = convoke(&["plan", "--embedded", "--json", "Convert 250 Euro to yen"]).await.exits(0);

    assert_eq!(text(&planned, "/plan/steps/0/capability"), "convert_currency");
    assert_eq!(number(&planned, "/plan/steps/0/params/amount"), 250.0);
    assert!(planned.pointer("/clarification").is_none());
}
