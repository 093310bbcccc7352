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

/// A hundred capabilities, each with patterns of its own on both ends.
fn codes(steps: usize, pattern: impl Fn(usize) -> String) -> String {
    let mut methods = String::new();
    let mut messages = String::new();
    for id in 0..steps {
        methods.push_str(&format!(
            "rpc Code{id}(In{id}) returns (Out{id}) {{ option (convoke.v1.capability) = {{ effects: READ_ONLY }}; }}\n"
        ));
        let (given, taken) = (pattern(2 * id), pattern(2 * id + 1));
        messages.push_str(&format!(
            "message In{id} {{ optional string code = 1 [(convoke.v1.field).pattern = \"{taken}\"]; }}\n\
             message Out{id} {{ optional string code = 1 [(convoke.v1.field).pattern = \"{given}\"]; }}\n"
        ));
    }
    format!(
        "syntax = \"proto3\"; package codes.v1; import \"convoke/v1/annotations.proto\";\n\
         service Codes {{ option (convoke.v1.domain) = {{ name: \"codes\" version: \"1.0.0\" }}; {methods} }} {messages}"
    )
}

fn verify_codes(bencher: Bencher<'_, '_>, pattern: impl Fn(usize) -> String) {
    const STEPS: usize = 100;
    let catalog = agents::index(&[("codes", &codes(STEPS, pattern))]).snapshot();
    let steps: Vec<String> = (0..STEPS)
        .map(|id| {
            let code =
                id.checked_sub(1).map_or("A1".to_owned(), |before| format!("${{{before}.result.code}}"));
            let params = if id == 0 { "{}".to_owned() } else { format!(r#"{{"code": "{code}"}}"#) };
            format!(r#"{{"id": "{id}", "capability": "code{id}", "params": {params}}}"#)
        })
        .collect();
    let plan = || parse(format!(r#"{{"steps": [{}]}}"#, steps.join(",")).as_bytes()).unwrap();
    assert!(check(plan(), &catalog, &Limits::default()).1.is_some());
    bencher.with_inputs(plan).bench_values(|plan| check(plan, &catalog, &Limits::default()));
}

#[divan::bench]
fn verify_a_hundred_pairs_of_patterns(bencher: Bencher<'_, '_>) {
    verify_codes(bencher, |id| format!("^[A-Z]{{1,3}}-(X{id}|[0-9]+)$"));
}

#[divan::bench]
fn verify_a_hundred_pairs_of_hostile_patterns(bencher: Bencher<'_, '_>) {
    verify_codes(bencher, |id| match id % 4 {
        0 => format!("(a|b){{{}}}c{{500}}", 300 + id),
        1 => format!("[^x]{{{}}}", 300 + id),
        2 => format!("(a|b)*a(a|b){{{}}}", 12 + id),
        _ => format!("(.*a.{{{}}}){{3}}", 10 + id),
    });
}

#[divan::bench]
fn read_a_plan_file_of_a_hundred_steps(bencher: Bencher<'_, '_>) {
    let steps: Vec<String> =
        (0..100).map(|id| format!(r#"{{"id": {id}, "capability": "convert"}}"#)).collect();
    let text = format!(r#"{{"execution_mode": "dag", "steps": [{}]}}"#, steps.join(","));
    bencher.bench(|| parse(text.as_bytes()).unwrap());
}
