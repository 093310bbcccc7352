//! Integers keep every digit, whatever way they come and go: JSON text, a Struct, the wire.

#![cfg(test)]

mod support;

use convoke_schema::{Schema, Value, ViolationRule};
use prost_types::value::Kind;

const BODY: &str = "message M { int64 id = 1; uint64 size = 2; double d = 3; float f = 4; map<uint64, int64> by = 5; \
                    google.protobuf.Struct extra = 6; repeated sfixed64 ids = 7; google.protobuf.Int64Value w = 8; }";

fn schema() -> Schema {
    support::compile(BODY).unwrap()
}

fn parsed(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap()
}

#[test]
fn every_way_in_and_out_keeps_every_digit() {
    let schema = schema();
    for digits in ["9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808"] {
        for spelled in
            [digits.to_owned(), format!("\"{digits}\""), format!("{digits}.0"), format!("{digits}0e-1")]
        {
            let text =
                format!(r#"{{"id":{spelled},"ids":[{spelled}],"w":{spelled},"by":{{"1":{spelled}}}}}"#);
            let coerced = schema.coerce(parsed(&text));
            assert!(coerced.report.is_ok(), "{text}: {:?}", coerced.report.violations());
            let plain = format!(r#"{{"id":{digits},"ids":[{digits}],"w":{digits},"by":{{"1":{digits}}}}}"#);
            assert_eq!(coerced.value, parsed(&plain), "{text}");
            assert_eq!(schema.to_json(&coerced.value), schema.to_json(&schema.coerce(parsed(&plain)).value));
            let back = schema.decode(&schema.encode(&coerced.value).unwrap()).unwrap();
            assert_eq!(back.get("id").unwrap().to_json(), digits);
            // As a result, and from there into another call.
            let result = schema.to_struct(&back);
            assert_eq!(result.fields["id"].kind, Some(Kind::StringValue(digits.to_owned())));
            let again = schema.coerce(Value::from(result));
            assert!(again.report.is_ok(), "{:?}", again.report.violations());
            assert_eq!(again.value.get("w").unwrap().to_json(), digits);
        }
    }
}

#[test]
fn what_reads_json_for_a_struct_writes_wide_integers_as_text() {
    let read = parsed(r#"{"id": 9007199254740993, "near": 9007199254740991}"#).to_struct();
    assert_eq!(read.fields["id"].kind, Some(Kind::StringValue("9007199254740993".to_owned())));
    assert_eq!(read.fields["near"].kind, Some(Kind::NumberValue(9_007_199_254_740_991.0)));
}

#[test]
fn a_double_beyond_its_integers_is_no_guess_for_64_bits() {
    let schema = schema();
    let number = |value: f64| prost_types::Value { kind: Some(Kind::NumberValue(value)) };
    let coerce = |field: &str, value: f64| {
        let fields = [(field.to_owned(), number(value))].into();
        schema.coerce(Value::from(prost_types::Struct { fields })).report
    };
    let refused = coerce("id", 9_007_199_254_740_992.0);
    assert_eq!(refused.violations()[0].rule(), ViolationRule::Inexact);
    assert_eq!(refused.violations()[0].suggestion, "\"9007199254740992\"");
    assert_eq!(coerce("size", -1.0).violations()[0].rule(), ViolationRule::OutOfRange);
    assert_eq!(coerce("size", 2e19).violations()[0].rule(), ViolationRule::OutOfRange);
    assert!(coerce("id", 9_007_199_254_740_991.0).is_empty());
    assert!(coerce("d", 9_007_199_254_740_992.0).is_empty());
    assert_eq!(coerce("f", 3.5e38).violations()[0].rule(), ViolationRule::OutOfRange);
}

#[test]
fn no_change_is_lossy_but_a_drop_that_was_asked_for() {
    let pool = support::pool(include_str!("../../../tests/data/cases.proto"));
    let schemas = ["Scalars", "Lists", "Maps", "Times", "Dynamic", "Names", "Defaults", "Packed"];
    for name in schemas {
        let schema = support::schema(&pool, &format!("cases.v1.{name}"));
        let names: Vec<String> = schema.fields().map(|field| field.name().to_owned()).collect();
        for value in
            ["\" 7 \"", "1e3", "\"[1,2]\"", "\"yes\"", "null", "[\"a\"]", "{\"a\":9007199254740993}", "0.1"]
        {
            let members: Vec<String> = names.iter().map(|name| format!("\"{name}\":{value}")).collect();
            let report = schema.coerce(parsed(&format!("{{{}}}", members.join(",")))).report;
            assert!(report.entries().all(|entry| entry.lossless), "{name} {value}");
        }
    }
}

#[test]
fn as_text_and_within_a_struct_an_integer_of_any_length_keeps_its_digits() {
    let schema = support::compile("message M { string s = 1; google.protobuf.Struct extra = 2; }").unwrap();
    let digits = format!("-{}", "123456789".repeat(100_000));
    let coerced = schema.coerce(parsed(&format!(r#"{{"s":{digits},"extra":{{"a":[{digits}]}}}}"#)));
    assert!(coerced.report.is_ok(), "{:?}", coerced.report.violations());
    assert_eq!(coerced.value, parsed(&format!(r#"{{"s":"{digits}","extra":{{"a":["{digits}"]}}}}"#)));
    let entries: Vec<String> = coerced
        .report
        .entries()
        .map(|it| {
            assert_eq!((it.before, it.after), (digits.as_str(), format!("\"{digits}\"").as_str()));
            format!("{} {}", it.path, it.rule.as_str_name())
        })
        .collect();
    assert_eq!(entries, ["s NUMBER_TO_TEXT", r#"extra["a"][0] NUMBER_TO_TEXT"#]);
}
