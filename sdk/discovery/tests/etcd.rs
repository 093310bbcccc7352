//! The registry in etcd, against a real one.

#![allow(clippy::unwrap_used, reason = "a suite fails by panicking")]

#[path = "support/etcd.rs"]
mod process;
mod support;

use std::{sync::Arc, time::Duration};

use convoke_discovery::{
    Error, KeptAlive, Registration, Registry, Update,
    announce::{Announced, Announcer},
    memory::Memory,
};
use convoke_proto::{
    descriptors::Descriptors,
    digest, json, manifest,
    v1::{self, instance::State},
};
use etcd_client::GetOptions;
use futures::StreamExt;
use process::Process;
use serde_json::Value;
use support::{Orchestrator, announcement, greeter, next, put, removed};
use tokio::time::{Instant, timeout};

const PREFIX: &str = "/convoke/v1/default/";

fn registration(endpoint: &str) -> Registration {
    let descriptors = Descriptors::read(&greeter()).unwrap();
    Registration {
        instance: v1::Instance { endpoint: endpoint.into(), ..Default::default() },
        manifest: manifest::read(&descriptors).unwrap(),
        descriptors: descriptors.bytes().clone(),
        ttl: Duration::ZERO,
    }
}

fn named(id: &str, endpoint: &str) -> Registration {
    let mut registration = registration(endpoint);
    registration.instance.id = id.into();
    registration
}

fn announce(etcd: &Process, endpoint: &str, ttl: u64) -> Announced {
    let mut announcement = announcement(endpoint);
    announcement.ttl = Duration::from_secs(ttl);
    Announcer::connect(&etcd.url()).unwrap().announce(announcement).unwrap()
}

fn synced(update: Update) -> Option<()> {
    (update == Update::Synced).then_some(())
}

/// Key, value and lease of everything under a prefix.
async fn stored(etcd: &Process, under: &str) -> Vec<(String, Vec<u8>, i64)> {
    let options = GetOptions::new().with_prefix();
    let found = etcd.client().await.get(format!("{PREFIX}{under}"), Some(options)).await.unwrap();
    let key = |key: &str| key.strip_prefix(PREFIX).unwrap().to_owned();
    found.kvs().iter().map(|kv| (key(kv.key_str().unwrap()), kv.value().to_vec(), kv.lease())).collect()
}

#[tokio::test]
async fn a_registration_stands_under_the_keys_of_the_contract() {
    let etcd = Process::start().await;
    let lease = etcd.registry().register(named("greet-1", "h:1")).await.unwrap();

    let instances = stored(&etcd, "instances/").await;
    let [(key, value, under_lease)] = &instances[..] else { panic!("{instances:?}") };
    assert_eq!(key, "instances/greet/greet-1");
    assert_ne!(*under_lease, 0);
    let instance: Value = serde_json::from_slice(value).unwrap();
    assert_eq!(instance["id"], "greet-1");
    assert_eq!(instance["endpoint"], "http://h:1");
    assert_eq!(instance["state"], "SERVING");
    assert_eq!(instance["incarnation"], lease.instance.incarnation.to_string());

    let manifests = stored(&etcd, "manifests/").await;
    let [(key, value, 0)] = &manifests[..] else { panic!("{manifests:?}") };
    let sha256 = digest::sha256_hex(value);
    assert_eq!(*key, format!("manifests/greet/{sha256}"));
    assert_eq!(instance["manifest_digest"], format!("sha256:{sha256}"));
    let manifest: Value = serde_json::from_slice(value).unwrap();
    assert_eq!(manifest["capabilities"][0]["name"], "greet");

    let descriptors = stored(&etcd, "descriptors/").await;
    let [(key, value, 0)] = &descriptors[..] else { panic!("{descriptors:?}") };
    assert_eq!(*key, format!("descriptors/{}", digest::sha256_hex(value)));
    assert_eq!(manifest["descriptors_digest"], digest::sha256_hex(value));

    let refs = stored(&etcd, "refs/").await;
    assert_eq!(refs[0].0, format!("refs/greet/{sha256}"));
    assert_eq!(stored(&etcd, "").await.len(), 4);
}

#[tokio::test]
async fn a_watcher_learns_what_is_there_and_then_what_changes() {
    let etcd = Process::start().await;
    let registry = etcd.registry();
    let lease = registry.register(named("a", "h:1")).await.unwrap();
    let mut updates = etcd.registry().watch();
    assert!(
        matches!(updates.next().await, Some(Update::Manifest { digest, .. }) if digest == lease.instance.manifest_digest)
    );
    assert_eq!(updates.next().await, Some(Update::Put(lease.instance.clone())));
    assert_eq!(updates.next().await, Some(Update::Synced));

    let other = registry.register(named("b", "h:2")).await.unwrap();
    assert_eq!(updates.next().await, Some(Update::Put(other.instance)));
    registry.keep_alive("a", lease.instance.incarnation, Some(State::Draining)).await.unwrap();
    assert_eq!(next(&mut updates, put).await.state(), State::Draining);
    registry.deregister("a", lease.instance.incarnation).await.unwrap();
    assert_eq!(updates.next().await, Some(Update::Removed { id: "a".into() }));
    assert_eq!(etcd.client().await.leases().await.unwrap().leases().len(), 1);
}

#[tokio::test]
async fn an_agent_that_dies_is_gone_when_its_lease_ends() {
    let etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    let announced = announce(&etcd, "h:1", 1);
    let instance = next(&mut updates, put).await;
    let died = Instant::now();
    drop(announced);
    assert_eq!(next(&mut updates, removed).await, instance.id);
    assert!(died.elapsed() < Duration::from_secs(2), "{:?}", died.elapsed());
}

#[tokio::test]
async fn an_agent_lives_as_long_as_it_is_kept_alive_and_says_when_it_ends() {
    let etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    let announced = announce(&etcd, "h:1", 1);
    let instance = announced.registered().await.unwrap();
    assert_eq!(next(&mut updates, put).await, instance);
    // Twice its TTL.
    assert!(timeout(Duration::from_secs(2), next(&mut updates, removed)).await.is_err());
    announced.drain().await;
    assert_eq!(next(&mut updates, put).await.state(), State::Draining);
    announced.deregister().await;
    assert_eq!(next(&mut updates, removed).await, instance.id);
}

#[tokio::test]
async fn nothing_is_asked_of_etcd_at_rest() {
    let etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    let announced = announce(&etcd, "h:1", 1);
    announced.registered().await.unwrap();
    next(&mut updates, put).await;
    let beats = || -> f64 {
        let received = etcd.metrics("grpc_server_msg_received_total");
        received.iter().filter(|(name, _)| name.contains("LeaseKeepAlive")).map(|(_, count)| count).sum()
    };
    let until = |count: f64| async move {
        while beats() < count {
            tokio::task::yield_now().await;
        }
    };
    timeout(support::PATIENCE, until(2.0)).await.unwrap();
    let before = etcd.metrics("grpc_server_started_total");
    timeout(support::PATIENCE, until(beats() + 4.0)).await.unwrap();
    assert_eq!(etcd.metrics("grpc_server_started_total"), before);
}

#[tokio::test]
async fn after_etcd_was_killed_and_started_again_watchers_and_agents_go_on() {
    let mut etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    let stays = announce(&etcd, "h:1", 10);
    let instance = stays.registered().await.unwrap();
    assert_eq!(next(&mut updates, put).await, instance);

    etcd.kill();
    next(&mut updates, |update| matches!(update, Update::Lost(_)).then_some(())).await;
    etcd.run().await;
    // What stayed is not told again.
    assert_eq!(updates.next().await, Some(Update::Synced));
    stays.drain().await;
    assert_eq!(next(&mut updates, put).await.state(), State::Draining);
}

#[tokio::test]
async fn what_has_gone_while_contact_was_lost_is_removed_before_the_rest_is_told() {
    let mut etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    next(&mut updates, synced).await;
    let lease = etcd.registry().register(named("gone", "h:1")).await.unwrap();
    next(&mut updates, put).await;
    etcd.kill();
    next(&mut updates, |update| matches!(update, Update::Lost(_)).then_some(())).await;
    // The watcher is not polled until both have happened.
    etcd.run().await;
    let elsewhere = etcd.registry();
    elsewhere.deregister("gone", lease.instance.incarnation).await.unwrap();
    elsewhere.register(named("new", "h:2")).await.unwrap();
    assert_eq!(updates.next().await, Some(Update::Removed { id: "gone".into() }));
    assert!(matches!(updates.next().await, Some(Update::Manifest { .. })));
    assert_eq!(next(&mut updates, put).await.id, "new");
}

#[tokio::test]
async fn an_agent_that_starts_before_etcd_is_known_as_soon_as_there_is_one() {
    let mut etcd = Process::reserve();
    let announced = announce(&etcd, "h:1", 10);
    let mut updates = etcd.registry().watch();
    next(&mut updates, |update| matches!(update, Update::Lost(_)).then_some(())).await;
    etcd.spawn();
    assert_eq!(next(&mut updates, put).await, announced.registered().await.unwrap());
}

#[tokio::test]
async fn an_endpoint_registered_again_replaces_its_instance_with_a_greater_incarnation() {
    let etcd = Process::start().await;
    let (here, elsewhere) = (etcd.registry(), etcd.registry());
    let mut updates = etcd.registry().watch();
    next(&mut updates, synced).await;
    let first = here.register(registration("h:1")).await.unwrap();
    let second = elsewhere.register(registration("h:1")).await.unwrap();
    assert_eq!(first.instance.id, second.instance.id);
    assert!(second.instance.incarnation > first.instance.incarnation);
    let kept = here.keep_alive(&first.instance.id, first.instance.incarnation, None).await.unwrap();
    assert_eq!(kept, KeptAlive::Lapsed);
    here.deregister(&first.instance.id, first.instance.incarnation).await.unwrap();

    next(&mut updates, |update| put(update).filter(|instance| *instance == second.instance)).await;

    // Under another id, through the same process and through another one.
    for (registry, id) in [(&elsewhere, "b"), (&here, "c")] {
        let renamed = registry.register(named(id, "h:1")).await.unwrap();
        assert!(renamed.instance.incarnation > second.instance.incarnation);
        next(&mut updates, removed).await;
        assert_eq!(next(&mut updates, put).await.id, id);
    }
}

#[tokio::test]
async fn an_id_is_refused_to_another_endpoint_until_its_holder_is_gone() {
    let etcd = Process::start().await;
    let lease = etcd.registry().register(named("a", "h:1")).await.unwrap();
    let registry = etcd.registry();
    let refused = registry.register(named("a", "h:2")).await.unwrap_err();
    assert!(matches!(&refused, Error::IdTaken { id } if id == "a"), "{refused}");
    assert_eq!(etcd.client().await.leases().await.unwrap().leases().len(), 1, "no lease is left behind");
    // Another process than the one it was registered through.
    registry.deregister("a", lease.instance.incarnation).await.unwrap();
    registry.register(named("a", "h:2")).await.unwrap();
}

#[tokio::test]
async fn what_is_too_large_for_etcd_is_refused_for_good_and_leaves_no_lease() {
    let etcd = Process::start().await;
    let mut registration = registration("h:1");
    registration.descriptors = vec![0; 1_700_000].into();
    let error = etcd.registry().register(registration).await.unwrap_err();
    assert!(!error.is_retryable() && error.to_string().contains("too large"), "{error}");
    assert!(etcd.client().await.leases().await.unwrap().leases().is_empty());
}

#[tokio::test]
async fn what_others_have_written_wrongly_is_named_and_never_served() {
    let etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    next(&mut updates, synced).await;
    let mut client = etcd.client().await;
    let unknown = v1::Instance {
        id: "lost".into(),
        domain: "greet".into(),
        endpoint: "http://h:9".into(),
        manifest_digest: "a".repeat(64),
        ..Default::default()
    };
    let unknown = json::render("convoke.v1.Instance", &unknown).to_string();
    for (key, value, reason) in [
        ("instances/greet/text", "hello", "line 1"),
        ("instances/greet/lost", unknown.as_str(), "its manifest is not in the registry"),
        ("instances/NotADomain/x", "{}", "key"),
    ] {
        client.put(format!("{PREFIX}{key}"), value, None).await.unwrap();
        let (id, why) = next(&mut updates, |update| match update {
            Update::Invalid { instance, reason } => Some((instance.id, reason)),
            _ => None,
        })
        .await;
        assert!(why.contains(reason), "{key}: {why}");
        client.delete(format!("{PREFIX}{key}"), None).await.unwrap();
        assert_eq!(next(&mut updates, removed).await, id);
    }
}

#[tokio::test]
async fn more_instances_than_a_page_are_all_there() {
    let etcd = Process::start().await;
    let template = etcd.registry().register(named("template", "h:1")).await.unwrap().instance;
    let mut client = etcd.client().await;
    for n in 0..1200 {
        let id = format!("copy-{n}");
        let instance =
            v1::Instance { id: id.clone(), endpoint: format!("http://copy:{}", n + 1), ..template.clone() };
        let value = json::render("convoke.v1.Instance", &instance).to_string();
        client.put(format!("{PREFIX}instances/greet/{id}"), value, None).await.unwrap();
    }
    let mut count = 0;
    next(&mut etcd.registry().watch(), |update| {
        count += u32::from(matches!(update, Update::Put(_)));
        synced(update)
    })
    .await;
    assert_eq!(count, 1201);
}

#[tokio::test]
async fn the_registry_service_writes_through_for_agents_without_an_etcd_client() {
    let etcd = Process::start().await;
    let mut updates = etcd.registry().watch();
    let orchestrator = Orchestrator::start(Arc::new(etcd.registry())).await;
    let mut announcement = announcement("h:1");
    announcement.ttl = Duration::from_secs(1);
    let announced = Announcer::connect(&orchestrator.url()).unwrap().announce(announcement.clone()).unwrap();
    let instance = next(&mut updates, put).await;
    assert!(
        timeout(Duration::from_secs(2), next(&mut updates, removed)).await.is_err(),
        "its lease is renewed"
    );
    announced.drain().await;
    assert_eq!(next(&mut updates, put).await.state(), State::Draining);
    announced.deregister().await;
    assert_eq!(next(&mut updates, removed).await, instance.id);

    // What the two registries make of one announcement is the same.
    let memory = Memory::new();
    let in_memory = Announcer::over(Arc::new(memory)).announce(announcement).unwrap();
    let in_memory = in_memory.registered().await.unwrap();
    assert_eq!((in_memory.id, in_memory.manifest_digest), (instance.id, instance.manifest_digest));
}
