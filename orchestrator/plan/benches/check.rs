//! How long verifying a plan takes: less than a millisecond for a hundred steps.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up has failed")]

#[path = "../../catalog/tests/support/mod.rs"]
mod agents;

use convoke_plan::{Limits, check, parse};
use convoke_proto::v1::ExecutionPlan;
use divan::Bencher;

fn main() {
    divan::main();
}

/// A chain of conversions: every step has two literals and a reference to the step before.
fn chain(steps: usize) -> ExecutionPlan {
    let steps: Vec<String> = (0..steps)
        .map(|id| {
            let amount = match id.checked_sub(1) {
                Some(before) => format!("\"${{{before}.result.amount}}\""),
                None => "250".to_owned(),
            };
            format!(
                r#"{{"id": "{id}", "capability": "convert", "params": {{"amount": {amount}, "from": "EUR", "to": "JPY"}}}}"#
            )
        })
        .collect();
    parse(format!(r#"{{"steps": [{}]}}"#, steps.join(",")).as_bytes()).unwrap()
}

#[divan::bench(args = [1, 10, 100, 1000])]
fn verify_a_chain(bencher: Bencher<'_, '_>, steps: usize) {
    let catalog = agents::index(&[("bank", include_str!("../tests/plan/bank.proto"))]).snapshot();
    let limits = Limits { max_steps: steps, ..Limits::default() };
    bencher.with_inputs(|| chain(steps)).bench_values(|plan| {
        let (report, checked) = check(plan, &catalog, &limits);
        assert!(report.findings.is_empty());
        checked
    });
}

#[divan::bench]
fn read_a_plan_file_of_a_hundred_steps(bencher: Bencher<'_, '_>) {
    let steps: Vec<String> =
        (0..100).map(|id| format!(r#"{{"id": {id}, "capability": "convert"}}"#)).collect();
    let text = format!(r#"{{"execution_mode": "dag", "steps": [{}]}}"#, steps.join(","));
    bencher.bench(|| parse(text.as_bytes()).unwrap());
}
