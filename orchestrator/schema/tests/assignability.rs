//! Verdicts on pairs of fields against what coercion does with values of the producer's type.

#![cfg(test)]

mod support;

use proptest::prelude::*;

use convoke_schema::{
    Assignable, Field, Judge, Name, Object, Rule, Schema, Value, assignable, from_json_schema,
};

const PROTO: &str = include_str!("data/assignable.proto");

const RULED: &str = include_str!("data/assignable-rules.proto");
const VALIDATE: &str = include_str!("../../../tests/data/proto/buf/validate/validate.proto");

/// JSON that some field takes an interest in.
const LITERALS: &str = include_str!("data/assignable-values.json");

fn object(name: &str, value: Value) -> Value {
    Value::Object([(Name::from(name), value)].into_iter().collect())
}

fn literals() -> Vec<Value> {
    Value::parse(LITERALS.as_bytes()).unwrap().as_list().unwrap().to_vec()
}

/// A producer's value as it comes off the wire, where its field takes the literal.
fn produced(schema: &Schema, field: &Field, literal: &Value) -> Option<Value> {
    let own = |path: &str| path.starts_with(field.name());
    let coerced = schema.coerce(object(field.name(), literal.clone()));
    if coerced.report.violations().iter().any(|it| own(&it.path)) {
        return None;
    }
    let alone = object(field.name(), coerced.value.get(field.name())?.clone());
    received(schema, field, &alone)
}

fn received(schema: &Schema, field: &Field, message: &Value) -> Option<Value> {
    let decoded = schema.decode(&schema.encode(message).ok()?).unwrap();
    let value = decoded.get(field.name())?.clone();
    let own = |path: &str| path.starts_with(field.name());
    let valid = !schema.validate(&decoded).iter().any(|it| own(&it.path));
    valid.then_some(value)
}

/// Whether coercion takes a value for a field without loss.
fn fits(schema: &Schema, field: &Field, value: &Value) -> bool {
    let report = schema.coerce(object(field.name(), value.clone())).report;
    let own = |path: &str| path.starts_with(field.name());
    !report.violations().iter().any(|it| own(&it.path)) && report.entries().all(|entry| entry.lossless)
}

/// Texts and lists that a value may come as.
fn guises(value: &Value) -> Vec<Value> {
    let text = Value::from(value.to_text());
    let json = Value::from(value.to_json());
    let list = Value::List(vec![value.clone()]);
    let twice = Value::List(vec![value.clone(), value.clone()]);
    let texts = Value::List(vec![text.clone(), text.clone()]);
    let keyed = ["a", "1", "true", "x"].map(|key| object(key, value.clone()));
    let mut guises = vec![value.clone(), text, json, list, twice, texts];
    guises.extend(keyed);
    guises
}

struct Producer {
    field: Field,
    values: Vec<Value>,
}

fn producers(schema: &Schema) -> Vec<Producer> {
    let literals = literals();
    let mut producers: Vec<Producer> = schema
        .fields()
        .map(|field| {
            let mut values: Vec<Value> =
                literals.iter().filter_map(|it| produced(schema, &field, it)).collect();
            values.extend(received(schema, &field, &Value::Object(Object::new())));
            // A message without the defaults that coercion fills in.
            values.extend(received(schema, &field, &object(field.name(), Value::Object(Object::new()))));
            Producer { field, values }
        })
        .collect();
    // What one field gives, in another guise, is a value for the others.
    let given: Vec<Value> =
        producers.iter().flat_map(|it| it.values.iter().take(6).flat_map(guises)).collect();
    for producer in &mut producers {
        let more: Vec<Value> = given.iter().filter_map(|it| produced(schema, &producer.field, it)).collect();
        producer.values.extend(more);
        let mut seen = std::collections::HashSet::new();
        producer.values.retain(|value| seen.insert(format!("{value:?}")));
    }
    producers
}

fn pairs_hold(message: &str) {
    let pool = support::pool(PROTO);
    verdicts_hold(&support::schema(&pool, &format!("pairs.v1.{message}")), true);
}

/// Of what proto2 and buf.validate declare. Of rules that are not looked into there is not always a value of each kind.
fn ruled_pairs_hold(message: &str, witnesses: bool) {
    let pool = support::pool_with(RULED, &[("buf/validate/validate.proto", VALIDATE)]);
    verdicts_hold(&support::schema(&pool, &format!("rules.v1.{message}")), witnesses);
}

fn verdicts_hold(schema: &Schema, witnesses: bool) {
    let mut wrong = Vec::new();
    for Producer { field: from, values } in &producers(schema) {
        assert!(!values.is_empty(), "{from:?}");
        for to in schema.fields() {
            let verdict = assignable(from, &to);
            let fitting = values.iter().find(|value| fits(schema, &to, value));
            let failing = values.iter().find(|value| !fits(schema, &to, value));
            let right = match verdict {
                Assignable::Always(_) => failing.is_none(),
                Assignable::Never { .. } => fitting.is_none(),
                Assignable::Sometimes { .. } => !witnesses || (fitting.is_some() && failing.is_some()),
            };
            if !right {
                let shown = |value: Option<&Value>| value.map_or("none".to_owned(), Value::to_json);
                let verdict = verdict.to_verdict().to_json();
                let (fitting, failing) = (shown(fitting), shown(failing));
                let (from, to) = (from.name(), to.name());
                wrong.push(format!("{from} to {to}: {verdict}\n    fits {fitting}, fails {failing}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), schema.full_name(), wrong.join("\n"));
}

/// The verdict and the rule that the table has for a pair.
fn expected<'t>(table: &'t serde_json::Value, from: &str, to: &str) -> (&'t str, &'t str) {
    let producer = &table["producers"][kind_of(table, from)];
    assert!(producer.is_object(), "{from} is missing");
    let holds = |list: &serde_json::Value| {
        let names = list.as_array().map(Vec::as_slice).unwrap_or_default();
        names.iter().filter_map(serde_json::Value::as_str).any(|name| kind_of(table, to) == name)
    };
    let always = producer["always"].as_object().into_iter().flatten().find(|(_, list)| holds(list));
    match always {
        Some((rule, _)) => ("ALWAYS", rule.as_str()),
        None if holds(&producer["sometimes"]) => ("SOMETIMES", ""),
        None => (producer["others"].as_str().unwrap_or("NEVER"), ""),
    }
}

fn kind_of<'n>(table: &'n serde_json::Value, name: &'n str) -> &'n str {
    table["wrappers"][name].as_str().unwrap_or(name)
}

#[test]
fn every_pair_of_kinds_is_as_the_table_has_it() {
    let table: serde_json::Value = serde_json::from_str(include_str!("data/assignable.json")).unwrap();
    let pool = support::pool(PROTO);
    let schema = support::schema(&pool, "pairs.v1.Kinds");
    let mut wrong = Vec::new();
    for from in schema.fields() {
        for to in schema.fields() {
            let verdict = assignable(&from, &to).to_verdict();
            let (name, rule) = expected(&table, from.name(), to.name());
            if verdict.verdict != name || (name == "ALWAYS" && verdict.rule != rule) {
                let (from, to) = (from.name(), to.name());
                wrong.push(format!("{from} to {to}: {name} {rule} expected, not {}", verdict.to_json()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_for_every_kind() {
    pairs_hold("Kinds");
}

#[test]
fn messages_for_messages() {
    pairs_hold("Messages");
}

#[test]
fn ranges_and_choices() {
    pairs_hold("Ranges");
}

#[test]
fn texts_and_bytes() {
    pairs_hold("Texts");
}

#[test]
fn lists_and_maps() {
    pairs_hold("Many");
}

#[test]
fn what_the_consumer_drops_is_lost_and_yet_taken() {
    let pool = support::pool(PROTO);
    let schema = support::schema(&pool, "pairs.v1.Messages");
    let [point, lenient, named] = ["point", "lenient", "named"].map(|name| schema.field(name).unwrap());

    let Assignable::Never { reason } = assignable(&point, &lenient) else { panic!("y is lost") };
    assert!(reason.contains('y'), "{reason}");
    let mut taking = Judge::of_what_is_taken();
    assert_eq!(taking.assignable(&point, &lenient), Assignable::Always(Some(Rule::UnknownDropped)));
    assert!(matches!(taking.assignable(&point, &named), Assignable::Never { .. }), "it drops nothing");
    let dropped = schema.coerce(Value::parse(br#"{"lenient": {"x": 1, "y": 2}}"#).unwrap()).report;
    let lost: Vec<bool> = dropped.entries().map(|entry| entry.lossless).collect();
    assert_eq!(lost, [false], "{dropped:?}");
}

/// Patterns whose automata are large, or take long to be found so.
const HOSTILE: [&str; 8] = [
    "(a|b){500}c{500}",
    "[^x]{1000}",
    "(a|b)*a(a|b){20}",
    "(.*a.{20}){3}",
    "(a?){300}a{300}",
    r"\\w{50}",
    "((a{1,20}){1,20}){1,20}",
    "(.{0,50}x){20}",
];

#[test]
fn patterns_that_nobody_can_compare_are_left_open() {
    let field = |(number, pattern): (usize, &str)| {
        format!("optional string f{number} = {number} [(convoke.v1.field).pattern = \"{pattern}\"];")
    };
    let body: String = (1..).zip(HOSTILE).map(field).collect();
    let schema = support::compile(&format!("message M {{ {body} }}")).unwrap();
    let mut judge = Judge::new();
    for from in schema.fields() {
        for to in schema.fields() {
            let verdict = judge.assignable(&from, &to);
            let right = match from == to {
                true => matches!(verdict, Assignable::Always(_)),
                false => matches!(verdict, Assignable::Sometimes { .. }),
            };
            assert!(right, "{from:?} to {to:?}: {verdict:?}");
        }
    }
}

#[test]
fn messages_of_thousands_of_fields_are_compared_as_far_as_the_work_goes() {
    let fields = |kind: &str, rule: &str| -> String {
        (1..=4000).map(|number| format!("{kind} f{number} = {number}{rule};")).collect()
    };
    let required = " [(convoke.v1.field) = {required: true, pattern: \"^a+$\"}]";
    let schema = support::compile(&format!(
        "message M {{ A a = 1; B b = 2; int32 one = 3; int32 other = 4; }} message A {{ {} }} message B {{ {} }}",
        fields("string", " [(convoke.v1.field).required = true]"),
        fields("string", required),
    ))
    .unwrap();
    let [a, b, one, other] = ["a", "b", "one", "other"].map(|name| schema.field(name).unwrap());
    let mut judge = Judge::new();
    assert!(matches!(judge.assignable(&a, &b), Assignable::Sometimes { .. }));
    for _ in 0..20 {
        assert!(matches!(judge.assignable(&a, &b), Assignable::Sometimes { .. }), "known by now");
    }
    assert_eq!(judge.assignable(&one, &other), Assignable::Always(None), "there is work left for others");
}

#[test]
fn fields_of_proto2() {
    ruled_pairs_hold("Fields", true);
}

#[test]
fn messages_of_proto2() {
    ruled_pairs_hold("Messages", false);
}

#[test]
fn rules_of_buf_validate() {
    ruled_pairs_hold("Rules", false);
}

#[test]
fn properties_of_a_json_schema() {
    let schema = serde_json::from_str(include_str!("data/assignable-properties.json")).unwrap();
    let converted = from_json_schema(&schema, "Properties").unwrap();
    let schema = Schema::compile(&converted.descriptor).unwrap();
    verdicts_hold(&schema, false);
    let again = Schema::compile(&converted.descriptor).unwrap();
    for name in ["even", "half", "tuple", "no_text", "with_five", "named_map"] {
        let field = |schema: &Schema| schema.field(name).unwrap();
        assert_eq!(assignable(&field(&schema), &field(&schema)), Assignable::Always(None), "{name}");
        if name != "named_map" {
            assert_eq!(
                assignable(&field(&schema), &field(&again)),
                Assignable::Always(None),
                "{name}, twice"
            );
        }
    }
}

#[test]
fn a_condition_says_what_the_value_has_to_be() {
    let pool = support::pool(PROTO);
    let schema = support::schema(&pool, "pairs.v1.Kinds");
    let condition = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|name| schema.field(name).unwrap());
        assignable(&from, &to).to_verdict().condition
    };
    assert_eq!(condition("int64", "double"), "a double holds it exactly");
    assert_eq!(condition("string", "double"), "the text is a number");
    assert_eq!(condition("double", "bool"), "it is 0 or 1");
}

#[test]
fn a_message_takes_itself_though_it_was_compiled_twice() {
    let pool = support::pool_with(RULED, &[("buf/validate/validate.proto", VALIDATE)]);
    let [one, other] = [0, 1].map(|_| support::schema(&pool, "rules.v1.Messages"));
    for name in ["any_of", "wanted", "checked", "full"] {
        let verdict = assignable(&one.field(name).unwrap(), &other.field(name).unwrap());
        assert_eq!(verdict, Assignable::Always(None), "{name}");
    }
    let changed = assignable(&one.field("loose").unwrap(), &other.field("any_of").unwrap());
    assert!(matches!(changed, Assignable::Sometimes { .. }), "{changed:?}");
}

/// A field with constraints made at random; contradictory ones are refused at compile time.
fn declared() -> impl Strategy<Value = String> {
    let number = || proptest::sample::select(vec!["-5", "0", "1", "3", "10", "100", "5000000000"]);
    let bounds =
        (number(), number(), any::<bool>(), any::<bool>()).prop_map(|(low, high, least, greatest)| {
            let low =
                if least { format!("minimum: \"{low}\"") } else { format!("exclusive_minimum: \"{low}\"") };
            if greatest { format!("{low}, maximum: \"{high}\"") } else { low }
        });
    let numeric = proptest::sample::select(vec!["int32", "int64", "uint32", "uint64", "double", "float"]);
    let patterns = vec!["^[a-z]+$", "^[0-9]{2}$", "^[A-Z0-9]{1,3}$", "e", "^(1|2|x)$", "^$"];
    let pattern = proptest::sample::select(patterns).prop_map(|it| format!("pattern: \"{it}\""));
    let length = (0_u32..4, 0_u32..5)
        .prop_map(|(least, greatest)| format!("min_length: {least}, max_length: {greatest}"));
    let count =
        (0_u32..3, 0_u32..4).prop_map(|(least, most)| format!("min_items: {least}, max_items: {most}"));
    let label = || proptest::sample::select(vec!["", "optional "]);
    let required = || any::<bool>().prop_map(|it| if it { ", required: true" } else { "" });
    prop_oneof![
        (label(), numeric.clone(), bounds.clone(), required())
            .prop_map(|(l, k, b, r)| (format!("{l}{k}"), b + r)),
        (label(), prop_oneof![pattern, length.clone()], required())
            .prop_map(|(l, rules, r)| (format!("{l}string"), rules + r)),
        (label(), length, required()).prop_map(|(l, rules, r)| (format!("{l}bytes"), rules + r)),
        (numeric.clone(), count.clone(), bounds, any::<bool>(), required())
            .prop_map(|(k, c, b, u, r)| (format!("repeated {k}"), format!("{c}, {b}, unique_items: {u}{r}"))),
        (numeric, count).prop_map(|(k, c)| (format!("map<string, {k}>"), c)),
    ]
    .prop_map(|(kind, rules)| format!("{kind} f# = # [(convoke.v1.field) = {{{rules}}}];"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn always_and_never_hold_for_constraints_made_at_random(fields in proptest::collection::vec(declared(), 2..4)) {
        let plain = ["int32", "double", "string", "repeated int64", "google.protobuf.Timestamp"].map(|it| format!("{it} f# = #;"));
        let numbered = (1..).zip(fields.into_iter().chain(plain));
        let body: String = numbered.map(|(number, text)| text.replace('#', &number.to_string())).collect();
        let Ok(schema) = support::compile(&format!("message M {{ {body} }}")) else { return Err(TestCaseError::reject("a contradictory declaration")) };
        for Producer { field: from, values } in &producers(&schema) {
            for to in schema.fields() {
                let verdict = assignable(from, &to);
                for value in values {
                    let right = match &verdict {
                        Assignable::Always(_) => fits(&schema, &to, value),
                        Assignable::Never { .. } => !fits(&schema, &to, value),
                        Assignable::Sometimes { .. } => break,
                    };
                    prop_assert!(right, "{body}\n{from:?} to {to:?}: {verdict:?} {}", value.to_json());
                }
            }
        }
    }
}
