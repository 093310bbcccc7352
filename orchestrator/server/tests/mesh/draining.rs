//! The end of a server, with whatever is open.

use std::time::{Duration, Instant};

use convoke_proto::v1;
use convoke_proto::v1::domain_output::Status as Answer;
use convoke_server::{Config, Timeouts};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

use crate::agent::{Agent, Reflection};
use crate::mesh::{Mesh, SOON, channel, object, step, tool_error};

fn hurried(drain: Duration) -> Config {
    Config { timeouts: Timeouts { drain, ..Timeouts::default() }, ..Config::default() }
}

#[tokio::test]
async fn streams_that_would_never_end_are_ended_at_once() {
    let mut mesh = Mesh::start().await;
    let mut health = HealthClient::new(mesh.channel.clone());
    let mut health = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(health.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
    let watch = v1::WatchInstancesRequest::default();
    let mut watch = mesh.registry.watch_instances(watch).await.unwrap().into_inner();
    watch.message().await.unwrap();
    let (_beats, beat) = mpsc::channel(1);
    let mut alive = mesh.registry.keep_alive(ReceiverStream::new(beat)).await.unwrap().into_inner();
    let (_questions, asked) = mpsc::channel(1);
    let mut reflection = ServerReflectionClient::new(mesh.channel.clone());
    let mut reflection =
        reflection.server_reflection_info(ReceiverStream::new(asked)).await.unwrap().into_inner();

    let start = Instant::now();
    mesh.drain.cancel();
    assert_eq!(health.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    assert_eq!(health.message().await.unwrap_err().code(), Code::Unavailable);
    for ended in [watch.message().await.unwrap_err(), alive.message().await.unwrap_err()] {
        assert_eq!(ended.code(), Code::Unavailable);
        tool_error(&ended);
    }
    assert_eq!(reflection.message().await.unwrap_err().code(), Code::Unavailable);
    tokio::time::timeout(SOON, mesh.served).await.unwrap().unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_connection_on_which_nothing_came_is_not_waited_for() {
    let mesh = Mesh::start().await;
    let mut silent = tokio::net::TcpStream::connect(mesh.address).await.unwrap();
    // The server speaks first once it has taken the connection.
    let mut settings = [0; 9];
    tokio::time::timeout(SOON, silent.read_exact(&mut settings)).await.unwrap().unwrap();
    let start = Instant::now();
    mesh.drain.cancel();
    tokio::time::timeout(SOON, mesh.served).await.unwrap().unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[tokio::test]
async fn an_execution_that_runs_may_finish() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    let mut caller = mesh.orchestrator.clone();
    let call = tokio::spawn(async move {
        let request = v1::InvokeRequest { capability: "doze".to_owned(), ..Default::default() };
        caller.invoke(request).await
    });
    tokio::time::timeout(SOON, agent.seen.dozing.notified()).await.unwrap();
    mesh.drain.cancel();
    // The listener is closed before anything else ends, and the call goes on.
    while tokio::net::TcpStream::connect(mesh.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    agent.seen.wake.notify_waiters();
    let response = tokio::time::timeout(SOON, call).await.unwrap().unwrap().unwrap().into_inner();
    assert_eq!(response.output.unwrap().status(), Answer::Success);
    tokio::time::timeout(SOON, mesh.served).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn an_execution_that_does_not_finish_is_cancelled_and_says_so() {
    let mut mesh = Mesh::start_with(hurried(Duration::from_secs(2))).await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    let plan = v1::ExecutionPlan { steps: vec![step("1", "doze", object([]))], ..Default::default() };
    let execute = v1::ExecutePlanRequest { plan: Some(plan), ..Default::default() };
    let request = v1::ExecutePlanStreamRequest { execute: Some(execute.clone()) };
    let mut stream = mesh.orchestrator.execute_plan_stream(request).await.unwrap().into_inner();
    let mut caller = mesh.orchestrator.clone();
    let call = tokio::spawn(async move { caller.execute_plan(execute).await });
    for _ in 0..2 {
        tokio::time::timeout(SOON, agent.seen.dozing.notified()).await.unwrap();
    }
    mesh.drain.cancel();
    let response = tokio::time::timeout(SOON, call).await.unwrap().unwrap().unwrap().into_inner();
    assert_eq!(response.output.unwrap().error.unwrap().code, "CANCELLED");
    let mut last = None;
    while let Some(message) = stream.message().await.unwrap() {
        last = message.kind;
    }
    assert!(matches!(last, Some(v1::execute_plan_stream_response::Kind::Response(_))), "{last:?}");
    tokio::time::timeout(SOON, mesh.served).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_neither_speaks_nor_closes_is_hung_up_on() {
    let mesh = Mesh::start_with(hurried(Duration::from_secs(1))).await;
    let mut silent = tokio::net::TcpStream::connect(mesh.address).await.unwrap();
    // Another connection after it: when that one stands, the silent one was taken too.
    let _spoken = channel(mesh.address).await;
    let start = Instant::now();
    mesh.drain.cancel();
    tokio::time::timeout(SOON, mesh.served).await.unwrap().unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let mut rest = Vec::new();
    // Closed or reset: either way the connection is over.
    let _ = tokio::time::timeout(SOON, silent.read_to_end(&mut rest)).await.unwrap();
}
