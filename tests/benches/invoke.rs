//! What the mesh adds to a call: 1,000 Invokes by one client, one at a time, beside the same method called directly.
//!
//! Both routes run in one process run, interleaved in rounds, over release builds of the real binaries:
//!
//! ```text
//! cargo build --release --workspace && cargo bench -p convoke-tests --bench invoke
//! ```

#![allow(missing_docs, reason = "a benchmark, not an interface")]
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops at the first fault"
)]

use std::time::{Duration, Instant};

use convoke_agent_currency::proto::GetRateRequest;
use convoke_agent_currency::proto::currency_client::CurrencyClient;
use convoke_proto::v1::orchestrator_client::OrchestratorClient;
use convoke_proto::v1::{InvokeRequest, domain_output};
use convoke_tests::{Agent, Mesh, convoke};
use prost_types::{Struct, Value, value::Kind};

const CALLS: usize = 1_000;
const ROUND: usize = 100;

#[tokio::main]
async fn main() {
    first_answer().await;
    latency().await;
}

/// From the start of `convoke dev` to its answer, the end of the process included.
async fn first_answer() {
    let mut taken = Vec::new();
    for _ in 0..10 {
        let start = Instant::now();
        let answer = convoke(&["dev", "--json", "Convert 250 Euro to yen"]).await;
        taken.push(start.elapsed());
        assert_eq!(answer.code, 0, "{answer:?}");
    }
    print("convoke dev, start to answer and exit", &mut taken);
}

async fn latency() {
    let mesh = Mesh::serve().await;
    let _agent = Agent::currency(&mesh.registry());
    let endpoint = mesh.sees("currency").await.endpoint;
    let mut doors =
        OrchestratorClient::connect(format!("http://{}", mesh.address())).await.expect("it is up");
    let mut agent = CurrencyClient::connect(endpoint).await.expect("it is up");
    let text = |text: &str| Value { kind: Some(Kind::StringValue(text.to_owned())) };
    let request = InvokeRequest {
        capability: "get_rate".to_owned(),
        parameters: Some(Struct {
            fields: [("from".to_owned(), text("EUR")), ("to".to_owned(), text("JPY"))].into(),
        }),
        ..InvokeRequest::default()
    };
    let direct = GetRateRequest { from: "EUR".to_owned(), to: "JPY".to_owned(), ..GetRateRequest::default() };

    let (mut invoked, mut called) = (Vec::new(), Vec::new());
    // The first round warms both routes up and is not counted.
    for round in 0..=CALLS / ROUND {
        for _ in 0..ROUND {
            let start = Instant::now();
            let response = doors.invoke(request.clone()).await.expect("it answers").into_inner();
            if round > 0 {
                invoked.push(start.elapsed());
            }
            let status = response.output.map(|output| output.status());
            assert_eq!(status, Some(domain_output::Status::Success));
        }
        for _ in 0..ROUND {
            let start = Instant::now();
            agent.get_rate(direct.clone()).await.expect("it answers");
            if round > 0 {
                called.push(start.elapsed());
            }
        }
    }
    print("Invoke", &mut invoked);
    print("direct call", &mut called);
}

fn print(name: &str, taken: &mut [Duration]) {
    taken.sort_unstable();
    let at = |share: usize| taken[(taken.len() - 1) * share / 100];
    println!("{name}: n {}  p50 {:?}  p90 {:?}  p99 {:?}", taken.len(), at(50), at(90), at(99));
}
