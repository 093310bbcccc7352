//! Agents that come and go while the mesh runs.

use std::time::{Duration, Instant};

use convoke_proto::v1::RegisterRequest;
use convoke_proto::v1::registry_client::RegistryClient;
use convoke_tests::{Agent, Mesh, repository};

use crate::values::{close, list, number, text};

/// The lease that an agent asks for when it names none, and what a registry may take on top to see its end.
const LEASE: Duration = Duration::from_secs(10);
const ONE_SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn an_agent_in_python_is_listed_asked_and_drained() {
    let mesh = Mesh::serve().await;
    let mut units = Agent::units(&mesh.registry());
    let instance = mesh.sees("units").await;

    assert_eq!(mesh.agents("units").await[0]["instance"]["id"], instance.id.as_str());
    let answer = mesh.convoke(&["ask", "--json", "How many kilometres are 26.2 miles?"]).await.exits(0);
    assert_eq!(text(&answer, "/steps/0/attempts/0/instance"), instance.id);
    // 26.2 × 1.609344
    close(number(&answer, "/output/result/value"), 42.164_812_8);

    units.process().terminate();
    mesh.drains("units", &instance.id, ONE_SECOND).await;
    let refused =
        mesh.convoke(&["call", "--json", "convert_units", r#"{"value":1,"from":"mile","to":"km"}"#]).await;
    assert_ne!(refused.code, 0, "a draining agent gets no new call: {refused:#?}");
    units.process().ended().await;
}

#[tokio::test]
async fn an_agent_that_starts_before_the_mesh_is_found_when_the_mesh_comes() {
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    let mut units = Agent::units(&format!("grpc://{address}"));
    units.process().line_after("serving").await;

    let mesh = Mesh::serve_with(&["--listen", &address]).await;

    mesh.sees("units").await;
}

#[tokio::test]
async fn a_killed_agent_is_unavailable_at_once_and_unknown_when_its_lease_ends() {
    let mesh = Mesh::serve().await;
    let mut currency = Agent::currency(&mesh.registry());
    let mut units = Agent::units(&mesh.registry());
    mesh.sees("currency").await;
    let instance = mesh.sees("units").await;
    let call = ["call", "--json", "units.convert_units", r#"{"value":1,"from":"mile","to":"km"}"#];
    mesh.convoke(&call).await.exits(0);

    units.process().kill().await;
    let killed = Instant::now();
    let failed = mesh.convoke(&call).await;
    assert!(killed.elapsed() < ONE_SECOND, "{:?}", killed.elapsed());
    let failed = failed.exits(1);
    assert_eq!(text(&failed, "/output/error/code"), "AGENT_UNAVAILABLE");
    assert_eq!(text(&failed, "/output/error/category"), "SERVICE_ERROR");
    assert_eq!(text(&failed, "/output/error/outcome"), "NOT_STARTED");

    mesh.loses("units", &instance.id, (LEASE + ONE_SECOND).saturating_sub(killed.elapsed())).await;
    let unknown = mesh.convoke(&call).await.exits(2);
    assert_eq!(text(&unknown, "/error/code"), "CAPABILITY_NOT_FOUND");
    assert!(text(&unknown, "/error/details/candidates").contains("convert_currency"), "{unknown:#}");
    currency.process().terminate();
    currency.process().ended().await;
}

#[tokio::test]
async fn agents_come_back_by_themselves_after_the_orchestrator_restarts() {
    let address = format!("127.0.0.1:{}", free_port());
    let mut mesh = Mesh::serve_with(&["--listen", &address]).await;
    let _currency = Agent::currency(&mesh.registry());
    let _units = Agent::units(&mesh.registry());
    mesh.sees("currency").await;
    mesh.sees("units").await;

    mesh.process().kill().await;
    let mesh = Mesh::serve_with(&["--listen", &address]).await;

    let back = async {
        mesh.sees("currency").await;
        mesh.sees("units").await;
    };
    tokio::time::timeout(Duration::from_secs(10), back).await.expect("both are back within 10 s");
    assert_eq!(list(&mesh.convoke(&["agents", "--json"]).await.exits(0), "/agents").len(), 2);
}

/// What a team declares for its own validator: an expression, a rule about the time of day, a rule of the mesh's kind.
const RULED: &str = r#"
syntax = "proto3";
package stop.v1;
import "buf/validate/validate.proto";
import "convoke/v1/annotations.proto";
import "google/protobuf/timestamp.proto";

service Stops {
  option (convoke.v1.domain) = { name: "stops" version: "1.0.0" description: "Knows where trains stop." };
  rpc Find(FindRequest) returns (FindResponse) {
    option (convoke.v1.capability) = { description: "Finds a stop by its name." effects: READ_ONLY };
  }
}
message FindRequest {
  string name = 1 [(buf.validate.field) = { string: { min_len: 2 }, cel: { id: "stop.polite", expression: "true" } }];
  google.protobuf.Timestamp after = 2 [(buf.validate.field).timestamp.gt_now = true];
}
message FindResponse { string id = 1; }
"#;

#[tokio::test]
async fn each_rule_that_is_left_to_the_agent_is_named_in_the_log_and_keeps_nobody_out() {
    let mut mesh = Mesh::serve().await;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("stops.proto");
    std::fs::write(&file, RULED).expect("it can be written");
    let includes =
        [folder.path().to_owned(), repository().join("tests/data/proto"), repository().join("proto")];
    let mut compiler = protox::Compiler::new(includes).expect("the folders are there");
    compiler.include_imports(true).open_file(&file).expect("it compiles");
    let mut registry = RegistryClient::connect(format!("http://{}", mesh.address())).await.expect("it is up");
    let request = RegisterRequest {
        endpoint: format!("127.0.0.1:{}", free_port()),
        descriptors: compiler.encode_file_descriptor_set().into(),
        ..Default::default()
    };

    registry.register(request).await.expect("the rules keep nobody out");

    let operator = mesh.process();
    for (rule, field) in
        [("stop.polite", "stop.v1.FindRequest.name"), ("timestamp.gt_now", "stop.v1.FindRequest.after")]
    {
        let line = operator.logged(rule).await;
        let told = line.contains("WARN") && line.contains(field) && line.contains("left to the agent");
        assert!(told, "{line}");
    }
    assert!(!operator.log().contains("min_len"), "what is enforced is not named");
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port exists");
    listener.local_addr().expect("a bound socket has an address").port()
}
