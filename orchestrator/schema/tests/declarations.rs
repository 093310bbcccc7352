//! What compiles and what is refused, with the field and the reason.

#![cfg(test)]

mod support;

use convoke_schema::{DefectRule, Kind, Schema, Value};

fn defect(body: &str) -> (String, DefectRule, String) {
    let defects = support::compile(body).unwrap_err();
    assert_eq!(defects.len(), 1, "{defects:?}");
    (defects[0].path.clone(), defects[0].rule, defects[0].message.clone())
}

#[test]
fn a_wrong_declaration_names_its_field() {
    use DefectRule::*;
    for (field, rule) in [
        ("int32 x = 1 [(convoke.v1.field).minimum = \"many\"];", BadValue),
        ("int32 x = 1 [(convoke.v1.field).minimum = \"4.2\"];", BadValue),
        ("uint32 x = 1 [(convoke.v1.field).minimum = \"-1\"];", BadValue),
        ("int32 x = 1 [(convoke.v1.field) = {minimum: \"5\", maximum: \"4\"}];", Contradiction),
        (
            "int32 x = 1 [(convoke.v1.field) = {exclusive_minimum: \"4\", exclusive_maximum: \"5\"}];",
            Contradiction,
        ),
        ("double x = 1 [(convoke.v1.field) = {minimum: \"5\", exclusive_maximum: \"5\"}];", Contradiction),
        ("string x = 1 [(convoke.v1.field).minimum = \"1\"];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).min_length = 1];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).pattern = \"a\"];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).min_items = 1];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).unique_items = true];", NotApplicable),
        ("map<string, int32> x = 1 [(convoke.v1.field).unique_items = true];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).allow_non_finite = true];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field).role = CONFIDENCE];", NotApplicable),
        ("string x = 1 [(convoke.v1.field).pattern = \"(\"];", BadPattern),
        ("string x = 1 [(convoke.v1.field).pattern = \"(a{1000}){1000}\"];", BadPattern),
        ("string x = 1 [(convoke.v1.field) = {min_length: 3, max_length: 2}];", Contradiction),
        ("repeated int32 x = 1 [(convoke.v1.field) = {min_items: 3, max_items: 2}];", Contradiction),
        ("int32 x = 1 [(convoke.v1.field) = {maximum: \"4\", allowed_values: \"5\"}];", Contradiction),
        ("int32 x = 1 [(convoke.v1.field).allowed_values = \"five\"];", BadValue),
        ("int32 x = 1 [(convoke.v1.field).exclusive_minimum = \"2147483647\"];", Contradiction),
        ("uint64 x = 1 [(convoke.v1.field).exclusive_maximum = \"0\"];", Contradiction),
        ("double x = 1 [(convoke.v1.field).exclusive_minimum = \"1.7976931348623157e308\"];", Contradiction),
        ("repeated bool x = 1 [(convoke.v1.field) = {unique_items: true, min_items: 3}];", Contradiction),
        (
            "repeated int32 x = 1 [(convoke.v1.field) = {unique_items: true, min_items: 2, allowed_values: \"5\"}];",
            Contradiction,
        ),
        ("M x = 1 [(convoke.v1.field).required = true];", Contradiction),
        ("repeated M x = 1 [(convoke.v1.field) = {required: true, min_items: 1}];", Contradiction),
        ("int32 x = 1 [(convoke.v1.field).aliases = \"- \"];", BadValue),
        ("int32 x = 1 [(convoke.v1.field).default = \"five\"];", BadDefault),
        ("int32 x = 1 [(convoke.v1.field) = {default: \"5\", maximum: \"4\"}];", BadDefault),
        ("repeated int32 x = 1 [(convoke.v1.field).default = \"[1, null]\"];", BadDefault),
        ("google.protobuf.Timestamp x = 1 [(convoke.v1.field).default = \"tomorrow\"];", BadDefault),
        ("string x = 1 [(convoke.v1.field) = {examples: \"abc\", max_length: 2}];", BadValue),
        ("string x = 1 [(convoke.v1.field).json_schema = \"{\"];", BadValue),
        ("string x = 1 [(convoke.v1.field).json_schema = '{\"minLength\": 1, \"minLength\": 2}'];", BadValue),
        ("int32 x = 1 [(convoke.v1.field).json_spread = true];", NotApplicable),
        ("int32 x = 1 [(convoke.v1.field) = {json_null: true, required: true}];", Contradiction),
    ] {
        let (path, found, message) = defect(&format!("message M {{ {field} }}"));
        assert_eq!((path.as_str(), found), ("t.M.x", rule), "{field}: {message}");
    }
}

#[test]
fn two_claims_to_one_name_are_refused() {
    let (path, rule, message) =
        defect("message M { int32 a = 1 [(convoke.v1.field).aliases = \"b\"]; int32 b = 2; }");
    assert_eq!((path.as_str(), rule), ("t.M.a", DefectRule::Ambiguous));
    assert_eq!(message, "alias \"b\" is also a name of t.M.b");
    let (path, rule, _) = defect(
        "message M { E e = 1; } enum E { ZERO = 0; A = 1 [(convoke.v1.enum_value).aliases = \"B\"]; B = 2; }",
    );
    assert_eq!((path.as_str(), rule), ("t.E.A", DefectRule::Ambiguous));
}

#[test]
fn two_members_of_a_oneof_cannot_both_be_filled_in() {
    let (path, rule, _) = defect(
        "message M { oneof o { int32 a = 1 [(convoke.v1.field).default = \"1\"]; int32 b = 2 [(convoke.v1.field).default = \"2\"]; } }",
    );
    assert_eq!((path.as_str(), rule), ("t.M.b", DefectRule::Contradiction));
}

#[test]
fn a_default_in_a_oneof_gives_way_to_another_member_and_not_to_null() {
    let oneof = "oneof o { int32 a = 1 [(convoke.v1.field).default = \"1\"]; string b = 2; }";
    let schema = support::compile(&format!("message M {{ {oneof} }}")).unwrap();
    for (came, value) in
        [("{}", r#"{"a":1}"#), (r#"{"b": null}"#, r#"{"a":1}"#), (r#"{"b": ""}"#, r#"{"b":""}"#)]
    {
        let coerced = schema.coerce(Value::parse(came.as_bytes()).unwrap());
        assert!(coerced.report.is_ok(), "{came}");
        assert_eq!(schema.to_json(&coerced.value), value, "{came}");
    }
}

#[test]
fn a_default_that_holds_itself_is_refused() {
    let (_, rule, _) = defect("message M { M child = 1 [(convoke.v1.field).default = \"{}\"]; }");
    assert_eq!(rule, DefectRule::BadDefault);
    let twice =
        "M l = 1 [(convoke.v1.field).default = \"{}\"]; M r = 2 [(convoke.v1.field).default = \"{}\"];";
    let (_, rule, _) = defect(&format!("message M {{ {twice} }}"));
    assert_eq!(rule, DefectRule::BadDefault);
}

#[test]
fn a_nested_default_has_to_hold_what_is_required() {
    let (path, rule, message) = defect(
        "message M { N n = 1 [(convoke.v1.field).default = \"{}\"]; } message N { string s = 1 [(convoke.v1.field).required = true]; }",
    );
    assert_eq!((path.as_str(), rule), ("t.M.n", DefectRule::BadDefault));
    assert!(message.contains("n.s"), "{message}");
}

#[test]
fn every_mistake_is_told_at_once_a_default_s_and_an_example_s_too() {
    let defects = support::compile(
        "message M {
           int32 n = 1 [(convoke.v1.field) = {minimum: \"5\", maximum: \"1\", default: \"0\"}];
           int32 d = 2 [(convoke.v1.field).default = \"x\"];
           E e = 3 [(convoke.v1.field).examples = \"SCARLET\"];
           repeated uint32 r = 4 [(convoke.v1.field).default = \"[1, -1]\"];
           N of_what_is_unsound = 5 [(convoke.v1.field).default = \"{}\"];
           int32 sound = 6 [(convoke.v1.field) = {default: \"7\", examples: \"8\"}];
           F of_an_unsound_enum = 7 [(convoke.v1.field).default = \"nothing\"];
         }
         enum F { F_NONE = 0; F_ONE = 1 [(convoke.v1.enum_value).aliases = \" \"]; }
         message N { string p = 1 [(convoke.v1.field).pattern = \"(\"]; }
         enum E { NONE = 0; RED = 1; }",
    )
    .unwrap_err();
    let mut told: Vec<(&str, DefectRule)> = defects.iter().map(|it| (it.path.as_str(), it.rule)).collect();
    told.sort_by_key(|(path, _)| *path);
    let expected = [
        ("t.F.F_ONE", DefectRule::BadValue),
        ("t.M.d", DefectRule::BadDefault),
        ("t.M.e", DefectRule::BadValue),
        ("t.M.n", DefectRule::Contradiction),
        ("t.M.r", DefectRule::BadDefault),
        ("t.N.p", DefectRule::BadPattern),
    ];
    assert_eq!(told, expected);
}

#[test]
fn groups_are_refused_clearly() {
    let pool = support::pool(
        "syntax = \"proto2\"; package t; message M { optional group G = 1 { optional int32 a = 1; } }",
    );
    let defects = Schema::compile(&pool.get_message_by_name("t.M").unwrap()).unwrap_err();
    assert_eq!(defects[0].rule, DefectRule::Unsupported);
    assert!(defects[0].path.starts_with("t.M."), "{}", defects[0]);
}

#[test]
fn a_field_tells_what_it_is() {
    let schema = support::compile(
        "message M { repeated E colours = 1 [(convoke.v1.field) = {unit: \"1\", required: true}]; \
         map<int32, N> ns = 2; optional int64 id = 3 [(convoke.v1.field).default = \"7\"]; } \
         message N { M m = 1; } enum E { NONE = 0; RED = 1 [(convoke.v1.enum_value) = {aliases: \"rot\", capabilities: \"c\"}]; }",
    )
    .unwrap();
    let colours = schema.field("colours").unwrap();
    assert!(colours.is_list() && colours.is_required() && colours.kind() == Kind::Enum);
    assert_eq!(colours.type_text(), "list of t.E");
    let red = colours.enum_values().nth(1).unwrap();
    assert_eq!(
        (red.name(), red.number(), red.aliases(), red.capabilities()),
        ("RED", 1, &["rot".to_owned()][..], &["c".to_owned()][..])
    );
    let ns = schema.field("ns").unwrap();
    assert_eq!(
        (ns.map_key(), ns.element().unwrap().message().unwrap().full_name()),
        (Some(Kind::Int32), "t.N")
    );
    assert_eq!(schema.field("id").unwrap().default_value(), Some(&Value::Int(7)));
    assert_eq!(schema.nearest_field("colour"), Some("colours"));
    assert_eq!(schema.fields().map(|field| field.number()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(ns.element().unwrap().message().unwrap().field("m").unwrap().message(), Some(schema));
}

#[test]
fn wording_leaves_the_fingerprint_alone_and_meaning_changes_it() {
    let print = |body: &str| support::compile(body).unwrap().fingerprint();
    let plain = print("message M { int32 x = 1; }");
    assert_eq!(plain.len(), 64);
    assert_eq!(
        plain,
        print(
            "// A comment.\nmessage M { // and more\n int32 x = 1 [(convoke.v1.field) = {description: \"d\", aliases: \"y\", examples: \"3\"}]; }"
        )
    );
    for other in [
        "message M { int64 x = 1; }",
        "message M { option (convoke.v1.message) = {json_schema: \"{\\\"minProperties\\\": 1}\"}; int32 x = 1; }",
        "message M { int32 y = 1; }",
        "message M { int32 x = 2; }",
        "message M { repeated int32 x = 1; }",
        "message M { optional int32 x = 1; }",
        "message M { int32 x = 1 [(convoke.v1.field).required = true]; }",
        "message M { int32 x = 1 [(convoke.v1.field).minimum = \"0\"]; }",
        "message M { int32 x = 1 [(convoke.v1.field).default = \"0\"]; }",
        "message M { int32 x = 1 [(convoke.v1.field).unit = \"km\"]; }",
        "message M { option (convoke.v1.message).unknown_fields = DROP; int32 x = 1; }",
    ] {
        assert_ne!(plain, print(other), "{other}");
    }
}

#[test]
fn everything_that_is_asked_is_in_the_fingerprint() {
    let print = |body: &str| support::compile(body).unwrap().fingerprint();
    for (one, other) in [
        (
            "message M { N n = 1; } message N { int32 x = 1; }",
            "message M { N n = 1; } message N { int64 x = 1; }",
        ),
        (
            "message M { E e = 1; } enum E { A = 0; B = 1; }",
            "message M { E e = 1; } enum E { A = 0; B = 2; }",
        ),
        (
            "message M { oneof o { int32 x = 1; int32 y = 2; } }",
            "message M { oneof o { int32 x = 1; } oneof p { int32 y = 2; } }",
        ),
        ("message M { map<int32, int32> x = 1; }", "message M { map<int64, int32> x = 1; }"),
    ] {
        assert_ne!(print(one), print(other), "{one}");
    }
    for (kind, rule, other) in [
        ("string", "pattern: \"a\"", "pattern: \"b\""),
        ("string", "min_length: 1", "min_length: 2"),
        ("string", "max_length: 1", "max_length: 2"),
        ("string", "allowed_values: \"a\"", "allowed_values: \"b\""),
        ("string", "json_schema: '{\"minLength\": 1}'", "json_schema: '{\"minLength\": 2}'"),
        ("double", "role: CONFIDENCE", "unit: \"\""),
        ("double", "allow_non_finite: true", "allow_non_finite: false"),
        ("repeated int32", "min_items: 1, unique_items: true", "min_items: 1"),
        ("repeated int32", "min_items: 1", "min_items: 2"),
        ("repeated int32", "max_items: 1", "max_items: 2"),
    ] {
        let declared =
            |rule: &str| print(&format!("message M {{ {kind} x = 1 [(convoke.v1.field) = {{{rule}}}]; }}"));
        assert_ne!(declared(rule), declared(other), "{kind} {rule}");
    }
}

#[test]
fn an_option_of_another_shape_is_a_defect_of_its_field() {
    // A pool that brings its own idea of our annotations.
    let pool = support::pool(
        "syntax = \"proto3\"; package convoke.v1; import \"google/protobuf/descriptor.proto\"; \
         message Other { int32 description = 1; } extend google.protobuf.FieldOptions { Other field = 72310; } \
         message M { int32 x = 1 [(field).description = 5]; }",
    );
    let defects = Schema::compile(&pool.get_message_by_name("convoke.v1.M").unwrap()).unwrap_err();
    assert_eq!((defects[0].path.as_str(), defects[0].rule), ("convoke.v1.M.x", DefectRule::Option));
}

#[test]
fn every_message_of_the_contract_compiles() {
    for message in convoke_proto::descriptor_pool().all_messages() {
        if message.is_map_entry() || !message.full_name().starts_with("convoke.v1.") {
            continue;
        }
        let schema = Schema::compile(&message).unwrap_or_else(|defects| panic!("{defects:?}"));
        assert!(schema.describe().is_object());
    }
}
