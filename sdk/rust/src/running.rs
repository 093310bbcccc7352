//! An agent that runs, and how it ends.
//!
//! ```text
//! stop: DRAINING ─► NOT_SERVING ─► accepts a little longer ─► GOAWAY ─► running calls finish ─► deregistered
//! ```

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc};

use convoke_discovery::announce::{Announced, Standing};
use convoke_proto::v1;
use tokio::{
    net::TcpListener,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tonic::{
    service::RoutesBuilder,
    transport::{self, server::TcpIncoming},
};
use tonic_health::{ServingStatus, server::HealthReporter};

use crate::{Drain, Error};

/// An agent that listens and announces itself. Dropping it cuts everything off; [`Running::stop`] ends it well.
#[derive(Debug)]
pub struct Running {
    server: Server,
    announced: Announced,
    endpoint: String,
    drain: Drain,
}

/// The listening half: it knows nothing of registries.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    health: HealthReporter,
    services: BTreeSet<&'static str>,
    goaway: CancellationToken,
    task: JoinHandle<Result<(), transport::Error>>,
}

// === impl Running ===

impl Running {
    pub(crate) fn new(server: Server, announced: Announced, endpoint: String, drain: Drain) -> Self {
        Self { server, announced, endpoint, drain }
    }

    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.server.address
    }

    /// Where others are told to reach it.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Waits until it is registered, as the instance that it then is.
    ///
    /// # Errors
    /// What the registry says when it refuses the agent. That there is no registry yet is waited for.
    pub async fn registered(&self) -> Result<v1::Instance, Arc<convoke_discovery::Error>> {
        self.announced.registered().await
    }

    /// How it stands with the registry now.
    pub fn standing(&self) -> Standing {
        self.announced.standing()
    }

    /// Waits until the server ends, which by itself it does only when it breaks down.
    ///
    /// # Errors
    /// [`Error::Serve`].
    pub async fn broken(&mut self) -> Result<(), Error> {
        self.server.ended().await
    }

    /// Ends the agent: it gets no new call, running ones finish, and then it is gone from the registry.
    ///
    /// # Errors
    /// [`Error::Serve`] when the server broke down.
    pub async fn stop(self) -> Result<(), Error> {
        let Self { mut server, announced, drain, .. } = self;
        announced.drain().await;
        server.not_serving().await;
        sleep(drain.accept).await;
        server.go_away().await;
        let ended = timeout(drain.finish, server.ended()).await;
        if ended.is_err() {
            tracing::warn!("calls still running are cut");
        }
        announced.deregister().await;
        ended.unwrap_or(Ok(()))
    }
}

// === impl Server ===

impl Server {
    pub(crate) async fn start(
        listener: TcpListener,
        address: SocketAddr,
        mut routes: RoutesBuilder,
        services: BTreeSet<&'static str>,
    ) -> Self {
        let (health, health_service) = tonic_health::server::health_reporter();
        for service in &services {
            health.set_service_status(*service, ServingStatus::Serving).await;
        }
        routes.add_service(health_service);

        let goaway = CancellationToken::new();
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let server = transport::Server::builder().add_routes(routes.routes().prepare());
        let serving = server.serve_with_incoming_shutdown(incoming, goaway.clone().cancelled_owned());
        Self { address, health, services, goaway, task: tokio::spawn(serving) }
    }

    async fn not_serving(&self) {
        for service in self.services.iter().chain(&[""]) {
            self.health.set_service_status(*service, ServingStatus::NotServing).await;
        }
    }

    /// No new call from here on. Who watches the health has been told, and would hold the connection open for ever.
    async fn go_away(&mut self) {
        for service in self.services.iter().chain(&[""]) {
            self.health.clear_service_status(service).await;
        }
        self.goaway.cancel();
    }

    async fn ended(&mut self) -> Result<(), Error> {
        match (&mut self.task).await {
            Ok(served) => Ok(served?),
            // A task ends early only with the runtime, or by a panic, which has been printed.
            Err(_) => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.goaway.cancel();
        self.task.abort();
    }
}
