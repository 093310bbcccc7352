//! From a team's annotated proto to its manifest, or to every mistake in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod support;

use convoke_proto::{
    descriptors::Descriptors,
    manifest,
    v1::{Capability, Domain, Goal, Manifest, Violation, capability::Effects, violation::Rule},
};
use support::{compile, units};

const MESSAGES: &str = "
    message In { double amount = 1; string from_unit = 2; Kind kind = 3; }
    message Out { double amount = 1; }
    enum Kind { KIND_UNSPECIFIED = 0; LENGTH = 1; }
";

const DOMAIN: &str = r#"option (convoke.v1.domain) = { name: "units" version: "1.2.0" };"#;

/// A service of one method with these options.
fn service(method_options: &str) -> Vec<u8> {
    let method = format!("rpc ConvertUnits(In) returns (Out) {{ {method_options} }}");
    units(&format!("{MESSAGES} service Units {{ {DOMAIN} {method} }}"))
}

fn read(set: &[u8]) -> Result<Manifest, Vec<Violation>> {
    manifest::read(&Descriptors::read(set).unwrap())
}

/// Where the mistakes are.
fn paths(set: &[u8]) -> Vec<String> {
    read(set).unwrap_err().into_iter().map(|violation| violation.path).collect()
}

#[test]
fn an_annotated_method_becomes_a_capability_with_everything_filled_in() {
    let manifest =
        read(&service(r#"option (convoke.v1.capability) = { description: "Converts." };"#)).unwrap();
    let domain = manifest.domain.unwrap();
    assert_eq!((domain.name.as_str(), domain.version.as_str()), ("units", "1.2.0"));
    let [capability] = manifest.capabilities.as_slice() else { panic!("{:?}", manifest.capabilities) };
    assert_eq!(capability.name, "convert_units");
    assert_eq!(capability.method, "/units.v1.Units/ConvertUnits");
    assert_eq!(
        (capability.input_type.as_str(), capability.output_type.as_str()),
        ("units.v1.In", "units.v1.Out")
    );
    assert_eq!(
        (capability.effects(), capability.description.as_str()),
        (Effects::NonIdempotent, "Converts.")
    );
    assert_eq!(manifest.descriptors_digest.len(), 64);
}

#[test]
fn the_standard_idempotency_level_counts_and_the_annotation_wins() {
    let effects = |options: &str| read(&service(options)).unwrap().capabilities[0].effects();
    let plain = "option (convoke.v1.capability) = {};";
    assert_eq!(effects(&format!("{plain} option idempotency_level = NO_SIDE_EFFECTS;")), Effects::ReadOnly);
    assert_eq!(effects(&format!("{plain} option idempotency_level = IDEMPOTENT;")), Effects::Idempotent);
    let keyed = "option (convoke.v1.capability) = { effects: KEYED };";
    assert_eq!(effects(&format!("{keyed} option idempotency_level = IDEMPOTENT;")), Effects::Keyed);
}

#[test]
fn a_comment_stands_in_for_a_missing_description() {
    let text = format!(
        "{MESSAGES}
         // Units of\n// measure.
         service Units {{ {DOMAIN}
           // Converts an amount.
           rpc Convert(In) returns (Out) {{ option (convoke.v1.capability) = {{}}; }}
         }}"
    );
    let manifest = read(&units(&text)).unwrap();
    assert_eq!(manifest.domain.unwrap().description, "Units of measure.");
    assert_eq!(manifest.capabilities[0].description, "Converts an amount.");
}

#[test]
fn a_goal_takes_the_input_and_the_capability_of_its_method() {
    let manifest = read(&service(
        r#"option (convoke.v1.capability) = {};
           option (convoke.v1.goal) = { name: "CONVERT" };
           option (convoke.v1.goal) = { name: "COMPARE" entities_type: "units.v1.Out" };"#,
    ))
    .unwrap();
    let goals: Vec<_> =
        manifest.goals.iter().map(|g| (&*g.name, &*g.capability, &*g.entities_type)).collect();
    let expected =
        [("CONVERT", "convert_units", "units.v1.In"), ("COMPARE", "convert_units", "units.v1.Out")];
    assert_eq!(goals, expected);
}

#[test]
fn a_method_without_the_option_is_no_capability() {
    let text = format!(
        "{MESSAGES} service Units {{ {DOMAIN}
           rpc Convert(In) returns (Out) {{ option (convoke.v1.capability) = {{}}; }}
           rpc Ping(In) returns (Out);
           rpc Follow(In) returns (stream Out);
         }}"
    );
    assert_eq!(read(&units(&text)).unwrap().capabilities.len(), 1);
}

#[test]
fn all_mistakes_are_reported_at_once_and_name_method_and_option() {
    let text = format!(
        r#"{MESSAGES} service Units {{
             option (convoke.v1.domain) = {{ name: "Units!" version: "one" }};
             rpc A(In) returns (Out) {{ option (convoke.v1.capability) = {{ name: "Bad Name" method: "/x/Y" }}; }}
             rpc B(In) returns (Out) {{ option (convoke.v1.capability) = {{ name: "same" }}; }}
             rpc C(In) returns (Out) {{ option (convoke.v1.capability) = {{ name: "same" input_type: "x" }}; }}
             rpc D(In) returns (Out) {{ option (convoke.v1.goal) = {{ name: "lower" }}; }}
           }}"#
    );
    assert_eq!(
        paths(&units(&text)),
        [
            "Units.A(capability).method",
            "Units.C(capability).input_type",
            "Units(domain).name",
            "Units(domain).version",
            "Units.A(capability).name",
            "Units.C(capability).name",
            "Units.D(goal)[0].name",
            "Units.D(goal)[0].capability",
        ]
    );
}

#[test]
fn what_is_not_served_yet_is_refused_by_method_and_option() {
    for (option, path) in [
        ("requires_approval: true", "requires_approval"),
        ("cache_ttl: { seconds: 5 }", "cache_ttl"),
        ("stream_result: LAST", "stream_result"),
        ("collect_max: 3", "collect_max"),
        ("key_scope: PER_DOMAIN", "key_scope"),
        ("key_window: { seconds: 60 }", "key_window"),
        ("decomposition: {}", "decomposition"),
        ("composition: { role: \"notifier\" }", "composition"),
        ("flow: {}", "flow"),
        ("limits: { max_in_flight: 1 }", "limits.max_in_flight"),
        ("limits: { per_second: 0.5 }", "limits.per_second"),
        ("limits: { max_calls_per_execution: 2 }", "limits.max_calls_per_execution"),
    ] {
        let set = service(&format!("option (convoke.v1.capability) = {{ {option} }};"));
        let violations = read(&set).unwrap_err();
        let [violation] = violations.as_slice() else { panic!("{violations:?}") };
        assert_eq!(violation.path, format!("Units.ConvertUnits(capability).{path}"));
        assert!(violation.expected.contains("NOT_SERVED"), "{}", violation.expected);
    }
}

#[test]
fn a_streaming_capability_and_domain_wide_settings_are_not_served() {
    let streaming = "rpc S(In) returns (stream Out) { option (convoke.v1.capability) = {}; }";
    let domain = r#"option (convoke.v1.domain) = { name: "u" default_capability: "s" gate_exempt: true };"#;
    let violations =
        read(&units(&format!("{MESSAGES} service Units {{ {domain} {streaming} }}"))).unwrap_err();
    assert!(violations.iter().all(|violation| violation.expected.contains("NOT_SERVED")), "{violations:?}");
    let paths: Vec<_> = violations.iter().map(|violation| violation.path.as_str()).collect();
    let expected = [
        "Units(domain).default_capability",
        "Units(domain).gate_exempt",
        "Units.S(capability) (a streaming method)",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn texts_tags_examples_and_an_attempt_timeout_are_served() {
    let options = r#"option (convoke.v1.capability) = {
        description: "d" tags: "t" effects: READ_ONLY
        intent_hints: { language: "en" keywords: "convert" examples: "convert {amount} {from_unit}" }
        examples: { description: "e" input: { fields: { key: "amount" value: { number_value: 5 } } } }
        limits: { attempt_timeout: { seconds: 2 } }
    };"#;
    assert_eq!(read(&service(options)).unwrap().capabilities[0].intent_hints.len(), 1);
    let zero = "option (convoke.v1.capability) = { limits: { attempt_timeout: {} } };";
    assert_eq!(paths(&service(zero)), ["Units.ConvertUnits(capability).limits.attempt_timeout"]);
}

#[test]
fn a_slot_that_is_no_field_is_refused_with_the_nearest_one() {
    let options = r#"option (convoke.v1.capability) = { intent_hints: { examples: "convert {amuont}" } };"#;
    let violations = read(&service(options)).unwrap_err();
    let violation = &violations[0];
    assert_eq!(violation.path, "Units.ConvertUnits(capability).intent_hints[0].examples[0]");
    assert_eq!((violation.got.as_str(), violation.suggestion.as_str()), ("\"amuont\"", "amount"));
}

#[test]
fn a_goal_names_a_capability_and_a_message_that_there_are() {
    let options = r#"option (convoke.v1.capability) = {};
        option (convoke.v1.goal) = { name: "A" capability: "convert_unit" };
        option (convoke.v1.goal) = { name: "B" capability: "currency.convert" };
        option (convoke.v1.goal) = { name: "C" entities_type: "units.v1.Inn" };
        option (convoke.v1.goal) = { name: "C" };"#;
    let violations = read(&service(options)).unwrap_err();
    let found: Vec<_> = violations.iter().map(|v| (v.path.as_str(), v.suggestion.as_str())).collect();
    assert_eq!(
        found,
        [
            ("Units.ConvertUnits(goal)[0].capability", "convert_units"),
            ("Units.ConvertUnits(goal)[1].capability (of another domain)", ""),
            ("Units.ConvertUnits(goal)[2].entities_type", "units.v1.In"),
            ("Units.ConvertUnits(goal)[3].name", ""),
        ]
    );
    assert!(violations[1].expected.contains("NOT_SERVED"));
}

#[test]
fn an_enum_value_leads_to_one_capability_of_this_agent() {
    let declared = |capabilities: &str| {
        let value = format!("LENGTH = 1 [(convoke.v1.enum_value) = {{ capabilities: [{capabilities}] }}];");
        units(&format!(
            "message In {{ Kind kind = 1; }} message Out {{}} enum Kind {{ KIND_UNSPECIFIED = 0; {value} }}
             service Units {{ {DOMAIN} rpc C(In) returns (Out) {{ option (convoke.v1.capability) = {{}}; }} }}"
        ))
    };
    assert!(read(&declared("\"c\"")).is_ok());
    assert_eq!(
        paths(&declared("\"c\", \"d\"")),
        [
            "units.v1.Kind.LENGTH(enum_value).capabilities (several entries)",
            "units.v1.Kind.LENGTH(enum_value).capabilities"
        ]
    );
}

#[test]
fn a_service_without_domain_or_capability_says_what_is_missing() {
    let no_domain = "rpc C(In) returns (Out) { option (convoke.v1.capability) = {}; }";
    assert_eq!(paths(&units(&format!("{MESSAGES} service Units {{ {no_domain} }}"))), ["Units(domain)"]);
    assert_eq!(paths(&units(&format!("{MESSAGES} service Units {{ {DOMAIN} }}"))), ["capabilities"]);
    let stranger =
        compile(&[("a.proto", "syntax = \"proto3\"; message A {} service S { rpc M(A) returns (A); }")]);
    assert_eq!(paths(&stranger), ["capabilities"]);
}

#[test]
fn two_services_are_one_domain() {
    let two = |other: &str| {
        let method = "rpc METHOD(In) returns (Out) { option (convoke.v1.capability) = {}; }";
        units(&format!(
            "{MESSAGES} service A {{ {DOMAIN} {} }} service B {{ {other} {} }}",
            method.replace("METHOD", "One"),
            method.replace("METHOD", "Two")
        ))
    };
    assert_eq!(read(&two(DOMAIN)).unwrap().capabilities.len(), 2);
    assert_eq!(paths(&two(r#"option (convoke.v1.domain) = { name: "other" };"#)), ["B(domain)"]);
    assert_eq!(paths(&two("")), ["B(domain)"]);
}

#[test]
fn an_option_from_a_later_contract_is_refused_rather_than_read_past() {
    // Field 99 (varint 1) inside the capability option: 0xb2 0xa7 0x23 is the key of 72310, length-delimited.
    let mut set = service("option (convoke.v1.capability) = { tags: \"ab\" };");
    let option = [0xb2, 0xa7, 0x23, 4, 0x62, 2, b'a', b'b'];
    let at = set.windows(option.len()).position(|window| window == option).unwrap();
    set[at + 4..at + 8].copy_from_slice(&[0x98, 0x06, 0x80, 0x01]);
    let violations = read(&set).unwrap_err();
    assert_eq!(violations[0].path, "Units.ConvertUnits(capability)");
    assert!(violations[0].expected.contains("NOT_SERVED: field 99"), "{}", violations[0].expected);
}

/// A manifest as an SDK might write it for a service without annotations.
fn ready_made() -> (Vec<u8>, Manifest) {
    let set = units(&format!(
        "{MESSAGES} service Units {{ rpc Convert(In) returns (Out) {{ option idempotency_level = IDEMPOTENT; }} }}"
    ));
    let capability = Capability {
        name: "convert".to_owned(),
        method: "/units.v1.Units/Convert".to_owned(),
        input_type: "units.v1.In".to_owned(),
        output_type: "units.v1.Out".to_owned(),
        ..Capability::default()
    };
    let goal = Goal { name: "CONVERT".to_owned(), capability: "convert".to_owned(), ..Goal::default() };
    let domain = Domain { name: "units".to_owned(), version: "1.0.0".to_owned(), ..Domain::default() };
    (
        set,
        Manifest {
            domain: Some(domain),
            capabilities: vec![capability],
            goals: vec![goal],
            ..Manifest::default()
        },
    )
}

#[test]
fn a_ready_made_manifest_is_adopted_when_it_agrees_with_the_descriptors() {
    let (set, manifest) = ready_made();
    let descriptors = Descriptors::read_for(&set, &manifest).unwrap();
    let adopted = manifest::adopt(manifest, &descriptors).unwrap();
    assert_eq!(adopted.capabilities[0].effects(), Effects::Idempotent);
    assert_eq!(adopted.goals[0].entities_type, "units.v1.In");
    assert_eq!(adopted.descriptors_digest, descriptors.digest());
    assert_eq!(manifest::check(&adopted, &descriptors), Ok(()));
}

#[test]
fn a_ready_made_manifest_that_disagrees_is_refused() {
    let (set, good) = ready_made();
    let descriptors = Descriptors::read_for(&set, &good).unwrap();
    let refused = |change: fn(&mut Manifest)| {
        let mut manifest = good.clone();
        change(&mut manifest);
        let violations = manifest::adopt(manifest, &descriptors).unwrap_err();
        (violations[0].path.clone(), violations[0].rule())
    };
    let path = |text: &str| text.to_owned();
    assert_eq!(
        refused(|m| m.capabilities[0].output_type = "units.v1.In".to_owned()),
        (path("Units.Convert(capability).output_type"), Rule::BadFormat)
    );
    assert_eq!(
        refused(|m| m.capabilities[0].method.clear()),
        (path("capabilities[0].method (empty: the generic binding)"), Rule::NotAllowed)
    );
    assert_eq!(
        refused(|m| m.capabilities[0].method = "/units.v1.Units/Gone".to_owned()),
        (path("Units.Gone(capability).method"), Rule::BadFormat)
    );
    assert_eq!(refused(|m| m.domain = None), (path("domain"), Rule::Missing));
    assert_eq!(
        refused(|m| m.descriptors_digest = "0".repeat(64)),
        (path("descriptors_digest"), Rule::BadFormat)
    );
    assert_eq!(
        refused(|m| m.goals[0].capability = "x.y".to_owned()).0,
        "goals[0].capability (of another domain)"
    );
    assert_eq!(
        refused(|m| m.capabilities = vec![Capability::default(); 1001]),
        (path("capabilities"), Rule::TooLarge)
    );
}
