//! What the three dialects say of a few messages, against files that were written by hand.

#![cfg(test)]

mod support;

use convoke_schema::{Description, Dialect, Schema};
use prost_reflect::DescriptorPool;
use serde_json::Value as Json;

const FILES: [(&str, [&str; 3]); 2] = [
    (
        "described.v1.Trip",
        [
            include_str!("data/described/trip.plain.json"),
            include_str!("data/described/trip.strict.json"),
            include_str!("data/described/trip.text"),
        ],
    ),
    (
        "described.v1.Ledger",
        [
            include_str!("data/described/ledger.plain.json"),
            include_str!("data/described/ledger.strict.json"),
            include_str!("data/described/ledger.text"),
        ],
    ),
];

fn pool() -> DescriptorPool {
    support::pool(include_str!("data/described/trip.proto"))
}

/// The file's schema; a definition that is the root again stands there in words.
fn expected(text: &str) -> Json {
    let mut schema: Json = serde_json::from_str(text).unwrap();
    let mut root = schema.clone();
    root.as_object_mut().unwrap().remove("$defs");
    for definition in schema["$defs"].as_object_mut().into_iter().flat_map(|it| it.values_mut()) {
        if *definition == "the root again" {
            *definition = root.clone();
        }
    }
    if schema["$defs"].is_null() {
        schema.as_object_mut().unwrap().remove("$defs");
    }
    schema
}

fn differences(path: &str, left: &Json, right: &Json, out: &mut Vec<String>) {
    match (left, right) {
        (Json::Object(left), Json::Object(right)) => {
            let names: std::collections::BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for name in names {
                let (left, right) = (left.get(name), right.get(name));
                let none = Json::from("(nothing)");
                differences(&format!("{path}/{name}"), left.unwrap_or(&none), right.unwrap_or(&none), out);
            }
        }
        (left, right) if left != right => out.push(format!("{path}: {left} is not {right}")),
        _ => {}
    }
}

#[test]
fn messages_are_described_as_the_files_say() {
    let pool = pool();
    for (message, [plain, strict, text]) in FILES {
        let schema: Schema = support::schema(&pool, message);
        for (dialect, file) in [(Dialect::Plain, plain), (Dialect::Strict, strict)] {
            let mut found = Vec::new();
            differences("", schema.describe_as(dialect).as_json().unwrap(), &expected(file), &mut found);
            assert!(found.is_empty(), "{message}, {dialect}:\n{}", found.join("\n"));
        }
        assert_eq!(schema.describe_as(Dialect::Text), Description::Text(text.to_owned()));
        assert_eq!(schema.describe_as(Dialect::Plain), Description::JsonSchema(schema.describe()));
    }
}

#[test]
fn strict_schemas_hold_to_the_vocabulary_that_strict_modes_take() {
    const KNOWN: [&str; 17] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "anyOf",
        "$ref",
        "$defs",
        "description",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
    ];
    fn walk(schema: &Json, path: &str) {
        let members = schema.as_object().unwrap_or_else(|| panic!("{path}: {schema}"));
        for (name, value) in members {
            assert!(KNOWN.contains(&name.as_str()) || name == "maxItems", "{path}: {name}");
            match name.as_str() {
                "properties" | "$defs" => {
                    value
                        .as_object()
                        .unwrap()
                        .iter()
                        .for_each(|(name, it)| walk(it, &format!("{path}/{name}")));
                }
                "items" => walk(value, &format!("{path}/items")),
                "anyOf" => value.as_array().unwrap().iter().for_each(|it| walk(it, &format!("{path}/anyOf"))),
                _ => {}
            }
        }
        if let Some(properties) = members.get("properties").and_then(Json::as_object) {
            let names: Vec<Json> = properties.keys().map(|name| Json::from(name.as_str())).collect();
            let mut required = members["required"].as_array().unwrap().clone();
            required.sort_by_key(Json::to_string);
            assert_eq!(required, names, "{path}");
            assert_eq!(members["additionalProperties"], false, "{path}");
        }
        assert!(
            !members.contains_key("$ref") || members.len() == 1,
            "{path}: something stands beside a reference"
        );
    }
    for message in pool().all_messages().chain(convoke_proto::descriptor_pool().all_messages()) {
        let own = ["described.v1", "convoke.v1"].contains(&message.package_name());
        if own && !message.is_map_entry() {
            walk(
                Schema::compile(&message).unwrap().describe_as(Dialect::Strict).as_json().unwrap(),
                message.name(),
            );
        }
    }
}

#[test]
fn descriptions_are_bounded() {
    let long = "word ".repeat(2_000);
    let values: String = (1..200)
        .map(|it| format!("V{it} = {it} [(convoke.v1.enum_value).description = \"{long}\"]; "))
        .collect();
    let schema = support::compile(&format!(
        "message M {{ // {long}\n int32 x = 1 [(convoke.v1.field).description = \"{long}\"]; E e = 2; }} enum E {{ V0 = 0; {values} }}"
    ))
    .unwrap();
    for dialect in Dialect::ALL {
        let text = schema.describe_as(dialect).to_string();
        assert!(text.len() < 12_000, "{dialect}: {}", text.len());
    }
}

#[test]
fn a_declared_json_schema_never_widens_a_type() {
    let any = r#"json_schema: "{\"type\": [\"string\", \"number\", \"boolean\"]}""#;
    let integer = r#"json_schema: "{\"type\": \"integer\"}""#;
    let schema = support::compile(&format!(
        "message M {{ string s = 1 [(convoke.v1.field) = {{{any}}}]; double d = 2 [(convoke.v1.field) = {{{integer}}}]; \
         google.protobuf.Value v = 3 [(convoke.v1.field) = {{{any}}}]; }}"
    ))
    .unwrap();
    let plain = schema.describe();
    let types = serde_json::json!(["string", "number", "boolean"]);
    let expected = serde_json::json!({"type": "string", "allOf": [{ "type": types }]});
    assert_eq!(plain["properties"]["s"], expected);
    // What says as much as the type, and more, stands for it.
    assert_eq!(plain["properties"]["d"], serde_json::json!({"type": "integer"}));
    assert_eq!(plain["properties"]["v"], serde_json::json!({ "type": types }));
}

#[test]
fn the_words_for_numbers_that_are_none_are_those_that_the_bounds_leave() {
    let schema = support::compile(
        "message M { double all = 1 [(convoke.v1.field).allow_non_finite = true]; \
         double most = 2 [(convoke.v1.field) = {allow_non_finite: true, maximum: \"1\"}]; \
         double none = 3 [(convoke.v1.field) = {allow_non_finite: true, minimum: \"0\", maximum: \"1\"}]; }",
    )
    .unwrap();
    let text = schema.describe_as(Dialect::Text).to_string();
    assert_eq!(
        text.lines().skip(1).collect::<Vec<_>>(),
        [
            "all: double, or \"NaN\", \"Infinity\", \"-Infinity\"",
            "most: double, <= 1, or \"-Infinity\"",
            "none: double, >= 0, <= 1",
        ]
    );
}

#[test]
fn each_field_has_one_line_whatever_its_words_hold() {
    let schema = support::compile(
        "message M { string a = 1 [(convoke.v1.field) = {description: \"One.\\n\\n  Two.\\r\\n\", unit: \"k\\nm\"}]; \
         string b = 2 [(convoke.v1.field) = {pattern: \"^[\\n]$\", aliases: \"c\\nd\", examples: \"\\n\"}]; E e = 3; } \
         enum E { NONE = 0 [(convoke.v1.enum_value) = {description: \"No\\none.\"}]; }",
    )
    .unwrap();
    let text = schema.describe_as(Dialect::Text).to_string();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "t.M",
            r"a: string, in k\nm — One. Two.",
            r#"b: string, matches ^[\n]$, also called c\nd, e.g. "\n""#,
            r"e: one of NONE (No one)",
        ]
    );
}
