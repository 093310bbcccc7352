//! `convoke schema`: the engine alone, over a proto file that the test writes.

use convoke_tests::Output;
use serde_json::{Value, json};
use tempfile::TempDir;

const TRIP: &str = r#"
syntax = "proto3";
package trip.v1;
import "convoke/v1/annotations.proto";
import "google/protobuf/timestamp.proto";

// A journey.
message Trip {
  repeated int32 days = 1;
  int64 id = 2 [(convoke.v1.field).required = true];
  google.protobuf.Timestamp departs_at = 3;
}
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("trip.proto"), TRIP).expect("it can be written");
    folder
}

async fn schema(verb: &str, input: &str) -> Output {
    let folder = folder();
    let proto = folder.path().join("trip.proto");
    let arguments = ["schema", verb, "--proto", &proto.to_string_lossy(), "--message", "trip.v1.Trip"];
    Output::of_convoke_reading(input, &arguments).await
}

fn lines(output: &Output) -> Vec<Value> {
    output.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[tokio::test]
async fn each_change_is_an_entry_of_the_rule_that_made_it() {
    let output = schema("coerce", "{\"Days\": \"[\\\"1\\\", 2]\", \"id\": 1}\n").await;

    assert_eq!(output.code, 0, "{output:#?}");
    let line = &lines(&output)[0];
    assert_eq!(line["value"]["days"], json!([1, 2]));
    assert_eq!(
        line["report"]["entries"],
        json!([
            { "path": "days", "rule": "FIELD_SPELLING", "op": "RENAME", "source": "Days",
              "before": "\"Days\"", "after": "\"days\"", "lossless": true },
            { "path": "days", "rule": "TEXT_TO_JSON", "op": "SET", "source": "Days",
              "before": "\"[\\\"1\\\", 2]\"", "after": "[\"1\",2]", "lossless": true },
            { "path": "days[0]", "rule": "TEXT_TO_NUMBER", "op": "SET", "source": "Days[0]",
              "before": "\"1\"", "after": "1", "lossless": true },
        ])
    );
    assert_eq!(line["report"]["violations"], json!([]));
}

#[tokio::test]
async fn integers_of_64_bits_keep_every_digit_and_print_as_numbers() {
    let output = schema("coerce", "{\"id\": 9007199254740993}\n").await;

    assert!(output.stdout.contains("9007199254740993"), "{output:#?}");
    assert!(!output.stdout.contains("\"9007199254740993\""), "{output:#?}");
}

#[tokio::test]
async fn a_line_that_is_no_json_is_one_violation_and_the_batch_goes_on() {
    let output = schema("coerce", "{\"id\": }\n\n{\"id\": 7}").await;

    assert_eq!(output.code, 2, "{output:#?}");
    let lines = lines(&output);
    assert_eq!(lines.len(), 3, "{output:#?}");
    for line in &lines[..2] {
        assert_eq!(line["value"], Value::Null);
        let violations = line["report"]["violations"].as_array().expect("a list");
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0]["rule"], "INVALID_JSON");
    }
    let told = lines[0]["report"]["violations"][0].to_string();
    assert!(told.contains("line 1") && told.contains("column 8"), "{told}");
    let told = lines[1]["report"]["violations"][0].to_string();
    assert!(told.contains("line 2") && told.contains("column 1"), "{told}");
    assert_eq!(lines[2]["value"]["id"], 7);
}

#[tokio::test]
async fn a_missing_required_field_is_a_violation() {
    let output = schema("coerce", "{}\n").await;

    assert_eq!(output.code, 2);
    let violation = &lines(&output)[0]["report"]["violations"][0];
    assert_eq!((&violation["path"], &violation["rule"]), (&json!("id"), &json!("MISSING")));
    for key in ["path", "rule", "expected", "got", "suggestion"] {
        assert!(violation.get(key).is_some(), "{key} is not printed in {violation}");
    }
}

#[tokio::test]
async fn describe_prints_a_json_schema() {
    let described = schema("describe", "").await.exits(0);

    assert_eq!(described["type"], "object");
    assert_eq!(described["required"], json!(["id"]));
    assert_eq!(described["properties"]["days"]["type"], "array");
    assert_eq!(described["properties"]["departs_at"]["format"], "date-time");
}

#[tokio::test]
async fn an_unknown_message_is_refused_with_the_nearest() {
    let folder = folder();
    let proto = folder.path().join("trip.proto");
    let proto = proto.to_string_lossy();
    for wrong in ["trip.v1.Tripp", "Trip", "journeys.Trip"] {
        let arguments = ["schema", "describe", "--proto", &proto, "--message", wrong];
        let refused = Output::of_convoke_reading("", &arguments).await;

        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("trip.v1.Trip?"), "{refused:#?}");
    }
}

#[tokio::test]
async fn a_value_that_is_shown_inline_has_no_secrets() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let proto = folder.path().join("safe.proto");
    let text = r#"
syntax = "proto3";
package safe.v1;
import "convoke/v1/annotations.proto";

message Safe {
  repeated Key keys = 1;
  int32 size = 2;
}

message Key {
  string token = 1 [(convoke.v1.field).secret = true];
}
"#;
    std::fs::write(&proto, text).expect("it can be written");
    let input = "{\"keys\": [{\"token\": \"hunter2\"}, {\"Token\": \"hunter2\"}, {\"tokn\": \"hunter2\"}], \"size\": \"many\"}";

    let arguments =
        ["schema", "coerce", "--inline", "--proto", &proto.to_string_lossy(), "--message", "safe.v1.Safe"];
    let output = Output::of_convoke_reading(input, &arguments).await;

    assert_eq!(output.code, 2, "{output:#?}");
    assert!(!output.stdout.contains("hunter2"), "{output:#?}");
    assert_eq!(output.stdout.matches("\"token\": \"[redacted]\"").count(), 2, "{output:#?}");
    assert!(output.stdout.contains("\"many\" // WRONG_TYPE"), "{output:#?}");
}
