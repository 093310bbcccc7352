//! The standard rules of `buf.validate`, declared with the real `validate.proto`: enforced, or listed.

#![cfg(test)]

mod support;

use convoke_schema::{DefectRule, Schema, Value};
use prost_reflect::DescriptorPool;
use serde_json::Value as Json;

const RULES: &str = include_str!("../../../tests/data/proto/buf/validate/validate.proto");
const CASES: &str = include_str!("data/buf_validate.json");

fn compile(body: &str) -> Result<Schema, Vec<convoke_schema::Defect>> {
    Schema::compile(&pool(body).get_message_by_name("t.M").unwrap())
}

fn pool(body: &str) -> DescriptorPool {
    let source = format!(
        "syntax = \"proto3\"; package t; import \"buf/validate/validate.proto\"; \
         import \"convoke/v1/annotations.proto\"; import \"google/protobuf/duration.proto\"; \
         import \"google/protobuf/timestamp.proto\"; import \"google/protobuf/wrappers.proto\"; \
         import \"google/protobuf/any.proto\"; import \"google/protobuf/field_mask.proto\"; \
         enum E {{ E_UNSPECIFIED = 0; E_ONE = 1; E_TWO = 2; }} message N {{}}\n{body}"
    );
    let files = [("buf/validate/validate.proto", RULES)];
    support::pool_with(Box::leak(source.into_boxed_str()), &files)
}

fn compiled(body: &str) -> Schema {
    compile(body).unwrap_or_else(|defects| panic!("{body}: {defects:?}"))
}

/// What a value breaks, by path and rule.
fn broken(schema: &Schema, text: &str) -> Vec<(String, String)> {
    let coerced = schema.coerce(Value::parse(text.as_bytes()).unwrap());
    let told = |it: &convoke_schema::Violation| (it.path.clone(), it.rule().as_str_name().to_owned());
    coerced.report.violations().iter().map(told).collect()
}

fn wrap(value: &Json) -> String {
    if value.is_null() { "{}".to_owned() } else { format!("{{\"x\": {value}}}") }
}

#[test]
fn each_standard_rule_admits_and_refuses_what_it_says() {
    let cases: Vec<Json> = serde_json::from_str(CASES).unwrap();
    assert!(cases.len() > 70);
    let field = |case: &Json| case["field"].as_str().unwrap().replace("(F)", "(buf.validate.field)");
    let messages: Vec<String> = cases
        .iter()
        .enumerate()
        .map(|(index, case)| format!("message M{index} {{ {} }}", field(case)))
        .collect();
    let pool = pool(&messages.join("\n"));
    for (index, case) in cases.iter().enumerate() {
        let field = field(case);
        let schema = support::schema(&pool, &format!("t.M{index}"));
        assert_eq!(schema.not_enforced(), [], "{field}");
        for good in case["good"].as_array().unwrap() {
            assert_eq!(broken(&schema, &wrap(good)), [], "{field} {good}");
        }
        for bad in case["bad"].as_array().unwrap() {
            let rules: Vec<_> = broken(&schema, &wrap(&bad[0])).into_iter().map(|(_, rule)| rule).collect();
            assert_eq!(rules, [bad[1].as_str().unwrap()], "{field} {}", bad[0]);
        }
    }
}

#[test]
fn an_answer_is_held_to_the_same_rules() {
    let schema = compiled(
        "message M { string x = 1 [(buf.validate.field).string.min_len = 2];
                     map<string, int32> m = 2 [(buf.validate.field).map.keys.string.max_len = 1]; }",
    );
    // x = "a", m = {"bb": 1}
    let answer = schema.decode(b"\x0a\x01a\x12\x06\x0a\x02bb\x10\x01").unwrap();
    let told: Vec<_> = schema.validate(&answer).iter().map(|it| (it.path.clone(), it.rule)).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!((told[0].0.as_str(), told[1].0.as_str()), ("x", "m[\"bb\"]"));
    assert_eq!(schema.validate(&schema.decode(b"").unwrap()).len(), 1, "no x is an empty x");
}

#[test]
fn a_oneof_may_ask_for_a_member_and_a_message_for_one_of_its_fields() {
    let schema = compiled(
        "message M {
           option (buf.validate.message).oneof = { fields: [\"a\", \"b\"], required: true };
           option (buf.validate.message).oneof = { fields: [\"c\", \"d\"] };
           string a = 1; int32 b = 2 [(buf.validate.field).int32.gt = 5]; optional string c = 3; repeated string d = 4;
           oneof pay { option (buf.validate.oneof).required = true; string card = 5; string cash = 6; }
         }",
    );
    let owned = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(path, rule)| ((*path).to_owned(), (*rule).to_owned())).collect()
    };
    assert_eq!(broken(&schema, r#"{"a": "x", "card": ""}"#), []);
    assert_eq!(broken(&schema, r#"{"a": "x", "b": 0, "card": "", "c": ""}"#), [], "zero is absent");
    assert_eq!(broken(&schema, "{}"), owned(&[("", "MISSING"), ("pay", "MISSING")]));
    assert_eq!(broken(&schema, r#"{"a": "x", "b": 6, "card": ""}"#), owned(&[("", "ONEOF_CONFLICT")]));
    assert_eq!(
        broken(&schema, r#"{"b": 6, "c": "", "d": ["y"], "cash": "1"}"#),
        owned(&[("", "ONEOF_CONFLICT")])
    );
}

#[test]
fn both_options_count_together() {
    let schema = compiled(
        "message M { int32 x = 1 [(convoke.v1.field).maximum = \"7\", (buf.validate.field).int32.gte = 3]; }",
    );
    assert_eq!(broken(&schema, r#"{"x": 5}"#), []);
    assert_eq!(broken(&schema, r#"{"x": 8}"#).len(), 1);
    assert_eq!(broken(&schema, r#"{"x": 2}"#).len(), 1);
    let other = compiled("message M { int32 x = 1 [(buf.validate.field).int32 = {gte: 3, lte: 7}]; }");
    assert_eq!(schema.fingerprint(), other.fingerprint(), "they ask the same");
    let looser = compiled("message M { int32 x = 1 [(buf.validate.field).int32 = {gte: 3, lte: 8}]; }");
    assert_ne!(schema.fingerprint(), looser.fingerprint());
    let prefixed = |prefix: &str| {
        let rule = format!("(buf.validate.field).string.prefix = \"{prefix}\"");
        compiled(&format!("message M {{ string x = 1 [{rule}]; }}")).fingerprint()
    };
    assert_ne!(prefixed("a"), prefixed("b"));
    let finite = compiled(
        "message M { double x = 1 [(convoke.v1.field).allow_non_finite = true, (buf.validate.field).double.finite = true]; }",
    );
    assert_eq!(broken(&finite, r#"{"x": "NaN"}"#), [("x".to_owned(), "NOT_FINITE".to_owned())]);
}

#[test]
fn what_is_not_enforced_is_listed_with_its_field() {
    let schema = compiled(
        "message M {
           option (buf.validate.message).cel = { id: \"m.dates\", expression: \"true\" };
           option (buf.validate.message).cel_expression = \"this.x != ''\";
           string x = 1 [(buf.validate.field).cel = { id: \"x.rule\", expression: \"true\" }];
           google.protobuf.Timestamp t = 2 [(buf.validate.field).timestamp = {lt_now: true, within: {seconds: 5}}];
           repeated string r = 3 [(buf.validate.field).repeated.items.cel = { id: \"r.rule\", expression: \"true\" }];
         }",
    );
    let listed: Vec<_> =
        schema.not_enforced().iter().map(|it| (it.path.as_str(), it.message.as_str())).collect();
    for (path, word) in [
        ("t.M", "\"m.dates\""),
        ("t.M", "\"this.x != ''\""),
        ("t.M.x", "\"x.rule\""),
        ("t.M.t", "timestamp.lt_now"),
        ("t.M.t", "timestamp.within"),
        ("t.M.r", "\"r.rule\""),
    ] {
        assert!(
            listed.iter().any(|(at, told)| *at == path && told.contains(word)),
            "{path} {word}: {listed:?}"
        );
    }
    assert_eq!(listed.len(), 6, "{listed:?}");
    assert!(schema.not_enforced().iter().all(|it| it.rule == DefectRule::NotEnforced));
}

#[test]
fn what_else_this_engine_cannot_say_is_listed_too() {
    for (field, word) in [
        ("google.protobuf.Any x = 1 [(buf.validate.field).any.in = \"a/t.M\"];", "any rule number 2"),
        (
            "google.protobuf.FieldMask x = 1 [(buf.validate.field).field_mask.in = \"a\"];",
            "field_mask rule number 2",
        ),
        ("repeated int32 x = 1 [(buf.validate.field).repeated.max_items = 0];", "greatest count of 0"),
        ("map<string, N> x = 1 [(buf.validate.field).map.max_pairs = 0];", "greatest count of 0"),
        ("N x = 1 [(buf.validate.field).ignore = IGNORE_ALWAYS];", "ignore"),
        (
            "google.protobuf.Timestamp x = 1 [(buf.validate.field).timestamp.gt_now = true];",
            "timestamp.gt_now",
        ),
    ] {
        let schema = compiled(&format!("message M {{ {field} }}"));
        let listed = schema.not_enforced();
        assert_eq!(listed.len(), 1, "{field}: {listed:?}");
        assert!(listed[0].path == "t.M.x" && listed[0].message.contains(word), "{field}: {listed:?}");
    }
    let silent = compiled(
        "message M { google.protobuf.Timestamp x = 1 [(buf.validate.field).timestamp.gt_now = false]; }",
    );
    assert_eq!(silent.not_enforced(), []);
}

/// A team's own rules: extensions of the messages of rules, each with its expression.
const OWN_RULES: &str = r#"syntax = "proto2"; package own; import "buf/validate/validate.proto";
    extend buf.validate.Int32Rules {
      optional bool even = 80048954 [(buf.validate.predefined).cel = { id: "own.even", expression: "this % 2 == 0" }];
    }"#;

#[test]
fn a_rule_of_the_teams_own_is_listed_and_those_beside_it_count() {
    let source = r#"syntax = "proto3"; package t; import "buf/validate/validate.proto"; import "own.proto";
        message M { int32 x = 1 [(buf.validate.field).int32 = {gte: 3, [own.even]: true}]; }"#;
    let pool =
        support::pool_with(source, &[("buf/validate/validate.proto", RULES), ("own.proto", OWN_RULES)]);
    let schema = support::schema(&pool, "t.M");
    let listed = schema.not_enforced();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].path, "t.M.x");
    assert!(listed[0].message.contains("80048954"), "{listed:?}");
    assert_eq!(broken(&schema, r#"{"x": 5}"#), []);
    assert_eq!(broken(&schema, r#"{"x": 2}"#), [("x".to_owned(), "MINIMUM".to_owned())]);
}

#[test]
fn the_rules_own_messages_are_nothing_that_an_any_holds() {
    let source = r#"syntax = "proto3"; package t; import "buf/validate/validate.proto";
        import "google/protobuf/any.proto"; message M { google.protobuf.Any x = 1; }"#;
    let pool = support::pool_with(source, &[("buf/validate/validate.proto", RULES)]);
    let schema = support::schema(&pool, "t.M");
    let packed = |name: &str| format!(r#"{{"x": {{"@type": "type.googleapis.com/{name}"}}}}"#);
    assert_eq!(broken(&schema, &packed("t.M")), []);
    assert_eq!(broken(&schema, &packed("buf.validate.Rule")).len(), 1);
    let source = r#"syntax = "proto3"; package t; import "google/protobuf/any.proto";
        import "google/protobuf/duration.proto"; import "google/protobuf/field_mask.proto";
        import "google/protobuf/timestamp.proto"; message M { google.protobuf.Any x = 1; }"#;
    let without = support::pool_with(source, &[]);
    let without = support::schema(&without, "t.M");
    assert_eq!(
        schema.fingerprint(),
        without.fingerprint(),
        "what was imported beside it makes no other contract"
    );
}

#[test]
fn rules_count_in_a_file_beside_options_of_ours_and_messages_without_any() {
    let schema = compiled(
        "message Plain { int32 a = 1; }
         message M { Plain p = 1; Held h = 2; int32 y = 3 [(convoke.v1.field).maximum = \"7\"]; }
         message Held { option (buf.validate.message).oneof = { fields: [\"a\", \"b\"] }; int32 a = 1; int32 b = 2; }",
    );
    assert_eq!(broken(&schema, r#"{"p": {"a": 1}, "h": {"a": 1}, "y": 7}"#), []);
    let told: Vec<_> = broken(&schema, r#"{"h": {"a": 1, "b": 1}, "y": 8}"#);
    let told: Vec<_> = told.iter().map(|(path, rule)| (path.as_str(), rule.as_str())).collect();
    assert_eq!(told, [("h", "ONEOF_CONFLICT"), ("y", "MAXIMUM")]);
}

#[test]
fn an_empty_text_is_seen_in_a_contradiction() {
    let defects = compile(
        "message M { string x = 1 [(buf.validate.field) = {required: true, string: {const: \"\"}}]; }",
    )
    .unwrap_err();
    assert_eq!(defects[0].message, "each of \"\" breaks another rule");
}

#[test]
fn what_nothing_can_satisfy_or_does_not_apply_names_its_field() {
    use DefectRule::{BadPattern, BadValue, Contradiction, NotApplicable};
    for (fields, rule) in [
        ("string x = 1 [(buf.validate.field).int32.gt = 1];", NotApplicable),
        ("sint32 x = 1 [(buf.validate.field).int32.gt = 1];", NotApplicable),
        ("fixed64 x = 1 [(buf.validate.field).uint64.gt = 1];", NotApplicable),
        ("map<sfixed32, bool> x = 1 [(buf.validate.field).map.keys.int32.gt = 1];", NotApplicable),
        ("repeated string x = 1 [(buf.validate.field).string.min_len = 1];", NotApplicable),
        ("int32 x = 1 [(buf.validate.field).repeated.min_items = 1];", NotApplicable),
        ("string x = 1 [(buf.validate.field).string.pattern = \"(\"];", BadPattern),
        ("string x = 1 [(buf.validate.field).string = {min_len: 3, max_len: 2}];", Contradiction),
        ("string x = 1 [(buf.validate.field).string = {len: 2, max_len: 1}];", Contradiction),
        ("bytes x = 1 [(buf.validate.field).bytes = {len: 2, min_len: 3}];", Contradiction),
        ("repeated int32 x = 1 [(buf.validate.field).repeated.items.repeated.min_items = 1];", NotApplicable),
        ("int32 x = 1 [(buf.validate.field).int32 = {gt: 2, lt: 3}];", Contradiction),
        ("int32 x = 1 [(buf.validate.field).int32 = {gt: 3, lt: 3}];", Contradiction),
        ("int32 x = 1 [(buf.validate.field).int32 = {gt: 3, in: [1, 2]}];", Contradiction),
        (
            "int32 x = 1 [(convoke.v1.field).maximum = \"3\", (buf.validate.field).int32.gt = 3];",
            Contradiction,
        ),
        (
            "repeated int32 x = 1 [(buf.validate.field).repeated = {min_items: 3, max_items: 2}];",
            Contradiction,
        ),
        (
            "int32 x = 1 [(convoke.v1.field).default = \"3\", (buf.validate.field).int32.gt = 3];",
            DefectRule::BadDefault,
        ),
    ] {
        let defects = compile(&format!("message M {{ {fields} }}")).unwrap_err();
        assert_eq!(
            defects.iter().map(|it| (it.path.as_str(), it.rule)).collect::<Vec<_>>(),
            [("t.M.x", rule)],
            "{fields}"
        );
    }
    let unknown = "message M { option (buf.validate.message).oneof = { fields: [\"y\"] }; string x = 1; }";
    assert_eq!(compile(unknown).unwrap_err()[0].rule, BadValue);
}
