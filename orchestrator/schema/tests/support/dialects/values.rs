//! Values near the border of what a message takes, as JSON text.

use convoke_schema::{Field, Kind, Schema};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

/// Texts that are one thing or nearly so.
pub(super) const SCALARS: [&str; 62] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "4",
    "5.0",
    "6",
    "7",
    "0.1",
    "1.5",
    "4.2",
    "1e2",
    "-3.25",
    "100",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "3.4028235e38",
    "-3.4028236e38",
    "1e300",
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"AB\"",
    "\"ab\"",
    "\"ABCD\"",
    "\"é\"",
    "\"日é\"",
    "\"12\"",
    "\"5\"",
    "\"-5\"",
    "\"0\"",
    "\"-0\"",
    "\"+5\"",
    "\"007\"",
    "\"1.0\"",
    "\"true\"",
    "\"NaN\"",
    "\"Infinity\"",
    "\"-Infinity\"",
    "\"nan\"",
    "\"AQI=\"",
    "\"AQI\"",
    "\"AQ==\"",
    "\"AR==\"",
    "\"AQID\"",
    "\"AQIDBA==\"",
    "\"a.b,cD\"",
    "\"a_b\"",
    "\"COLOUR_RED\"",
    "\"COLOUR_ROUGE\"",
    "\"colour_red\"",
    "\"azure\"",
    "\"NULL_VALUE\"",
    "\"x y\"",
    "\"\\u0000\\ud83d\\ude00\"",
];
const WIDE: [&str; 10] = [
    "9007199254740991",
    "9007199254740992",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "\"9223372036854775807\"",
    "\"9223372036854775808\"",
    "\"-9223372036854775809\"",
    "\"18446744073709551615\"",
];
pub(super) const TIMES: [&str; 22] = [
    "\"2024-01-31T09:00:00Z\"",
    "\"2024-02-29T23:59:59.123456789+02:00\"",
    "\"1999-12-31T00:00:00.5-11:30\"",
    "\"2024-01-31\"",
    "\"2024-01-31t09:00:00z\"",
    "\"2024-01-31 09:00:00Z\"",
    "\"2024-01-31T09:00:00\"",
    "\"2024-01-31T24:00:00Z\"",
    "\"2016-12-31T23:59:60Z\"",
    "\"2024-01-31T09:00:00.1234567891Z\"",
    "\"2024-01-31T09:00:00.1000000000Z\"",
    "\"tomorrow\"",
    "\"1.5s\"",
    "\"1s\"",
    "\"-0s\"",
    "\"000001.500s\"",
    "\"-90.0s\"",
    "\"315576000000s\"",
    "\"315576000000.1s\"",
    "\"1m\"",
    "\"90\"",
    "\"0.0000000001s\"",
];

/// One value, as JSON text, that a field may or may not take. None is beyond what the descriptions promise.
fn single(field: &Field, depth: u32) -> BoxedStrategy<String> {
    let scalar = select(&SCALARS[..]).prop_map(str::to_owned);
    let spec = field.spec().cloned().unwrap_or_default();
    match field.kind() {
        Kind::Int64 | Kind::Uint64 | Kind::Int32 | Kind::Uint32 => {
            let ends = [spec.minimum, spec.maximum, spec.exclusive_minimum]
                .map(|it| it.parse::<i128>().unwrap_or(0));
            let near = (select(ends.to_vec()), -3..4_i128, any::<bool>()).prop_map(|(end, step, text)| {
                let value = end + step;
                if text { format!("\"{value}\"") } else { value.to_string() }
            });
            prop_oneof![3 => near, 2 => select(&WIDE[..]).prop_map(str::to_owned), 2 => scalar].boxed()
        }
        Kind::Double | Kind::Float => {
            let ends = [spec.minimum, spec.maximum, spec.exclusive_minimum]
                .map(|it| it.parse::<f64>().unwrap_or(0.0));
            let near = (select(ends.to_vec()), -2..3_i32)
                .prop_map(|(end, step)| json!(end + f64::from(step) / 4.0).to_string());
            // Digits beyond the type are not what is tried here.
            let scalar = scalar
                .prop_filter("more than 24 bits", |it| !matches!(it.as_str(), "2147483647" | "4294967295"));
            prop_oneof![near, scalar].boxed()
        }
        Kind::Timestamp => prop_oneof![3 => select(&TIMES[..]).prop_map(str::to_owned), 1 => scalar].boxed(),
        Kind::Duration => {
            let near = (-4_100..4_100_i64).prop_map(|it| {
                format!("\"{}{}.{:03}s\"", if it < 0 { "-" } else { "" }, it.abs() / 1_000, it.abs() % 1_000)
            });
            let ends = [spec.minimum, spec.maximum].map(|it| json!(it).to_string());
            prop_oneof![near, select(ends.to_vec()), select(&TIMES[..]).prop_map(str::to_owned)].boxed()
        }
        Kind::Message if depth > 0 => {
            prop_oneof![6 => message(&field.message().unwrap(), depth - 1), 1 => scalar].boxed()
        }
        Kind::Message => prop_oneof![Just("{}".to_owned()), scalar].boxed(),
        Kind::Struct | Kind::Value | Kind::ListValue => {
            let deep = vec![
                "{}",
                "{\"a\": [1, null, {\"b\": \"2\"}]}",
                "[]",
                "[1, [true], {\"a\": 0.5}]",
                "\"{\\\"a\\\": 1}\"",
            ];
            prop_oneof![select(deep).prop_map(str::to_owned), scalar].boxed()
        }
        Kind::Any => {
            let packed = vec![
                "{}",
                "{\"@type\": \"type.googleapis.com/t.Lenient\", \"x\": 1}",
                "{\"@type\": \"/t.Lenient\"}",
                "{\"@type\": \"t.Lenient\"}",
                "{\"@type\": \"a/t.Lenient\", \"y\": 1}",
                "{\"x\": 1}",
                "{\"@type\": \"a/t.N\"}",
                "{\"@type\": \"a/t.N\", \"id\": \"-5\"}",
                "{\"@type\": \"a/google.protobuf.Duration\", \"value\": \"1s\"}",
                "{\"@type\": \"a/google.protobuf.Duration\", \"value\": \"1m\"}",
                "{\"@type\": \"a/google.protobuf.Duration\"}",
                "{\"@type\": \"a/google.protobuf.Value\", \"value\": null}",
            ];
            prop_oneof![4 => select(packed).prop_map(str::to_owned), 1 => scalar].boxed()
        }
        _ => scalar.boxed(),
    }
}

fn whole(field: &Field, depth: u32) -> BoxedStrategy<String> {
    let one = single(field, depth);
    if field.is_list() {
        let list = proptest::collection::vec(one.clone(), 0..5).prop_map(|it| format!("[{}]", it.join(", ")));
        let twice = one.clone().prop_map(|it| format!("[{it}, {it}]"));
        return prop_oneof![6 => list, 1 => twice, 1 => one].boxed();
    }
    if field.is_map() {
        let keys = vec![
            "0",
            "1",
            "-1",
            "01",
            "-0",
            "1.0",
            "true",
            "false",
            "True",
            "",
            "a",
            "2147483647",
            "2147483648",
            "-2147483648",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
        ];
        let entries = proptest::collection::btree_map(select(keys), one.clone(), 0..4);
        let map = entries.prop_map(|it| {
            let entries: Vec<String> = it.iter().map(|(key, it)| format!("{}: {it}", json!(key))).collect();
            format!("{{{}}}", entries.join(", "))
        });
        return prop_oneof![6 => map, 1 => one].boxed();
    }
    one
}

/// The JSON text of a value with some of a message's fields, and seldom with one that it does not have.
pub(crate) fn message(schema: &Schema, depth: u32) -> BoxedStrategy<String> {
    let mut members: BoxedStrategy<Vec<String>> = Just(Vec::new()).boxed();
    for field in schema.fields() {
        let name = field.name().to_owned();
        let likely = if field.is_required() { 20 } else { 2 };
        let member = prop_oneof![
            likely => whole(&field, depth).prop_map(move |it| Some(format!("{}: {it}", json!(name)))),
            1 => Just(None),
        ];
        members = (members, member)
            .prop_map(|(mut all, one)| {
                all.extend(one);
                all
            })
            .boxed();
    }
    let stranger = prop_oneof![20 => Just(None), 1 => select(vec!["\"F1\": 1", "\"y\": 1", "\"other\": 1"]).prop_map(Some)];
    (members, stranger)
        .prop_map(|(mut all, stranger)| {
            all.extend(stranger.map(str::to_owned));
            format!("{{{}}}", all.join(", "))
        })
        .boxed()
}
