//! What the catalog shows of what the registry said.

mod support;

use std::sync::Arc;

use convoke_catalog::{Catalog, Change, Index, Unresolved, admit};
use convoke_proto::v1;
use convoke_proto::v1::capability::Effects;
use support::{index, instance, manifest, read};

/// An agent with one capability; `more` goes into the request message.
fn agent(domain: &str, version: &str, capability: &str, more: &str) -> String {
    format!(
        r#"syntax = "proto3";
        package {domain}.v1;
        import "convoke/v1/annotations.proto";
        service Agent {{
          option (convoke.v1.domain) = {{ name: "{domain}" version: "{version}" description: "of {version}" }};
          rpc Do(Request) returns (Response) {{
            option (convoke.v1.capability) = {{ name: "{capability}" effects: READ_ONLY }};
          }}
        }}
        message Request {{ string text = 1 [(convoke.v1.field) = {{ required: true }}]; {more} }}
        message Response {{
          string said = 1 [(convoke.v1.field) = {{ role: EXPLANATION }}];
          double sure = 2 [(convoke.v1.field) = {{ role: CONFIDENCE }}];
        }}"#
    )
}

fn versions(catalog: &Catalog, domain: &str, capability: &str) -> Vec<String> {
    let offered = catalog.capabilities().filter(|known| known.domain == domain && known.name == capability);
    offered.map(|known| known.version.clone()).collect()
}

#[test]
fn an_admitted_capability_says_how_it_is_called() {
    let catalog = index(&[("units", &agent("units", "1.0.0", "convert_units", ""))]).snapshot();
    let capability = catalog.resolve("units", "convert_units", "").unwrap();
    assert_eq!(capability.path, "/units.v1.Agent/Do");
    assert_eq!(capability.effects, Effects::ReadOnly);
    assert_eq!(capability.input.full_name(), "units.v1.Request");
    assert_eq!(capability.roles.explanation.as_deref(), Some("said"));
    assert_eq!(capability.roles.confidence.as_deref(), Some("sure"));
    assert_eq!(capability.roles.metadata, None);
    assert_eq!(capability.healthy().count(), 1);
    assert!(capability.contract_digest.starts_with("sha256:"));
}

#[test]
fn wording_does_not_change_a_contract_and_meaning_does() {
    let digest = |proto: &str| {
        let (descriptors, manifest) = read(proto);
        admit(manifest, &descriptors).unwrap().contracts[0].contract_digest.clone()
    };
    let plain = agent("units", "1.0.0", "convert", "string unit = 2;");
    let worded = agent(
        "units",
        "1.0.1",
        "convert",
        r#"// A comment.
        string unit = 2 [(convoke.v1.field) = { description: "in words", examples: "mile" }];"#,
    );
    let bounded =
        agent("units", "1.0.0", "convert", "string unit = 2 [(convoke.v1.field) = { max_length: 3 }];");
    let retyped = agent("units", "1.0.0", "convert", "int32 unit = 2;");
    assert_eq!(digest(&plain), digest(&worded));
    assert_ne!(digest(&plain), digest(&bounded));
    assert_ne!(digest(&plain), digest(&retyped));
    assert_ne!(digest(&plain), digest(&plain.replace("READ_ONLY", "IDEMPOTENT")), "effects");
    assert_ne!(digest(&plain), digest(&plain.replace("rpc Do(", "rpc Run(")), "binding");
}

#[test]
fn a_declaration_that_no_schema_can_keep_is_a_violation_at_its_place() {
    let bad = r#"int32 count = 2 [(convoke.v1.field) = { minimum: "few" }];"#;
    let (descriptors, manifest) = read(&agent("units", "1.0.0", "convert", bad));
    let violations = admit(manifest, &descriptors).unwrap_err();
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert_eq!(violations[0].path, "units.v1.Request.count");
}

#[test]
fn a_rule_that_nobody_enforces_is_told_and_keeps_no_agent_out() {
    let rule = r#"string unit = 2 [(buf.validate.field).cel = { id: "unit.known", expression: "true" }];"#;
    let proto = agent("units", "1.0.0", "convert", rule)
        .replace("import \"convoke", "import \"buf/validate/validate.proto\"; import \"convoke");
    let mut index = Index::new();
    index.apply(manifest("m", &proto)).unwrap();

    let told = index.not_enforced("m");

    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].path, "units.v1.Request.unit");
    assert!(told[0].message.contains("unit.known"), "{told:?}");
    assert!(index.not_enforced("another").is_empty());
}

#[test]
fn an_unbound_call_takes_the_highest_healthy_version() {
    let mut index = Index::new();
    for (version, field) in [("1.9.0", "a"), ("1.10.0", "b"), ("2.0.0-rc.1", "c")] {
        index
            .apply(manifest(version, &agent("units", version, "convert", &format!("string {field} = 2;"))))
            .unwrap();
        index.apply(Change::Put(instance(&format!("units-{field}"), "units", version))).unwrap();
    }
    let version =
        |index: &mut Index| index.snapshot().resolve("units", "convert", "").unwrap().version.clone();
    assert_eq!(version(&mut index), "2.0.0-rc.1");
    index.apply(Change::Health { id: "units-c".to_owned(), healthy: false }).unwrap();
    assert_eq!(version(&mut index), "1.10.0");
    assert_eq!(versions(&index.snapshot(), "units", "convert"), ["1.10.0", "1.9.0", "2.0.0-rc.1"]);
    for id in ["units-a", "units-b"] {
        index.apply(Change::Health { id: id.to_owned(), healthy: false }).unwrap();
    }
    assert_eq!(version(&mut index), "2.0.0-rc.1", "nobody is healthy: the highest version");
}

#[test]
fn equal_contracts_of_two_versions_share_one_pool() {
    let mut index = Index::new();
    for version in ["1.0.0", "1.1.0"] {
        index.apply(manifest(version, &agent("units", version, "convert", ""))).unwrap();
        index.apply(Change::Put(instance(&format!("units-{}", &version[2..3]), "units", version))).unwrap();
    }
    let catalog = index.snapshot();
    let capability = catalog.resolve("units", "convert", "").unwrap();
    assert_eq!(catalog.capabilities().count(), 1);
    assert_eq!(capability.version, "1.1.0");
    assert_eq!(
        capability.healthy().map(|known| known.id.as_str()).collect::<Vec<_>>(),
        ["units-0", "units-1"]
    );
    assert_eq!(catalog.domains().next().unwrap().description, "of 1.1.0");
}

#[test]
fn a_bound_call_finds_its_contract_or_is_told_that_it_changed() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    let old = index.snapshot().resolve("units", "convert", "").unwrap().contract_digest.clone();
    index.apply(manifest("two", &agent("units", "2.0.0", "convert", "string unit = 2;"))).unwrap();
    index.apply(Change::Put(instance("units-2", "units", "two"))).unwrap();
    let both = index.snapshot();
    assert_eq!(both.resolve("units", "convert", &old).unwrap().version, "1.0.0");
    let new = both.resolve("units", "convert", "").unwrap().contract_digest.clone();
    index.apply(Change::Removed { id: "units-1".to_owned(), incarnation: None }).unwrap();
    let changed = index.snapshot().resolve("", "convert", &old).unwrap_err();
    assert_eq!(
        changed,
        Unresolved::ContractChanged { name: "units.convert".to_owned(), wanted: old, offered: vec![new] }
    );
    assert_eq!(changed.to_tool_error().code, "CONTRACT_CHANGED");
}

#[test]
fn a_bare_name_in_two_domains_is_ambiguous_and_a_full_one_is_not() {
    let catalog = index(&[
        ("units", &agent("units", "1.0.0", "convert", "")),
        ("money", &agent("money", "1.0.0", "convert", "")),
    ])
    .snapshot();
    let candidates = vec!["money.convert".to_owned(), "units.convert".to_owned()];
    let ambiguous = catalog.resolve("", "convert", "").unwrap_err();
    assert_eq!(ambiguous, Unresolved::Ambiguous { name: "convert".to_owned(), candidates });
    let error = ambiguous.to_tool_error();
    assert_eq!(error.code, "CAPABILITY_AMBIGUOUS");
    assert_eq!(error.details["candidates"], r#"["money.convert","units.convert"]"#);
    assert_eq!(catalog.resolve("units", "convert", "").unwrap().domain, "units");
    assert_eq!(catalog.resolve("", "units.convert", "").unwrap().domain, "units");
    let goals: Vec<_> = catalog.goals().map(|goal| (goal.domain.as_str(), goal.name.as_str())).collect();
    assert_eq!(goals, [("money", "convert"), ("units", "convert")]);
}

#[test]
fn an_unknown_name_brings_the_nearest_that_exist() {
    let catalog = index(&[
        ("units", &agent("units", "1.0.0", "convert_units", "")),
        ("currency", &agent("currency", "1.0.0", "convert_currency", "")),
    ])
    .snapshot();
    let nearest = |domain: &str, name: &str| match catalog.resolve(domain, name, "") {
        Err(Unresolved::NotFound { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("", "convert_unit")[0], "units.convert_units");
    assert_eq!(nearest("curency", "convert_currency")[0], "currency.convert_currency");
    assert_eq!(nearest("currency", "convert_units")[0], "units.convert_units", "across domains");
    assert_eq!(nearest("", "currency.convert_curency")[0], "currency.convert_currency");
    assert!(nearest("", "fly_to_the_moon").is_empty());
    let told = catalog.resolve("", "fly_to_the_moon", "").unwrap_err().to_tool_error();
    assert!(
        told.details["candidates"].contains("convert"),
        "where nothing is alike, what there is: {told:?}"
    );
    assert!(nearest("", &"x".repeat(1 << 20)).is_empty());
    let error = catalog.resolve("", "convert_unit", "").unwrap_err().to_tool_error();
    assert_eq!(
        (error.code.as_str(), error.outcome()),
        ("CAPABILITY_NOT_FOUND", v1::tool_error::Outcome::NotStarted)
    );
}

#[test]
fn a_bad_manifest_puts_its_own_instances_into_quarantine_and_nobody_else() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    let bad = Change::Manifest {
        digest: "bad".to_owned(),
        manifest: v1::Manifest::default(),
        descriptors: b"no descriptors".as_slice().into(),
    };
    assert!(!index.apply(bad).unwrap_err().violations.is_empty());
    index.apply(Change::Put(instance("units-2", "units", "bad"))).unwrap_err();
    index.apply(Change::Put(instance("units-3", "units", "never seen"))).unwrap_err();
    index.apply(Change::Put(instance("other-1", "other", "manifest-of-units"))).unwrap_err();
    let nowhere =
        v1::Instance { endpoint: "here".to_owned(), ..instance("units-4", "units", "manifest-of-units") };
    index.apply(Change::Put(nowhere)).unwrap_err();
    let catalog = index.snapshot();
    let reasons: Vec<_> =
        catalog.agents().map(|known| (known.id.as_str(), known.quarantined.is_some())).collect();
    let expected =
        [("other-1", true), ("units-1", false), ("units-2", true), ("units-3", true), ("units-4", true)];
    assert_eq!(reasons, expected);
    assert_eq!(catalog.resolve("units", "convert", "").unwrap().instances.len(), 1);
    assert!(!catalog.has_domain("other"));
}

#[test]
fn an_instance_that_came_before_its_manifest_is_admitted_with_it() {
    let mut index = Index::new();
    index.apply(Change::Put(instance("units-1", "units", "late"))).unwrap_err();
    assert_eq!(index.snapshot().capabilities().count(), 0);
    index.apply(manifest("late", &agent("units", "1.2.3", "convert", ""))).unwrap();
    let catalog = index.snapshot();
    let known = catalog.agents().next().unwrap();
    assert_eq!((known.quarantined.as_deref(), known.version.as_str()), (None, "1.2.3"));
    assert_eq!(catalog.capabilities().count(), 1);
}

#[test]
fn a_draining_instance_is_listed_and_gets_no_call() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    let draining = v1::Instance {
        state: v1::instance::State::Draining.into(),
        ..instance("units-1", "units", "manifest-of-units")
    };
    index.apply(Change::Put(draining)).unwrap();
    let catalog = index.snapshot();
    let capability = catalog.resolve("units", "convert", "").unwrap();
    assert_eq!((capability.instances.len(), capability.healthy().count()), (1, 0));
    index.apply(Change::Removed { id: "units-1".to_owned(), incarnation: Some(1) }).unwrap();
    let empty = index.snapshot();
    assert_eq!((empty.capabilities().count(), empty.goals().count(), empty.domains().count()), (0, 0, 0));
    assert!(empty.resolve("", "convert", "").is_err());
}

#[test]
fn what_is_said_about_an_older_incarnation_is_passed_over() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    let younger = v1::Instance { incarnation: 7, ..instance("units-1", "units", "manifest-of-units") };
    index.apply(Change::Put(younger)).unwrap();
    index.apply(Change::Put(instance("units-1", "units", "manifest-of-units"))).unwrap();
    index.apply(Change::Removed { id: "units-1".to_owned(), incarnation: Some(6) }).unwrap();
    assert_eq!(index.snapshot().agents().next().unwrap().incarnation, 7);
}

#[test]
fn a_restarted_agent_is_healthy_until_its_health_says_otherwise() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    let healthy = |index: &mut Index| index.snapshot().agents().next().unwrap().healthy;
    index.apply(Change::Health { id: "units-1".to_owned(), healthy: false }).unwrap();
    index.apply(Change::Put(instance("units-1", "units", "manifest-of-units"))).unwrap();
    assert!(!healthy(&mut index), "the same process");
    let younger = v1::Instance { incarnation: 2, ..instance("units-1", "units", "manifest-of-units") };
    index.apply(Change::Put(younger)).unwrap();
    assert!(healthy(&mut index));
}

#[test]
fn a_change_leaves_the_other_domains_of_the_snapshot_as_they_are() {
    let mut index = index(&[
        ("units", &agent("units", "1.0.0", "convert_units", "")),
        ("money", &agent("money", "1.0.0", "convert_money", "")),
    ]);
    let before = index.snapshot();
    assert!(Arc::ptr_eq(&before, &index.snapshot()), "nothing changed");
    index.apply(Change::Health { id: "money-1".to_owned(), healthy: false }).unwrap();
    let after = index.snapshot();
    let of = |catalog: &Catalog, name: &str| Arc::clone(catalog.resolve("", name, "").unwrap());
    assert!(Arc::ptr_eq(&of(&before, "convert_units"), &of(&after, "convert_units")));
    assert!(after.revision() > before.revision());
    assert_eq!(of(&before, "convert_money").healthy().count(), 1, "a snapshot stays as it was");
    assert_eq!(of(&after, "convert_money").healthy().count(), 0);
}

#[test]
fn a_declared_goal_stands_in_for_its_capability() {
    let proto = agent("movers", "1.0.0", "get_movers", "").replace(
        "effects: READ_ONLY };",
        r#"effects: READ_ONLY };
           option (convoke.v1.goal) = { name: "TOP_MOVERS" description: "what moved" };"#,
    );
    let catalog = index(&[("movers", &proto)]).snapshot();
    let goals: Vec<_> = catalog.goals().collect();
    assert_eq!(goals.len(), 1);
    assert_eq!((goals[0].name.as_str(), goals[0].capability.as_str()), ("TOP_MOVERS", "get_movers"));
    assert!(goals[0].declared);
    assert_eq!(goals[0].entities.full_name(), "movers.v1.Request");
}

#[test]
fn ten_thousand_instances_share_their_pool_between_capabilities() {
    let mut index = index(&[("units", &agent("units", "1.0.0", "convert", ""))]);
    for number in 2..=10_000 {
        index.apply(Change::Put(instance(&format!("units-{number}"), "units", "manifest-of-units"))).unwrap();
    }
    let catalog = index.snapshot();
    assert_eq!(catalog.resolve("", "convert", "").unwrap().healthy().count(), 10_000);
    index.apply(Change::Removed { id: "units-77".to_owned(), incarnation: None }).unwrap();
    assert_eq!(index.snapshot().resolve("", "convert", "").unwrap().instances.len(), 9_999);
}
