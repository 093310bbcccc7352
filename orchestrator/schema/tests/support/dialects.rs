//! Random declarations, values near the border of what they take, and values made after a strict schema.

use convoke_schema::{Field, Kind, Schema};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

const OTHERS: &str = "\nmessage N { int64 id = 1 [(convoke.v1.field) = {minimum: \"-5\", required: true}]; M back = 2; \
     repeated string tags = 3 [(convoke.v1.field) = {min_items: 1, max_items: 2}]; }\n\
     message Lenient { option (convoke.v1.message).unknown_fields = DROP; int32 x = 1 [(convoke.v1.field).aliases = \"y\"]; }\n\
     enum Colour { option allow_alias = true; COLOUR_NONE = 0; COLOUR_RED = 1; COLOUR_ROUGE = 1; \
     COLOUR_BLUE = 2 [(convoke.v1.enum_value).aliases = \"azure\"]; }";

/// As much of `buf/validate/validate.proto` as the declarations use.
const VALIDATE: &str = "syntax = \"proto2\"; package buf.validate; import \"google/protobuf/descriptor.proto\"; \
     extend google.protobuf.FieldOptions { optional FieldRules field = 1159; } \
     extend google.protobuf.OneofOptions { optional OneofRules oneof = 1159; } \
     message OneofRules { optional bool required = 1; } \
     message FieldRules { optional DoubleRules double = 2; optional Int32Rules int32 = 3; optional Int64Rules int64 = 4; \
     optional StringRules string = 14; optional BytesRules bytes = 15; optional EnumRules enum = 16; \
     optional RepeatedRules repeated = 18; optional MapRules map = 19; optional bool required = 25; optional int32 ignore = 27; } \
     message DoubleRules { optional double lt = 2; optional double gte = 5; optional bool finite = 8; } \
     message Int32Rules { optional int32 lt = 2; optional int32 gt = 4; repeated int32 in = 6; repeated int32 not_in = 7; } \
     message Int64Rules { optional int64 lte = 3; optional int64 gte = 5; repeated int64 not_in = 7; } \
     message StringRules { optional uint64 min_len = 2; optional uint64 max_len = 3; optional string pattern = 6; \
     optional string prefix = 7; optional string suffix = 8; repeated string in = 10; repeated string not_in = 11; } \
     message BytesRules { optional uint64 min_len = 2; optional uint64 max_len = 3; } \
     message EnumRules { optional bool defined_only = 2; repeated int32 in = 3; repeated int32 not_in = 4; } \
     message RepeatedRules { optional uint64 min_items = 1; optional FieldRules items = 4; } \
     message MapRules { optional uint64 min_pairs = 1; optional FieldRules keys = 4; optional FieldRules values = 5; }";
/// Fields with rules of `buf.validate`.
const VALIDATED: [(&str, &str); 26] = [
    ("string", "string.prefix = \"a\""),
    ("string", "string.suffix = \"B\""),
    ("string", "string.not_in = \"a\""),
    ("string", "string.in = \"a\", (buf.validate.field).string.in = \"AB\""),
    ("string", "required = true"),
    ("optional string", "required = true"),
    ("string", "string = {min_len: 1, max_len: 2}"),
    ("string", "string.min_len = 2, (buf.validate.field).ignore = 1"),
    ("string", "string.pattern = \"^[ab]\", (convoke.v1.field).pattern = \"b$\""),
    ("int32", "int32 = {gt: 4, lt: 1}"),
    ("int32", "int32 = {not_in: [5, 7], gt: -2}"),
    ("int32", "int32.gt = 4, (buf.validate.field).ignore = 1"),
    ("int32", "int32 = {in: [4, 6, 7]}, (convoke.v1.field) = {minimum: \"5\"}"),
    ("int64", "int64 = {gte: 4, lte: 7}"),
    ("optional int64", "int64.not_in = 5, (buf.validate.field).int64.not_in = 0"),
    ("double", "double.gte = -2.5, (convoke.v1.field).minimum = \"-3\""),
    ("double", "double.gte = -4, (convoke.v1.field).minimum = \"-3.25\""),
    ("double", "double.finite = true, (convoke.v1.field).allow_non_finite = true"),
    ("bytes", "bytes = {min_len: 1, max_len: 2}"),
    ("Colour", "enum.not_in = 1"),
    ("Colour", "enum.defined_only = true, (buf.validate.field).enum.in = 1"),
    ("repeated int32", "repeated.min_items = 2, (buf.validate.field).ignore = 1"),
    ("repeated string", "repeated.items.string.prefix = \"A\""),
    ("map<string, int32>", "map.keys.string.min_len = 1"),
    ("map<int32, string>", "map.keys.int32.gt = 0, (buf.validate.field).map.min_pairs = 1"),
    ("map<string, string>", "map.values.string.suffix = \"b\""),
];

const MAP_KEYS: [&str; 7] = ["int32", "int64", "uint32", "uint64", "bool", "string", "sfixed64"];
/// Types that take no option of their own here.
const BARE: [&str; 29] = [
    "double",
    "float",
    "int32",
    "sint64",
    "uint32",
    "fixed64",
    "bool",
    "string",
    "bytes",
    "Colour",
    "N",
    "M",
    "Lenient",
    "google.protobuf.Timestamp",
    "google.protobuf.Duration",
    "google.protobuf.FieldMask",
    "google.protobuf.Struct",
    "google.protobuf.Value",
    "google.protobuf.ListValue",
    "google.protobuf.NullValue",
    "google.protobuf.Int64Value",
    "google.protobuf.UInt32Value",
    "google.protobuf.BoolValue",
    "google.protobuf.StringValue",
    "google.protobuf.BytesValue",
    "google.protobuf.FloatValue",
    "google.protobuf.DoubleValue",
    "google.protobuf.Any",
    "google.protobuf.Empty",
];

fn pair<T: Ord + Clone + std::fmt::Debug + 'static>(
    one: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = (T, T)> {
    (one.clone(), one).prop_map(|(a, b)| if a <= b { (a, b) } else { (b, a) })
}

/// A type with an option about each value.
fn constrained() -> impl Strategy<Value = (&'static str, String)> {
    let near = |limit: i128| (-130_i128..130).prop_map(move |it| limit + it);
    let integer = |name: &'static str, least: i128, greatest: i128| {
        let value = prop_oneof![
            near(0),
            near(least),
            near(greatest),
            near(1_000),
            near(9_007_199_254_740_991),
            least..=greatest
        ];
        let within = value.prop_map(move |it| it.clamp(least, greatest)).boxed();
        pair(within).prop_map(move |(a, b)| (name, format!("minimum: \"{a}\", maximum: \"{b}\"")))
    };
    prop_oneof![
        integer("int32", i32::MIN.into(), i32::MAX.into()),
        integer("int64", i64::MIN.into(), i64::MAX.into()),
        integer("int64", i64::MIN.into(), i64::MAX.into()),
        integer("google.protobuf.UInt64Value", 0, u64::MAX.into()),
        (0..20_i64).prop_map(|it| ("sint64", format!("exclusive_minimum: \"{it}\""))),
        Just(("uint64", "allowed_values: [\"5\", \"0\", \"18446744073709551615\"]".to_owned())),
        Just(("int64", "allowed_values: [\"-5\", \"0\"]".to_owned())),
        Just(("int32", "allowed_values: [\"4\", \"6\"]".to_owned())),
        pair(-40..40_i32).prop_map(|(a, b)| ("double", format!("minimum: \"{a}.5\", maximum: \"{b}.75\""))),
        pair(-40..40_i32)
            .prop_map(|(a, b)| ("float", format!("exclusive_minimum: \"{a}\", maximum: \"{b}.5\""))),
        Just(("double", "allow_non_finite: true, maximum: \"10\"".to_owned())),
        Just(("float", "allow_non_finite: true".to_owned())),
        Just(("double", "allowed_values: [\"1.5\", \"NaN\"], allow_non_finite: true".to_owned())),
        Just(("float", "allowed_values: [\"0.1\", \"7\"]".to_owned())),
        Just(("bool", "allowed_values: \"true\"".to_owned())),
        pair(0..5_u32).prop_map(|(a, b)| ("string", format!("min_length: {a}, max_length: {b}"))),
        select(vec!["^[A-Z]{2,3}$", "(?i)^ab?$", "b", r"\\Aa+\\z", "^[[:digit:]]+$", "^(?:é|日)+$"])
            .prop_map(|it| ("string", format!("pattern: \"{it}\""))),
        Just(("string", "allowed_values: [\"a\", \"\", \"1\"]".to_owned())),
        pair(0..6_u32).prop_map(|(a, b)| ("bytes", format!("min_length: {a}, max_length: {b}"))),
        (1..6_u32).prop_map(|it| ("google.protobuf.BytesValue", format!("min_length: {it}"))),
        Just(("bytes", "allowed_values: [\"AQI=\", \"\"]".to_owned())),
        Just(("Colour", "allowed_values: [\"COLOUR_RED\"]".to_owned())),
        pair(-4_000..4_000_i64).prop_map(|(a, b)| {
            let spelt = |it: i64| {
                format!("{}{}.{:03}s", if it < 0 { "-" } else { "" }, it.abs() / 1_000, it.abs() % 1_000)
            };
            ("google.protobuf.Duration", format!("minimum: \"{}\", maximum: \"{}\"", spelt(a), spelt(b)))
        }),
        Just(("google.protobuf.Duration", "exclusive_minimum: \"0s\"".to_owned())),
        Just(("google.protobuf.Duration", "allowed_values: [\"1.5s\", \"-90s\"]".to_owned())),
    ]
}

/// A field without its number: `repeated int32 {} = ` and its options.
fn field() -> impl Strategy<Value = (String, String)> {
    let items = pair(0..4_u32).prop_map(|(a, b)| format!("min_items: {a}, max_items: {b}")).boxed();
    let single = prop_oneof![
        3 => select(&BARE[..]).prop_map(|it| (it.to_owned(), String::new())),
        4 => constrained().prop_map(|(it, option)| (it.to_owned(), option)),
        1 => select(&BARE[..]).prop_map(|it| (it.to_owned(), "required: true".to_owned())),
        1 => Just(("string".to_owned(), "default: \"x\", required: true".to_owned())),
        1 => Just(("int64".to_owned(), "default: \"7\"".to_owned())),
    ];
    let validated = select(&VALIDATED[..])
        .prop_map(|(it, option)| (it.to_owned(), format!("(buf.validate.field).{option}")));
    prop_oneof![
        5 => single,
        3 => validated,
        1 => (select(&BARE[..]), items.clone()).prop_map(|(it, option)| (format!("repeated {it}"), option)),
        1 => constrained().prop_map(|(it, option)| (format!("repeated {it}"), option)),
        1 => select(vec!["int32", "string", "bool", "Colour"])
            .prop_map(|it| (format!("repeated {it}"), "unique_items: true".to_owned())),
        2 => (select(&MAP_KEYS[..]), select(&BARE[..]), items)
            .prop_map(|(key, it, option)| (format!("map<{key}, {it}>"), option)),
        1 => (select(&MAP_KEYS[..]), constrained())
            .prop_map(|(key, (it, option))| (format!("map<{key}, {it}>"), option)),
    ]
}

/// A message of a few fields, one or two of them perhaps in a oneof.
pub(crate) fn declaration() -> impl Strategy<Value = String> {
    (proptest::collection::vec(field(), 1..6), proptest::collection::vec(0..BARE.len(), 0..3), any::<u8>())
        .prop_map(|(fields, members, choice)| {
            let mut body = String::from("message M {");
            let option = |option: &str| match option {
                "" => String::new(),
                option if option.starts_with('(') => format!(" [{option}]"),
                option => format!(" [(convoke.v1.field) = {{{option}}}]"),
            };
            for (index, (it, about)) in fields.iter().enumerate() {
                body += &format!(" {it} f{} = {};", index + 1, index + 1)
                    .replace(';', &format!("{};", option(about)));
            }
            if !members.is_empty() {
                body += " oneof pick {";
                if choice % 8 == 3 {
                    body += " option (buf.validate.oneof).required = true;";
                }
                for (index, member) in members.iter().enumerate() {
                    let about = if index == 0 && choice == 7 { "required: true" } else { "" };
                    body += &format!(" {} m{index} = {}{};", BARE[*member], index + 20, option(about));
                }
                body += " }";
            }
            body + " }" + OTHERS
        })
}

/// Compiles a declaration; none where it is refused for a contradiction, as random bounds may be.
pub(crate) fn schema(declaration: &str) -> Option<Schema> {
    const IMPORTS: [&str; 9] = [
        "convoke/v1/annotations.proto",
        "buf/validate/validate.proto",
        "google/protobuf/timestamp.proto",
        "google/protobuf/duration.proto",
        "google/protobuf/struct.proto",
        "google/protobuf/any.proto",
        "google/protobuf/wrappers.proto",
        "google/protobuf/empty.proto",
        "google/protobuf/field_mask.proto",
    ];
    let imports: String = IMPORTS.iter().map(|it| format!("import \"{it}\"; ")).collect();
    let source = format!("syntax = \"proto3\"; package t; {imports}\n\n{declaration}");
    let pool =
        super::pool_with(Box::leak(source.into_boxed_str()), &[("buf/validate/validate.proto", VALIDATE)]);
    Schema::compile(&pool.get_message_by_name("t.M").unwrap()).ok()
}

/// Texts that are one thing or nearly so.
const SCALARS: [&str; 62] = [
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
const TIMES: [&str; 22] = [
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
        return prop_oneof![6 => list, 1 => one].boxed();
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

/// Values after a strict schema: at the ends of what it admits, in between, and now and then not after it at all.
pub(crate) fn after(root: &Json, schema: &Json, depth: u32) -> BoxedStrategy<Json> {
    let wild = select(&SCALARS[..]).prop_map(|it| serde_json::from_str(it).unwrap());
    prop_oneof![40 => truly(root, schema, depth), 1 => wild].boxed()
}

fn truly(root: &Json, schema: &Json, depth: u32) -> BoxedStrategy<Json> {
    if let Some(reference) = schema["$ref"].as_str() {
        // Deep enough: null, whether that is admitted or not.
        if depth == 0 {
            return Just(Json::Null).boxed();
        }
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return after(root, &root["$defs"][name], depth.saturating_sub(1));
    }
    if let Some(ways) = schema["anyOf"].as_array() {
        let null = ways.iter().position(|it| it["type"] == "null").filter(|_| depth == 0);
        let ways = null.map_or(ways.as_slice(), |index| &ways[index..=index]);
        let ways: Vec<_> = ways.iter().map(|way| after(root, way, depth)).collect();
        return proptest::strategy::Union::new(ways).boxed();
    }
    if let Some(values) = schema["enum"].as_array() {
        return select(values.clone()).boxed();
    }
    let types: Vec<String> = match &schema["type"] {
        Json::Array(types) => types.iter().map(|it| it.as_str().unwrap().to_owned()).collect(),
        one => vec![one.as_str().unwrap().to_owned()],
    };
    let types: Vec<String> =
        if depth == 0 && types.iter().any(|it| it == "null") { vec!["null".to_owned()] } else { types };
    let ways: Vec<_> = types.iter().map(|name| typed(root, schema, name, depth)).collect();
    proptest::strategy::Union::new(ways).boxed()
}

fn typed(root: &Json, schema: &Json, name: &str, depth: u32) -> BoxedStrategy<Json> {
    match name {
        "null" => Just(Json::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Json::from).boxed(),
        "integer" => {
            let (least, greatest) =
                (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
            prop_oneof![Just(least), Just(greatest), least..=greatest].prop_map(Json::from).boxed()
        }
        "number" => {
            let ends: Vec<Json> = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
                .iter()
                .filter_map(|end| schema.get(*end).cloned())
                .collect();
            let some = (-200..200_i32).prop_map(|it| json!(f64::from(it) / 8.0));
            if ends.is_empty() { some.boxed() } else { prop_oneof![select(ends), some].boxed() }
        }
        "string" => string(schema),
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
            let most = schema["maxItems"].as_u64().map_or(least + 2, |it| it as usize);
            let most = if depth == 0 { least } else { most.min(least + 3) };
            proptest::collection::vec(after(root, &schema["items"], depth.saturating_sub(1)), least..=most)
                .prop_map(Json::from)
                .boxed()
        }
        "object" => {
            let mut object: BoxedStrategy<serde_json::Map<String, Json>> =
                Just(serde_json::Map::new()).boxed();
            for (name, member) in schema["properties"].as_object().unwrap() {
                let name = name.clone();
                object = (object, after(root, member, depth.saturating_sub(1)))
                    .prop_map(move |(mut object, it)| {
                        object.insert(name.clone(), it);
                        object
                    })
                    .boxed();
            }
            object.prop_map(Json::Object).boxed()
        }
        other => panic!("{other}"),
    }
}

fn string(schema: &Json) -> BoxedStrategy<Json> {
    let Some(pattern) = schema["pattern"].as_str() else {
        return select(vec!["", "a", "b", "AB", "5", "{\"a\":1}", "é日", "[1]"]).prop_map(Json::from).boxed();
    };
    if schema["format"] == "date-time" {
        let times = TIMES.iter().map(|it| serde_json::from_str::<Json>(it).unwrap()).collect::<Vec<_>>();
        return select(times).boxed();
    }
    if pattern == r"^\{[\s\S]*\}$" {
        return select(vec!["{}", "{\"a\": [1, null]}", "{\"a\": {\"b\": \"1\"}}"])
            .prop_map(Json::from)
            .boxed();
    }
    let bare = pattern.strip_prefix('^').unwrap_or(pattern);
    let bare = bare.strip_suffix('$').unwrap_or(bare);
    proptest::string::string_regex(bare).unwrap().prop_map(Json::from).boxed()
}
