//! Verdicts on pairs of fields.

#![cfg(test)]

mod support;

use convoke_schema::{Assignable, Rule, Schema, assignable};

fn schema(body: &str) -> Schema {
    support::compile(body).unwrap()
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
