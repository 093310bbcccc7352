//! KeepAlive, Deregister, ListInstances and WatchInstances.

use convoke_proto::v1::instance::State;
use convoke_proto::v1::tool_error::Outcome;
use convoke_proto::v1::watch_instances_response::Kind;
use convoke_proto::{error, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Streaming};

use crate::agent::{Agent, Reflection};
use crate::mesh::{Mesh, SOON, object, text, tool_error};

async fn next(stream: &mut Streaming<v1::WatchInstancesResponse>) -> Kind {
    tokio::time::timeout(SOON, stream.message()).await.unwrap().unwrap().unwrap().kind.unwrap()
}

#[tokio::test]
async fn a_lease_is_renewed_and_an_unknown_one_has_lapsed() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let instance = mesh.register(&agent).await;
    let (requests, sent) = mpsc::channel(1);
    let mut answers = mesh.registry.keep_alive(ReceiverStream::new(sent)).await.unwrap().into_inner();
    for (id, incarnation, lapsed) in [
        (instance.id.as_str(), instance.incarnation, false),
        (&instance.id, instance.incarnation - 1, true),
        ("nobody", 1, true),
        ("Not An Id", 1, true),
        ("", 0, true),
        (&instance.id, instance.incarnation, false),
    ] {
        let request = v1::KeepAliveRequest { instance_id: id.to_owned(), incarnation, ..Default::default() };
        requests.send(request).await.unwrap();
        let answer = answers.message().await.unwrap().unwrap();
        assert_eq!(answer.lapsed, lapsed, "{id}");
        assert_eq!(answer.ttl.is_some(), !lapsed);
    }
}

#[tokio::test]
async fn an_agent_that_drains_is_listed_so_and_gets_no_new_call() {
    let mut mesh = Mesh::start().await;
    let (first, second) = (Agent::start(Reflection::V1).await, Agent::start(Reflection::V1).await);
    let draining = mesh.register(&first).await;
    mesh.register(&second).await;
    let mut watch =
        mesh.registry.watch_instances(v1::WatchInstancesRequest::default()).await.unwrap().into_inner();
    while next(&mut watch).await != Kind::Synced(true) {}

    let request = v1::KeepAliveRequest {
        instance_id: draining.id.clone(),
        incarnation: draining.incarnation,
        state: State::Draining.into(),
    };
    mesh.registry.keep_alive(tokio_stream::once(request)).await.unwrap();
    let Kind::Put(put) = next(&mut watch).await else { panic!("no change") };
    assert_eq!((put.id.as_str(), put.state()), (draining.id.as_str(), State::Draining));
    for _ in 0..20 {
        mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap();
    }
    assert_eq!(first.seen.calls.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert_eq!(second.seen.calls.load(std::sync::atomic::Ordering::SeqCst), 20);
}

#[tokio::test]
async fn a_call_that_only_a_draining_agent_could_take_is_not_started() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let instance = mesh.register(&agent).await;
    let mut watch =
        mesh.registry.watch_instances(v1::WatchInstancesRequest::default()).await.unwrap().into_inner();
    while next(&mut watch).await != Kind::Synced(true) {}
    let request = v1::KeepAliveRequest {
        instance_id: instance.id,
        incarnation: instance.incarnation,
        state: State::Draining.into(),
    };
    mesh.registry.keep_alive(tokio_stream::once(request)).await.unwrap();
    next(&mut watch).await;
    let response = mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap();
    let refused = response.output.unwrap().error.unwrap();
    assert_eq!((refused.code.as_str(), refused.outcome()), (error::AGENT_UNAVAILABLE, Outcome::NotStarted));
    assert_eq!(agent.seen.calls.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_state_that_does_not_exist_is_refused() {
    let mut mesh = Mesh::start().await;
    let request = v1::KeepAliveRequest { instance_id: "a".to_owned(), incarnation: 1, state: 9 };
    let mut answers = mesh.registry.keep_alive(tokio_stream::once(request)).await.unwrap().into_inner();
    let refused = answers.message().await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    tool_error(&refused);
}

#[tokio::test]
async fn what_is_not_kept_alive_is_gone_when_its_lease_ends() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let request = v1::RegisterRequest {
        endpoint: agent.endpoint(),
        ttl: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
        ..Default::default()
    };
    let id = mesh.registry.register(request).await.unwrap().into_inner().instance.unwrap().id;
    let mut watch =
        mesh.registry.watch_instances(v1::WatchInstancesRequest::default()).await.unwrap().into_inner();
    while next(&mut watch).await != Kind::Synced(true) {}
    assert_eq!(next(&mut watch).await, Kind::Removed(id));
    let refused = mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap_err();
    assert_eq!(tool_error(&refused).code, error::CAPABILITY_NOT_FOUND);
}

#[tokio::test]
async fn a_deregistered_agent_is_gone_at_once() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let instance = mesh.register(&agent).await;
    let request = |incarnation| v1::DeregisterRequest { instance_id: instance.id.clone(), incarnation };
    mesh.registry.deregister(request(instance.incarnation)).await.unwrap();
    let listed = mesh.registry.list_instances(v1::ListInstancesRequest::default()).await.unwrap();
    assert!(listed.into_inner().instances.is_empty());
    let refused = mesh.invoke("greet", object([])).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    // Gone is gone: asking again changes nothing.
    mesh.registry.deregister(request(instance.incarnation)).await.unwrap();
}

#[tokio::test]
async fn a_watch_shows_what_is_there_then_synced_then_what_changes() {
    let mut mesh = Mesh::start().await;
    let (first, second) = (Agent::start(Reflection::V1).await, Agent::start(Reflection::V1).await);
    let one = mesh.register(&first).await;
    let request = v1::WatchInstancesRequest { domain: "greeter".to_owned() };
    let mut watch = mesh.registry.watch_instances(request).await.unwrap().into_inner();
    let elsewhere = v1::WatchInstancesRequest { domain: "other".to_owned() };
    let mut other = mesh.registry.watch_instances(elsewhere).await.unwrap().into_inner();
    assert_eq!(next(&mut watch).await, Kind::Put(one.clone()));
    assert_eq!(next(&mut watch).await, Kind::Synced(true));
    let two = mesh.register(&second).await;
    assert_eq!(next(&mut watch).await, Kind::Put(two));
    let request = v1::DeregisterRequest { instance_id: one.id.clone(), incarnation: one.incarnation };
    mesh.registry.deregister(request).await.unwrap();
    assert_eq!(next(&mut watch).await, Kind::Removed(one.id));
    assert_eq!(next(&mut other).await, Kind::Synced(true));
}
