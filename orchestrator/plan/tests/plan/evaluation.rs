//! What arguments are once the steps before have answered.

use crate::support::{self, clean, convert, json, plan, success, transfer};
use convoke_plan::{EvalErrorKind, Outputs, StepOutput, literal};
use convoke_proto::v1::domain_output::Status;
use convoke_schema::Value;
use proptest::prelude::*;
use prost_types::value::Kind;

/// What `extra.x` of a step is after step 1 has answered; step 1 and the catalog do not matter here.
fn value_of(argument: prost_types::Value, outputs: &Outputs) -> Result<Value, convoke_plan::EvalError> {
    let mut asked = plan(&[convert("1", "1"), transfer("2", "{}")].join(","));
    let extra = prost_types::Struct { fields: [("x".to_owned(), argument)].into() };
    let params =
        prost_types::Struct { fields: [("extra".to_owned(), Kind::StructValue(extra).into())].into() };
    asked.steps[1].params = Some(params);
    let checked = support::check(asked).1.unwrap();
    let value = checked.steps[1].arguments.evaluate(outputs)?;
    Ok(value.get("extra").unwrap().get("x").unwrap().clone())
}

fn outputs() -> Outputs {
    let mut outputs = Outputs::new();
    let result = r#"{"amount": 40.5, "date": "2026-11-20", "id": 9007199254740993, "legs": [{"to": "A"}, {"to": "${1.result.date}"}],
        "rates": {"EUR": 1}, "extra": {"none": null, "a b": [1, 2]}}"#;
    outputs.insert("1", success(result));
    outputs
}

fn text(argument: &str) -> Result<Value, convoke_plan::EvalError> {
    value_of(argument.to_owned().into(), &outputs())
}

#[test]
fn a_reference_alone_keeps_its_type_and_one_among_text_is_written_out() {
    for (argument, expected) in [
        ("${1.result.amount}", "40.5"),
        ("${ 1.result.amount }", "40.5"),
        ("${1.result.id}", "9007199254740993"),
        ("${1.result.legs[0]}", r#"{"to": "A"}"#),
        ("${1.result.legs[0].to}", r#""A""#),
        ("${1.result.rates[\"EUR\"]}", "1"),
        ("${1.result.extra[\"a b\"][1]}", "2"),
        ("${1.explanation}", r#""all went well""#),
        ("${1.confidence}", "0.75"),
        ("${1.metadata.source}", r#""a ledger""#),
        ("${1.status}", r#""SUCCESS""#),
        ("at ${1.result.amount} on ${1.result.date}", r#""at 40.5 on 2026-11-20""#),
        ("${1.result.amount} ", r#""40.5 ""#),
        ("id ${1.result.id}", r#""id 9007199254740993""#),
        ("leg ${1.result.legs[0]}", r#""leg {\"to\":\"A\"}""#),
    ] {
        assert_eq!(text(argument).unwrap(), json(expected), "{argument}");
    }
}

#[test]
fn escaped_text_is_text() {
    for (argument, expected) in [
        ("$${1.result.amount}", "${1.result.amount}"),
        ("$$${x", "$${x"),
        ("$ $1 $$ {1}", "$ $1 $$ {1}"),
        ("$${a} ${1.result.date}", "${a} 2026-11-20"),
    ] {
        assert_eq!(text(argument).unwrap(), Value::from(expected), "{argument}");
    }
}

#[test]
fn what_is_filled_in_is_never_read_again() {
    assert_eq!(text("${1.result.legs[1].to}").unwrap(), Value::from("${1.result.date}"));
    assert_eq!(text("<${1.result.legs[1].to}>").unwrap(), Value::from("<${1.result.date}>"));
    assert_eq!(
        text(r#"${1.result.extra.y ?? "${1.result.date}"}"#).unwrap(),
        Value::from("${1.result.date}")
    );
}

#[test]
fn a_default_stands_in_for_what_is_absent_or_null() {
    for (argument, expected) in [
        ("${1.result.extra.y ?? \"n/a\"}", r#""n/a""#),
        ("${1.result.extra.none ?? 7}", "7"),
        ("${1.result.extra.y ?? null}", "null"),
        ("${1.result.extra.y??true}", "true"),
        ("${1.result.legs[9].to ?? \"}\"}", r#""}""#),
        ("${1.result.extra.y ?? [1, {\"a\": 2}]}", r#"[1, {"a": 2}]"#),
        ("${1.result.amount ?? 7}", "40.5"),
        ("= ${1.result.extra.y ?? 12.5}", r#""= 12.5""#),
    ] {
        assert_eq!(text(argument).unwrap(), json(expected), "{argument}");
    }
}

#[test]
fn a_reference_without_a_value_is_an_error_with_its_place() {
    let error = text("${1.result.legs[9].to}").unwrap_err();
    assert_eq!((error.path.as_str(), error.kind), ("extra.x", EvalErrorKind::Absent));
    assert!(error.message.contains("${1.result.legs[9].to}"), "{}", error.message);
    let error = text("${1.result.extra.none.deeper}").unwrap_err();
    assert_eq!(error.kind, EvalErrorKind::Absent);
    let nobody = value_of("${1.result.amount}".to_owned().into(), &Outputs::new()).unwrap_err();
    assert_eq!(nobody.kind, EvalErrorKind::Absent);
    let stand_in = value_of("${1.result.amount ?? 1}".to_owned().into(), &Outputs::new()).unwrap();
    assert_eq!(stand_in, json("1"));
}

#[test]
fn a_failed_step_has_a_status_and_no_result() {
    let mut outputs = Outputs::new();
    let failed = StepOutput { status: Status::Failure, result: None, ..success("{}") };
    outputs.insert("1", failed);
    let of = |argument: &str| value_of(argument.to_owned().into(), &outputs);
    assert_eq!(of("${1.status}").unwrap(), Value::from("FAILURE"));
    assert_eq!(of("${1.result.amount}").unwrap_err().kind, EvalErrorKind::Absent);
    assert_eq!(of("${1.result.amount ?? 0}").unwrap(), json("0"));
}

#[test]
fn references_bring_in_no_more_than_a_message_may_hold() {
    let mut outputs = Outputs::new();
    let long = format!(r#"{{"date": "{}"}}"#, "x".repeat(1 << 20));
    outputs.insert("1", success(&long));
    let bomb = "${1.result.date}".repeat(1000);
    assert_eq!(value_of(bomb.into(), &outputs).unwrap_err().kind, EvalErrorKind::TooLarge);
    value_of("${1.result.date}".to_owned().into(), &outputs).unwrap();
}

#[test]
fn an_invoke_reads_no_references() {
    let catalog = support::catalog();
    let capability = std::sync::Arc::clone(catalog.resolve("", "transfer", "").unwrap());
    let parameters = json(r#"{"note": "${1.result.x}", "extra": {"$cel": "1 + 1"}}"#);
    let single = convoke_plan::CheckedPlan::single(capability, parameters.clone(), None);
    assert_eq!(single.steps[0].arguments.evaluate(&Outputs::new()).unwrap(), parameters);
    let again = clean(single.plan);
    assert_eq!(
        again.steps[0].arguments.evaluate(&Outputs::new()).unwrap(),
        parameters,
        "its plan says the same"
    );
}

/// Any value that a Struct can hold, with plenty of text that reads as code.
fn values() -> impl Strategy<Value = Value> {
    let words = prop_oneof![
        any::<String>(),
        "[${}$. a1?]{0,12}",
        Just("${1.result.amount}".to_owned()),
        Just("$literal".to_owned()),
        Just("$cel".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        words.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            proptest::collection::btree_map(words.clone(), inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_literal_evaluates_to_itself(value in values()) {
        prop_assert_eq!(value_of(literal(value.clone()), &outputs()).unwrap(), value);
    }

    #[test]
    fn no_text_makes_the_check_panic(text in prop_oneof![any::<String>(), "[${}.?\"\\[\\]a1 -]{0,40}", "\\$\\{1\\.[a-z.\\[\\]?\" ${}0-9]{0,30}"]) {
        let mut asked = plan(&[convert("1", "1"), transfer("2", "{}")].join(","));
        let fields = [("note".to_owned(), prost_types::Value::from(text))].into();
        asked.steps[1].params = Some(prost_types::Struct { fields });
        let (_, checked) = support::check(asked);
        if let Some(checked) = checked {
            let _ = checked.steps[1].arguments.evaluate(&outputs());
        }
    }
}
