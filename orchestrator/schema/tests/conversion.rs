//! What a JSON Schema becomes, what is noted, what is refused, and that hostile ones cost little.

#![cfg(test)]

#[path = "support/converted.rs"]
mod made;

use convoke_schema::{
    Converted, Defect, DefectRule, Kind, NoteKind, Schema, ViolationRule, from_json_schema,
};
use made::{coerced, compiled, converted, properties, refused};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

#[test]
fn types_become_the_nearest_kinds() {
    let schema = compiled(&properties(json!({
        "i": {"type": "integer"}, "u": {"type": "integer", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64},
        "n": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"}, "e": {"enum": ["x", "y"]},
        "when": {"type": "string", "format": "date-time"}, "o": {"type": "object", "properties": {"a": {}}},
        "free": {"type": "object"}, "any": {}, "list": {"type": "array", "items": {"type": "integer"}},
        "tuple": {"type": "array", "prefixItems": [{"type": "string"}]},
        "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
    })));
    for (name, kind) in [
        ("i", Kind::Int64),
        ("u", Kind::Uint64),
        ("n", Kind::Double),
        ("b", Kind::Bool),
        ("s", Kind::String),
        ("e", Kind::Enum),
        ("when", Kind::String),
        ("o", Kind::Message),
        ("free", Kind::Struct),
        ("any", Kind::Value),
        ("list", Kind::Int64),
        ("tuple", Kind::ListValue),
        ("map", Kind::Bool),
    ] {
        assert_eq!(schema.field(name).unwrap().kind(), kind, "{name}");
    }
}

#[test]
fn what_can_be_mended_is() {
    let schema = compiled(&properties(json!({
        "limit": {"type": "integer"}, "state": {"enum": ["open", "closed"]}, "tags": {"type": "array", "items": {"type": "string"}},
    })));
    let mended = coerced(&schema, r#"{"Limit": "5", "state": "OPEN", "tags": "a"}"#);
    assert_eq!(mended.unwrap(), r#"{"limit":5,"state":"open","tags":["a"]}"#);
    // A number is not taken for a choice: JSON Schema's choices have none.
    assert_eq!(coerced(&schema, r#"{"state": 1}"#).unwrap_err()[0].0, ViolationRule::UnknownEnumValue);
}

#[test]
fn an_integer_keeps_every_digit_to_the_tool() {
    let schema = compiled(&properties(json!({ "id": {"type": "integer"} })));
    let exact = r#"{"id":9007199254740993}"#;
    assert_eq!(coerced(&schema, exact).unwrap(), exact);
    assert_eq!(coerced(&schema, r#"{"id":"9007199254740993"}"#).unwrap(), exact);
}

#[test]
fn names_come_back_exactly_as_they_were() {
    let names = ["a-b", "a_b", "a b", "é", "1st", "", "$ref it", "fooBar", "foo_bar", "message", "日本"];
    let members: serde_json::Map<String, Json> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "integer"}))).collect();
    let schema = compiled(&properties(Json::Object(members)));
    for (index, name) in names.iter().enumerate() {
        let value = json!({ *name: index }).to_string();
        assert_eq!(coerced(&schema, &value).unwrap(), value, "{name}");
    }
}

#[test]
fn maps_whose_names_are_one_to_protobuf_have_two() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let schema = compiled(&properties(json!({ "a_b": map, "aB": map, "a_b_2": map })));
    let all = r#"{"aB":{"x":1},"a_b":{"y":2},"a_b_2":{"z":3}}"#;
    assert_eq!(coerced(&schema, all).unwrap(), all);
}

#[test]
fn a_reference_by_the_documents_own_name_stays_within_it() {
    for reference in ["#/$defs/d", "https://x.test/s/tool.json#/$defs/d", "tool.json#/$defs/d", "#n"] {
        let schema = compiled(&json!({
            "$id": "https://x.test/s/tool.json", "type": "object", "additionalProperties": false,
            "properties": {"p": {"$ref": reference}}, "$defs": {"d": {"$anchor": "n", "type": "integer"}},
        }));
        assert_eq!(coerced(&schema, r#"{"p": "5"}"#).unwrap(), r#"{"p":5}"#, "{reference}");
    }
    let other = json!({
        "$id": "https://x.test/s/tool.json", "type": "object", "properties": {"p": {"$ref": "tool.json.bak#/a"}},
    });
    assert!(refused(&other).message.contains("nothing is fetched"));
}

#[test]
fn a_property_that_nothing_meets_is_noted() {
    let made = converted(&properties(json!({ "never": false, "p": {"type": "integer"} })));
    let noted: Vec<&str> = made.notes.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(noted, ["property \"never\" is none: no value meets its schema"]);
}

#[test]
fn a_rule_says_where_and_what() {
    let schema = compiled(&properties(json!({
        "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number", "minimum": 0}], "minItems": 2},
        "shape": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["r"]},
            {"type": "string"},
        ]},
        "step": {"type": "integer", "multipleOf": 5},
    })));
    let broken = |text: &str| coerced(&schema, text).unwrap_err();
    assert_eq!(broken(r#"{"point": [1, -1]}"#), [(ViolationRule::Minimum, "point[1]".to_owned())]);
    assert_eq!(broken(r#"{"point": [1]}"#), [(ViolationRule::MinItems, "point".to_owned())]);
    assert_eq!(
        broken(r#"{"shape": {"kind": "circle"}}"#),
        [(ViolationRule::Missing, r#"shape["r"]"#.to_owned())]
    );
    assert_eq!(broken(r#"{"shape": 5}"#), [(ViolationRule::Constraint, "shape".to_owned())]);
    assert_eq!(broken(r#"{"step": "7"}"#), [(ViolationRule::Constraint, "step".to_owned())]);
}

#[test]
fn a_rule_about_the_whole_speaks_in_proto_names() {
    let schema = compiled(&json!({
        "type": "object", "additionalProperties": false,
        "properties": {"pay-by": {"enum": ["card", "cash"]}, "card-no": {"type": "string"}},
        "if": {"properties": {"pay-by": {"const": "card"}}, "required": ["pay-by"]}, "then": {"required": ["card-no"]},
    }));
    let violations = coerced(&schema, r#"{"pay_by": "card"}"#).unwrap_err();
    assert_eq!(violations, [(ViolationRule::Missing, "card_no".to_owned())]);
    assert!(coerced(&schema, r#"{"pay_by": "cash"}"#).is_ok());
}

#[test]
fn null_and_absence_are_told_apart_only_where_the_schema_does() {
    let optional = compiled(&properties(json!({ "a": {"type": ["string", "null"]} })));
    assert_eq!(coerced(&optional, r#"{"a": null}"#).unwrap(), "{}");
    let mut wanted = properties(json!({ "a": {"type": ["string", "null"]} }));
    wanted["required"] = json!(["a"]);
    assert_eq!(coerced(&compiled(&wanted), "{}").unwrap(), r#"{"a":null}"#);
    // A default is for absence: null says something else.
    let filled = compiled(&properties(json!({ "a": {"type": ["string", "null"], "default": "x"} })));
    assert_eq!(coerced(&filled, r#"{"a": null}"#).unwrap(), r#"{"a":null}"#);
    assert_eq!(coerced(&filled, "{}").unwrap(), r#"{"a":"x"}"#);
}

#[test]
fn an_open_root_takes_other_names_in_a_field_and_gives_them_back_beside_the_others() {
    let schema = compiled(&json!({
        "type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": {"type": "string"},
    }));
    let came = r#"{"id": 1, "additional_properties": {"x-y": "z"}}"#;
    assert_eq!(coerced(&schema, came).unwrap(), r#"{"id":1,"x-y":"z"}"#);
}

#[test]
fn defaults_and_examples_that_are_wrong_are_noted_and_left_out() {
    let made = converted(&properties(json!({
        "a": {"type": "integer", "default": "many"}, "b": {"type": "integer", "default": 3, "examples": ["x"]},
    })));
    let noted: Vec<&str> =
        made.notes.iter().filter(|it| it.kind == NoteKind::BadValue).map(|it| it.path.as_str()).collect();
    assert_eq!(noted, ["#/properties/a", "#/properties/b"]);
    assert_eq!(coerced(&Schema::compile(&made.descriptor).unwrap(), "{}").unwrap(), r#"{"b":3}"#);
}

#[test]
fn nothing_is_left_out_in_silence() {
    let made = converted(&json!({
        "type": "object", "x-vendor": 1,
        "properties": {"a": {"type": "string", "format": "email", "readOnly": true}, "b-c": {"type": ["integer", "null"]}},
    }));
    let mut noted: Vec<(&str, NoteKind)> = made.notes.iter().map(|it| (it.path.as_str(), it.kind)).collect();
    noted.dedup();
    assert_eq!(
        noted,
        [
            ("#", NoteKind::Narrowed),
            ("#", NoteKind::LeftOut),
            ("#/properties/a", NoteKind::NotEnforced),
            ("#/properties/b-c", NoteKind::NullIsAbsent),
            ("#/properties/b-c", NoteKind::Renamed),
        ]
    );
}

#[test]
fn multiples_are_told_by_their_digits() {
    for (step, multiples, others) in [
        ("0.01", &["0.07", "1e300", "-3", "0", "4.35e1"][..], &["0.075", "1e-3"][..]),
        ("3", &["9", "3e300", "-6.0", "0"], &["1e300", "10", "1e-300"]),
        ("1e-300", &["1e300", "5", "2e-300"], &["1.5e-300"]),
        ("1e300", &["2e300", "0"], &["1", "1.5e300"]),
        ("0.3", &["0.9", "3e200"], &["1e200"]),
    ] {
        let number = format!(r#"{{"type": "number", "multipleOf": {step}}}"#);
        let schema = compiled(&properties(json!({ "p": serde_json::from_str::<Json>(&number).unwrap() })));
        for (values, multiple) in [(multiples, true), (others, false)] {
            for value in values {
                let text = format!("{{\"p\": {value}}}");
                assert_eq!(coerced(&schema, &text).is_ok(), multiple, "{value} of {step}");
            }
        }
    }
}

#[test]
fn what_cannot_be_checked_is_refused_at_its_place() {
    for (property, rule, word) in [
        (json!({"type": "string", "pattern": "(?=a)b"}), DefectRule::BadPattern, "looking ahead"),
        (json!({"type": "string", "pattern": "(?<!a)b"}), DefectRule::BadPattern, "looking behind"),
        (json!({"type": "string", "pattern": r"(a)\1"}), DefectRule::BadPattern, "referring back"),
        (
            json!({"anyOf": [{"type": "string", "pattern": "(?!x)"}, {"type": "integer"}]}),
            DefectRule::BadPattern,
            "looking ahead",
        ),
        (json!({"$ref": "https://example.com/s.json"}), DefectRule::Unsupported, "nothing is fetched"),
        (json!({"$ref": "#/$defs/none"}), DefectRule::Malformed, "leads to no schema"),
        (json!({"$dynamicRef": "#x"}), DefectRule::Unsupported, "$dynamicRef"),
        (
            json!({"type": "object", "anyOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}),
            DefectRule::Unsupported,
            "unevaluatedProperties",
        ),
        (json!({"type": "text"}), DefectRule::Malformed, "no type"),
        (json!({"type": "string", "minLength": "3"}), DefectRule::Malformed, "minLength"),
        (json!({"type": "number", "exclusiveMinimum": true}), DefectRule::Malformed, "exclusiveMinimum"),
        (json!(7), DefectRule::Malformed, "a schema is"),
    ] {
        let defect = refused(&properties(json!({ "p": property })));
        assert_eq!(defect.rule, rule, "{property}: {defect}");
        assert!(defect.message.contains(word), "{property}: {defect}");
        assert!(defect.path.starts_with("#/properties/p"), "{property}: {defect}");
    }
    assert_eq!(refused(&json!({"type": "string"})).rule, DefectRule::Unsupported);
    assert_eq!(refused(&json!(false)).rule, DefectRule::Unsupported);
    assert_eq!(from_json_schema(&json!({}), "no name").unwrap_err()[0].rule, DefectRule::Malformed);
    let old = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"});
    assert_eq!(refused(&old).rule, DefectRule::Unsupported);
}

fn in_time(schema: &Json) -> Result<Converted, Vec<Defect>> {
    let start = Instant::now();
    let result = from_json_schema(schema, "t.v1.M");
    // Generous: what is bounded takes a fraction of it, what is not takes for ever.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    result
}

#[test]
fn references_in_circles_are_refused() {
    let circles = json!({"$ref": "#/$defs/a"});
    let mut schema = properties(json!({ "p": circles }));
    schema["$defs"] = json!({"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}});
    assert_eq!(in_time(&schema).unwrap_err()[0].rule, DefectRule::Malformed);
    // Within a rule, where a value never gets smaller.
    let mut schema = properties(json!({ "p": {"not": {"$ref": "#/$defs/a"}} }));
    schema["$defs"] = json!({"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}});
    assert_eq!(in_time(&schema).unwrap_err()[0].rule, DefectRule::Malformed);
}

#[test]
fn references_that_would_multiply_do_not() {
    let mut definitions = json!({"d40": {"type": "string"}});
    for index in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        definitions[format!("d{index}")] = json!({"allOf": [next, next], "anyOf": [next, next]});
    }
    let mut schema = properties(json!({ "p": {"$ref": "#/$defs/d0"} }));
    schema["$defs"] = definitions.clone();
    if let Ok(made) = in_time(&schema) {
        let _ = coerced(&Schema::compile(&made.descriptor).unwrap(), r#"{"p": "x"}"#);
    }
    for index in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        definitions[format!("d{index}")] = json!({"type": "object", "properties": {"a": next, "b": next}});
    }
    schema["$defs"] = definitions;
    assert!(in_time(&schema).is_ok());
}

#[test]
fn large_and_deep_schemas_are_refused() {
    let wide: serde_json::Map<String, Json> =
        (0..20_000).map(|index| (format!("p{index}"), json!({}))).collect();
    assert_eq!(in_time(&properties(Json::Object(wide))).unwrap_err()[0].rule, DefectRule::TooLarge);
    let long = properties(json!({ "p": {"description": "x".repeat(2 << 20)} }));
    assert_eq!(in_time(&long).unwrap_err()[0].rule, DefectRule::TooLarge);
    let mut deep = json!({"type": "string"});
    for _ in 0..200 {
        deep = json!({"type": "array", "items": deep});
    }
    assert_eq!(in_time(&properties(json!({ "p": deep }))).unwrap_err()[0].rule, DefectRule::TooLarge);
    let many: serde_json::Map<String, Json> = (0..3_000)
        .map(|index| (format!("p{index}"), json!({"anyOf": [{"$ref": "#/$defs/all"}, {"type": "integer"}]})))
        .collect();
    let mut schema = properties(Json::Object(many));
    let texts: Vec<String> = (0..1_000).map(|index| format!("choice {index}")).collect();
    schema["$defs"] = json!({"all": {"type": "string", "enum": texts}});
    assert_eq!(in_time(&schema).unwrap_err()[0].rule, DefectRule::TooLarge);
}

#[test]
fn patterns_mean_what_ecma_262_says() {
    for (pattern, matching, other) in [
        (r"^\d+$", "123", "١٢٣"),
        (r"^\w$", "a", "é"),
        (r"^\s$", "\u{FEFF}", "\u{85}"),
        (r"\bcat\b", "écat", "concat"),
        ("^.$", "\u{1F600}", "\u{2028}"),
        (r"^[^]$", "\n", ""),
        (r"^[[&~]+$", "[&~", "a"),
        (r"^\/x\-y$", "/x-y", "x-y"),
        (r"^\u00e9\x41\cA$", "éA\u{1}", "eA"),
        (r"^\uD83D\uDE00$", "\u{1F600}", "x"),
        ("^a{2}{b}$", "aa{b}", "aab"),
        ("^a{,2}$", "a{,2}", "aa"),
        (r"^\p{Lu}$", "É", "é"),
        (r"^(?<year>[0-9]{4})$", "2024", "24"),
    ] {
        let schema = compiled(&properties(json!({ "p": {"type": "string", "pattern": pattern} })));
        assert!(coerced(&schema, &json!({ "p": matching }).to_string()).is_ok(), "{pattern} {matching:?}");
        assert!(coerced(&schema, &json!({ "p": other }).to_string()).is_err(), "{pattern} {other:?}");
    }
}
