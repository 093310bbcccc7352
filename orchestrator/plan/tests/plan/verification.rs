//! Every rule of verification, by the plan that breaks it.

use crate::support::{self, catalog, check, clean, convert, found, only, plan, plan_in, transfer};
use convoke_plan::Limits;
use convoke_proto::v1::plan_report::{Rule, Severity};

fn error(rule: Rule, path: &str, suggestion: &str) -> (Severity, Rule, String, String) {
    (Severity::Error, rule, path.to_owned(), suggestion.to_owned())
}

fn note(rule: Rule, path: &str) -> (Severity, Rule, String, String) {
    (Severity::Note, rule, path.to_owned(), String::new())
}

/// Two conversions; the second one's amount is `amount`.
fn chain(amount: &str) -> convoke_proto::v1::ExecutionPlan {
    plan(&[convert("1", "250"), convert("2", amount)].join(","))
}

#[test]
fn two_conversions_chained_by_a_reference_are_in_order() {
    let checked = clean(chain(r#""${1.result.amount}""#));
    assert_eq!(checked.steps[1].data_dependencies, [0]);
    assert!(checked.steps[1].tolerated.is_empty());
    assert!(checked.steps[1].order_dependencies.is_empty());
    assert_eq!(checked.steps[0].output_key, "1");
    assert!(checked.steps[0].required);
}

#[test]
fn the_plan_comes_back_bound() {
    let catalog = catalog();
    let checked = clean(chain("3"));
    let capability = catalog.resolve("bank", "convert", "").unwrap();
    for step in &checked.plan.steps {
        assert_eq!((step.domain.as_str(), step.capability.as_str()), ("bank", "convert"));
        assert_eq!(step.contract_digest, capability.contract_digest);
    }
    let (report, again) = convoke_plan::check(checked.plan.clone(), &catalog, &Limits::default());
    assert!(report.findings.is_empty());
    assert_eq!(again.unwrap().plan, checked.plan, "binding twice changes nothing");
}

#[test]
fn a_plan_without_steps_is_none() {
    assert_eq!(only(plan("")), error(Rule::BadPlan, "steps", ""));
}

#[test]
fn an_id_that_is_malformed_is_refused() {
    for id in ["", "a b", "größe", "a.b", &"x".repeat(65)] {
        assert_eq!(only(plan(&convert(id, "1"))), error(Rule::BadPlan, "steps[0].id", ""), "{id}");
    }
}

#[test]
fn an_unknown_capability_suggests_the_nearest() {
    let misspelt = convert("1", "1").replace("\"convert\"", "\"convret\"");
    assert_eq!(only(plan(&misspelt)), error(Rule::UnknownCapability, "steps[0].capability", "convert"));
    let elsewhere = convert("1", "1").replace("\"capability\"", "\"domain\": \"bnak\", \"capability\"");
    assert_eq!(only(plan(&elsewhere)), error(Rule::UnknownCapability, "steps[0].domain", "bank"));
}

#[test]
fn a_capability_of_two_domains_is_ambiguous() {
    let other = support::BANK.replace("name: \"bank\"", "name: \"broker\"").replace("bank.v1", "broker.v1");
    let catalog = crate::agents::index(&[("bank", support::BANK), ("broker", &other)]).snapshot();
    let (report, checked) = convoke_plan::check(plan(&convert("1", "1")), &catalog, &Limits::default());
    assert!(checked.is_none());
    assert_eq!(report.findings[0].rule(), Rule::AmbiguousCapability);
    assert!(report.findings[0].message.contains("bank.convert, broker.convert"), "{:?}", report.findings[0]);
    let full = convert("1", "1").replace("\"convert\"", "\"broker.convert\"");
    let (report, checked) = convoke_plan::check(plan(&full), &catalog, &Limits::default());
    assert!(report.findings.is_empty());
    assert_eq!(checked.unwrap().plan.steps[0].domain, "broker");
}

#[test]
fn a_contract_that_is_no_longer_offered_is_named() {
    let offered = catalog().resolve("bank", "convert", "").unwrap().contract_digest.clone();
    let old = convert("1", "1").replace("\"params\"", "\"contract_digest\": \"sha256:00\", \"params\"");
    assert_eq!(only(plan(&old)), error(Rule::ContractChanged, "steps[0].contract_digest", &offered));
}

#[test]
fn ids_and_output_keys_stand_once() {
    let twice = plan(&[convert("1", "1"), convert("1", "2")].join(","));
    assert_eq!(only(twice), error(Rule::DuplicateId, "steps[1].id", ""));
    let keyed = convert("2", "2").replace("\"params\"", "\"output_key\": \"1\", \"params\"");
    let mut merged = plan(&[convert("1", "1"), keyed].join(","));
    clean(merged.clone());
    merged.combine_mode = convoke_proto::v1::execution_plan::CombineMode::Merge.into();
    assert_eq!(only(merged), error(Rule::DuplicateOutputKey, "steps[1].output_key", ""));
}

#[test]
fn a_step_that_does_not_exist_suggests_the_nearest() {
    let reference = plan(&[convert("first", "1"), convert("2", r#""${frist.result.amount}""#)].join(","));
    assert_eq!(only(reference), error(Rule::UnknownStep, "steps[1].params.amount", "first"));
    let named =
        convert("second", "2").replace("\"params\"", "\"depends_on\": [\"first\", \"3\"], \"params\"");
    let named = plan(&[convert("first", "1"), named].join(","));
    assert_eq!(only(named), error(Rule::UnknownStep, "steps[1].depends_on[1]", ""));
}

#[test]
fn steps_that_wait_for_each_other_are_a_cycle_with_its_ids() {
    let ring = [
        convert("a", r#""${b.result.amount}""#),
        convert("b", r#""${c.result.amount}""#),
        convert("c", r#""${a.result.amount}""#),
        convert("d", r#""${a.result.amount}""#),
    ];
    let findings = check(plan(&ring.join(","))).0;
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].rule(), findings[0].path.as_str()), (Rule::Cycle, "steps[0].params.amount"));
    assert!(findings[0].message.ends_with("a → b → c → a"), "{}", findings[0].message);
    assert_eq!(
        only(plan(&convert("a", r#""${a.result.amount}""#))),
        error(Rule::Cycle, "steps[0].params.amount", "")
    );
    let own = convert("a", "1").replace("\"params\"", "\"depends_on\": [\"a\"], \"params\"");
    assert_eq!(only(plan(&own)), error(Rule::Cycle, "steps[0].depends_on[0]", ""));
}

#[test]
fn a_sequential_plan_runs_in_its_order() {
    let steps = [convert("1", "1"), convert("2", r#""${1.result.amount}""#), convert("3", "3")];
    let checked = clean(plan_in("SEQUENTIAL", &steps.join(",")));
    let orders: Vec<_> = checked.steps.iter().map(|step| step.order_dependencies.clone()).collect();
    assert_eq!(orders, [vec![], vec![], vec![1]], "a data dependency needs no order");
    let backwards =
        plan_in("SEQUENTIAL", &[convert("1", r#""${2.result.amount}""#), convert("2", "2")].join(","));
    let findings = check(backwards).0;
    assert_eq!((findings.len(), findings[0].rule()), (1, Rule::Cycle));
    assert!(findings[0].message.ends_with("1 → 2 → 1"), "{}", findings[0].message);
}

#[test]
fn a_parallel_plan_has_no_edges() {
    let steps = [convert("1", "1"), convert("2", r#""${1.result.amount}""#)];
    let found = only(plan_in("PARALLEL", &steps.join(",")));
    assert_eq!(found, error(Rule::MisplacedEdge, "steps[1].params.amount", ""));
    clean(plan_in("PARALLEL", &[convert("1", "1"), convert("2", "2")].join(",")));
}

#[test]
fn a_misspelt_field_of_a_result_suggests_the_nearest() {
    let expected = error(Rule::UnknownField, "steps[1].params.amount", "amount");
    assert_eq!(only(chain(r#""${1.result.amuont}""#)), expected);
    assert_eq!(only(chain(r#""${1.result.amuont ?? 0}""#)), expected, "also behind a default");
    assert_eq!(only(chain(r#""${1.result.best.amuont}""#)), expected);
    assert_eq!(only(chain(r#""${1.result.legs[0].amuont}""#)), expected);
}

#[test]
fn a_misspelt_parameter_suggests_the_nearest() {
    let literal = plan(&transfer("1", r#"{"noet": "x"}"#));
    assert_eq!(only(literal), error(Rule::UnknownField, "steps[0].params.noet", "note"));
    let reference = plan(&[convert("1", "1"), transfer("2", r#"{"noet": "${1.result.date}"}"#)].join(","));
    assert_eq!(only(reference), error(Rule::UnknownField, "steps[1].params.noet", "note"));
}

#[test]
fn a_reference_has_to_fit_the_field_it_fills() {
    let to = |field: &str, value: &str| {
        plan(&[convert("1", "1"), transfer("2", &format!(r#"{{"{field}": "{value}"}}"#))].join(","))
    };
    let mismatch = |place: &str| error(Rule::TypeMismatch, &format!("steps[1].params.{place}"), "");
    assert_eq!(only(to("note", "${1.result.best}")), mismatch("note"));
    assert_eq!(only(to("note", "${1.result.legs}")), mismatch("note"));
    assert_eq!(only(to("note", "${1.result}")), mismatch("note"));
    assert_eq!(only(to("note", "${1.metadata}")), mismatch("note"));
    assert_eq!(only(to("amounts", "${1.result.best}")), mismatch("amounts"));
    assert_eq!(
        only(chain(r#""${1.result.exact}""#)),
        error(Rule::TypeMismatch, "steps[1].params.amount", "")
    );
    for (field, value) in [
        ("note", "${1.result.date}"),
        ("note", "${1.explanation}"),
        ("note", "${1.status}"),
        ("note", "${1.result.amount} on ${1.result.date}"),
        ("id", "${1.result.id}"),
        ("legs", "${1.result.legs}"),
        ("legs", "${1.result.best}"),
        ("rates", "${1.result.rates}"),
        ("extra", "${1.metadata}"),
        ("amounts", "${1.confidence}"),
    ] {
        clean(to(field, value));
    }
}

#[test]
fn what_the_types_leave_open_is_a_note() {
    let uncertain = note(Rule::TypeUncertain, "steps[1].params.amount");
    assert_eq!(only(chain(r#""${1.result.date}""#)), uncertain, "text may be a number");
    assert_eq!(only(chain(r#""${1.result.extra.price}""#)), uncertain, "nobody knows what a Struct holds");
    assert_eq!(only(chain(r#""${1.metadata.price}""#)), uncertain);
    assert_eq!(only(chain(r#""${1.result.rate}0""#)), uncertain, "text with a reference in it");
}

#[test]
fn what_a_consumer_drops_by_its_own_word_is_a_note() {
    let fee =
        |value: &str| plan(&[convert("1", "1"), transfer("2", &format!(r#"{{"fee": {value}}}"#))].join(","));
    let findings = check(fee(r#""${1.result.best}""#)).0;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!((findings[0].severity(), findings[0].rule()), (Severity::Note, Rule::TypeUncertain));
    assert_eq!(findings[0].path, "steps[1].params.fee");
    assert!(findings[0].message.contains("to: it is lost"), "the field is named: {findings:#?}");
    let wrong = fee(r#""${1.result.exact}""#);
    assert_eq!(only(wrong), error(Rule::TypeMismatch, "steps[1].params.fee", ""), "nothing else is let pass");
}

#[test]
fn an_index_goes_into_lists_only() {
    let bad = error(Rule::BadReference, "steps[1].params.amount", "");
    assert_eq!(only(chain(r#""${1.result.amount[0]}""#)), bad);
    assert_eq!(only(chain(r#""${1.result.rates[0]}""#)), bad);
    assert_eq!(only(chain(r#""${1.result[0]}""#)), bad);
    assert_eq!(only(chain(r#""${1.explanation[0]}""#)), bad);
    clean(chain(r#""${1.result.legs[4294967295].amount}""#));
    clean(chain(r#""${1.result.rates[\"EUR\"]}""#));
    clean(chain(r#""${1.result.rates.EUR}""#));
}

#[test]
fn text_that_does_not_parse_says_where() {
    for text in [
        "${",
        "${1.result.amount",
        "${1}",
        "${1.}",
        "${1.results.amount}",
        "${ENV:HOME}",
        "${1.result.}",
        "${1.result.legs[}",
        "${1.result.legs[-1]}",
        "${1.result.legs[99999999999999999999999]}",
        "${1.result.amount ?? }",
        "${1.result.amount ?? oops}",
        "${1.result.amount | upper}",
        "${größe.result.amount}",
    ] {
        let findings = check(chain(&format!("\"{text}\""))).0;
        assert_eq!(findings.len(), 1, "{text}: {findings:#?}");
        assert_eq!(findings[0].rule(), Rule::BadReference, "{text}");
        assert_eq!(findings[0].path, "steps[1].params.amount", "{text}");
        assert!(findings[0].message.starts_with("at character "), "{text}: {}", findings[0].message);
    }
}

#[test]
fn any_key_with_a_dollar_is_an_expression_and_none_is_served() {
    let bad = error(Rule::BadExpression, "steps[1].params.amount", "");
    assert_eq!(only(chain(r#"{"$cel": "1.0 + 2.0"}"#)), bad);
    assert_eq!(only(chain(r#"{"$ref": 1}"#)), bad);
    assert_eq!(only(chain(r#"{"$literal": 1, "more": 2}"#)), bad);
    clean(chain(r#"{"$literal": 1}"#));
}

#[test]
fn literals_are_coerced_with_their_place() {
    let bad = |place: &str| error(Rule::BadLiteral, &format!("steps[0].params.{place}"), "");
    let of = |params: &str| {
        let (severity, rule, path, _) = only(plan(&transfer("1", params)));
        (severity, rule, path, String::new())
    };
    assert_eq!(of(r#"{"count": "lots"}"#), bad("count"));
    assert_eq!(of(r#"{"count": 10}"#), bad("count"));
    assert_eq!(of(r#"{"legs": [{"to": "A"}, {"to": "B", "amount": []}]}"#), bad("legs[1].amount"));
    assert_eq!(of(r#"{"note": "${", "count": 1}"#).1, Rule::BadReference);
    clean(plan(&transfer("1", r#"{"count": "7", "Note": 12, "legs": {"to": "A"}}"#)));
}

#[test]
fn a_parameter_that_is_required_is_there_or_is_referred_to() {
    let missing = error(Rule::MissingParameter, "steps[0].params.legs[1].to", "");
    let (severity, rule, path, _) = only(plan(&transfer("1", r#"{"legs": [{"to": "A"}, {"amount": 1}]}"#)));
    assert_eq!((severity, rule, path), (missing.0, missing.1, missing.2));
    let referred = r#"{"legs": [{"to": "${1.result.date}"}, {"to": "x ${1.result.date}", "amount": "${1.result.rate}"}]}"#;
    clean(plan(&[convert("1", "1"), transfer("2", referred)].join(",")));
    let elements =
        r#"{"amounts": ["${1.result.amount}", 2, "${1.result.rate}"], "rates": {"a": "${1.result.rate}"}}"#;
    clean(plan(&[convert("1", "1"), transfer("2", elements)].join(",")));
}

#[test]
fn a_default_is_a_literal_of_the_field_it_fills() {
    clean(chain(r#""${1.result.rate ?? 1.5}""#));
    let (severity, rule, path, _) = only(chain(r#""${1.result.rate ?? \"n/a\"}""#));
    assert_eq!(
        (severity, rule, path.as_str()),
        (Severity::Error, Rule::BadLiteral, "steps[1].params.amount")
    );
    clean(plan(&[convert("1", "1"), transfer("2", r#"{"note": "${1.result.date ?? \"n/a\"}"}"#)].join(",")));
}

#[test]
fn a_required_step_that_cannot_do_without_an_optional_one_is_warned_about() {
    let optional = convert("1", "1").replace("\"params\"", "\"required\": false, \"params\"");
    let warned = only(plan(&[optional.clone(), convert("2", r#""${1.result.amount}""#)].join(",")));
    let expected =
        (Severity::Warning, Rule::BadReference, "steps[1].params.amount".to_owned(), String::new());
    assert_eq!(warned, expected);
    let checked = clean(plan(&[optional, convert("2", r#""${1.result.amount ?? 1}""#)].join(",")));
    assert_eq!((&checked.steps[1].data_dependencies, &checked.steps[1].tolerated), (&vec![0], &vec![0]));
}

#[test]
fn timeouts_are_above_zero() {
    for bad in ["0s", "-1s"] {
        let step = convert("1", "1").replace("\"params\"", &format!("\"timeout\": \"{bad}\", \"params\""));
        assert_eq!(only(plan(&step)), error(Rule::BadPlan, "steps[0].timeout", ""));
    }
    let mut whole = plan(&convert("1", "1"));
    whole.timeout = Some(prost_types::Duration { seconds: -1, nanos: 0 });
    assert_eq!(only(whole), error(Rule::BadPlan, "timeout", ""));
    let step = convert("1", "1").replace("\"params\"", "\"timeout\": \"1.5s\", \"params\"");
    assert_eq!(clean(plan(&step)).steps[0].timeout, Some(std::time::Duration::from_millis(1500)));
}

#[test]
fn every_finding_is_reported_at_once_in_the_plans_order() {
    let steps = [
        convert("1", "\"lots\""),
        convert("1", "2").replace("\"convert\"", "\"convret\""),
        convert("3", r#""${1.result.amuont}""#).replace("\"from\": \"EUR\", ", ""),
    ];
    let rules: Vec<_> =
        found(plan(&steps.join(","))).into_iter().map(|(rule, path, _)| (rule, path)).collect();
    let expected = [
        (Rule::BadLiteral, "steps[0].params.amount"),
        (Rule::DuplicateId, "steps[1].id"),
        (Rule::UnknownCapability, "steps[1].capability"),
        (Rule::UnknownField, "steps[2].params.amount"),
        (Rule::MissingParameter, "steps[2].params.from"),
    ];
    assert_eq!(rules.len(), expected.len(), "{rules:?}");
    for (rule, path) in expected {
        assert!(rules.contains(&(rule, path.to_owned())), "{rule:?} at {path} in {rules:?}");
    }
}
