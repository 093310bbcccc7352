//! A mesh that runs as `convoke serve` or `convoke dev` does.

use std::time::Duration;

use convoke_proto::v1::registry_client::RegistryClient;
use convoke_proto::v1::watch_instances_response::Kind;
use convoke_proto::v1::{Instance, WatchInstancesRequest, instance};
use serde_json::Value;
use tokio::time::timeout;

use crate::command::{Output, convoke_command};
use crate::process::{PATIENCE, Process};

/// A running orchestrator.
#[derive(Debug)]
pub struct Mesh {
    process: Process,
    address: String,
}

// === impl Mesh ===

impl Mesh {
    /// `convoke serve` on a free port with its registry in memory.
    pub async fn serve() -> Self {
        Self::serve_with(&["--listen", "127.0.0.1:0"]).await
    }

    /// `convoke serve` with `arguments`.
    pub async fn serve_with(arguments: &[&str]) -> Self {
        let mut process = Process::start("convoke serve", convoke_command().arg("serve").args(arguments));
        let address = process.line_after("listening on").await;
        Self { process, address }
    }

    /// Where it listens: `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What an agent's `CONVOKE_REGISTRY` says to register here.
    pub fn registry(&self) -> String {
        format!("grpc://{}", self.address)
    }

    /// The process behind it.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Runs a command of `convoke` against this mesh.
    pub async fn convoke(&self, arguments: &[&str]) -> Output {
        let mut all = arguments.to_vec();
        all.extend(["--to", &self.address]);
        crate::convoke(&all).await
    }

    /// The instances of `domain` as `convoke agents --json` lists them.
    ///
    /// # Panics
    /// Where the command fails.
    pub async fn agents(&self, domain: &str) -> Vec<Value> {
        let listed = self.convoke(&["agents", "--json", "--domain", domain]).await.exits(0);
        listed["agents"].as_array().expect("a list of agents").clone()
    }

    /// Awaits an instance of `domain` that serves.
    pub async fn sees(&self, domain: &str) -> Instance {
        let serving = |kind: &Kind| match kind {
            Kind::Put(instance) if instance.state() == instance::State::Serving => Some(instance.clone()),
            _ => None,
        };
        self.watch(domain, PATIENCE, serving).await
    }

    /// Awaits the end of instance `id`, for at most `patience`.
    pub async fn loses(&self, domain: &str, id: &str, patience: Duration) {
        let mut present = false;
        let gone = |kind: &Kind| match kind {
            Kind::Put(instance) => {
                present |= instance.id == id;
                None
            }
            Kind::Removed(removed) => (removed == id).then_some(()),
            Kind::Synced(_) => (!present).then_some(()),
        };
        self.watch(domain, patience, gone).await;
    }

    /// Awaits that instance `id` takes no new call: draining, or gone.
    pub async fn drains(&self, domain: &str, id: &str, patience: Duration) {
        let mut present = false;
        let out = |kind: &Kind| match kind {
            Kind::Put(instance) if instance.id == id => {
                present = true;
                (instance.state() == instance::State::Draining).then_some(())
            }
            Kind::Put(_) => None,
            Kind::Removed(removed) => (removed == id).then_some(()),
            Kind::Synced(_) => (!present).then_some(()),
        };
        self.watch(domain, patience, out).await;
    }

    async fn watch<T>(
        &self,
        domain: &str,
        patience: Duration,
        mut pick: impl FnMut(&Kind) -> Option<T>,
    ) -> T {
        let watching = async {
            let mut client = RegistryClient::connect(format!("http://{}", self.address))
                .await
                .expect("the mesh can be reached");
            let request = WatchInstancesRequest { domain: domain.to_owned() };
            let mut updates =
                client.watch_instances(request).await.expect("instances can be watched").into_inner();
            loop {
                let update =
                    updates.message().await.expect("the watch goes on").expect("the watch has no end");
                if let Some(picked) = update.kind.as_ref().and_then(&mut pick) {
                    return picked;
                }
            }
        };
        match timeout(patience, watching).await {
            Ok(picked) => picked,
            Err(_) => panic!("domain {domain} is not as awaited after {patience:?}:\n{}", self.process.log()),
        }
    }
}
