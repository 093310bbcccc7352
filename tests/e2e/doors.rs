//! What people with grpcurl see.

use convoke_tests::{Agent, Mesh, grpcurl};
use serde_json::Value;

use crate::values::{close, list, newest_rate, number, text};

#[tokio::test]
async fn the_doors_describe_themselves() {
    let mesh = Mesh::serve().await;

    let services = grpcurl(&[mesh.address(), "list"]).await;
    for service in [
        "convoke.v1.Orchestrator",
        "convoke.v1.Registry",
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    ] {
        assert!(services.stdout.lines().any(|line| line == service), "no {service} in {services:#?}");
    }
    for message in ["convoke.v1.ToolError", "convoke.v1.PlanReport", "convoke.v1.Clarification"] {
        let described = grpcurl(&[mesh.address(), "describe", message]).await;
        assert_eq!(described.code, 0, "{described:#?}");
    }
    let health = grpcurl(&[mesh.address(), "grpc.health.v1.Health/Check"]).await.exits(0);
    assert_eq!(text(&health, "/status"), "SERVING");
}

#[tokio::test]
async fn ask_and_invoke_take_json_bodies() {
    let mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    mesh.sees("currency").await;

    let body = r#"{"input_text": "Convert 250 Euro to yen"}"#;
    let asked = grpcurl(&["-d", body, mesh.address(), "convoke.v1.Orchestrator/Ask"]).await.exits(0);
    close(number(&asked, "/output/result/amount"), 250.0 * newest_rate("JPY").1);

    let body = r#"{"capability": "get_rate", "parameters": {"from": "EUR", "to": "JPY"}}"#;
    let invoked = grpcurl(&["-d", body, mesh.address(), "convoke.v1.Orchestrator/Invoke"]).await.exits(0);
    close(number(&invoked, "/output/result/rate"), newest_rate("JPY").1);
}

#[tokio::test]
async fn a_failure_prints_its_tool_error_decoded() {
    let mesh = Mesh::serve().await;

    let body = r#"{"capability": "no_such_thing"}"#;
    let refused =
        grpcurl(&["-format-error", "-d", body, mesh.address(), "convoke.v1.Orchestrator/Invoke"]).await;

    assert_ne!(refused.code, 0);
    let status: Value = serde_json::from_str(&refused.stderr).expect("grpcurl prints the status as JSON");
    assert_eq!(list(&status, "/details")[0]["code"], "CAPABILITY_NOT_FOUND");
}

#[tokio::test]
async fn an_agents_own_method_is_called_directly() {
    let mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    let instance = mesh.sees("currency").await;
    let address = instance.endpoint.trim_start_matches("http://");
    let listed = mesh.convoke(&["capabilities", "get_rate", "--json"]).await.exits(0);
    let method = text(&listed, "/capabilities/0/capability/method").trim_start_matches('/');

    let rate = grpcurl(&["-d", r#"{"from": "EUR", "to": "JPY"}"#, address, method]).await.exits(0);
    close(number(&rate, "/rate"), newest_rate("JPY").1);

    let unknown =
        grpcurl(&["-format-error", "-d", r#"{"from": "EUR", "to": "gold bars"}"#, address, method]).await;
    let status: Value = serde_json::from_str(&unknown.stderr).expect("grpcurl prints the status as JSON");
    assert_eq!(list(&status, "/details")[0]["category"], "NOT_FOUND");
}
