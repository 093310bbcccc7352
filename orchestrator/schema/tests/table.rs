//! The cases of `tests/data/coercion.json`: input, expected value, entries and violations, each derived by hand from the
//! table of rules that it names.

#![cfg(test)]

mod support;

use convoke_schema::{Entry, Schema, Value};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::fmt::Write as _;

const CASES: &str = include_str!("../../../tests/data/coercion.json");
const PROTO: &str = include_str!("../../../tests/data/cases.proto");

fn cases() -> Vec<Json> {
    serde_json::from_str::<Json>(CASES).unwrap()["cases"].as_array().unwrap().clone()
}

fn schemas() -> HashMap<String, Schema> {
    let pool = support::pool(PROTO);
    let messages = pool.all_messages().filter(|message| !message.is_map_entry());
    let named = messages.map(|message| {
        let name = message.full_name();
        let short = name.strip_prefix("cases.v1.").unwrap_or(name);
        (short.to_owned(), support::schema(&pool, name))
    });
    named.collect()
}

/// The input or the value, what is generated put in.
fn generated(case: &Json, text: &str, part: &str) -> String {
    let Some(repeat) = case.get("repeat") else { return text.to_owned() };
    let part = repeat.get(part).unwrap_or(&repeat["text"]).as_str().unwrap();
    let parts: String = (0..count(repeat)).map(|index| part.replace('#', &index.to_string())).collect();
    text.replace('@', &parts)
}

fn count(item: &Json) -> usize {
    item.get("count").map_or(1, |count| usize::try_from(count.as_u64().unwrap()).unwrap())
}

/// The entries or violations of a case, what stands for many written out.
fn listed(case: &Json, name: &str) -> Vec<Json> {
    let mut list = Vec::new();
    for item in case.get(name).and_then(Json::as_array).unwrap_or(&Vec::new()) {
        for index in 0..count(item) {
            let mut item = item.clone();
            let members = item.as_object_mut().unwrap();
            if members.remove("count").is_some() {
                for text in members.values_mut().filter(|it| it.is_string()) {
                    *text = Json::from(text.as_str().unwrap().replace('#', &index.to_string()));
                }
            }
            list.push(item);
        }
    }
    list
}

fn show(entry: &Entry<'_>) -> Vec<String> {
    vec![
        entry.op.as_str_name().to_owned(),
        entry.path.to_owned(),
        entry.rule.as_str_name().to_owned(),
        entry.source.to_owned(),
        entry.before.to_owned(),
        entry.after.to_owned(),
        entry.lossless.to_string(),
    ]
}

/// `[op, path, rule, before, after]`, with `source` and `lossless` where they are not as usual.
fn expected_entry(entry: &Json) -> Vec<String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let path = text("path");
    let source = entry.get("source").and_then(Json::as_str).map_or(path.clone(), str::to_owned);
    let op = entry.get("op").and_then(Json::as_str).unwrap_or("SET").to_owned();
    let lossless = entry.get("lossless").and_then(Json::as_bool).unwrap_or(true).to_string();
    vec![op, path, text("rule"), source, text("before"), text("after"), lossless]
}

fn check(case: &Json, schemas: &HashMap<String, Schema>, log: &mut String) {
    let mut fail = |what: &str, got: String, expected: String| {
        let _ = writeln!(log, "{}: {what}\n  got      {got}\n  expected {expected}", case["name"]);
    };
    let schema = &schemas[case["message"].as_str().unwrap()];
    let text = generated(case, case["input"].as_str().unwrap(), "text");
    let Ok(came) = Value::parse(text.as_bytes()) else {
        if case["violations"] != serde_json::json!([{"path": "", "rule": "INVALID_JSON"}]) {
            fail("the input", "no JSON".to_owned(), case["violations"].to_string());
        }
        return;
    };
    let coerced = schema.coerce(came.clone());

    let violations: Vec<Json> = coerced
        .report
        .to_proto()
        .violations
        .iter()
        .map(|it| serde_json::json!({"path": it.path, "rule": it.rule().as_str_name(), "got": it.got, "suggestion": it.suggestion}))
        .collect();
    let wanted = listed(case, "violations");
    let same = violations.len() == wanted.len()
        && violations
            .iter()
            .zip(&wanted)
            .all(|(got, wanted)| wanted.as_object().unwrap().iter().all(|(key, value)| &got[key] == value));
    if !same {
        fail(
            "violations",
            Json::from(violations.clone()).to_string(),
            Json::from(wanted.clone()).to_string(),
        );
    }
    assert!(coerced.report.violations().iter().all(|it| !it.expected.is_empty()), "{}", case["name"]);

    let got: Vec<Vec<String>> = coerced.report.entries().map(|entry| show(&entry)).collect();
    let expected: Vec<Vec<String>> = listed(case, "entries").iter().map(expected_entry).collect();
    if got != expected {
        fail("entries", format!("{got:?}"), format!("{expected:?}"));
    }

    if wanted.is_empty() {
        let json = schema.to_json(&coerced.value);
        let expected = match case.get("value").and_then(Json::as_str) {
            Some(value) => generated(case, value, "value_text"),
            None => text,
        };
        if Value::parse(json.as_bytes()).unwrap() != Value::parse(expected.as_bytes()).unwrap() {
            fail("value", json, expected);
        }
        proofs(schema, came, &coerced.value, &coerced.report, &mut fail);
    }
}

/// What holds for every case without a violation.
fn proofs(
    schema: &Schema,
    mut came: Value,
    value: &Value,
    report: &convoke_schema::Report,
    fail: &mut impl FnMut(&str, String, String),
) {
    let again = schema.coerce(value.clone());
    if !again.report.is_empty() || again.value != *value {
        fail("a second coercion", format!("{:?}", again.report), "nothing".to_owned());
    }
    let from_json = schema.coerce(Value::parse(schema.to_json(value).as_bytes()).unwrap());
    if !from_json.report.is_empty() || from_json.value != *value {
        fail("coercion of the printed value", format!("{:?}", from_json.report), "nothing".to_owned());
    }
    // A secret cannot be put in from what the report shows of it.
    if report.entries().all(|entry| entry.after != "\"[redacted]\"") {
        for entry in report.entries() {
            support::apply(&mut came, &entry);
        }
        let applied = schema.coerce(came);
        if !applied.report.is_empty() || applied.value != *value {
            fail("the entries, applied", applied.value.to_json(), value.to_json());
        }
    }
    let bytes = schema.encode(value).unwrap();
    let decoded = schema.decode(&bytes).unwrap();
    if schema.encode(&decoded).unwrap() != bytes || schema.to_struct(&decoded) != schema.to_struct(value) {
        fail("bytes and back", decoded.to_json(), value.to_json());
    }
    let broken = schema.validate(value);
    if !broken.is_empty() {
        fail("validation", format!("{broken:?}"), "nothing".to_owned());
    }
}

#[test]
fn every_case_is_as_the_table_says() {
    let schemas = schemas();
    let cases = cases();
    let mut log = String::new();
    for case in &cases {
        check(case, &schemas, &mut log);
    }
    assert!(log.is_empty(), "{log}");
}

#[test]
fn the_cases_are_many_and_their_names_differ() {
    let cases = cases();
    let mut names: Vec<&str> = cases.iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert!(cases.iter().all(|case| !case["source"].as_str().unwrap().is_empty()));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len());
    let mut inputs: Vec<String> =
        cases.iter().map(|case| format!("{}{}{}", case["message"], case["input"], case["repeat"])).collect();
    inputs.sort_unstable();
    inputs.dedup();
    assert_eq!(inputs.len(), cases.len(), "no input comes twice");
    assert!(cases.len() >= 400, "{}", cases.len());
}
