//! Schemas put together from others: what several of them say of one name, and what OpenAPI writes in its own way.

#![cfg(test)]

#[path = "support/converted.rs"]
mod made;

use convoke_schema::{Converted, DefectRule, NoteKind, Schema, ViolationRule};
use made::{coerced, compiled, converted, properties, refused};
use serde_json::json;

#[test]
fn what_openapi_writes_otherwise_means_the_same() {
    let written = json!({
        "a": {"type": "string", "nullable": true},
        "b": {"type": "array", "items": {"type": "integer", "nullable": true}},
        "c": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false},
        "nullable": {"type": "boolean"}, "exclusiveMinimum": true,
        "d": {"anyOf": [{"type": "integer", "maximum": 3, "exclusiveMaximum": true}, {"type": "string", "nullable": true}]},
        "e": {"const": {"type": "string", "nullable": true}},
    });
    let meant = json!({
        "a": {"type": ["string", "null"]},
        "b": {"type": "array", "items": {"type": ["integer", "null"]}},
        "c": {"type": "number", "exclusiveMinimum": 0, "maximum": 9},
        "nullable": {"type": "boolean"}, "exclusiveMinimum": true,
        "d": {"anyOf": [{"type": "integer", "exclusiveMaximum": 3}, {"type": ["string", "null"]}]},
        "e": {"const": {"type": "string", "nullable": true}},
    });
    let (written, meant) = (converted(&properties(written)), converted(&properties(meant)));
    let described = |made: &Converted| Schema::compile(&made.descriptor).unwrap().describe();
    assert_eq!(described(&written), described(&meant));
    assert_eq!(written.notes, meant.notes);
    // Without a type it asks nothing, as OpenAPI has it, and that is said.
    let bare = converted(&properties(json!({ "p": {"nullable": true, "enum": ["x"]} })));
    assert!(bare.notes.iter().any(|it| it.kind == NoteKind::LeftOut && it.message.contains("nullable")));
}

#[test]
fn names_that_must_be_there_and_must_not_are_refused_where_they_stand() {
    let forbidden = json!({"type": "object", "required": ["x"], "additionalProperties": false});
    let defect = refused(&forbidden);
    assert_eq!((defect.rule, defect.path.as_str()), (DefectRule::Contradiction, "#"));
    // A parameter that may be left out never has a value, and the others are served.
    let schema = compiled(&properties(json!({ "p": forbidden, "q": {"type": "integer"} })));
    assert_eq!(coerced(&schema, r#"{"q": 1}"#).unwrap(), r#"{"q":1}"#);
    for text in [r#"{"p": {}}"#, r#"{"p": {"x": 1}}"#] {
        assert!(coerced(&schema, text).is_err(), "{text}");
    }
    // What one branch declares, another one shuts out.
    let apart =
        json!({"type": "object", "allOf": [{"properties": {"x": {}}}, {"additionalProperties": false}]});
    let schema = compiled(&apart);
    assert_eq!(coerced(&schema, "{}").unwrap(), "{}");
    assert_eq!(coerced(&schema, r#"{"x": 1}"#).unwrap_err()[0].0, ViolationRule::UnknownField);
    // One that declares shuts out what another one declares.
    let declared = json!({"properties": {"x": {}}, "additionalProperties": false});
    let schema = compiled(&json!({"type": "object", "allOf": [declared, {"properties": {"y": {}}}]}));
    assert_eq!(coerced(&schema, r#"{"x": 1}"#).unwrap(), r#"{"x":1}"#);
    assert_eq!(coerced(&schema, r#"{"y": 1}"#).unwrap_err()[0].0, ViolationRule::UnknownField);
    // What is only required is what every other name is.
    let typed = json!({"type": "object", "required": ["x"], "additionalProperties": {"type": "integer"}});
    let schema = compiled(&typed);
    assert_eq!(coerced(&schema, r#"{"x": "5"}"#).unwrap(), r#"{"x":5}"#);
}

#[test]
fn a_list_that_may_be_null_is_taken_as_absent() {
    let list = json!({"anyOf": [{"type": "array"}, {"type": "null"}]});
    let mut schema = properties(json!({ "list": list }));
    schema["required"] = json!(["list"]);
    let made = converted(&schema);
    assert!(made.notes.iter().any(|it| it.kind == NoteKind::NullIsAbsent && it.path == "#/properties/list"));
    let schema = Schema::compile(&made.descriptor).unwrap();
    assert_eq!(coerced(&schema, r#"{"list": null}"#).unwrap(), r#"{"list":null}"#);
    assert_eq!(coerced(&schema, r#"{"list": [1, null]}"#).unwrap(), r#"{"list":[1,null]}"#);
}

#[test]
fn what_every_branch_knows_is_evaluated() {
    let schema = compiled(&json!({
        "type": "object", "properties": {"own": {"type": "integer"}},
        "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"more": {"type": "string"}}}],
        "anyOf": [{"required": ["own"]}, {"required": ["more"]}],
        "unevaluatedProperties": false,
        "$defs": {"base": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}},
    }));
    let all = r#"{"id":1,"more":"x","own":2}"#;
    assert_eq!(coerced(&schema, all).unwrap(), all);
    assert_eq!(coerced(&schema, r#"{"id": 1, "own": 2, "other": 3}"#).unwrap_err()[0].1, "other");
    assert_eq!(coerced(&schema, r#"{"id": 1}"#).unwrap_err()[0].0, ViolationRule::Constraint);
    // Within what is only checked.
    let schema = compiled(&properties(json!({
        "p": {"anyOf": [{"type": "integer"}, {"allOf": [{"properties": {"a": {}}, "patternProperties": {"^x": {}}}],
            "type": "object", "unevaluatedProperties": false}]},
        "t": {"type": "array", "prefixItems": [{"type": "integer"}], "unevaluatedItems": false},
    })));
    assert!(coerced(&schema, r#"{"p": {"a": 1, "xy": 2}, "t": [1]}"#).is_ok());
    assert!(coerced(&schema, r#"{"p": {"b": 1}}"#).is_err());
    assert!(coerced(&schema, r#"{"t": [1, 2]}"#).is_err());
}

#[test]
fn a_default_that_holds_itself_is_noted_and_left_out() {
    let made = converted(&json!({
        "type": "object", "additionalProperties": false,
        "properties": {"n": {"type": "integer", "default": 3}, "inner": {"$ref": "#", "default": {}}},
    }));
    assert!(made.notes.iter().any(|it| it.kind == NoteKind::BadValue && it.path == "#/properties/inner"));
    assert_eq!(coerced(&Schema::compile(&made.descriptor).unwrap(), "{}").unwrap(), r#"{"n":3}"#);
}

#[test]
fn what_some_alternatives_know_is_taken_as_they_say_and_noted() {
    let made = converted(&json!({
        "type": "object", "properties": {"kind": {"enum": ["cat", "dog"]}},
        "oneOf": [
            {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"]},
            {"properties": {"kind": {"const": "dog"}}, "required": ["kind"]},
        ],
    }));
    let noted = |it: &&convoke_schema::Note| it.kind == NoteKind::Narrowed && it.message.contains("lives");
    assert_eq!(made.notes.iter().filter(noted).count(), 1, "{:?}", made.notes);
    let schema = Schema::compile(&made.descriptor).unwrap();
    assert_eq!(coerced(&schema, r#"{"kind": "cat", "lives": "9"}"#).unwrap(), r#"{"kind":"cat","lives":9}"#);
}
