//! The server: what is built, bound and served, in this order, and how it ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use convoke_catalog::Live;
use convoke_discovery::etcd::Etcd;
use convoke_discovery::memory::Memory;
use convoke_discovery::{Registry, RegistryUrl};
use convoke_execution::{Engine, Permits};
use convoke_planning::{Lexical, Planner};
use convoke_proto::v1::orchestrator_server::OrchestratorServer;
use convoke_proto::v1::registry_server::RegistryServer;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, HealthService};

use crate::doors::{self, MAX_REQUEST, MAX_RESPONSE};
use crate::drain::Drain;
use crate::sync::{Roster, Sync};
use crate::wire::{Gate, incoming};
use crate::{AgentEndpoints, Config, ConfigError, Error, Limits, Timeouts};

/// Streams on one connection; a client that has more waits.
const STREAMS_PER_CONNECTION: u32 = 1024;
/// How often a silent client is asked whether it is still there, and how long it may take to say so.
const PING_EVERY: Duration = Duration::from_secs(60);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// How long the catalog's task may take to end once it was told to.
const SYNC_END: Duration = Duration::from_millis(500);

/// An orchestrator that is bound and not yet served. Dropping it closes the listener.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    routes: Routes,
    health: HealthReporter,
    drain: Drain,
    limits: Limits,
    timeouts: Timeouts,
    sync: SyncTask,
}

/// The task that keeps the catalog in step with the registry; it ends with its handle.
struct SyncTask {
    ended: CancellationToken,
    task: JoinHandle<()>,
}

// === impl Server ===

impl Server {
    /// Checks the configuration, binds the listener, and starts to follow the registry.
    ///
    /// # Errors
    /// [`Error::Config`] with every mistake, [`Error::Listen`] when the address is not to be had.
    pub async fn build(config: Config) -> Result<Self, Error> {
        config.check()?;
        let Config {
            listen,
            insecure_listen: _,
            registry,
            namespace,
            id,
            agent_endpoints,
            confidence_threshold,
            limits,
            timeouts,
        } = config;
        let refused = |source| Error::Listen { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;

        let drain = Drain::default();
        let registry = backend(&registry, &namespace)?;
        let live = Live::default();
        let roster = Arc::new(Roster::new());
        let sync = SyncTask::start(Sync::new(Arc::clone(&registry), live.clone(), Arc::clone(&roster)));

        let orchestrator = doors::orchestrator::Doors {
            planner: planner(confidence_threshold),
            engine: engine(&live, &limits, &timeouts),
            limits: convoke_plan::Limits { max_steps: limits.steps, ..convoke_plan::Limits::default() },
            live,
            roster: Arc::clone(&roster),
            id,
            late: drain.late().clone(),
        };
        let health = HealthReporter::new();
        for service in SERVICES {
            health.set_service_status(service, ServingStatus::Serving).await;
        }
        let routes = routes(orchestrator, registry_doors(registry, roster, agent_endpoints), &health)?;
        tracing::info!(%address, "listening");
        Ok(Self { listener, address, routes, health, drain, limits, timeouts, sync })
    }

    /// Where the doors are; with a port of 0 configured, the one that was taken.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `drain` is ready, then ends: health says NOT_SERVING, clients are told to go elsewhere, endless
    /// streams are ended, and executions get what is left of the time to finish. It returns within the configured time
    /// and half a second, whatever is open.
    ///
    /// # Errors
    /// [`Error::Transport`] when the transport fails.
    pub async fn serve(self, drain: impl Future<Output = ()>) -> Result<(), Error> {
        let Self { listener, address, routes, health, drain: moments, limits, timeouts, sync } = self;
        let gate = Gate::new(&limits, moments.begun().clone());
        let incoming =
            incoming(listener, limits.connections, moments.begun().clone(), moments.over().clone());
        let serving = tonic::transport::Server::builder()
            .max_concurrent_streams(STREAMS_PER_CONNECTION)
            .http2_keepalive_interval(Some(PING_EVERY))
            .http2_keepalive_timeout(Some(PING_TIMEOUT))
            .layer(gate)
            .serve_with_incoming_shutdown(
                routes.prepare(),
                incoming,
                moments.begun().clone().cancelled_owned(),
            );
        let mut serving = std::pin::pin!(serving);
        let ended = tokio::select! {
            ended = &mut serving => ended,
            () = drain => {
                tracing::info!(%address, "draining");
                for service in SERVICES {
                    health.set_service_status(service, ServingStatus::NotServing).await;
                }
                moments.run(timeouts.drain, serving).await
            }
        };
        sync.end().await;
        tracing::info!(%address, "ended");
        ended.map_err(Error::from)
    }
}

/// What health is known of: the server as a whole, and each of its services.
const SERVICES: [&str; 3] = ["", "convoke.v1.Orchestrator", "convoke.v1.Registry"];

/// What reflection lists.
const LISTED: [&str; 5] = [
    "convoke.v1.Orchestrator",
    "convoke.v1.Registry",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
];

fn backend(url: &RegistryUrl, namespace: &str) -> Result<Arc<dyn Registry>, ConfigError> {
    match url {
        RegistryUrl::Memory => Ok(Arc::new(Memory::new())),
        RegistryUrl::Etcd(members) => Ok(Arc::new(Etcd::new(members, namespace))),
        RegistryUrl::Grpc(address) => Err(ConfigError(vec![format!("registry: grpc://{address}")])),
    }
}

fn planner(threshold: Option<f64>) -> Planner {
    let planner = Planner::new(Lexical::new());
    match threshold {
        Some(threshold) => planner.with_threshold(threshold),
        None => planner,
    }
}

fn engine(live: &Live, limits: &Limits, timeouts: &Timeouts) -> Engine<convoke_dispatch::Dispatch> {
    let dispatch = convoke_dispatch::stack(
        live.clone(),
        convoke_dispatch::Config { max_message_bytes: MAX_REQUEST, ..convoke_dispatch::Config::default() },
    );
    let bounds =
        convoke_execution::Limits { timeout: timeouts.execution, ..convoke_execution::Limits::default() };
    Engine::new(dispatch, Permits::new(limits.calls), bounds)
}

fn registry_doors(
    registry: Arc<dyn Registry>,
    roster: Arc<Roster>,
    policy: AgentEndpoints,
) -> doors::registry::Doors {
    doors::registry::Doors::new(registry, roster, policy)
}

/// Our services, health, and reflection over all of them in both versions.
fn routes(
    orchestrator: doors::orchestrator::Doors,
    registry: doors::registry::Doors,
    health: &HealthReporter,
) -> Result<Routes, Error> {
    // It knows every message of the contract, and lists only what is served here.
    let reflection = || {
        let known = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(convoke_proto::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
        LISTED.into_iter().fold(known, tonic_reflection::server::Builder::with_service_name)
    };
    let routes = Routes::new(
        OrchestratorServer::new(orchestrator)
            .max_decoding_message_size(MAX_REQUEST)
            .max_encoding_message_size(MAX_RESPONSE),
    )
    .add_service(
        RegistryServer::new(registry)
            .max_decoding_message_size(MAX_REQUEST)
            .max_encoding_message_size(MAX_RESPONSE),
    )
    .add_service(tonic_health::pb::health_server::HealthServer::new(HealthService::from_health_reporter(
        health.clone(),
    )))
    .add_service(reflection().build_v1()?)
    .add_service(reflection().build_v1alpha()?);
    Ok(routes)
}

// === impl SyncTask ===

impl SyncTask {
    fn start(sync: Sync) -> Self {
        let ended = CancellationToken::new();
        let task = tokio::spawn(sync.run(ended.clone()));
        Self { ended, task }
    }

    async fn end(mut self) {
        self.ended.cancel();
        if tokio::time::timeout(SYNC_END, &mut self.task).await.is_err() {
            tracing::warn!("the catalog's task did not end in time");
        }
    }
}

impl Drop for SyncTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}
