//! Plans that want to hurt.

use crate::support::{self, catalog, convert, found, plan, transfer};
use convoke_plan::{Limits, check, parse};
use convoke_proto::v1;
use convoke_proto::v1::plan_report::Rule;
use prost_types::value::Kind;

fn wide() -> Limits {
    Limits { max_steps: 100_000, ..Limits::default() }
}

#[test]
fn more_steps_than_the_limit_are_one_finding() {
    let steps: Vec<String> = (0..10_000).map(|id| convert(&id.to_string(), "1")).collect();
    let found = found(plan(&steps.join(",")));
    assert_eq!(found, [(Rule::LimitExceeded, "steps".to_owned(), String::new())]);
}

#[test]
fn ten_thousand_steps_in_a_ring_are_one_cycle() {
    let steps: Vec<String> = (0..10_000)
        .map(|id| convert(&format!("s{id}"), &format!(r#""${{s{}.result.amount}}""#, (id + 1) % 10_000)))
        .collect();
    let (report, checked) = check(plan(&steps.join(",")), &catalog(), &wide());
    assert!(checked.is_none());
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.findings[0].rule(), Rule::Cycle);
    assert!(report.findings[0].message.len() < 300, "{}", report.findings[0].message);
}

#[test]
fn ten_thousand_steps_in_a_chain_are_bound() {
    let steps: Vec<String> = (0_u32..10_000)
        .map(|id| match id.checked_sub(1) {
            Some(before) => convert(&format!("s{id}"), &format!(r#""${{s{before}.result.amount}}""#)),
            None => convert("s0", "1"),
        })
        .collect();
    let (report, checked) = check(plan(&steps.join(",")), &catalog(), &wide());
    assert!(report.findings.is_empty(), "{report:?}");
    assert_eq!(checked.unwrap().steps.len(), 10_000);
}

#[test]
fn nesting_ends_at_the_limit() {
    let nested = |levels: usize| {
        let mut value: prost_types::Value = Kind::NumberValue(1.0).into();
        for _ in 0..levels {
            value = Kind::ListValue(prost_types::ListValue { values: vec![value] }).into();
        }
        let mut deep = plan(&transfer("1", "{}"));
        let fields = [("extra".to_owned(), value)].into();
        deep.steps[0].params = Some(prost_types::Struct { fields });
        deep
    };
    let found = found(nested(60));
    assert!(
        found
            .iter()
            .any(|(rule, path, _)| *rule == Rule::LimitExceeded && path.starts_with("steps[0].params.extra"))
    );
    let mut protected = nested(60);
    let fields = &mut protected.steps[0].params.as_mut().unwrap().fields;
    let inner = prost_types::Struct { fields: [("$literal".to_owned(), fields["extra"].clone())].into() };
    fields.insert("extra".to_owned(), Kind::StructValue(inner).into());
    assert!(support::found(protected).iter().any(|(rule, ..)| *rule == Rule::LimitExceeded));
}

#[test]
fn a_plan_may_hold_so_many_values_and_no_more() {
    let mut crowded = plan(&transfer("1", "{}"));
    let values = vec![prost_types::Value::from(1.0); 200_000];
    let list = Kind::ListValue(prost_types::ListValue { values }).into();
    crowded.steps[0].params = Some(prost_types::Struct { fields: [("amounts".to_owned(), list)].into() });
    assert!(found(crowded).iter().any(|(rule, ..)| *rule == Rule::LimitExceeded));
}

#[test]
fn a_flood_of_mistakes_is_counted_and_not_told() {
    let references = vec![r#""${nowhere.result.amount}""#; 50_000].join(",");
    let found = found(plan(&transfer("1", &format!(r#"{{"amounts": [{references}]}}"#))));
    assert_eq!(found.len(), Limits::default().max_findings + 1);
    assert_eq!(found.last().unwrap().0, Rule::LimitExceeded);
}

#[test]
fn a_huge_key_is_not_copied_for_every_reference_under_it() {
    let mut heavy = plan(&[convert("1", "1"), transfer("2", "{}")].join(","));
    let values = vec![prost_types::Value::from("${1.result.amount}".to_owned()); 20_000];
    let list = Kind::ListValue(prost_types::ListValue { values }).into();
    heavy.steps[1].params = Some(prost_types::Struct { fields: [("k".repeat(1 << 20), list)].into() });
    let findings = support::check(heavy).0;
    assert!(findings.iter().any(|finding| finding.rule() == Rule::LimitExceeded));
    assert!(findings.iter().all(|finding| finding.path.len() < 2_000 && finding.message.len() < 2_000));
}

#[test]
fn a_reference_that_goes_too_deep_is_refused() {
    let path = ".a".repeat(10_000);
    let found =
        found(plan(&[convert("1", "1"), convert("2", &format!(r#""${{1.result.extra{path}}}""#))].join(",")));
    assert_eq!(found[0].0, Rule::BadReference);
}

#[test]
fn two_spellings_of_one_parameter_are_refused_also_with_a_reference() {
    let both = r#"{"note": "${1.result.date}", "Note": "x"}"#;
    let found = found(plan(&[convert("1", "1"), transfer("2", both)].join(",")));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, Rule::BadLiteral);
}

#[test]
fn modes_that_do_not_exist_are_refused() {
    let mut odd = plan(&convert("1", "1"));
    odd.execution_mode = 77;
    odd.combine_mode = -1;
    let rules: Vec<_> = found(odd).into_iter().map(|(rule, path, _)| (rule, path)).collect();
    let expected = [(Rule::BadPlan, "execution_mode".to_owned()), (Rule::BadPlan, "combine_mode".to_owned())];
    assert_eq!(rules, expected);
}

#[test]
fn an_empty_plan_message_is_no_plan() {
    let (report, checked) = check(v1::ExecutionPlan::default(), &catalog(), &Limits::default());
    assert!(checked.is_none());
    assert_eq!(report.findings[0].rule(), Rule::BadPlan);
}

#[test]
fn a_file_that_is_no_plan_says_what_it_is_instead() {
    for text in ["", "[]", "12", "{", "{\"steps\": 3}", "\u{0}", "{\"steps\": [{\"id\": {}}]}"] {
        let report = parse(text.as_bytes()).unwrap_err();
        assert!(!report.violations.is_empty(), "{text}");
    }
    assert!(!parse(&[0xff, 0xfe]).unwrap_err().violations.is_empty());
    assert!(!parse("[".repeat(100_000).as_bytes()).unwrap_err().violations.is_empty());
}
