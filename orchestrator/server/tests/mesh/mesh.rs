//! The harness: a server with a registry in memory, and clients of its doors.

use std::net::SocketAddr;
use std::time::Duration;

use convoke_proto::status;
use convoke_proto::v1::orchestrator_client::OrchestratorClient;
use convoke_proto::v1::registry_client::RegistryClient;
use convoke_proto::v1::{self, ToolError};
use convoke_server::{Config, Error, Server};
use prost_types::value::Kind;
use prost_types::{Struct, Value};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::transport::Channel;

use crate::agent::Agent;

/// What anything in a test may take: a bound on failure, not a time that is waited.
pub(crate) const SOON: Duration = Duration::from_secs(20);

pub(crate) struct Mesh {
    pub(crate) address: SocketAddr,
    pub(crate) channel: Channel,
    pub(crate) orchestrator: OrchestratorClient<Channel>,
    pub(crate) registry: RegistryClient<Channel>,
    pub(crate) drain: CancellationToken,
    pub(crate) served: JoinHandle<Result<(), Error>>,
}

impl Mesh {
    pub(crate) async fn start() -> Self {
        Self::start_with(Config::default()).await
    }

    pub(crate) async fn start_with(config: Config) -> Self {
        let config = Config { listen: "127.0.0.1:0".parse().unwrap(), ..config };
        let server = Server::build(config).await.unwrap();
        let address = server.local_addr();
        let drain = CancellationToken::new();
        let served = tokio::spawn(server.serve(drain.clone().cancelled_owned()));
        let channel = channel(address).await;
        Self {
            address,
            orchestrator: OrchestratorClient::new(channel.clone()),
            registry: RegistryClient::new(channel.clone()),
            channel,
            drain,
            served,
        }
    }

    /// Registers an agent the way a stock one does: by its endpoint alone.
    pub(crate) async fn register(&mut self, agent: &Agent) -> v1::Instance {
        self.register_endpoint(&agent.endpoint()).await.unwrap()
    }

    pub(crate) async fn register_endpoint(&mut self, endpoint: &str) -> Result<v1::Instance, Status> {
        let request = v1::RegisterRequest { endpoint: endpoint.to_owned(), ..Default::default() };
        let response = self.registry.register(request).await?.into_inner();
        Ok(response.instance.unwrap())
    }

    pub(crate) async fn invoke(
        &mut self,
        capability: &str,
        parameters: Struct,
    ) -> Result<v1::InvokeResponse, Status> {
        let request = v1::InvokeRequest {
            capability: capability.to_owned(),
            parameters: Some(parameters),
            ..Default::default()
        };
        Ok(self.orchestrator.invoke(request).await?.into_inner())
    }

    pub(crate) async fn ask(&mut self, text: &str) -> Result<v1::AskResponse, Status> {
        let request = v1::AskRequest { input_text: text.to_owned(), ..Default::default() };
        Ok(self.orchestrator.ask(request).await?.into_inner())
    }

    /// Drains and waits for the end.
    pub(crate) async fn end(self) {
        self.drain.cancel();
        tokio::time::timeout(SOON, self.served).await.unwrap().unwrap().unwrap();
    }
}

pub(crate) async fn channel(address: SocketAddr) -> Channel {
    Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// A Struct of text and numbers.
pub(crate) fn object<const N: usize>(fields: [(&str, Kind); N]) -> Struct {
    let fields = fields.into_iter().map(|(name, kind)| (name.to_owned(), Value { kind: Some(kind) }));
    Struct { fields: fields.collect() }
}

pub(crate) fn text(text: &str) -> Kind {
    Kind::StringValue(text.to_owned())
}

/// The ToolError that a status carries.
pub(crate) fn tool_error(status: &Status) -> ToolError {
    status::details(status).tool_error.unwrap_or_else(|| panic!("no ToolError in {status:?}"))
}

/// A step of a plan.
pub(crate) fn step(id: &str, capability: &str, params: Struct) -> v1::ExecutionStep {
    v1::ExecutionStep {
        id: id.to_owned(),
        capability: capability.to_owned(),
        params: Some(params),
        ..Default::default()
    }
}

/// The field of a result.
pub(crate) fn field<'a>(result: Option<&'a Struct>, name: &str) -> Option<&'a Kind> {
    result?.fields.get(name)?.kind.as_ref()
}
