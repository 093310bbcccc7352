//! An agent that announces itself to an orchestrator's `Registry` service, over a real connection.

mod support;

use std::{sync::Arc, time::Duration};

use convoke_discovery::{
    Error, Registry,
    announce::{Announcer, Standing},
    memory::Memory,
};
use convoke_proto::v1::instance::State;
use support::{Orchestrator, announcement, compile, next, put, removed};
use tokio::{net::TcpListener, time::timeout};

#[tokio::test]
async fn an_agent_is_known_drains_and_is_gone() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;

    let announced = Announcer::connect(&orchestrator.url()).unwrap().announce(announcement("h:1")).unwrap();
    let instance = announced.registered().await.unwrap();
    assert_eq!((instance.domain.as_str(), instance.endpoint.as_str()), ("greet", "http://h:1"));
    assert_eq!(next(&mut updates, put).await, instance);

    announced.drain().await;
    assert_eq!(next(&mut updates, put).await.state(), State::Draining);
    announced.deregister().await;
    assert_eq!(next(&mut updates, removed).await, instance.id);
}

#[tokio::test]
async fn an_agent_that_starts_first_is_known_as_soon_as_there_is_an_orchestrator() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let announced =
        Announcer::connect(&format!("grpc://{address}")).unwrap().announce(announcement("h:1")).unwrap();
    let failed_once = async {
        while !matches!(announced.standing(), Standing::Registering(Some(_))) {
            tokio::task::yield_now().await;
        }
    };
    timeout(support::PATIENCE, failed_once).await.unwrap();

    let memory = Memory::new();
    let mut updates = memory.watch();
    let _orchestrator = Orchestrator::start_at(Arc::new(memory), address).await;
    assert_eq!(next(&mut updates, put).await, announced.registered().await.unwrap());
}

#[tokio::test]
async fn an_agent_is_back_after_its_orchestrator_was_killed_and_started_again() {
    let before = Memory::new();
    let orchestrator = Orchestrator::start(Arc::new(before.clone())).await;
    let address = orchestrator.address;
    let announced = Announcer::connect(&orchestrator.url()).unwrap().announce(announcement("h:1")).unwrap();
    let first = announced.registered().await.unwrap();
    drop(orchestrator);

    let after = Memory::new();
    let mut updates = after.watch();
    let _orchestrator = Orchestrator::start_at(Arc::new(after), address).await;
    // `next` waits 10 s, which is also what a mesh is promised.
    let again = next(&mut updates, put).await;
    assert_eq!(again.id, first.id);
    assert!(again.incarnation > first.incarnation);
}

#[tokio::test]
async fn an_agent_whose_lease_was_lost_registers_again_by_itself() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory.clone())).await;
    let mut announcement = announcement("h:1");
    announcement.ttl = Duration::from_secs(1);
    let announced = Announcer::connect(&orchestrator.url()).unwrap().announce(announcement).unwrap();
    let first = announced.registered().await.unwrap();
    next(&mut updates, put).await;

    memory.deregister(&first.id, first.incarnation).await.unwrap();
    next(&mut updates, removed).await;
    let again = next(&mut updates, put).await;
    assert!(again.incarnation > first.incarnation);
}

#[tokio::test]
async fn a_refused_registration_is_reported_in_full() {
    let orchestrator = Orchestrator::start(Arc::new(Memory::new())).await;
    let mut announcement = announcement("h:1");
    announcement.descriptors = compile(r#"syntax = "proto3"; package bare.v1; message Nothing {}"#);
    let announced = Announcer::connect(&orchestrator.url()).unwrap().announce(announcement).unwrap();
    let error = announced.registered().await.unwrap_err();
    let Error::Refused(refusal) = &*error else { panic!("{error}") };
    assert_eq!(refusal.code, "MANIFEST_INVALID");
    assert!(!refusal.field_violations.is_empty());
    assert!(matches!(announced.standing(), Standing::Refused(_)));
}

#[tokio::test]
async fn an_id_that_another_endpoint_holds_is_waited_for() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;
    let announcer = Announcer::connect(&orchestrator.url()).unwrap();
    let named = |endpoint: &str| {
        let mut announcement = announcement(endpoint);
        announcement.instance_id = "greeter-1".into();
        announcement
    };
    let holder = announcer.announce(named("h:1")).unwrap();
    holder.registered().await.unwrap();
    let waiting = announcer.announce(named("h:2")).unwrap();
    let refused = async {
        loop {
            match waiting.standing() {
                Standing::Registering(Some(error)) => return error,
                _ => tokio::task::yield_now().await,
            }
        }
    };
    let error = timeout(support::PATIENCE, refused).await.unwrap();
    assert!(matches!(&*error, Error::IdTaken { id } if id == "greeter-1"), "{error}");

    holder.deregister().await;
    next(&mut updates, |update| put(update).filter(|instance| instance.endpoint == "http://h:2")).await;
}

#[tokio::test]
async fn an_agent_that_gives_up_before_there_is_a_registry_leaves_nothing_behind() {
    let announced = Announcer::connect("grpc://127.0.0.1:9").unwrap().announce(announcement("h:1")).unwrap();
    announced.drain().await;
    let error = announced.registered().await.unwrap_err();
    assert!(matches!(*error, Error::Unavailable { .. }));
    announced.deregister().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_answered_ends_and_the_next_one_gets_a_new_connection() {
    // Takes connections and says nothing, as a host does that the network has lost.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let announced = Announcer::connect(&format!("grpc://{}", silent.local_addr().unwrap()))
        .unwrap()
        .announce(announcement("h:1"))
        .unwrap();
    for _ in 0..3 {
        let (_connection, _) = timeout(Duration::from_secs(60), silent.accept()).await.unwrap().unwrap();
    }
    assert!(matches!(announced.standing(), Standing::Registering(Some(_))));
}
