//! `google.protobuf.Any` and messages with a JSON form of their own, on the wire and off it.

#![cfg(test)]

mod support;

use convoke_schema::{Kind, Limits, Schema, Value, ViolationRule};
use prost::Message as _;
use prost_reflect::{DynamicMessage, ReflectMessage as _};

const PROTO: &str = include_str!("../../../tests/data/cases.proto");

fn schema(message: &str) -> Schema {
    support::schema(&support::pool(PROTO), message)
}

fn coerced(schema: &Schema, text: &str) -> Value {
    let coerced = schema.coerce(Value::parse(text.as_bytes()).unwrap());
    assert!(coerced.report.is_ok(), "{:?}", coerced.report.violations());
    coerced.value
}

/// What another implementation reads off our bytes, and what it writes for the same JSON.
#[test]
fn bytes_of_an_any_are_those_of_another_implementation() {
    let pool = support::pool(PROTO);
    let descriptor = pool.get_message_by_name("cases.v1.Packed").unwrap();
    let schema = Schema::compile(&descriptor).unwrap();
    for text in [
        r#"{"detail":{"@type":"type.googleapis.com/cases.v1.Leg","from":"A","seats":2}}"#,
        r#"{"detail":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.500s"}}"#,
        r#"{"detail":{"@type":"type.googleapis.com/google.protobuf.StringValue","value":"x"}}"#,
        r#"{"details":[{"@type":"type.googleapis.com/cases.v1.Inner","size":7},{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"a":[1,null]}}]}"#,
        r#"{"named":{"k":{"@type":"type.googleapis.com/cases.v1.Optionals","count":0}}}"#,
        // Python and Java print it as any message, this implementation and Go under `value`.
        r#"{"named":{"k":{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}}}"#,
        // Nothing but defaults has no bytes, and so no `value` on the wire.
        r#"{"detail":{"@type":"type.googleapis.com/cases.v1.Titled","name":""},"details":[{"@type":"type.googleapis.com/cases.v1.Titled"}]}"#,
        r#"{"details":[{"@type":"type.googleapis.com/google.protobuf.Timestamp","value":"1970-01-01T00:00:00Z"},{"@type":"type.googleapis.com/google.protobuf.Duration","value":"0s"},{"@type":"type.googleapis.com/google.protobuf.FieldMask","value":""}]}"#,
        r#"{"details":[{"@type":"type.googleapis.com/google.protobuf.Struct","value":{}},{"@type":"type.googleapis.com/google.protobuf.ListValue","value":[]},{"@type":"type.googleapis.com/google.protobuf.Value","value":null}]}"#,
        r#"{"details":[{"@type":"type.googleapis.com/google.protobuf.BoolValue","value":false},{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"0"},{"@type":"type.googleapis.com/cases.v1.Packed","detail":{"@type":"type.googleapis.com/cases.v1.Titled"}}]}"#,
    ] {
        let bytes = schema.encode(&coerced(&schema, text)).unwrap();
        let mut reader = serde_json::Deserializer::from_str(text);
        let theirs = DynamicMessage::deserialize(descriptor.clone(), &mut reader).unwrap();
        assert_eq!(bytes, theirs.encode_to_vec(), "{text}");
        let decoded = schema.decode(&bytes).unwrap();
        assert_eq!(schema.encode(&decoded).unwrap(), bytes, "{text}");
        assert_eq!(theirs.descriptor(), descriptor);
    }
}

#[test]
fn a_whole_with_a_json_form_of_its_own_is_encoded_as_its_message() {
    let timestamp = prost_types::Timestamp { seconds: 1_706_659_200, nanos: 0 };
    let any = prost_types::Any {
        type_url: "x/google.protobuf.Timestamp".to_owned(),
        value: timestamp.encode_to_vec(),
    };
    for (message, text, bytes) in [
        ("Timestamp", "\"2024-01-31\"", timestamp.encode_to_vec()),
        ("Duration", "\"90s\"", prost_types::Duration { seconds: 90, nanos: 0 }.encode_to_vec()),
        ("Int64Value", "\"-1\"", vec![8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
        ("StringValue", "\"\"", vec![]),
        ("BytesValue", "\"AQI=\"", vec![10, 2, 1, 2]),
        ("Value", "true", vec![32, 1]),
        ("ListValue", "[null]", vec![10, 2, 8, 0]),
        ("FieldMask", "\"a.bC\"", vec![10, 5, b'a', b'.', b'b', b'_', b'c']),
        ("Any", r#"{"@type":"x/google.protobuf.Timestamp","value":"2024-01-31"}"#, any.encode_to_vec()),
        ("Empty", "{}", vec![]),
    ] {
        let schema = schema(&format!("google.protobuf.{message}"));
        let value = coerced(&schema, text);
        assert_eq!(schema.encode(&value).unwrap(), bytes, "{message}");
        assert_eq!(schema.decode(&bytes).unwrap(), value, "{message}");
        assert!(schema.validate(&value).is_empty());
    }
}

#[test]
fn a_result_that_is_no_object_stands_under_value() {
    let shown = |message: &str, text: &str| {
        let schema = schema(&format!("google.protobuf.{message}"));
        Value::from(schema.to_struct(&coerced(&schema, text))).to_json()
    };
    assert_eq!(shown("Duration", "90"), r#"{"value":"90s"}"#);
    assert_eq!(shown("UInt64Value", "7"), r#"{"value":"7"}"#);
    assert_eq!(shown("Struct", r#"{"a":1}"#), r#"{"a":1}"#);
    assert_eq!(
        shown("Any", r#"{"@type":"x/cases.v1.Inner","size":1}"#),
        r#"{"@type":"x/cases.v1.Inner","size":1}"#
    );
}

#[test]
fn a_type_that_is_not_in_the_pool_is_no_value() {
    let schema = schema("cases.v1.Packed");
    let any = prost_types::Any { type_url: "x/other.Thing".to_owned(), value: vec![8, 1] };
    let mut bytes = vec![10];
    bytes.extend(any.encode_length_delimited_to_vec());
    let error = schema.decode(&bytes).unwrap_err().to_string();
    assert!(error.contains("a type that is not among the descriptors"), "{error}");
    // What the options are made of is no message of a team's.
    for name in ["convoke.v1.FieldSpec", "google.protobuf.FieldOptions"] {
        let text = format!(r#"{{"detail":{{"@type":"x/{name}"}}}}"#);
        let report = schema.coerce(Value::parse(text.as_bytes()).unwrap()).report;
        assert_eq!(report.violations()[0].rule(), ViolationRule::NotAllowed);
    }
}

#[test]
fn any_is_a_kind_of_its_own_and_part_of_what_a_type_means() {
    let packed = schema("cases.v1.Packed");
    let detail = packed.field("detail").unwrap();
    assert_eq!((detail.kind(), detail.message().is_none()), (Kind::Any, true));
    let of = |more: &str| {
        support::compile(&format!(
            "message M {{ google.protobuf.Any x = 1; }} message N {{ int32 a = 1; {more} }}"
        ))
        .unwrap()
        .fingerprint()
    };
    assert_eq!(of(""), of(""));
    assert_ne!(of(""), of("int32 b = 2;"));
}

#[test]
fn the_depth_is_the_operators_choice() {
    let pool = support::pool(PROTO);
    let tree = pool.get_message_by_name("cases.v1.Tree").unwrap();
    let nested = |depth: usize| format!("{}{{}}{}", "{\"child\":".repeat(depth - 1), "}".repeat(depth - 1));
    for max_depth in [1, 3, 64] {
        let limits = Limits { max_depth, ..Limits::default() };
        let schema = Schema::compile_with(&tree, &limits).unwrap();
        let violations =
            |depth| schema.coerce(Value::parse(nested(depth).as_bytes()).unwrap()).report.into_violations();
        assert!(violations(max_depth).is_empty());
        let refused = violations(max_depth + 1);
        assert_eq!((refused.len(), refused[0].rule()), (1, ViolationRule::TooDeep));
        let value = schema.coerce(Value::parse(nested(max_depth).as_bytes()).unwrap()).value;
        assert!(schema.decode(&schema.encode(&value).unwrap()).is_ok());
    }
    assert_eq!(Limits::default().max_depth, 32);
}

#[test]
fn an_empty_is_taken_and_described_with_its_value_and_without() {
    let schema = schema("cases.v1.Packed");
    let validator = jsonschema::validator_for(&schema.describe()).unwrap();
    let results = ["", r#","value":{}"#].map(|value| {
        let text = format!(r#"{{"detail":{{"@type":"x/google.protobuf.Empty"{value}}}}}"#);
        assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
        let coerced = schema.coerce(Value::parse(text.as_bytes()).unwrap());
        assert!(coerced.report.is_empty(), "{text} {:?}", coerced.report);
        assert_eq!(coerced.value.to_json(), text);
        assert!(schema.validate(&coerced.value).is_empty(), "{text}");
        schema.to_struct(&coerced.value)
    });
    assert_eq!(results[0], results[1]);
    let more = r#"{"detail":{"@type":"x/google.protobuf.Empty","value":{"a":1}}}"#;
    assert!(!validator.is_valid(&serde_json::from_str(more).unwrap()));
}
