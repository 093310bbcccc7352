//! How processes start and end.

use std::time::{Duration, Instant};

use convoke_proto::v1::WatchInstancesRequest;
use convoke_proto::v1::registry_client::RegistryClient;
use convoke_tests::{Agent, Mesh};

#[tokio::test]
async fn serve_ends_within_ten_seconds_of_sigterm_whatever_stream_is_open() {
    let mut mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    mesh.sees("currency").await;
    let mut client = RegistryClient::connect(format!("http://{}", mesh.address())).await.expect("it is up");
    let request = WatchInstancesRequest::default();
    let mut open = client.watch_instances(request).await.expect("instances can be watched").into_inner();
    open.message().await.expect("the watch sends what is there");

    let asked = Instant::now();
    mesh.process().terminate();
    let status = mesh.process().ended().await;

    assert!(status.success(), "{status}");
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
}

#[tokio::test]
async fn serve_refuses_an_address_that_others_reach_unless_it_is_told_to() {
    let refused = convoke_tests::convoke(&["serve", "--listen", "0.0.0.0:0"]).await;

    assert_ne!(refused.code, 0);
    assert!(refused.stderr.contains("--insecure-listen"), "{refused:#?}");
}

#[tokio::test]
async fn an_agent_ends_by_itself_after_sigterm() {
    let mesh = Mesh::serve().await;
    let mut currency = Agent::currency(&mesh.registry());
    let instance = mesh.sees("currency").await;

    currency.process().terminate();
    mesh.drains("currency", &instance.id, Duration::from_secs(1)).await;

    let status = currency.process().ended().await;
    assert!(status.success(), "{status}:\n{}", currency.process().log());
    assert!(mesh.agents("currency").await.is_empty());
}
