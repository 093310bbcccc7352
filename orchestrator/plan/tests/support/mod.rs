//! A mesh with one domain for plans to be checked against, and plans written as files.

#[path = "../../../catalog/tests/support/mod.rs"]
pub mod agents;

use std::sync::Arc;

use convoke_catalog::Catalog;
use convoke_plan::{CheckedPlan, Limits, StepOutput};
use convoke_proto::v1;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::plan_report::{Finding, Rule, Severity};
use convoke_schema::Value;

pub const BANK: &str = r#"
syntax = "proto3";
package bank.v1;
import "convoke/v1/annotations.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";

service Bank {
  option (convoke.v1.domain) = { name: "bank" version: "1.0.0" };
  rpc Convert(ConvertRequest) returns (ConvertResponse) {
    option (convoke.v1.capability) = { effects: READ_ONLY };
  }
  rpc Transfer(TransferRequest) returns (TransferResponse) {
    option (convoke.v1.capability) = { effects: NON_IDEMPOTENT };
  }
}

message ConvertRequest {
  double amount = 1 [(convoke.v1.field) = { required: true }];
  string from = 2 [(convoke.v1.field) = { required: true }];
  string to = 3 [(convoke.v1.field) = { required: true }];
  google.protobuf.Timestamp on = 4;
}

message ConvertResponse {
  double amount = 1;
  double rate = 2;
  string date = 3;
  repeated Leg legs = 4;
  map<string, double> rates = 5;
  google.protobuf.Struct extra = 6;
  Leg best = 7;
  int64 id = 8;
  bool exact = 9;
}

message TransferRequest {
  repeated Leg legs = 1;
  string note = 2;
  int64 id = 3;
  map<string, double> rates = 4;
  google.protobuf.Struct extra = 5;
  repeated double amounts = 6;
  int32 count = 7 [(convoke.v1.field) = { minimum: "1", maximum: "9" }];
}

message TransferResponse { string receipt = 1; }

message Leg {
  string to = 1 [(convoke.v1.field) = { required: true }];
  double amount = 2;
}
"#;

/// The same mesh for every test of a file.
pub fn catalog() -> Arc<Catalog> {
    agents::index(&[("bank", BANK)]).snapshot()
}

/// A DAG plan of steps in JSON.
pub fn plan(steps: &str) -> v1::ExecutionPlan {
    plan_in("DAG", steps)
}

pub fn plan_in(mode: &str, steps: &str) -> v1::ExecutionPlan {
    let text = format!(r#"{{"execution_mode": "{mode}", "steps": [{steps}]}}"#);
    convoke_plan::parse(text.as_bytes()).unwrap_or_else(|report| panic!("{text}: {report:?}"))
}

/// A step that converts, with these params over the usual ones.
pub fn convert(id: &str, amount: &str) -> String {
    format!(
        r#"{{"id": "{id}", "capability": "convert", "params": {{"amount": {amount}, "from": "EUR", "to": "JPY"}}}}"#
    )
}

pub fn transfer(id: &str, params: &str) -> String {
    format!(r#"{{"id": "{id}", "capability": "transfer", "params": {params}}}"#)
}

pub fn check(plan: v1::ExecutionPlan) -> (Vec<Finding>, Option<CheckedPlan>) {
    let (report, checked) = convoke_plan::check(plan, &catalog(), &Limits::default());
    let refused = report.findings.iter().any(|finding| finding.severity() == Severity::Error);
    assert_eq!(refused, checked.is_none(), "an error stops the plan, and nothing else does: {report:?}");
    (report.findings, checked)
}

/// `(rule, path, suggestion)` of every finding.
pub fn found(plan: v1::ExecutionPlan) -> Vec<(Rule, String, String)> {
    let findings = check(plan).0;
    findings.into_iter().map(|finding| (finding.rule(), finding.path.clone(), finding.suggestion)).collect()
}

/// The only finding: `(severity, rule, path, suggestion)`.
pub fn only(plan: v1::ExecutionPlan) -> (Severity, Rule, String, String) {
    let findings = check(plan).0;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let only = &findings[0];
    (only.severity(), only.rule(), only.path.clone(), only.suggestion.clone())
}

/// A plan without any finding.
pub fn clean(plan: v1::ExecutionPlan) -> CheckedPlan {
    let (findings, checked) = check(plan);
    assert!(findings.is_empty(), "{findings:#?}");
    checked.unwrap()
}

pub fn success(result: &str) -> StepOutput {
    StepOutput {
        status: Status::Success,
        result: Some(Value::parse(result.as_bytes()).unwrap()),
        explanation: "all went well".to_owned(),
        confidence: 0.75,
        metadata: Value::parse(br#"{"source": "a ledger"}"#).unwrap(),
    }
}

pub fn json(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap()
}
