use std::time::Duration;

use convoke_proto::v1::{self, instance::State};
use futures::{FutureExt, StreamExt, stream::BoxStream};
use tokio::time::{advance, timeout};

use super::*;

fn registration(endpoint: &str) -> Registration {
    let domain = v1::Domain { name: "units".into(), version: "1.0.0".into(), ..Default::default() };
    Registration {
        instance: v1::Instance { endpoint: endpoint.into(), ..Default::default() },
        manifest: v1::Manifest { domain: Some(domain), ..Default::default() },
        ..Default::default()
    }
}

fn named(id: &str, endpoint: &str) -> Registration {
    let mut registration = registration(endpoint);
    registration.instance.id = id.into();
    registration
}

/// Everything that the watcher can be told without waiting.
fn told(updates: &mut BoxStream<'static, Update>) -> Vec<Update> {
    std::iter::from_fn(|| updates.next().now_or_never().flatten()).collect()
}

fn words(updates: Vec<Update>) -> Vec<String> {
    updates
        .into_iter()
        .map(|update| match update {
            Update::Manifest { .. } => "manifest".into(),
            Update::Put(instance) => format!("put {} {:?}", instance.id, instance.state()),
            Update::Removed { id } => format!("removed {id}"),
            Update::Invalid { instance, .. } => format!("invalid {}", instance.id),
            Update::Synced => "synced".into(),
            Update::Lost(_) => "lost".into(),
        })
        .collect()
}

async fn alive(memory: &Memory, lease: &Lease) -> bool {
    let kept = memory.keep_alive(&lease.instance.id, lease.instance.incarnation, None).await.unwrap();
    kept != KeptAlive::Lapsed
}

#[tokio::test(start_paused = true)]
async fn an_instance_is_gone_when_its_lease_ends_and_not_before() {
    let memory = Memory::new();
    let lease = memory.register(named("a", "h:1")).await.unwrap();
    assert_eq!(lease.ttl, Duration::from_secs(10));
    let mut updates = memory.watch();
    assert_eq!(words(told(&mut updates)), ["manifest", "put a Serving", "synced"]);

    advance(Duration::from_millis(9_999)).await;
    assert!(told(&mut updates).is_empty());
    advance(Duration::from_millis(1)).await;
    assert_eq!(updates.next().await, Some(Update::Removed { id: "a".into() }));
    assert!(!alive(&memory, &lease).await);
}

#[tokio::test(start_paused = true)]
async fn a_keep_alive_gives_a_whole_ttl_from_now() {
    let memory = Memory::new();
    let mut registration = named("a", "h:1");
    registration.ttl = Duration::from_secs(3);
    let lease = memory.register(registration).await.unwrap();
    for _ in 0..5 {
        advance(Duration::from_secs(2)).await;
        let kept = memory.keep_alive("a", lease.instance.incarnation, None).await.unwrap();
        assert_eq!(kept, KeptAlive::Alive { ttl: Duration::from_secs(3) });
    }
    advance(Duration::from_secs(3)).await;
    assert!(!alive(&memory, &lease).await);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_sleeps_until_the_next_deadline_without_being_polled_by_a_timer() {
    let memory = Memory::new();
    memory.register(named("a", "h:1")).await.unwrap();
    let mut updates = memory.watch();
    told(&mut updates);
    let started = Instant::now();
    assert_eq!(updates.next().await, Some(Update::Removed { id: "a".into() }));
    assert_eq!(started.elapsed(), Duration::from_secs(10));
    // With nothing left, nothing is waited for.
    assert!(timeout(Duration::from_secs(3600), updates.next()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_registered_again_replaces_its_instance_with_a_greater_incarnation() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let first = memory.register(registration("h:1")).await.unwrap();
    let second = memory.register(registration("http://H:1/")).await.unwrap();
    assert_eq!(first.instance.id, second.instance.id);
    assert!(second.instance.incarnation > first.instance.incarnation);
    assert!(!alive(&memory, &first).await);
    assert!(alive(&memory, &second).await);
    told(&mut updates);

    let renamed = memory.register(named("b", "h:1")).await.unwrap();
    assert!(renamed.instance.incarnation > second.instance.incarnation);
    let removed = format!("removed {}", first.instance.id);
    assert_eq!(words(told(&mut updates)), [removed.as_str(), "manifest", "put b Serving"]);
    // Without an id of its own, it takes the place that is there.
    assert_eq!(memory.register(registration("h:1")).await.unwrap().instance.id, "b");
}

#[tokio::test(start_paused = true)]
async fn an_id_is_refused_to_another_endpoint_until_the_lease_ends() {
    let memory = Memory::new();
    memory.register(named("a", "h:1")).await.unwrap();
    let refused = memory.register(named("a", "h:2")).await.unwrap_err();
    assert!(matches!(&refused, Error::IdTaken { id } if id == "a"), "{refused}");
    assert!(refused.is_retryable());
    advance(Duration::from_secs(10)).await;
    memory.register(named("a", "h:2")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_keep_alive_for_nobody_or_for_an_old_incarnation_has_lapsed() {
    let memory = Memory::new();
    assert_eq!(memory.keep_alive("nobody", 1, None).await.unwrap(), KeptAlive::Lapsed);
    let lease = memory.register(named("a", "h:1")).await.unwrap();
    let old = lease.instance.incarnation - 1;
    assert_eq!(memory.keep_alive("a", old, Some(State::Draining)).await.unwrap(), KeptAlive::Lapsed);
    memory.deregister("a", old).await.unwrap();
    assert!(alive(&memory, &lease).await);
}

#[tokio::test(start_paused = true)]
async fn draining_reaches_the_watchers_once_and_deregistering_ends_it() {
    let memory = Memory::new();
    let lease = memory.register(named("a", "h:1")).await.unwrap();
    let mut updates = memory.watch();
    told(&mut updates);
    for _ in 0..2 {
        memory.keep_alive("a", lease.instance.incarnation, Some(State::Draining)).await.unwrap();
    }
    assert_eq!(words(told(&mut updates)), ["put a Draining"]);
    memory.deregister("a", lease.instance.incarnation).await.unwrap();
    assert_eq!(words(told(&mut updates)), ["removed a"]);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_that_is_too_slow_is_told_so_and_then_what_is_there() {
    let memory = Memory::new();
    memory.register(named("gone", "h:1")).await.unwrap();
    let mut updates = memory.watch();
    told(&mut updates);
    advance(Duration::from_secs(10)).await;
    for port in 0..2000 {
        memory.register(named(&format!("i{port}"), &format!("h:{}", port + 2))).await.unwrap();
    }
    let updates = told(&mut updates);
    assert!(matches!(&updates[0], Update::Lost(_)), "{:?}", updates[0]);
    assert_eq!(updates[1], Update::Removed { id: "gone".into() });
    assert_eq!(updates.last(), Some(&Update::Synced));
    assert_eq!(updates.iter().filter(|update| matches!(update, Update::Put(_))).count(), 2000);
}

#[tokio::test(start_paused = true)]
async fn incarnations_go_on_from_where_the_clock_is_after_a_restart() {
    let before = Memory::starting_at(5).register(registration("h:1")).await.unwrap();
    let after = Memory::new().register(registration("h:1")).await.unwrap();
    assert!(after.instance.incarnation > before.instance.incarnation);
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_with_its_registry() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    told(&mut updates);
    drop(memory);
    assert_eq!(updates.next().await, None);
}
