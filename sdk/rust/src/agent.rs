//! An agent that has not started yet.

use std::{collections::BTreeSet, convert::Infallible};

use bytes::Bytes;
use convoke_discovery::announce::{Announcement, Announcer};
use convoke_proto::{descriptors::Descriptors, manifest};
use http::{Request, Response};
use tokio::net::TcpListener;
use tonic::{body::Body, server::NamedService, service::RoutesBuilder};
use tower::Service;

use crate::{Error, Options, Running, reflection, running, signal::Signals};

/// An agent: the descriptors of its annotated proto, and the services that implement it.
#[derive(Clone, Debug)]
pub struct Agent {
    descriptors: &'static [u8],
    routes: RoutesBuilder,
    services: BTreeSet<&'static str>,
}

// === impl Agent ===

impl Agent {
    /// An agent whose annotated proto compiled to these descriptors: the `FILE_DESCRIPTOR_SET` that
    /// [`include_proto!`](crate::include_proto) brings.
    pub fn new(descriptors: &'static [u8]) -> Self {
        Self { descriptors, routes: RoutesBuilder::default(), services: BTreeSet::new() }
    }

    /// Adds a service: what tonic generates as `…Server`, around the handler. Messages of up to 4 MiB are read, as
    /// tonic has it by default.
    pub fn add_service<S>(mut self, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send + 'static,
    {
        self.routes.add_service(service);
        self.services.insert(S::NAME);
        self
    }

    /// Runs the agent as the environment says, until SIGTERM or SIGINT, and then drains. A second signal ends it at once.
    ///
    /// # Errors
    /// Whatever keeps it from starting, or breaks its server down. That no registry is there yet is no error: it
    /// registers as soon as there is one.
    pub async fn serve(self) -> Result<(), Error> {
        let mut signals = Signals::install();
        let mut running = self.start(Options::from_env()?).await?;
        tokio::select! {
            () = signals.next() => tracing::info!("draining"),
            broken = running.broken() => return broken,
        }
        tokio::select! {
            stopped = running.stop() => stopped,
            () = signals.next() => Ok(()),
        }
    }

    /// Starts the agent: when this returns, it listens and announces itself.
    ///
    /// # Errors
    /// Whatever keeps it from starting.
    pub async fn start(self, options: Options) -> Result<Running, Error> {
        self.check()?;
        let announcer = Announcer::connect(&options.registry)?;
        let refused = |source| Error::Listen { address: options.listen, source };
        let listener = TcpListener::bind(options.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let endpoint = match options.endpoint {
            Some(endpoint) => endpoint,
            None if address.ip().is_unspecified() => return Err(Error::NoEndpoint(address)),
            None => format!("http://{address}"),
        };

        let Self { descriptors, mut routes, services } = self;
        reflection::add(&mut routes, descriptors, &services)?;
        let server = running::Server::start(listener, address, routes, services).await;
        let announced = announcer.announce(Announcement {
            descriptors: Bytes::from_static(descriptors),
            endpoint: endpoint.clone(),
            instance_id: options.instance_id,
            zone: options.zone,
            weight: options.weight,
            metadata: options.metadata,
            ttl: options.ttl,
        })?;
        tracing::info!(%address, %endpoint, "serving");
        Ok(Running::new(server, announced, endpoint, options.drain))
    }

    /// What a registry would refuse is told before anything listens.
    fn check(&self) -> Result<(), Error> {
        let descriptors = Descriptors::read(self.descriptors).map_err(Error::Manifest)?;
        let manifest = manifest::read(&descriptors).map_err(Error::Manifest)?;
        let services =
            manifest.capabilities.iter().filter_map(|c| c.method.strip_prefix('/')?.split_once('/'));
        for (service, _) in services {
            if !self.services.contains(service) {
                return Err(Error::NotAdded { service: service.to_owned() });
            }
        }
        Ok(())
    }
}
