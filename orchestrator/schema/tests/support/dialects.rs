//! Random declarations; values near the border of what they take; values made after a strict schema.

pub(crate) mod strict;
pub(crate) mod values;

use convoke_schema::Schema;
use proptest::prelude::*;
use proptest::sample::select;

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
