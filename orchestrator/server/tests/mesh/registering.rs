//! Register: what is taken, what is refused, and why.

use convoke_proto::error;
use convoke_proto::v1::{self, violation::Rule};
use convoke_server::{AgentEndpoints, Config};
use tokio::net::TcpListener;
use tonic::Code;

use crate::agent::{Agent, PROTO, Reflection, descriptors};
use crate::mesh::{Mesh, SOON, object, text, tool_error};

#[tokio::test]
async fn an_endpoint_alone_is_enough_in_either_version_of_reflection() {
    for reflection in [Reflection::V1, Reflection::V1Alpha] {
        let mut mesh = Mesh::start().await;
        let agent = Agent::start(reflection).await;
        let instance = mesh.register(&agent).await;
        assert_eq!((instance.domain.as_str(), instance.version.as_str()), ("greeter", "1.2.0"));
        assert_eq!(instance.endpoint, agent.endpoint());
        // Registered is callable: nothing has to be waited for.
        let response = mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap();
        assert_eq!(response.output.unwrap().status(), v1::domain_output::Status::Success);
    }
}

#[tokio::test]
async fn with_descriptors_reflection_is_not_asked() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::None).await;
    let request = v1::RegisterRequest {
        endpoint: agent.address.to_string(),
        descriptors: descriptors(PROTO).into(),
        ttl: Some(prost_types::Duration { seconds: 3600, nanos: 0 }),
        ..Default::default()
    };
    let response = mesh.registry.register(request).await.unwrap().into_inner();
    assert_eq!(response.ttl.unwrap().seconds, 60);
    assert_eq!(
        mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap().step.unwrap().attempts.len(),
        1
    );
}

#[tokio::test]
async fn an_agent_that_comes_back_on_its_endpoint_replaces_itself() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let first = mesh.register(&agent).await;
    let second = mesh.register(&agent).await;
    assert_eq!(first.id, second.id);
    assert!(second.incarnation > first.incarnation);
    let agents = mesh.orchestrator.list_agents(v1::ListAgentsRequest::default()).await.unwrap().into_inner();
    assert_eq!(agents.agents.len(), 1);
}

#[tokio::test]
async fn an_id_that_a_living_instance_holds_is_refused_and_may_be_tried_again() {
    let mut mesh = Mesh::start().await;
    let (first, second) = (Agent::start(Reflection::V1).await, Agent::start(Reflection::V1).await);
    let request = |agent: &Agent| v1::RegisterRequest {
        endpoint: agent.endpoint(),
        instance_id: "greeter-1".to_owned(),
        ..Default::default()
    };
    mesh.registry.register(request(&first)).await.unwrap();
    let refused = mesh.registry.register(request(&second)).await.unwrap_err();
    assert_eq!(tool_error(&refused).retryable, Some(true), "{refused:?}");
}

#[tokio::test]
async fn another_machine_is_not_dialled_unless_it_is_allowed() {
    let mut mesh = Mesh::start().await;
    for endpoint in
        ["http://192.0.2.1:80", "metadata.internal:80", "http://0.0.0.0:80", "http://127.0.0.1:1/x", ""]
    {
        let refused = mesh.register_endpoint(endpoint).await.unwrap_err();
        let error = tool_error(&refused);
        assert_eq!((refused.code(), error.code.as_str()), (Code::InvalidArgument, error::MANIFEST_INVALID));
        assert_eq!(error.field_violations[0].path, "endpoint");
    }
    let https = mesh.register_endpoint("https://127.0.0.1:1").await.unwrap_err();
    assert_eq!((https.code(), tool_error(&https).code.as_str()), (Code::Unimplemented, error::NOT_SERVED));

    let mut open =
        Mesh::start_with(Config { agent_endpoints: AgentEndpoints::Any, ..Config::default() }).await;
    let request = v1::RegisterRequest {
        endpoint: "http://192.0.2.1:80".to_owned(),
        descriptors: descriptors(PROTO).into(),
        ..Default::default()
    };
    assert!(open.registry.register(request).await.is_ok());
}

#[tokio::test]
async fn an_endpoint_where_nobody_listens_is_unavailable() {
    let mut mesh = Mesh::start().await;
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refused = mesh.register_endpoint(&free.to_string()).await.unwrap_err();
    assert_eq!(
        (refused.code(), tool_error(&refused).code.as_str()),
        (Code::Unavailable, error::AGENT_UNAVAILABLE)
    );
}

#[tokio::test]
async fn an_endpoint_that_says_nothing_is_given_up_after_ten_seconds() {
    let mut mesh = Mesh::start().await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let refused =
        tokio::time::timeout(SOON, mesh.register_endpoint(&address.to_string())).await.unwrap().unwrap_err();
    assert_eq!(tool_error(&refused).code, error::AGENT_UNAVAILABLE);
}

#[tokio::test]
async fn a_server_without_reflection_is_told_what_to_do() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::None).await;
    let refused = mesh.register_endpoint(&agent.endpoint()).await.unwrap_err();
    let error = tool_error(&refused);
    assert_eq!((refused.code(), error.code.as_str()), (Code::InvalidArgument, error::MANIFEST_INVALID));
    assert!(error.field_violations[0].expected.contains("descriptors"), "{error:?}");
}

#[tokio::test]
async fn an_orchestrator_is_no_agent() {
    let mut mesh = Mesh::start().await;
    let refused = mesh.register_endpoint(&mesh.address.to_string()).await.unwrap_err();
    assert_eq!(tool_error(&refused).code, error::MANIFEST_INVALID);
}

#[tokio::test]
async fn what_is_annotated_wrongly_is_refused_by_name_and_nothing_is_registered() {
    let mut mesh = Mesh::start().await;
    let wrong = PROTO.replace(r#"effects: READ_ONLY }"#, r#"effects: READ_ONLY requires_approval: true }"#);
    let agent = Agent::start_with(Reflection::V1, &wrong).await;
    let refused = mesh.register_endpoint(&agent.endpoint()).await.unwrap_err();
    let error = tool_error(&refused);
    assert_eq!((refused.code(), error.code.as_str()), (Code::InvalidArgument, error::MANIFEST_INVALID));
    let told = format!("{:?}", error.field_violations);
    assert!(
        told.contains("Doze") && told.contains("requires_approval") && told.contains("NOT_SERVED"),
        "{told}"
    );
    let agents = mesh.orchestrator.list_agents(v1::ListAgentsRequest::default()).await.unwrap().into_inner();
    assert!(agents.agents.is_empty());
}

#[tokio::test]
async fn an_agent_with_a_broken_schema_is_refused_with_the_reason() {
    let mut mesh = Mesh::start().await;
    let sound = r#"{ default: "1" minimum: "1" maximum: "5" }"#;
    for (broken, reason) in [
        (r#"{ minimum: "5" maximum: "1" }"#, "CONTRADICTION"),
        (r#"{ default: "9" minimum: "1" maximum: "5" }"#, "9"),
        (r#"{ pattern: "a" }"#, "pattern"),
    ] {
        let agent = Agent::start_with(Reflection::V1, &PROTO.replace(sound, broken)).await;
        let refused = mesh.register_endpoint(&agent.endpoint()).await.unwrap_err();
        let error = tool_error(&refused);
        assert_eq!((refused.code(), error.code.as_str()), (Code::InvalidArgument, error::MANIFEST_INVALID));
        let told = format!("{:?}", error.field_violations);
        assert!(told.contains("greeter.v1.GreetRequest.times") && told.contains(reason), "{told}");
    }
    let agents = mesh.orchestrator.list_agents(v1::ListAgentsRequest::default()).await.unwrap().into_inner();
    assert!(agents.agents.is_empty());
}

#[tokio::test]
async fn bytes_that_are_no_descriptors_are_refused() {
    let mut mesh = Mesh::start().await;
    for descriptors in [vec![0xff; 64], vec![0x0a, 0x02, 0x0a, 0x7f], b"not descriptors".to_vec()] {
        let request = v1::RegisterRequest {
            endpoint: "127.0.0.1:1".to_owned(),
            descriptors: descriptors.into(),
            ..Default::default()
        };
        let refused = mesh.registry.register(request).await.unwrap_err();
        assert_eq!(tool_error(&refused).code, error::MANIFEST_INVALID);
    }
}

#[tokio::test]
async fn a_malformed_id_names_its_field() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    let request = v1::RegisterRequest {
        endpoint: agent.endpoint(),
        instance_id: "Not An Id".to_owned(),
        ..Default::default()
    };
    let refused = mesh.registry.register(request).await.unwrap_err();
    let violation = &tool_error(&refused).field_violations[0];
    assert_eq!((violation.path.as_str(), violation.rule()), ("instance_id", Rule::BadFormat));
}
