//! The promises of the two JSON Schema dialects, judged by another implementation of JSON Schema.

#![cfg(test)]

mod support;

use convoke_schema::{Dialect, Rule, Schema, Value, ViolationRule};
use proptest::prelude::*;
use serde_json::Value as Json;
use support::dialects;

fn described(schema: &Schema, dialect: Dialect) -> Json {
    schema.describe_as(dialect).as_json().unwrap().clone()
}

/// Whether nothing is reported but defaults.
fn needs_no_mending(schema: &Schema, text: &str) -> bool {
    let report = schema.coerce(Value::parse(text.as_bytes()).unwrap()).report;
    report.is_ok() && report.entries().all(|entry| entry.rule == Rule::DefaultFilled)
}

fn declared() -> impl Strategy<Value = (String, Schema)> {
    dialects::declaration().prop_filter_map("random bounds may contradict each other", |text| {
        dialects::schema(&text).map(|schema| (text, schema))
    })
}

fn with_values() -> impl Strategy<Value = (String, Schema, Vec<String>)> {
    declared().prop_flat_map(|(text, schema)| {
        let values = proptest::collection::vec(dialects::values::message(&schema, 3), 40);
        (Just(text), Just(schema), values)
    })
}

fn with_strict_values() -> impl Strategy<Value = (String, Schema, Json, Vec<Json>)> {
    // What buf.validate asks has no keywords in strict modes.
    let declared = declared().prop_filter("rules in words", |(text, _)| !text.contains("(buf.validate."));
    declared.prop_flat_map(|(text, schema)| {
        let strict = described(&schema, Dialect::Strict);
        let values = proptest::collection::vec(dialects::strict::after(&strict, &strict, 4), 20);
        (Just(text), Just(schema), Just(strict), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_admits_exactly_what_needs_no_mending((text, schema, values) in with_values()) {
        let plain = described(&schema, Dialect::Plain);
        let validator = jsonschema::options().should_validate_formats(true).build(&plain).unwrap();
        for value in values {
            let valid = validator.is_valid(&serde_json::from_str(&value).unwrap());
            prop_assert_eq!(valid, needs_no_mending(&schema, &value), "{} of {}\n{}", value, text, plain);
        }
    }

    #[test]
    fn what_strict_admits_coerces((text, schema, strict, values) in with_strict_values()) {
        let validator = jsonschema::options().should_validate_formats(true).build(&strict).unwrap();
        for value in values {
            if !validator.is_valid(&value) {
                continue;
            }
            let report = schema.coerce(Value::parse(value.to_string().as_bytes()).unwrap()).report;
            // What no strict mode can say, and digits beyond the type.
            let unsaid = [
                ViolationRule::OneofConflict,
                ViolationRule::DuplicateField,
                ViolationRule::NotUnique,
                ViolationRule::Inexact,
            ];
            let broken = report.violations().iter().find(|it| !unsaid.contains(&it.rule()));
            prop_assert!(broken.is_none(), "{} of {}\n{}\n{:?}", value, text, strict, broken);
        }
    }

    #[test]
    fn a_description_depends_on_the_declaration_alone((text, schema) in declared()) {
        let again = dialects::schema(&text).unwrap();
        for dialect in Dialect::ALL {
            prop_assert_eq!(schema.describe_as(dialect), again.describe_as(dialect));
        }
    }
}
