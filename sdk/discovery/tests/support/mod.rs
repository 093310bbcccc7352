//! What the suites share: the `Registry` service over a registry, an annotated proto, and waiting for updates.

#![allow(dead_code, reason = "each suite uses a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a harness fails by panicking")]

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use bytes::Bytes;
use convoke_discovery::{Error, KeptAlive, Registration, Registry, Update, announce::Announcement};
use convoke_proto::{
    descriptors::Descriptors,
    error, manifest, status,
    v1::{self, registry_server},
};
use futures::{Stream, StreamExt, stream::BoxStream};
use tokio::{net::TcpListener, task::JoinHandle, time::timeout};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, Streaming};

/// How long a suite waits for something that has to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The `Registry` service over a registry: the calls of an agent, without reading descriptors by reflection.
pub(crate) struct Service(pub(crate) Arc<dyn Registry>);

/// A `Registry` service that listens; dropping it cuts every connection off, as a killed orchestrator does.
pub(crate) struct Orchestrator {
    pub(crate) address: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
    server: JoinHandle<()>,
}

// === impl Orchestrator ===

impl Orchestrator {
    pub(crate) async fn start(registry: Arc<dyn Registry>) -> Self {
        Self::start_at(registry, ([127, 0, 0, 1], 0).into()).await
    }

    pub(crate) async fn start_at(registry: Arc<dyn Registry>, address: SocketAddr) -> Self {
        // A runtime of its own: with it end the connections too, which tonic gives tasks of their own.
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.spawn(TcpListener::bind(address)).await.unwrap().unwrap();
        let address = listener.local_addr().unwrap();
        let server = runtime.spawn(async move {
            tonic::transport::Server::builder()
                .add_service(registry_server::RegistryServer::new(Service(registry)))
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
                .unwrap();
        });
        Self { address, runtime: Some(runtime), server }
    }

    pub(crate) fn url(&self) -> String {
        format!("grpc://{}", self.address)
    }
}

impl Drop for Orchestrator {
    fn drop(&mut self) {
        self.server.abort();
        if let Some(runtime) = self.runtime.take() {
            // On a thread that may block: when this returns, the port is free again.
            std::thread::spawn(move || runtime.shutdown_timeout(PATIENCE)).join().unwrap();
        }
    }
}

// === impl Service ===

#[tonic::async_trait]
impl registry_server::Registry for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        let request = request.into_inner();
        let refused = |violations| status::to_status(&error::manifest_invalid(violations));
        let descriptors = Descriptors::read(&request.descriptors).map_err(refused)?;
        let registration = Registration {
            instance: v1::Instance {
                id: request.instance_id,
                endpoint: request.endpoint,
                zone: request.zone,
                weight: request.weight,
                metadata: request.metadata,
                ..Default::default()
            },
            manifest: manifest::read(&descriptors).map_err(refused)?,
            descriptors: descriptors.bytes().clone(),
            ttl: request.ttl.and_then(|ttl| ttl.try_into().ok()).unwrap_or_default(),
        };
        let lease = self.0.register(registration).await.map_err(answer)?;
        let ttl = lease.ttl.try_into().ok();
        Ok(Response::new(v1::RegisterResponse { instance: Some(lease.instance), ttl }))
    }

    type KeepAliveStream = BoxStream<'static, Result<v1::KeepAliveResponse, Status>>;

    async fn keep_alive(
        &self,
        request: Request<Streaming<v1::KeepAliveRequest>>,
    ) -> Result<Response<Self::KeepAliveStream>, Status> {
        let registry = self.0.clone();
        let responses = request.into_inner().then(move |request| {
            let registry = registry.clone();
            async move {
                let request = request?;
                let state = Some(request.state()).filter(|state| *state != v1::instance::State::Unspecified);
                match registry
                    .keep_alive(&request.instance_id, request.incarnation, state)
                    .await
                    .map_err(answer)?
                {
                    KeptAlive::Alive { ttl } => {
                        Ok(v1::KeepAliveResponse { lapsed: false, ttl: ttl.try_into().ok() })
                    }
                    KeptAlive::Lapsed => Ok(v1::KeepAliveResponse { lapsed: true, ttl: None }),
                }
            }
        });
        Ok(Response::new(responses.boxed()))
    }

    async fn deregister(
        &self,
        request: Request<v1::DeregisterRequest>,
    ) -> Result<Response<v1::DeregisterResponse>, Status> {
        let request = request.into_inner();
        self.0.deregister(&request.instance_id, request.incarnation).await.map_err(answer)?;
        Ok(Response::new(v1::DeregisterResponse {}))
    }

    async fn list_instances(
        &self,
        _: Request<v1::ListInstancesRequest>,
    ) -> Result<Response<v1::ListInstancesResponse>, Status> {
        Err(status::to_status(&error::not_served("ListInstances")))
    }

    type WatchInstancesStream = BoxStream<'static, Result<v1::WatchInstancesResponse, Status>>;

    async fn watch_instances(
        &self,
        _: Request<v1::WatchInstancesRequest>,
    ) -> Result<Response<Self::WatchInstancesStream>, Status> {
        Err(status::to_status(&error::not_served("WatchInstances")))
    }
}

fn answer(error: Error) -> Status {
    status::to_status(&error.to_tool_error())
}

/// The descriptors of a service with one capability, `greet.greet`.
pub(crate) fn greeter() -> Bytes {
    compile(
        r#"
        syntax = "proto3";
        package greet.v1;
        import "convoke/v1/annotations.proto";
        service Greet {
          option (convoke.v1.domain) = { name: "greet" version: "1.0.0" description: "Greets people" };
          rpc Greet(GreetRequest) returns (GreetResponse) {
            option (convoke.v1.capability) = { description: "Greets one person" effects: READ_ONLY };
          }
        }
        message GreetRequest { string name = 1 [(convoke.v1.field) = { required: true }]; }
        message GreetResponse { string greeting = 1; }
        "#,
    )
}

/// Compiles one annotated proto.
pub(crate) fn compile(proto: &str) -> Bytes {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("agent.proto"), proto).unwrap();
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let mut compiler = protox::Compiler::new([folder.path(), &contract]).unwrap();
    compiler.include_imports(true).open_file("agent.proto").unwrap();
    compiler.encode_file_descriptor_set().into()
}

pub(crate) fn announcement(endpoint: &str) -> Announcement {
    Announcement { descriptors: greeter(), endpoint: endpoint.into(), ..Default::default() }
}

/// The first update that `wanted` takes something from.
pub(crate) async fn next<T>(
    updates: &mut (impl Stream<Item = Update> + Unpin),
    mut wanted: impl FnMut(Update) -> Option<T>,
) -> T {
    let found = async {
        loop {
            let update = updates.next().await.expect("the watch goes on");
            if let Some(found) = wanted(update) {
                return found;
            }
        }
    };
    timeout(PATIENCE, found).await.expect("it has to happen in time")
}

pub(crate) fn put(update: Update) -> Option<v1::Instance> {
    match update {
        Update::Put(instance) => Some(instance),
        _ => None,
    }
}

pub(crate) fn removed(update: Update) -> Option<String> {
    match update {
        Update::Removed { id } => Some(id),
        _ => None,
    }
}
