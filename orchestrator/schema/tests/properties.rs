//! What holds for every value and every message: coercion is total, idempotent and deterministic, its entries applied
//! to the input give the output, bytes and back lose nothing, and what the JSON Schema is made of gives no entry.

#![cfg(test)]

mod support;
#[path = "support/untouched.rs"]
mod untouched;

use convoke_schema::{Assignable, Name, Object, Report, Schema, Value, Violation, ViolationRule, assignable};
use proptest::prelude::*;
use std::sync::LazyLock;

const PROTO: &str = include_str!("../../../tests/data/cases.proto");

static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let pool = support::pool(PROTO);
    let own = pool.all_messages().filter(|it| it.package_name() == "cases.v1" && !it.is_map_entry());
    own.map(|message| support::schema(&pool, message.full_name())).collect()
});

/// Texts that some row of the table takes an interest in.
const TEXTS: [&str; 40] = [
    "",
    " ",
    "0",
    "1",
    "-1",
    "+5",
    "42.0",
    "4.2",
    "1e3",
    "1e400",
    "-0",
    "9007199254740993",
    "18446744073709551616",
    "NaN",
    "-Infinity",
    "true",
    "off",
    "maybe",
    "red",
    "COLOR_BLUE",
    "2",
    "forest",
    "AQI=",
    "-_8",
    "2024-01-31",
    "2024-01-31T09:00:00Z",
    "2024-01-31 09:00:00",
    "tomorrow",
    "90s",
    "1m30s",
    "P1D",
    "a,b",
    "1,5",
    "1, 2",
    "[1, \"2\"]",
    "{\"from\": \"A\"}",
    "{\"a\": {\"b\": 1e400}}",
    "[",
    "departs_at",
    "\u{0}\u{1f600}",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-3_i64..12).prop_map(Value::Int),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::Float),
        "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?"
            .prop_map(|text| Value::parse(text.as_bytes()).unwrap()),
        proptest::sample::select(&TEXTS[..]).prop_map(Value::from),
        ".{0,12}".prop_map(Value::Text),
    ]
}

fn respelled(name: &str) -> String {
    name.to_uppercase().replace('_', "-")
}

/// Names of fields as they are, in other spellings, and of nothing.
fn name() -> impl Strategy<Value = String> {
    let known: Vec<String> =
        SCHEMAS.iter().flat_map(Schema::fields).map(|field| field.name().to_owned()).collect();
    prop_oneof![
        6 => proptest::sample::select(known.clone()),
        2 => proptest::sample::select(known).prop_map(|name| respelled(&name)),
        1 => proptest::sample::select(vec!["mass", "key", "value", "EUR", "1", "true", "", "a.b"]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
            proptest::collection::vec((name(), inner), 0..6)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

/// A value that stands a chance with this very message: each member is about one of its fields.
fn aimed() -> impl Strategy<Value = (usize, Value)> {
    (0..SCHEMAS.len()).prop_flat_map(|index| {
        let names: Vec<String> = SCHEMAS[index].fields().map(|field| field.name().to_owned()).collect();
        let members = proptest::collection::vec((proptest::sample::select(names), value()), 0..4);
        members.prop_map(move |members| {
            let mut object = Object::new();
            for (name, value) in members {
                object.set(&name, value);
            }
            (index, Value::Object(object))
        })
    })
}

fn holds(schema: &Schema, came: &Value) -> Result<(), TestCaseError> {
    let coerced = schema.coerce(came.clone());
    let again = schema.coerce(came.clone());
    prop_assert_eq!(coerced.report.to_proto(), again.report.to_proto());
    if !coerced.report.is_ok() {
        return Ok(());
    }
    let value = &coerced.value;
    let second = schema.coerce(value.clone());
    prop_assert!(second.report.is_empty(), "{:?}", second.report);
    prop_assert_eq!(&second.value, value);
    let printed = schema.coerce(Value::parse(schema.to_json(value).as_bytes()).unwrap());
    prop_assert!(printed.report.is_empty(), "{} {:?}", schema.to_json(value), printed.report);
    let bytes = schema.encode(value).unwrap();
    let decoded = schema.decode(&bytes).unwrap();
    // The members of a Struct have no order on the wire.
    prop_assert_eq!(schema.decode(&schema.encode(&decoded).unwrap()).unwrap(), decoded.clone());
    prop_assert_eq!(schema.encode(&decoded).unwrap().len(), bytes.len());
    prop_assert_eq!(schema.to_struct(&decoded), schema.to_struct(value));
    prop_assert!(schema.validate(value).is_empty());
    // A secret cannot be put in from what the report shows of it.
    if coerced.report.entries().all(|entry| entry.after != "\"[redacted]\"") {
        let unreported = untouched::unreported(came, value, &coerced.report);
        prop_assert!(unreported.is_none(), "{} {unreported:?} {:?}", came.to_json(), coerced.report);
        let mut applied = came.clone();
        for entry in coerced.report.entries() {
            support::apply(&mut applied, &entry);
        }
        let applied = schema.coerce(applied);
        prop_assert!(applied.report.is_empty(), "{:?}", applied.report);
        prop_assert_eq!(&applied.value, value);
    }
    Ok(())
}

/// The same value with the members of every object the other way round.
fn reversed(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut members: Vec<(Name, Value)> =
                object.into_iter().map(|(name, member)| (name, reversed(member))).collect();
            members.reverse();
            Value::Object(Object::from(members))
        }
        Value::List(list) => Value::List(list.into_iter().map(reversed).collect()),
        scalar => scalar,
    }
}

/// Everything that a report says of places, in the order of their paths. Texts that show a whole object show its
/// members in the order in which they came.
fn sorted(report: &Report) -> Vec<String> {
    let entries = report.entries().map(|it| format!("{} {:?} {:?} {}", it.path, it.rule, it.op, it.source));
    let violations =
        report.violations().iter().map(|it| format!("{} {} {}", it.path, it.rule, it.suggestion));
    let mut all: Vec<String> = entries.chain(violations).collect();
    all.sort();
    all
}

/// Each text as text and as the JSON that it is, and doubles that no JSON is; random values have too few of them.
fn of_interest() -> Vec<Value> {
    let texts = || TEXTS.into_iter().chain(["a ", " a", "7\n"]);
    let parsed = texts().filter_map(|text| Value::parse(text.as_bytes()).ok());
    let doubles = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -0.0, 0.1].map(Value::Float);
    texts().map(Value::from).chain(parsed).chain(doubles).collect()
}

#[test]
fn each_field_with_each_text() {
    let values: Vec<Value> =
        of_interest().into_iter().flat_map(|it| [Value::List(vec![it.clone()]), it]).collect();
    for schema in SCHEMAS.iter() {
        for name in schema.fields().flat_map(|field| [field.name().to_owned(), respelled(field.name())]) {
            for value in &values {
                let came = Value::Object([(Name::from(name.as_str()), value.clone())].into_iter().collect());
                holds(schema, &came).unwrap_or_else(|error| panic!("{}: {error}", came.to_json()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_for_any_message(index in 0..SCHEMAS.len(), value in value()) {
        holds(&SCHEMAS[index], &value)?;
    }

    #[test]
    fn a_value_with_the_fields_of_its_message((index, value) in aimed()) {
        holds(&SCHEMAS[index], &value)?;
    }

    #[test]
    fn the_order_of_members_changes_nothing((index, value) in aimed()) {
        let schema = &SCHEMAS[index];
        let (one, other) = (schema.coerce(value.clone()), schema.coerce(reversed(value)));
        prop_assert_eq!(one.report.is_ok(), other.report.is_ok());
        // Of a field that comes twice only the first is looked into. What stands in a map or a Struct is reported in
        // the order in which it came.
        let twice = |it: &Violation| it.rule() == ViolationRule::DuplicateField;
        if !one.report.violations().iter().any(twice) {
            prop_assert_eq!(sorted(&one.report), sorted(&other.report));
        }
        if one.report.is_ok() {
            prop_assert_eq!(one.value, other.value);
        }
    }

    #[test]
    fn any_text_is_json_or_an_error_with_its_place(text in proptest::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = Value::parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }

    #[test]
    fn any_json_reads_back_as_it_was_printed(value in value()) {
        let text = value.to_json();
        let again = Value::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(again.to_json(), text);
    }

    #[test]
    fn any_bytes_decode_or_are_refused(index in 0..SCHEMAS.len(), bytes in proptest::collection::vec(any::<u8>(), 0..96)) {
        let schema = &SCHEMAS[index];
        if let Ok(value) = schema.decode(&bytes) {
            let encoded = schema.encode(&value).unwrap();
            prop_assert_eq!(schema.to_struct(&schema.decode(&encoded).unwrap()), schema.to_struct(&value));
            let _ = schema.validate(&value);
        }
    }

    #[test]
    fn a_verdict_on_two_fields_is_sound((index, value) in aimed(), other in 0..SCHEMAS.len()) {
        let (producer, consumer) = (&SCHEMAS[index], &SCHEMAS[other]);
        let coerced = producer.coerce(value);
        let produced = producer.decode(&producer.encode(&coerced.value).unwrap_or_default()).unwrap();
        if !coerced.report.is_ok() {
            return Ok(());
        }
        for from in producer.fields() {
            // A field that is not there is no value, and a member alone says nothing of its neighbours.
            let Some(value) = coerced.value.get(from.name()).and(produced.get(from.name())) else { continue };
            for to in consumer.fields() {
                let member = Value::Object([(to.name(), value.clone())].into_iter().collect());
                let taken = consumer.coerce(member);
                let own = |path: &str| path.starts_with(to.name());
                let fits = !taken.report.violations().iter().any(|it| own(&it.path));
                let lossless = taken.report.entries().all(|entry| entry.lossless);
                match assignable(&from, &to) {
                    Assignable::Always(_) => prop_assert!(
                        fits && lossless, "{from:?} to {to:?}: {} {:?}", value.to_json(), taken.report.violations()
                    ),
                    Assignable::Never { reason } => prop_assert!(!fits, "{from:?} to {to:?}: {} {reason}", value.to_json()),
                    Assignable::Sometimes { .. } => {}
                }
            }
        }
    }
}
