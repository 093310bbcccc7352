//! A mesh whose registry is a real etcd.

use std::time::Duration;

use convoke_tests::{Agent, Etcd, Mesh};
use serde_json::Value;

use crate::values::{close, newest_rate, number, text};

#[tokio::test]
async fn orchestrator_and_agent_find_each_other_through_etcd() {
    let etcd = Etcd::start().await;
    let mesh = Mesh::serve_with(&["--listen", "127.0.0.1:0", "--registry", &etcd.registry()]).await;
    let mut currency = Agent::currency(&etcd.registry());
    let instance = mesh.sees("currency").await;

    let answer = mesh.convoke(&["ask", "--json", "Convert 250 Euro to yen"]).await.exits(0);
    close(number(&answer, "/output/result/amount"), 250.0 * newest_rate("JPY").1);

    let stored = etcd.ctl(&["get", "--prefix", "/convoke/v1/default/instances/"]).await;
    let (key, value) = stored.stdout.trim_end().split_once('\n').expect("a key and a value");
    assert_eq!(key, format!("/convoke/v1/default/instances/currency/{}", instance.id));
    let value: Value = serde_json::from_str(value).expect("an instance is readable JSON");
    assert_eq!(text(&value, "/domain"), "currency");
    assert_eq!(text(&value, "/state"), "SERVING");
    let leases = etcd.ctl(&["lease", "list"]).await;
    assert!(leases.stdout.contains("found 1 leases"), "{leases:#?}");

    currency.process().terminate();
    currency.process().ended().await;
    let left = etcd.ctl(&["get", "--prefix", "--keys-only", "/convoke/v1/default/instances/"]).await;
    assert_eq!(left.stdout.trim(), "", "an agent that ends takes its instance along");
}

#[tokio::test]
async fn an_agent_without_an_etcd_client_registers_through_the_orchestrator() {
    let etcd = Etcd::start().await;
    let mesh = Mesh::serve_with(&["--listen", "127.0.0.1:0", "--registry", &etcd.registry()]).await;
    let mut units = Agent::units(&mesh.registry());
    let instance = mesh.sees("units").await;

    let key = format!("/convoke/v1/default/instances/units/{}", instance.id);
    let stored = etcd.ctl(&["get", "--print-value-only", &key]).await;
    let stored: Value = serde_json::from_str(&stored.stdout).expect("an instance is readable JSON");
    assert_eq!(text(&stored, "/endpoint"), instance.endpoint);

    units.process().terminate();
    units.process().ended().await;
    mesh.loses("units", &instance.id, convoke_tests::PATIENCE).await;
}

#[tokio::test]
async fn a_mesh_at_rest_asks_etcd_nothing() {
    let etcd = Etcd::start().await;
    let mesh = Mesh::serve_with(&["--listen", "127.0.0.1:0", "--registry", &etcd.registry()]).await;
    let _currency = Agent::currency(&etcd.registry());
    mesh.sees("currency").await;

    let before = metrics(&etcd).await;
    let rest_ends = renewals(&before) + 2;
    let at_rest = tokio::time::timeout(convoke_tests::PATIENCE, async {
        loop {
            let now = metrics(&etcd).await;
            if renewals(&now) >= rest_ends {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    let after = at_rest.await.expect("the lease is renewed while nothing else happens");

    assert_eq!(requests(&after), requests(&before));
}

async fn metrics(etcd: &Etcd) -> String {
    http_get(etcd.address(), "/metrics").await
}

/// How often a lease was renewed.
fn renewals(metrics: &str) -> u64 {
    let renewed = |line: &&str| {
        line.starts_with("grpc_server_msg_received_total") && line.contains("grpc_method=\"LeaseKeepAlive\"")
    };
    let line = metrics.lines().find(renewed).expect("etcd counts renewals");
    line.rsplit(' ').next().and_then(|count| count.parse().ok()).expect("a count")
}

/// etcd's own counters of the requests that a poller would make.
fn requests(metrics: &str) -> Vec<String> {
    let kinds = ["Range", "Txn", "Watch", "LeaseGrant"].map(|kind| format!("grpc_method=\"{kind}\""));
    let counted = |line: &&str| {
        line.starts_with("grpc_server_started_total") && kinds.iter().any(|kind| line.contains(kind))
    };
    metrics.lines().filter(counted).map(str::to_owned).collect()
}

async fn http_get(address: &str, path: &str) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("etcd can be reached");
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("a request can be sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer can be read");
    answer
}
