//! A mesh with one domain for plans to be checked against, and plans written as files.

use std::sync::{Arc, OnceLock};

use convoke_catalog::Catalog;
use convoke_plan::{CheckedPlan, Limits, StepOutput};
use convoke_proto::v1;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::plan_report::{Finding, Rule, Severity};
use convoke_schema::Value;

use crate::agents;

pub(crate) const BANK: &str = include_str!("bank.proto");

/// The same mesh for every test.
pub(crate) fn catalog() -> Arc<Catalog> {
    static CATALOG: OnceLock<Arc<Catalog>> = OnceLock::new();
    Arc::clone(CATALOG.get_or_init(|| agents::index(&[("bank", BANK)]).snapshot()))
}

/// A DAG plan of steps in JSON.
pub(crate) fn plan(steps: &str) -> v1::ExecutionPlan {
    plan_in("DAG", steps)
}

pub(crate) fn plan_in(mode: &str, steps: &str) -> v1::ExecutionPlan {
    let text = format!(r#"{{"execution_mode": "{mode}", "steps": [{steps}]}}"#);
    convoke_plan::parse(text.as_bytes()).unwrap_or_else(|report| panic!("{text}: {report:?}"))
}

/// A step that converts, with these params over the usual ones.
pub(crate) fn convert(id: &str, amount: &str) -> String {
    format!(
        r#"{{"id": "{id}", "capability": "convert", "params": {{"amount": {amount}, "from": "EUR", "to": "JPY"}}}}"#
    )
}

pub(crate) fn transfer(id: &str, params: &str) -> String {
    format!(r#"{{"id": "{id}", "capability": "transfer", "params": {params}}}"#)
}

pub(crate) fn check(plan: v1::ExecutionPlan) -> (Vec<Finding>, Option<CheckedPlan>) {
    let (report, checked) = convoke_plan::check(plan, &catalog(), &Limits::default());
    let refused = report.findings.iter().any(|finding| finding.severity() == Severity::Error);
    assert_eq!(refused, checked.is_none(), "an error stops the plan, and nothing else does: {report:?}");
    (report.findings, checked)
}

/// `(rule, path, suggestion)` of every finding.
pub(crate) fn found(plan: v1::ExecutionPlan) -> Vec<(Rule, String, String)> {
    let findings = check(plan).0;
    findings.into_iter().map(|finding| (finding.rule(), finding.path.clone(), finding.suggestion)).collect()
}

/// The only finding: `(severity, rule, path, suggestion)`.
pub(crate) fn only(plan: v1::ExecutionPlan) -> (Severity, Rule, String, String) {
    let findings = check(plan).0;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let only = &findings[0];
    (only.severity(), only.rule(), only.path.clone(), only.suggestion.clone())
}

/// A plan without any finding.
pub(crate) fn clean(plan: v1::ExecutionPlan) -> CheckedPlan {
    let (findings, checked) = check(plan);
    assert!(findings.is_empty(), "{findings:#?}");
    checked.unwrap()
}

pub(crate) fn success(result: &str) -> StepOutput {
    StepOutput {
        status: Status::Success,
        result: Some(Value::parse(result.as_bytes()).unwrap()),
        explanation: "all went well".to_owned(),
        confidence: 0.75,
        metadata: Value::parse(br#"{"source": "a ledger"}"#).unwrap(),
    }
}

pub(crate) fn json(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap()
}
