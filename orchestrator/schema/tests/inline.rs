//! A refused value as a model reads it: each violation at its place.

#![cfg(test)]

mod support;

use convoke_schema::{Schema, Value, render_inline};

const PROTO: &str = include_str!("../../../tests/data/cases.proto");

fn schema(message: &str) -> Schema {
    support::schema(&support::pool(PROTO), &format!("cases.v1.{message}"))
}

fn rendered(message: &str, text: &str) -> String {
    let came = Value::parse(text.as_bytes()).unwrap();
    let report = schema(message).coerce(came.clone()).report;
    render_inline(&came, report.violations())
}

#[test]
fn each_violation_stands_at_its_place_and_what_is_missing_too() {
    let text =
        r#"{"legs": [{"from": "A", "Seats": "many"}, {"departs_at": "2024-01-31T09:00:00"}], "colour": 1}"#;
    assert_eq!(
        rendered("Trip", text),
        r#"{
  "legs": [
    {
      "from": "A",
      "Seats": "many" // WRONG_TYPE: expected an integer from -2147483648 to 2147483647
    },
    {
      "departs_at": "2024-01-31T09:00:00" // BAD_FORMAT: expected an RFC 3339 date-time with a zone, such as 2024-01-31T09:00:00Z; try 2024-01-31T09:00:00Z
      // "from": MISSING: expected text
    }
  ],
  "colour": 1 // UNKNOWN_FIELD: expected a field of cases.v1.Trip: one of legs, main
}"#
    );
}

#[test]
fn what_coercion_left_shows_what_it_took_out() {
    let coerced = schema("Names").coerce(Value::parse(br#"{"wieght": 1, "departs_at": 1}"#).unwrap());
    assert_eq!(
        render_inline(&coerced.value, coerced.report.violations()),
        r#"{
  "departs_at": 1
  // "wieght": UNKNOWN_FIELD: expected a field of cases.v1.Names: one of departs_at, wide, tall, renamed, weight; got 1; try weight
}"#
    );
}

#[test]
fn a_oneof_and_a_map_have_their_places() {
    assert_eq!(
        rendered("Payment", r#"{"card": "x", "iban": "y"}"#),
        r#"{
  "card": "x",
  "iban": "y"
  // "payment": ONEOF_CONFLICT: expected at most one of card, iban, barter; got ["card","iban"]
}"#
    );
    assert_eq!(
        rendered("Maps", r#"{"rates": {"a.b": "x", "c": 1}}"#),
        r#"{
  "rates": {
    "a.b": "x", // WRONG_TYPE: expected a number
    "c": 1
  }
}"#
    );
}

#[test]
fn a_value_alone_and_places_within_it_are_told_beside_it() {
    assert_eq!(rendered("Trip", "1"), "1 // WRONG_TYPE: expected an object with the fields of cases.v1.Trip");
    assert_eq!(
        rendered("Lists", r#"{"days": "x"}"#),
        "{\n  \"days\": \"x\" // [0]: WRONG_TYPE: expected an integer from -2147483648 to 2147483647; got \"x\"\n}"
    );
    assert_eq!(
        rendered("Required", "{}"),
        "{\n  // \"name\": MISSING: expected text\n  // \"ids\": MISSING: expected a list of int32\n}"
    );
}

#[test]
fn a_refused_secret_is_not_shown_and_no_text_ends_a_comment() {
    let text = rendered("Login", r#"{"password": "hunter2"}"#);
    assert!(!text.contains("hunter2"), "{text}");
    assert!(
        text.contains("\"password\": \"[redacted]\" // MIN_LENGTH: expected at least 8 characters"),
        "{text}"
    );
    let violation = convoke_schema::Violation {
        path: "a".to_owned(),
        expected: "two\nlines".to_owned(),
        ..convoke_schema::Violation::default()
    };
    let value = Value::parse(br#"{"a": 1}"#).unwrap();
    assert_eq!(
        render_inline(&value, &[violation]),
        "{\n  \"a\": 1 // RULE_UNSPECIFIED: expected two lines\n}"
    );
}

#[test]
fn all_but_the_comments_is_the_value() {
    for (message, text) in [
        ("Trip", r#"{"legs": [{"from": 1}, [], {}], "main": {}}"#),
        ("Dynamic", r#"{"extra": {"a": [1e400, {"b": 1e400}]}, "list": []}"#),
        ("Scalars", r#"{"d": "// no comment", "s": {"a": "//"}}"#),
    ] {
        let rendered = rendered(message, text);
        let plain: String = rendered
            .lines()
            .map(|line| line.find(" // ").map_or(line, |place| &line[..place]))
            .filter(|line| !line.trim_start().starts_with("// "))
            .collect();
        let plain = plain.replace("\"[redacted]\"", "0");
        let (back, came) = (Value::parse(plain.as_bytes()), Value::parse(text.as_bytes()));
        assert_eq!(back.unwrap(), came.unwrap(), "{rendered}");
    }
}

#[test]
fn a_secret_is_taken_out_under_whatever_name_it_came() {
    let redacted = |message: &str, text: &str| {
        schema(message).redacted(&Value::parse(text.as_bytes()).unwrap()).to_json()
    };
    assert_eq!(
        redacted("Login", r#"{"user":"a","Password":"b","pasword":"c","PIN":4,"pin":[5]}"#),
        r#"{"user":"a","Password":"[redacted]","pasword":"[redacted]","PIN":"[redacted]","pin":"[redacted]"}"#
    );
    assert_eq!(
        redacted("Account", r#"{"login":{"user":"a","pin":1},"LOGIN":"{\"pin\":1}"}"#),
        r#"{"login":{"user":"a","pin":"[redacted]"},"LOGIN":"[redacted]"}"#
    );
    assert_eq!(
        redacted(
            "Packed",
            r#"{"details":[{"@type":"x/cases.v1.Leg","from":"A"},{"@type":"x/cases.v1.Login","pin":1},{"pin":1}]}"#
        ),
        r#"{"details":[{"@type":"x/cases.v1.Leg","from":"A"},{"@type":"x/cases.v1.Login","pin":"[redacted]"},"[redacted]"]}"#
    );
    // The nearest name is no secret, one that is near enough is.
    assert_eq!(redacted("Vault", r#"{"tok":"a","took":"b"}"#), r#"{"tok":"[redacted]","took":"b"}"#);
    assert_eq!(
        redacted("Vault", r#"{"codes":{"1":"a"},"Ruled":{"whole":1},"rule":{"whole":2}}"#),
        r#"{"codes":"[redacted]","Ruled":"[redacted]","rule":"[redacted]"}"#
    );
    assert_eq!(redacted("Login", "null"), "null");
    assert_eq!(redacted("Trip", r#"{"main":{"from":"A"}}"#), r#"{"main":{"from":"A"}}"#);
}

#[test]
fn a_message_without_fields_says_so() {
    let schema = support::schema(&support::pool(PROTO), "google.protobuf.Empty");
    let came = Value::parse(br#"{"a": 1}"#).unwrap();
    let report = schema.coerce(came.clone()).report;

    let expected = "{\n  \"a\": 1 // UNKNOWN_FIELD: expected nothing: google.protobuf.Empty has no fields\n}";
    assert_eq!(render_inline(&came, report.violations()), expected);
}
