//! The mesh that a command talks to: one that runs already, or the mesh of `dev` inside this process.
//!
//! An embedded mesh is no short cut. The orchestrator listens on loopback, the bundled agents register through its
//! `Registry` service, and the command reaches it over gRPC like any other client.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use convoke_agents_bundle::Bundle;
use convoke_proto::v1::ToolError;
use convoke_proto::v1::orchestrator_client::OrchestratorClient;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_server::{Config, Server};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

use crate::args;
use crate::exit::{Ending, Failure};

const DEFAULT_ADDRESS: &str = "127.0.0.1:7400";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the bundled agents may take to be registered.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest message that a door sends.
const MAX_MESSAGE: usize = 64 << 20;

/// A client of the doors.
pub(crate) type Client = OrchestratorClient<Channel>;

/// A mesh that is reached, and what has to be ended when the command is done with it.
pub(crate) struct Mesh {
    client: Client,
    embedded: Option<Embedded>,
}

/// Orchestrator, registry and bundled agents in this process.
pub(crate) struct Embedded {
    address: SocketAddr,
    agents: Bundle,
    drain: CancellationToken,
    server: JoinHandle<Result<(), convoke_server::Error>>,
}

/// Does `work` on the mesh that the arguments name, and ends what was started for it.
pub(crate) async fn on(args: &args::Mesh, work: impl AsyncFnOnce(Client) -> Ending) -> Ending {
    let mesh = Mesh::reach(args).await?;
    let ending = work(mesh.client()).await;
    mesh.end().await.map_err(Failure::Other)?;
    ending
}

// === impl Mesh ===

impl Mesh {
    /// Reaches the mesh that the arguments name.
    pub(crate) async fn reach(args: &args::Mesh) -> Result<Self, Failure> {
        if args.embedded {
            return Self::embed(free_port()).await;
        }
        let address = match &args.to {
            Some(address) => address.clone(),
            None => std::env::var("CONVOKE_ADDR")
                .ok()
                .filter(|address| !address.is_empty())
                .unwrap_or_else(|| DEFAULT_ADDRESS.to_owned()),
        };
        Ok(Self { client: connect(&address).await?, embedded: None })
    }

    /// Starts the mesh of `dev` on `listen` and waits until its agents are registered.
    pub(crate) async fn embed(listen: SocketAddr) -> Result<Self, Failure> {
        let embedded = Embedded::start(listen).await.map_err(Failure::Other)?;
        let client = connect(&embedded.address.to_string()).await?;
        Ok(Self { client, embedded: Some(embedded) })
    }

    /// A client of this mesh's doors.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// The embedded mesh, if it is one.
    pub(crate) fn embedded(&self) -> Option<&Embedded> {
        self.embedded.as_ref()
    }

    /// Ends what this command started.
    pub(crate) async fn end(self) -> anyhow::Result<()> {
        drop(self.client);
        match self.embedded {
            Some(embedded) => embedded.end().await,
            None => Ok(()),
        }
    }
}

// === impl Embedded ===

impl Embedded {
    async fn start(listen: SocketAddr) -> anyhow::Result<Self> {
        let config = Config { listen, ..Config::default() };
        let server = Server::build(config).await.context("the embedded orchestrator does not start")?;
        let address = server.local_addr();
        let drain = CancellationToken::new();
        let server = tokio::spawn(server.serve(drain.clone().cancelled_owned()));
        let agents = convoke_agents_bundle::start(&format!("grpc://{address}"))
            .await
            .context("the bundled agents do not start")?;
        let embedded = Self { address, agents, drain, server };
        tokio::time::timeout(READY_TIMEOUT, embedded.agents.registered())
            .await
            .context("the bundled agents are not registered after 10 s")?
            .context("a bundled agent was refused")?;
        Ok(embedded)
    }

    /// Where the orchestrator listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The bundled agents: domain and endpoint.
    pub(crate) fn agents(&self) -> impl Iterator<Item = (String, String)> {
        self.agents.endpoints()
    }

    /// Ends the agents, then the orchestrator.
    async fn end(self) -> anyhow::Result<()> {
        self.agents.stop().await;
        self.drain.cancel();
        self.server.await.context("the embedded orchestrator died")??;
        Ok(())
    }
}

/// A loopback address whose port the system chooses.
pub(crate) fn free_port() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

async fn connect(address: &str) -> Result<Client, Failure> {
    let uri = if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
    if uri.starts_with("https://") {
        return Err(Failure::Usage(anyhow!(
            "{address}: TLS to a mesh is not served yet, use http://host:port"
        )));
    }
    let endpoint = Endpoint::from_shared(uri)
        .map_err(|error| Failure::Usage(anyhow!("{address:?} is no address (host:port): {error}")))?
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true);
    let channel = endpoint.connect().await.map_err(|_| Failure::tool(unreachable(address)))?;
    Ok(OrchestratorClient::new(channel).max_decoding_message_size(MAX_MESSAGE))
}

fn unreachable(address: &str) -> ToolError {
    ToolError {
        code: "UNAVAILABLE".to_owned(),
        message: format!("no mesh answers at {address}"),
        category: Category::ServiceError.into(),
        retryable: Some(true),
        outcome: Outcome::NotStarted.into(),
        remediation_hint: "start one with `convoke dev` or `convoke serve`, name another with --to or \
                           CONVOKE_ADDR, or use --embedded"
            .to_owned(),
        ..ToolError::default()
    }
}
