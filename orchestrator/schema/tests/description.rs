//! The JSON Schema of a message, and verdicts on pairs of fields.

#![cfg(test)]

mod support;

use convoke_schema::{Assignable, Rule, Schema, assignable};
use serde_json::json;

fn schema(body: &str) -> Schema {
    support::compile(body).unwrap()
}

#[test]
fn a_schema_carries_words_units_ranges_enums_examples_and_defaults() {
    let schema = schema(
        "// A trip by train.\nmessage M {\n\
         // How far.\n double distance = 1 [(convoke.v1.field) = {unit: \"km\", exclusive_minimum: \"0\", maximum: \"1e4\", examples: \"12.5\", required: true}];\n\
         // The comment.\n string code = 2 [(convoke.v1.field) = {description: \"The option wins.\", min_length: 2, max_length: 3, pattern: \"^[A-Z]+$\"}];\n\
         Colour colour = 3 [(convoke.v1.field).default = \"RED\"];\n\
         repeated N stops = 4 [(convoke.v1.field) = {min_items: 1, max_items: 9}];\n\
         map<int32, bool> seats = 5; google.protobuf.Timestamp at = 6 [(convoke.v1.field).minimum = \"2024-01-01\"];\n\
         oneof pay { string card = 7; int64 account = 8; }\n\
         string pin = 9 [(convoke.v1.field) = {secret: true, default: \"0000\", examples: \"1234\"}]; }\n\
         message N { M back = 1; uint32 n = 2; google.protobuf.Value any = 3; }\n\
         enum Colour { NONE = 0; /* warm */ RED = 1 [(convoke.v1.enum_value).description = \"A warm one.\"]; BLUE = 2; }",
    );
    assert_eq!(
        schema.describe(),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "description": "A trip by train.",
            "properties": {
                "distance": {"type": "number", "exclusiveMinimum": 0.0, "maximum": 10000.0, "examples": [12.5],
                    "description": "How far. Unit: km."},
                "code": {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[A-Z]+$", "description": "The option wins."},
                "colour": {"enum": ["NONE", "RED", "BLUE"], "default": "RED", "description": "RED: A warm one."},
                "stops": {"type": "array", "items": {"$ref": "#/$defs/t.N"}, "minItems": 1, "maxItems": 9},
                "seats": {"type": "object", "propertyNames": {"pattern": "^(0|-?[1-9][0-9]*)$"}, "additionalProperties": {"type": "boolean"}},
                "at": {"type": "string", "format": "date-time", "description": "It is at least \"2024-01-01T00:00:00Z\"."},
                "card": {"type": "string"},
                "account": {"type": ["integer", "string"], "minimum": i64::MIN, "maximum": i64::MAX, "pattern": "^-?(0|[1-9][0-9]*)$"},
                "pin": {"type": "string"},
            },
            "required": ["distance"],
            "additionalProperties": false,
            "allOf": [{"oneOf": [{"required": ["card"]}, {"required": ["account"]},
                {"not": {"anyOf": [{"required": ["card"]}, {"required": ["account"]}]}}]}],
            "$defs": {"t.N": {"type": "object", "additionalProperties": false, "properties": {
                "back": {"$ref": "#"}, "n": {"type": "integer", "minimum": 0, "maximum": u32::MAX}, "any": {}}}},
        })
    );
}

fn verdict(schema: &Schema, from: &str, to: &str) -> &'static str {
    match assignable(&schema.field(from).unwrap(), &schema.field(to).unwrap()) {
        Assignable::Always(None) => "always",
        Assignable::Always(Some(Rule::NumberToText)) => "always, as text",
        Assignable::Always(Some(Rule::SingleToList)) => "always, as a list",
        Assignable::Always(Some(Rule::TimeSpelling)) => "always, as a time",
        Assignable::Always(Some(_)) => "always, by another rule",
        Assignable::Sometimes { .. } => "sometimes",
        Assignable::Never { .. } => "never",
    }
}

#[test]
fn pairs_of_fields_are_judged() {
    let schema = schema(
        "message M { int32 i32 = 1; int64 i64 = 2; uint32 u32 = 3; double d = 4; string s = 5; bool b = 6; bytes raw = 7; \
         Colour c = 8; Farbe f = 9; repeated int32 i32s = 10; repeated int64 i64s = 11; repeated string ss = 12; \
         google.protobuf.Timestamp at = 13; google.protobuf.Struct extra = 14; google.protobuf.Value any = 15; \
         N n = 16; O o = 17; map<string, int32> m = 18; map<string, int64> ml = 19; P p = 20; \
         int32 small = 21 [(convoke.v1.field) = {minimum: \"-2147483648\", maximum: \"100\"}]; \
         optional int32 promised = 22 [(convoke.v1.field).maximum = \"50\"]; double wild = 23 [(convoke.v1.field).allow_non_finite = true]; } \
         message N { int32 x = 1; } message O { int64 x = 1; string y = 2; } message P { int32 x = 1; string z = 2; } \
         enum Colour { COLOUR_NONE = 0; COLOUR_RED = 1; } enum Farbe { NONE = 0; RED = 1; BLAU = 2; }",
    );
    for (from, to, expected) in [
        ("i32", "i64", "always"),
        ("i32", "d", "always"),
        ("i64", "i32", "sometimes"),
        ("i64", "d", "sometimes"),
        ("i32", "u32", "sometimes"),
        ("u32", "i64", "always"),
        ("d", "i32", "sometimes"),
        ("d", "s", "always, as text"),
        ("wild", "d", "sometimes"),
        ("d", "wild", "always"),
        ("wild", "extra", "never"),
        ("wild", "any", "sometimes"),
        ("i64", "s", "always, as text"),
        ("b", "i32", "never"),
        ("i32", "b", "sometimes"),
        ("s", "i32", "sometimes"),
        ("raw", "s", "always"),
        ("s", "raw", "sometimes"),
        ("at", "s", "always"),
        ("at", "i64", "never"),
        ("i32", "at", "always, as a time"),
        ("i64", "at", "sometimes"),
        ("c", "f", "never"),
        ("f", "c", "sometimes"),
        ("c", "c", "always"),
        ("c", "s", "always"),
        ("c", "i32", "never"),
        ("i32", "c", "sometimes"),
        ("i32s", "i64s", "always"),
        ("i64s", "i32s", "sometimes"),
        ("i32", "i32s", "always, as a list"),
        ("i32s", "i32", "never"),
        ("s", "ss", "sometimes"),
        ("i32s", "any", "always"),
        ("i64s", "any", "always, as text"),
        ("n", "extra", "always"),
        ("extra", "n", "sometimes"),
        ("n", "o", "always"),
        ("o", "n", "never"),
        ("n", "p", "always"),
        ("p", "n", "never"),
        ("m", "ml", "always"),
        ("ml", "m", "sometimes"),
        ("m", "extra", "always"),
        ("n", "s", "never"),
        ("any", "i32", "sometimes"),
        ("i32", "small", "sometimes"),
        ("promised", "small", "always"),
        ("small", "promised", "sometimes"),
    ] {
        assert_eq!(verdict(&schema, from, to), expected, "{from} to {to}");
    }
}
