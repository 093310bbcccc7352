//! Nothing that comes in costs more than near linear work, and nothing panics.

#![cfg(test)]

mod support;

use convoke_schema::{DecodeError, Limits, Schema, Value, ViolationRule};
use std::time::{Duration, Instant};

/// Debug builds on a busy machine are slow; quadratic work over these sizes would still take far longer.
const AMPLE: Duration = Duration::from_secs(20);

fn coerce(schema: &Schema, text: &str) -> convoke_schema::Coerced {
    let started = Instant::now();
    let coerced = schema.coerce(Value::parse(text.as_bytes()).unwrap());
    assert!(started.elapsed() < AMPLE);
    coerced
}

fn wide(fields: usize) -> Schema {
    let body: String = (1..=fields)
        .map(|n| format!("int32 field_number_{n} = {};", if n < 19_000 { n } else { n + 1_000 }))
        .collect();
    support::compile(&format!("message M {{ {body} }}")).unwrap()
}

#[test]
fn ten_thousand_unknown_fields_are_each_reported() {
    let schema = wide(1_000);
    let members: Vec<String> = (0..10_000).map(|n| format!("\"unknown_{n}\":1")).collect();
    let coerced = coerce(&schema, &format!("{{{}}}", members.join(",")));
    assert_eq!(coerced.report.violations().len(), 10_000);
}

#[test]
fn five_thousand_fields_in_another_spelling_are_found() {
    let schema = wide(5_000);
    let members: Vec<String> = (1..=5_000).rev().map(|n| format!("\"fieldNumber{n}\":\"{n}\"")).collect();
    let coerced = coerce(&schema, &format!("{{{}}}", members.join(",")));
    assert_eq!((coerced.report.violations().len(), coerced.report.entries().len()), (0, 10_000));
}

#[test]
fn fifty_thousand_different_elements_are_told_apart() {
    let schema =
        support::compile("message M { repeated string x = 1 [(convoke.v1.field).unique_items = true]; }")
            .unwrap();
    let elements: Vec<String> = (0..50_000).map(|n| format!("\"{n}\"")).collect();
    assert!(coerce(&schema, &format!("{{\"x\":[{}]}}", elements.join(","))).report.is_empty());
}

#[test]
fn fifty_thousand_keys_of_a_map_are_told_apart() {
    let schema =
        support::compile("message M { map<string, int32> x = 1; google.protobuf.Struct s = 2; }").unwrap();
    let members: Vec<String> = (0..50_000).map(|n| format!("\"{n}\":1")).collect();
    let object = members.join(",");
    let coerced = coerce(&schema, &format!("{{\"x\":{{{object}}},\"s\":{{{object}}}}}"));
    assert!(coerced.report.is_empty());
    let bytes = schema.encode(&coerced.value).unwrap();
    assert_eq!(schema.decode(&bytes).unwrap(), coerced.value);
}

#[test]
fn a_report_that_would_grow_beyond_its_bound_ends_in_one_violation() {
    let pool = support::pool(
        "syntax = \"proto3\"; package t; message M { map<string, L> x = 1; } message L { repeated int32 y = 1; }",
    );
    let limits = Limits { max_report_bytes: 1 << 20, ..Limits::default() };
    let schema = Schema::compile_with(&pool.get_message_by_name("t.M").unwrap(), &limits).unwrap();
    let key = "k".repeat(100_000);
    let elements = vec!["\"1\""; 10_000].join(",");
    let coerced = coerce(&schema, &format!("{{\"x\":{{\"{key}\":{{\"y\":[{elements}]}}}}}}"));
    let rules: Vec<ViolationRule> = coerced.report.violations().iter().map(|it| it.rule()).collect();
    assert_eq!(rules, [ViolationRule::TooLarge]);
}

#[test]
fn a_small_message_cannot_decode_into_a_huge_value() {
    let body: String = (1..=1_000).map(|n| format!("int32 f{n} = {n};")).collect();
    let schema =
        support::compile(&format!("message M {{ repeated N x = 1; }} message N {{ {body} }}")).unwrap();
    let bytes: Vec<u8> = [0x0a, 0x00].repeat(1 << 20);
    assert!(matches!(schema.decode(&bytes), Err(DecodeError::TooLarge(_))));
}

#[test]
fn each_value_on_the_wire_counts() {
    let fields = "map<int32, int32> entries = 1; repeated int32 packed = 2; repeated string texts = 3;";
    let source = format!("syntax = \"proto3\"; package t; message M {{ {fields} }}");
    let pool = support::pool(Box::leak(source.into_boxed_str()));
    let limits = Limits { max_values: 100, ..Limits::default() };
    let schema = Schema::compile_with(&pool.get_message_by_name("t.M").unwrap(), &limits).unwrap();
    // An empty entry, one packed number, an empty text.
    for piece in [&[0x0a, 0x00][..], &[0x12, 0x01, 0x01], &[0x1a, 0x00]] {
        assert!(schema.decode(&piece.repeat(90)).is_ok(), "{piece:?}");
        assert_eq!(schema.decode(&piece.repeat(110)), Err(DecodeError::TooLarge(100)), "{piece:?}");
    }
}

#[test]
fn depth_is_bounded_on_the_wire_too() {
    let schema = support::compile("message M { M child = 1; google.protobuf.Value v = 2; }").unwrap();
    let nest = |depth: usize, tag: u8| {
        let mut bytes: Vec<u8> = Vec::new();
        for _ in 0..depth {
            let mut outer = vec![tag];
            let mut length = bytes.len();
            while length >= 0x80 {
                outer.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
                length >>= 7;
            }
            outer.push(u8::try_from(length).unwrap());
            outer.extend(&bytes);
            bytes = outer;
        }
        bytes
    };
    assert!(schema.decode(&nest(31, 0x0a)).is_ok());
    assert_eq!(schema.decode(&nest(32, 0x0a)), Err(DecodeError::TooDeep(32)));
    assert!(schema.decode(&nest(2_000, 0x0a)).is_err());
    // Groups that nobody knows, 100,000 deep.
    assert!(schema.decode(&[0x7b].repeat(100_000)).is_err());
}

#[test]
fn parts_of_one_message_are_merged_and_the_last_scalar_counts() {
    let schema = support::compile(
        "message M { N n = 1; int32 i = 2; repeated int32 p = 3; map<string, int32> m = 4; oneof o { int32 a = 5; string b = 6; } } message N { int32 x = 1; int32 y = 2; }",
    )
    .unwrap();
    let bytes = [
        0x0a, 0x02, 0x08, 0x01, 0x0a, 0x02, 0x10, 0x02, // n: {x: 1}, then {y: 2}
        0x10, 0x01, 0x10, 0x02, // i: 1, then 2
        0x18, 0x01, 0x1a, 0x02, 0x02, 0x03, // p: 1, then packed 2, 3
        0x22, 0x05, 0x0a, 0x01, 0x6b, 0x10, 0x01, 0x22, 0x05, 0x0a, 0x01, 0x6b, 0x10,
        0x02, // m: k: 1, then k: 2
        0x28, 0x01, 0x32, 0x01, 0x78, // a: 1, then b: "x"
        0x98, 0x06, 0x01, // 99: unknown
    ];
    let json = schema.to_json(&schema.decode(&bytes).unwrap());
    assert_eq!(json, r#"{"n":{"x":1,"y":2},"i":2,"p":[1,2,3],"m":{"k":2},"b":"x"}"#);
}

#[test]
fn an_unknown_number_of_an_open_enum_is_kept_in_an_output() {
    let schema = support::compile("message M { E e = 1; } enum E { ZERO = 0; }").unwrap();
    let value = schema.decode(&[0x08, 0x09]).unwrap();
    assert!(schema.validate(&value).is_empty());
    assert_eq!(schema.to_json(&value), r#"{"e":9}"#);
    assert_eq!(schema.encode(&value).unwrap().as_ref(), [0x08, 0x09]);
}

#[test]
fn an_output_is_held_to_its_constraints() {
    let schema = support::compile(
        "message M { double rate = 1 [(convoke.v1.field).maximum = \"1\"]; optional string s = 2 [(convoke.v1.field).required = true]; string note = 3 [(convoke.v1.field).min_length = 2]; }",
    )
    .unwrap();
    let mut bytes = vec![0x09];
    bytes.extend(2.0_f64.to_le_bytes());
    let value = schema.decode(&bytes).unwrap();
    let broken: Vec<(String, ViolationRule)> =
        schema.validate(&value).into_iter().map(|it| (it.path.clone(), it.rule())).collect();
    assert_eq!(
        broken,
        [("rate".to_owned(), ViolationRule::Maximum), ("s".to_owned(), ViolationRule::Missing)]
    );
    let struct_ = schema.to_struct(&value);
    assert_eq!(struct_.fields.keys().collect::<Vec<_>>(), ["note", "rate"]);
}

#[test]
fn a_result_writes_64_bit_integers_as_text() {
    let schema = support::compile(
        "message M { int64 id = 1; repeated uint64 ids = 2; map<string, int64> m = 3; int32 small = 4; }",
    )
    .unwrap();
    let text = r#"{"id": 1, "ids": [18446744073709551615], "m": {"k": -1}}"#;
    let value = schema.coerce(Value::parse(text.as_bytes()).unwrap()).value;
    let result = Value::from(schema.to_struct(&value)).to_json();
    assert_eq!(result, r#"{"id":"1","ids":["18446744073709551615"],"m":{"k":"-1"},"small":0}"#);
}

#[test]
fn what_comes_through_a_struct_coerces_as_text_does() {
    let schema = support::compile("message M { int64 id = 1; int32 n = 2; double d = 3; }").unwrap();
    let text = r#"{"id": 9007199254740993, "n": 42, "d": 1.5}"#;
    let through = Value::from(Value::parse(text.as_bytes()).unwrap().to_struct());
    let coerced = schema.coerce(through);
    assert!(coerced.report.is_empty());
    assert_eq!(schema.to_json(&coerced.value), r#"{"id":9007199254740993,"n":42,"d":1.5}"#);
    let double = schema.coerce(Value::Object([("id", 9007199254740994.0)].into_iter().collect()));
    let violation = &double.report.violations()[0];
    assert_eq!(
        (violation.rule(), violation.suggestion.as_str()),
        (ViolationRule::Inexact, "\"9007199254740994\"")
    );
}
