//! What comes with [`Agent`]: registration, health, reflection, and an end that loses no call.

#![allow(clippy::unwrap_used, reason = "a suite fails by panicking")]

#[path = "../../../../discovery/tests/support/mod.rs"]
mod support;

mod greeter {
    #![allow(unreachable_pub, reason = "generated")]
    convoke_sdk::include_proto!("greeter.v1");
}

use std::{sync::Arc, time::Duration};

use convoke_proto::{
    descriptors::Descriptors,
    manifest, status,
    v1::{instance::State, tool_error::Category},
};
use convoke_sdk::{
    Agent, Drain, Error, Options, Running, ToolError,
    discovery::{Registry, memory::Memory},
};
use futures::StreamExt;
use greeter::{
    FILE_DESCRIPTOR_SET, GreetRequest, GreetResponse, Language,
    greeter_client::GreeterClient,
    greeter_server::{Greeter, GreeterServer},
};
use support::{Orchestrator, next, put, removed};
use tokio::{sync::Notify, time::timeout};
use tonic::{Code, Request, Response, Status, transport::Channel};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::{v1, v1alpha};

/// Greets when it is told to, so that a call can be under way for as long as a test wants.
#[derive(Clone, Default)]
struct Slow {
    called: Arc<Notify>,
    answer: Arc<Notify>,
}

#[tonic::async_trait]
impl Greeter for Slow {
    async fn greet(&self, request: Request<GreetRequest>) -> Result<Response<GreetResponse>, Status> {
        let name = request.into_inner().name;
        if name.is_empty() {
            return Err(ToolError::not_found("nobody").code("NOBODY").candidates(["Ada"]).into());
        }
        self.called.notify_one();
        self.answer.notified().await;
        Ok(Response::new(GreetResponse { greeting: name }))
    }
}

fn agent(handler: Slow) -> Agent {
    Agent::new(FILE_DESCRIPTOR_SET).add_service(GreeterServer::new(handler))
}

fn options(registry: &str) -> Options {
    let drain = Drain { accept: Duration::from_millis(200), finish: Duration::from_secs(5) };
    Options { registry: registry.into(), drain, ..Options::default() }
}

async fn channel(agent: &Running) -> Channel {
    Channel::from_shared(agent.endpoint().to_owned()).unwrap().connect().await.unwrap()
}

async fn health(channel: &Channel, service: &str) -> i32 {
    let request = HealthCheckRequest { service: service.into() };
    HealthClient::new(channel.clone()).check(request).await.unwrap().into_inner().status
}

fn ada() -> GreetRequest {
    GreetRequest { name: "Ada".into(), language: Language::English.into() }
}

#[tokio::test]
async fn a_started_agent_is_registered_with_what_its_proto_says() {
    let memory = Memory::new();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;
    let running = agent(Slow::default()).start(options(&orchestrator.url())).await.unwrap();
    let instance = running.registered().await.unwrap();
    assert_eq!(instance.endpoint, format!("http://{}", running.local_addr()));
    assert_eq!((instance.domain.as_str(), instance.version.as_str()), ("greeter", "1.0.0"));
    let channel = channel(&running).await;
    assert_eq!(health(&channel, "greeter.v1.Greeter").await, 1);
    assert_eq!(health(&channel, "").await, 1);
}

#[tokio::test]
async fn an_agent_that_stops_gets_no_new_call_loses_none_and_is_gone() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;
    let handler = Slow::default();
    let running = agent(handler.clone()).start(options(&orchestrator.url())).await.unwrap();
    let instance = next(&mut updates, put).await;
    let channel = channel(&running).await;

    let mut client = GreeterClient::new(channel.clone());
    let call = tokio::spawn(async move { client.greet(ada()).await });
    handler.called.notified().await;
    let address = running.local_addr();
    let stopping = tokio::spawn(running.stop());

    let drained = timeout(Duration::from_secs(1), next(&mut updates, put)).await.unwrap();
    assert_eq!(drained.state(), State::Draining);
    // The registry knows before the health does; both before the connection is closed.
    let not_serving = async { while health(&channel, "greeter.v1.Greeter").await != 2 {} };
    timeout(Duration::from_secs(1), not_serving).await.unwrap();
    let refused = async { while tokio::net::TcpStream::connect(address).await.is_ok() {} };
    timeout(support::PATIENCE, refused).await.unwrap();

    handler.answer.notify_one();
    assert_eq!(call.await.unwrap().unwrap().into_inner().greeting, "Ada");
    stopping.await.unwrap().unwrap();
    assert_eq!(next(&mut updates, removed).await, instance.id);
}

#[tokio::test]
async fn whoever_watches_the_health_hears_of_the_end_and_does_not_delay_it() {
    let orchestrator = Orchestrator::start(Arc::new(Memory::new())).await;
    let running = agent(Slow::default()).start(options(&orchestrator.url())).await.unwrap();
    let request = HealthCheckRequest { service: "greeter.v1.Greeter".into() };
    let watch = HealthClient::new(channel(&running).await).watch(request).await.unwrap().into_inner();
    // Less than a running call would get.
    let stopped = timeout(Duration::from_secs(2), running.stop());
    let (told, stopped) = tokio::join!(watch.map(|told| told.unwrap().status).collect::<Vec<_>>(), stopped);
    stopped.unwrap().unwrap();
    assert_eq!(told, [1, 2]);
}

#[tokio::test]
async fn a_call_that_does_not_end_is_cut_after_the_drain() {
    let orchestrator = Orchestrator::start(Arc::new(Memory::new())).await;
    let handler = Slow::default();
    let mut options = options(&orchestrator.url());
    options.drain.finish = Duration::from_millis(200);
    let running = agent(handler.clone()).start(options).await.unwrap();
    let mut client = GreeterClient::new(channel(&running).await);
    let _call = tokio::spawn(async move { client.greet(ada()).await });
    handler.called.notified().await;
    timeout(Duration::from_secs(2), running.stop()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_tool_error_reaches_the_caller_whole() {
    let orchestrator = Orchestrator::start(Arc::new(Memory::new())).await;
    let running = agent(Slow::default()).start(options(&orchestrator.url())).await.unwrap();
    let status =
        GreeterClient::new(channel(&running).await).greet(GreetRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let error = status::details(&status).tool_error.unwrap();
    assert_eq!((error.code.as_str(), error.category()), ("NOBODY", Category::NotFound));
    assert_eq!(error.details["candidates"], r#"["Ada"]"#);
}

/// Asks one reflection server, of either version, for what makes up its descriptors.
macro_rules! reflect {
    ($version:ident, $channel:expr, $request:expr) => {{
        use tonic_reflection::pb::$version::{
            ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
            server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
        };
        let request: MessageRequest = $request;
        let request = ServerReflectionRequest { host: String::new(), message_request: Some(request) };
        let stream = futures::stream::iter([request]);
        let mut answers = ServerReflectionClient::new($channel.clone())
            .server_reflection_info(stream)
            .await
            .unwrap()
            .into_inner();
        match answers.message().await.unwrap().unwrap().message_response.unwrap() {
            MessageResponse::FileDescriptorResponse(files) => files.file_descriptor_proto,
            MessageResponse::ListServicesResponse(list) => {
                list.service.into_iter().map(|service| service.name.into_bytes()).collect()
            }
            other => panic!("{other:?}"),
        }
    }};
}

#[tokio::test]
async fn both_reflections_list_what_is_served_and_keep_the_annotations() {
    let orchestrator = Orchestrator::start(Arc::new(Memory::new())).await;
    let running = agent(Slow::default()).start(options(&orchestrator.url())).await.unwrap();
    let channel = channel(&running).await;

    use v1::server_reflection_request::MessageRequest as V1;
    use v1alpha::server_reflection_request::MessageRequest as Alpha;
    let mut listed: Vec<Vec<u8>> = reflect!(v1, channel, V1::ListServices(String::new()));
    listed.sort();
    let expected: [&[u8]; 4] = [
        b"greeter.v1.Greeter",
        b"grpc.health.v1.Health",
        b"grpc.reflection.v1.ServerReflection",
        b"grpc.reflection.v1alpha.ServerReflection",
    ];
    assert_eq!(listed, expected);

    for file in [
        reflect!(v1, channel, V1::FileContainingSymbol("greeter.v1.Greeter".into())),
        reflect!(v1alpha, channel, Alpha::FileContainingSymbol("greeter.v1.Greeter".into())),
    ] {
        // The files as they came over the wire make the same manifest as the ones in the program.
        let mut files = file;
        for import in ["convoke/v1/annotations.proto", "google/protobuf/descriptor.proto"] {
            files.extend(reflect!(v1, channel, V1::FileByFilename(import.into())));
        }
        for import in ["google/protobuf/duration.proto", "google/protobuf/struct.proto"] {
            files.extend(reflect!(v1, channel, V1::FileByFilename(import.into())));
        }
        let read = manifest::read(&Descriptors::read(&set_of(&files)).unwrap()).unwrap();
        assert_eq!(read.domain.unwrap().name, "greeter");
        assert_eq!(read.capabilities[0].name, "greet");
    }
    for symbol in ["convoke.v1.ToolError", "convoke.v1.Clarification", "convoke.v1.PlanReport"] {
        assert!(!reflect!(v1, channel, V1::FileContainingSymbol(symbol.into())).is_empty());
    }
}

/// Encodes a `FileDescriptorSet` of files that are encoded already: field 1, length-delimited.
fn set_of(files: &[Vec<u8>]) -> Vec<u8> {
    let mut set = Vec::new();
    for file in files {
        prost::encoding::encode_key(1, prost::encoding::WireType::LengthDelimited, &mut set);
        prost::encoding::encode_varint(file.len() as u64, &mut set);
        set.extend_from_slice(file);
    }
    set
}

#[tokio::test]
async fn what_keeps_an_agent_from_starting_is_said_at_once() {
    let no_service = Agent::new(FILE_DESCRIPTOR_SET).start(options("grpc://127.0.0.1:9")).await.unwrap_err();
    assert!(
        matches!(&no_service, Error::NotAdded { service } if service == "greeter.v1.Greeter"),
        "{no_service}"
    );

    let everywhere = Options { listen: ([0, 0, 0, 0], 0).into(), ..options("grpc://127.0.0.1:9") };
    let no_endpoint = agent(Slow::default()).start(everywhere).await.unwrap_err();
    assert!(no_endpoint.to_string().contains("CONVOKE_AGENT_ENDPOINT"), "{no_endpoint}");

    let memory = agent(Slow::default()).start(options("memory")).await.unwrap_err();
    assert!(matches!(memory, Error::Registry(_)), "{memory}");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let on_it = Options { listen: taken.local_addr().unwrap(), ..options("grpc://127.0.0.1:9") };
    let taken = agent(Slow::default()).start(on_it).await.unwrap_err();
    assert!(matches!(taken, Error::Listen { .. }), "{taken}");
}

#[tokio::test]
async fn an_agent_serves_before_there_is_a_registry() {
    let handler = Slow::default();
    handler.answer.notify_one();
    let running = agent(handler).start(options("grpc://127.0.0.1:9")).await.unwrap();
    let greeting = GreeterClient::new(channel(&running).await).greet(ada()).await.unwrap().into_inner();
    assert_eq!(greeting.greeting, "Ada");
}
