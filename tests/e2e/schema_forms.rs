//! `convoke schema`: what it prints besides values and reports, and how much memory a long batch takes.

use std::process::Stdio;

use convoke_tests::{Output, convoke, program};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

const TRIP: &str = r#"
syntax = "proto3";
package trip.v1;
import "convoke/v1/annotations.proto";

message Trip {
  repeated int32 days = 1;
  int64 id = 2 [(convoke.v1.field) = { required: true, minimum: "1", unit: "km" }];
  string note = 3;
  bytes raw = 4;
}
"#;

fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let proto = folder.path().join("trip.proto");
    std::fs::write(&proto, TRIP).expect("it can be written");
    (folder, proto.to_string_lossy().into_owned())
}

#[tokio::test]
async fn inline_shows_each_violation_at_its_place_and_missing_keys() {
    let (_folder, proto) = folder();

    let arguments = ["schema", "coerce", "--inline", "--proto", &proto];
    let output = Output::of_convoke_reading("{\"days\": [1, \"soon\"]}\n{\"id\": 1}\n[\n", &arguments).await;

    assert_eq!(output.code, 2);
    let lines: Vec<&str> = output.stdout.lines().map(str::trim).collect();
    assert!(lines.iter().any(|line| line.starts_with("\"soon\" //")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("// \"id\": MISSING")), "{lines:#?}");
    assert!(lines.contains(&"\"id\": 1"), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("INVALID_JSON")), "{lines:#?}");
}

#[tokio::test]
async fn describe_has_three_forms() {
    let (_folder, proto) = folder();
    let described =
        async |format: &str| convoke(&["schema", "describe", "--format", format, "--proto", &proto]).await;

    let plain = described("plain").await.exits(0);
    assert_eq!(plain["required"], serde_json::json!(["id"]));
    let strict = described("strict").await.exits(0);
    assert_eq!(strict["required"].as_array().map(Vec::len), Some(4), "all keys are listed: {strict:#}");
    assert_eq!(strict["additionalProperties"], false);
    let text = described("text").await;
    assert_eq!(text.code, 0);
    let line = text.stdout.lines().find(|line| line.starts_with("id:")).unwrap_or_default();
    assert!(line.contains("required") && line.contains("km"), "{text:#?}");
}

#[tokio::test]
async fn a_verdict_about_two_fields_has_four_parts() {
    let (_folder, proto) = folder();
    let verdict = async |producer: &str, consumer: &str| {
        convoke(&["schema", "assignable", "--proto", &proto, "--producer", producer, "--consumer", consumer])
            .await
    };

    let always = verdict("trip.v1.Trip.id", "trip.v1.Trip.note").await.exits(0);
    assert_eq!((&always["verdict"], &always["rule"]), (&"ALWAYS".into(), &"NUMBER_TO_TEXT".into()));
    let sometimes = verdict("trip.v1.Trip.note", "trip.v1.Trip.id").await.exits(0);
    assert_eq!(sometimes["verdict"], "SOMETIMES");
    assert_ne!(sometimes["condition"], "");
    let never = verdict("trip.v1.Trip.days", "trip.v1.Trip.raw").await.exits(0);
    assert_eq!(never["verdict"], "NEVER");
    assert_ne!(never["reason"], "");

    let unknown = verdict("trip.v1.Trip.nota", "trip.v1.Trip.id").await;
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("--producer") && unknown.stderr.contains("note?"), "{unknown:#?}");
    let no_field = verdict("Trip", "trip.v1.Trip.id").await;
    assert!(no_field.stderr.contains("trip.v1.Trip.days"), "{no_field:#?}");
}

#[tokio::test]
async fn a_reader_that_goes_away_ends_a_batch_without_a_word() {
    let (_folder, proto) = folder();
    let mut child = Command::new(program("convoke"))
        .args(["schema", "coerce", "--proto", &proto])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("convoke starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut answers = BufReader::new(child.stdout.take().expect("stdout is piped"));
    stdin.write_all(b"{\"id\": 1}\n").await.expect("convoke reads");
    assert!(answers.read_line(&mut String::new()).await.expect("convoke writes") > 0);

    drop(answers);
    // It learns that nobody reads when it writes; the write to it may fail thereafter.
    let _ = stdin.write_all(b"{\"id\": 2}\n").await;
    drop(stdin);

    let output = child.wait_with_output().await.expect("it ends");
    assert_eq!(output.status.code(), Some(1), "not all lines were answered");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[tokio::test]
async fn a_long_batch_takes_no_more_memory_than_a_short_one() {
    let (short, long) = (peak_of_batch(2_000).await, peak_of_batch(40_000).await);

    assert!(long * 10 <= short * 12, "{short} KiB for 2,000 lines, {long} KiB for 40,000");
}

/// The most memory that `schema coerce` held over so many lines, in KiB; read when all answers are there and the input
/// is still open.
async fn peak_of_batch(lines: usize) -> u64 {
    let (_folder, proto) = folder();
    let mut child = Command::new(program("convoke"))
        .args(["schema", "coerce", "--proto", &proto])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("convoke starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // Long enough that lines that were kept would stand out.
    let note = "x".repeat(500);
    let writing = tokio::spawn(async move {
        for index in 0..lines {
            let line =
                format!("{{\"Days\": \"[{index}, 2]\", \"id\": \"{}\", \"note\": \"{note}\"}}\n", index + 1);
            stdin.write_all(line.as_bytes()).await.expect("convoke reads");
        }
        stdin
    });
    let mut answers = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
    for _ in 0..lines {
        let answer = answers.next_line().await.expect("convoke writes").expect("a line for each");
        assert!(answer.contains("\"violations\":[]"), "{answer}");
    }
    let status = format!("/proc/{}/status", child.id().expect("it runs"));
    let status = std::fs::read_to_string(status).expect("Linux tells");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    drop(writing.await.expect("the writer ends"));
    assert!(child.wait().await.expect("it ends").success());
    peak.trim_end_matches("kB").trim().parse().expect("a number")
}

#[tokio::test]
async fn with_json_texts_and_failures_are_json_too() {
    let (_folder, proto) = folder();
    let json = |output: &Output| -> Value { serde_json::from_str(&output.stdout).expect("JSON") };

    let arguments =
        ["schema", "coerce", "--inline", "--json", "--proto", &proto, "--message", "trip.v1.Trip"];
    let shown = Output::of_convoke_reading("{\"days\": \"soon\"}\n", &arguments).await;
    assert!(json(&shown)["text"].as_str().is_some_and(|text| text.contains("// WRONG_TYPE")), "{shown:#?}");

    let arguments =
        ["schema", "describe", "--format", "text", "--json", "--proto", &proto, "--message", "trip.v1.Trip"];
    let described = Output::of_convoke_reading("", &arguments).await;
    assert!(
        json(&described)["text"].as_str().is_some_and(|text| text.contains("\ndays: ")),
        "{described:#?}"
    );

    let arguments = ["schema", "check", "--json", "--proto", "/nowhere.proto"];
    let refused = Output::of_convoke_reading("", &arguments).await;
    assert_eq!(refused.code, 2, "{refused:#?}");
    assert_eq!(json(&refused)["error"]["code"], "USAGE");
}
