//! Listening, health and reflection.

use std::time::Duration;

use convoke_server::{Config, Error, Server};
use prost::Message;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::mesh::Mesh;

#[tokio::test]
async fn an_address_that_others_reach_is_refused() {
    let config = Config { listen: "0.0.0.0:0".parse().unwrap(), ..Config::default() };
    let refused = Server::build(config).await.err().unwrap();
    assert!(matches!(refused, Error::Config(_)));
    assert!(refused.to_string().contains("--insecure-listen"), "{refused}");
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let mesh = Mesh::start().await;
    let config = Config { listen: mesh.address, ..Config::default() };
    let refused = Server::build(config).await.err().unwrap();
    assert!(refused.to_string().contains(&mesh.address.to_string()), "{refused}");
}

#[tokio::test]
async fn every_service_is_healthy_while_it_serves() {
    let mesh = Mesh::start().await;
    let mut health = HealthClient::new(mesh.channel.clone());
    for service in ["", "convoke.v1.Orchestrator", "convoke.v1.Registry"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let status = health.check(request).await.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::Serving, "{service}");
    }
}

async fn reflect(mesh: &Mesh, question: MessageRequest) -> MessageResponse {
    let mut client = ServerReflectionClient::new(mesh.channel.clone());
    let request = ServerReflectionRequest { host: String::new(), message_request: Some(question) };
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    answers.message().await.unwrap().unwrap().message_response.unwrap()
}

#[tokio::test]
async fn reflection_lists_the_services_and_knows_the_details_of_a_status() {
    let mesh = Mesh::start().await;
    let MessageResponse::ListServicesResponse(list) =
        reflect(&mesh, MessageRequest::ListServices(String::new())).await
    else {
        panic!("no list")
    };
    let mut names: Vec<_> = list.service.iter().map(|service| service.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "convoke.v1.Orchestrator",
            "convoke.v1.Registry",
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
        ]
    );
    for symbol in ["convoke.v1.ToolError", "convoke.v1.PlanReport", "convoke.v1.Clarification"] {
        let answer = reflect(&mesh, MessageRequest::FileContainingSymbol(symbol.to_owned())).await;
        let MessageResponse::FileDescriptorResponse(files) = answer else { panic!("{symbol}: {answer:?}") };
        let name = symbol.rsplit('.').next();
        let defines = files.file_descriptor_proto.iter().any(|raw| {
            let file = prost_types::FileDescriptorProto::decode(raw.as_slice()).unwrap();
            file.message_type.iter().any(|message| Some(message.name()) == name)
        });
        assert!(defines, "{symbol}");
    }
}

#[tokio::test]
async fn a_server_that_was_never_served_ends_when_it_is_dropped() {
    let server = Server::build(Config { listen: "127.0.0.1:0".parse().unwrap(), ..Config::default() });
    let address = server.await.unwrap().local_addr();
    let dialled = tokio::time::timeout(Duration::from_secs(1), tokio::net::TcpStream::connect(address)).await;
    assert!(dialled.unwrap().is_err());
}
