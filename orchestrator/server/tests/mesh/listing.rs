//! ListAgents, ListCapabilities and their pages.

use std::sync::atomic::Ordering;
use std::time::Duration;

use convoke_proto::v1::agent_info::Health;
use convoke_proto::v1::tool_error::Outcome;
use convoke_proto::{error, v1};
use tonic::Code;
use tonic_health::ServingStatus;

use crate::agent::{Agent, PROTO, Reflection, descriptors};
use crate::mesh::{Mesh, SOON, object, text, tool_error};

/// A mesh with `count` agents that are listed and never called.
async fn mesh_of(count: u16) -> Mesh {
    let mut mesh = Mesh::start().await;
    for number in 0..count {
        let request = v1::RegisterRequest {
            endpoint: format!("127.0.0.1:{}", 1 + number),
            descriptors: descriptors(PROTO).into(),
            instance_id: format!("greeter-{number}"),
            ..Default::default()
        };
        mesh.registry.register(request).await.unwrap();
    }
    mesh
}

#[tokio::test]
async fn pages_together_are_the_whole_list_in_order() {
    let mut mesh = mesh_of(5).await;
    let (mut ids, mut pages, mut token) = (Vec::new(), 0, String::new());
    loop {
        let request = v1::ListAgentsRequest { page_size: 2, page_token: token, ..Default::default() };
        let response = mesh.orchestrator.list_agents(request).await.unwrap().into_inner();
        ids.extend(response.agents.into_iter().map(|agent| agent.instance.unwrap().id));
        pages += 1;
        token = response.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(ids, ["greeter-0", "greeter-1", "greeter-2", "greeter-3", "greeter-4"]);
    assert_eq!(pages, 3);
}

#[tokio::test]
async fn a_page_is_asked_for_with_a_size_and_a_token_of_the_same_request() {
    let mut mesh = mesh_of(2).await;
    let request = v1::ListAgentsRequest { page_size: 1, ..Default::default() };
    let token = mesh.orchestrator.list_agents(request).await.unwrap().into_inner().next_page_token;
    let wrong = [
        v1::ListAgentsRequest { page_size: -1, ..Default::default() },
        v1::ListAgentsRequest { page_token: "not a token".to_owned(), ..Default::default() },
        v1::ListAgentsRequest {
            domain: "greeter".to_owned(),
            page_token: token.clone(),
            ..Default::default()
        },
    ];
    for request in wrong {
        let refused = mesh.orchestrator.list_agents(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        tool_error(&refused);
    }
    let elsewhere = v1::ListInstancesRequest { page_token: token, ..Default::default() };
    assert!(mesh.registry.list_instances(elsewhere).await.is_err());
}

#[tokio::test]
async fn capabilities_are_listed_and_one_by_name_has_its_schemas() {
    let mut mesh = mesh_of(1).await;
    let all = mesh.orchestrator.list_capabilities(v1::ListCapabilitiesRequest::default()).await.unwrap();
    let all = all.into_inner().capabilities;
    let names: Vec<_> = all.iter().map(|info| info.capability.as_ref().unwrap().name.as_str()).collect();
    assert_eq!(names, ["doze", "greet"]);
    assert!(all.iter().all(|info| info.input_schema.is_empty() && info.version == "1.2.0"));

    for (domain, name) in [("", "greet"), ("greeter", "greet"), ("", "greeter.greet")] {
        let request = v1::ListCapabilitiesRequest {
            domain: domain.to_owned(),
            name: name.to_owned(),
            ..Default::default()
        };
        let one = mesh.orchestrator.list_capabilities(request).await.unwrap().into_inner().capabilities;
        assert_eq!(one.len(), 1);
        let schema: serde_json::Value = serde_json::from_str(&one[0].input_schema).unwrap();
        assert_eq!(schema["properties"]["name"]["type"], "string");
        assert!(one[0].output_schema.contains("text"));
        assert!(one[0].contract_digest.starts_with("sha256:"));
    }
}

#[tokio::test]
async fn a_domain_that_is_not_there_is_an_empty_list_and_a_name_is_not_found() {
    let mut mesh = mesh_of(1).await;
    let nowhere = v1::ListCapabilitiesRequest { domain: "nowhere".to_owned(), ..Default::default() };
    assert!(mesh.orchestrator.list_capabilities(nowhere).await.unwrap().into_inner().capabilities.is_empty());
    let misspelt = v1::ListCapabilitiesRequest { name: "greets".to_owned(), ..Default::default() };
    let refused = mesh.orchestrator.list_capabilities(misspelt).await.unwrap_err();
    let error = tool_error(&refused);
    assert_eq!((refused.code(), error.code.as_str()), (Code::NotFound, error::CAPABILITY_NOT_FOUND));
    assert!(error.details["candidates"].contains("greeter.greet"));
}

/// Waits until the only agent is `health`; what it is listed with.
async fn listed_as(mesh: &mut Mesh, health: Health) -> v1::AgentInfo {
    let listed = async {
        loop {
            let response = mesh.orchestrator.list_agents(v1::ListAgentsRequest::default()).await.unwrap();
            let mut agents = response.into_inner().agents;
            assert_eq!(agents.len(), 1);
            if agents[0].health() == health {
                break agents.remove(0);
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, listed).await.unwrap()
}

#[tokio::test]
async fn an_agent_is_as_healthy_as_it_says_and_is_called_only_when_it_is() {
    let mut mesh = Mesh::start().await;
    let (ill, well) = (Agent::start(Reflection::V1).await, Agent::start(Reflection::V1).await);
    mesh.register(&ill).await;
    listed_as(&mut mesh, Health::Healthy).await;
    ill.health.set_service_status("", ServingStatus::NotServing).await;
    let listed = listed_as(&mut mesh, Health::Unhealthy).await;
    assert!(listed.reason.contains("NOT_SERVING"), "{listed:?}");
    mesh.register(&well).await;
    for _ in 0..20 {
        mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap();
    }
    assert_eq!(ill.seen.calls.load(Ordering::SeqCst), 0);
    assert_eq!(well.seen.calls.load(Ordering::SeqCst), 20);
}

#[tokio::test]
async fn an_agent_that_recovers_is_healthy_again() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    agent.health.set_service_status("", ServingStatus::NotServing).await;
    listed_as(&mut mesh, Health::Unhealthy).await;
    agent.health.set_service_status("", ServingStatus::Serving).await;
    assert_eq!(listed_as(&mut mesh, Health::Healthy).await.reason, "");
}

#[tokio::test]
async fn an_agent_that_was_killed_is_listed_as_unhealthy_until_its_lease_ends() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    agent.kill().await;
    let listed = listed_as(&mut mesh, Health::Unhealthy).await;
    assert!(!listed.reason.is_empty());
    // It is known to be gone, and what a call of it says is the same as before that was known.
    let call = mesh.invoke("greet", object([("name", text("Ada"))]));
    let response = tokio::time::timeout(Duration::from_secs(1), call).await.unwrap().unwrap();
    let error = response.output.unwrap().error.unwrap();
    assert_eq!((error.code.as_str(), error.outcome()), (error::AGENT_UNAVAILABLE, Outcome::NotStarted));
}
