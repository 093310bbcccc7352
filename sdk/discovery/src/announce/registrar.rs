//! The three calls of an announcement, to an orchestrator over gRPC or to a registry directly.

use std::{future, sync::Arc};

use convoke_proto::{
    descriptors::Descriptors,
    error, manifest,
    v1::{self, instance::State},
};

use super::Announcement;
use crate::{Error, KeptAlive, Lease, Registration, Registry, grpc, registration::normalise_endpoint};

pub(super) enum Registrar {
    Grpc {
        client: grpc::Client,
        request: Box<v1::RegisterRequest>,
        /// Open from the first keep-alive of a lease until it breaks.
        stream: Option<Box<grpc::KeepAlive>>,
    },
    Direct {
        registry: Arc<dyn Registry>,
        registration: Box<Registration>,
    },
}

// === impl Registrar ===

impl Registrar {
    /// The orchestrator reads the manifest off the descriptors itself.
    pub(super) fn grpc(client: grpc::Client, announcement: Announcement) -> Result<Self, Error> {
        let Announcement { descriptors, endpoint, instance_id, zone, weight, metadata, ttl } = announcement;
        let request = v1::RegisterRequest {
            endpoint: normalise_endpoint(&endpoint)?,
            descriptors,
            manifest: None,
            instance_id,
            zone,
            weight,
            metadata,
            ttl: (!ttl.is_zero()).then(|| ttl.try_into().unwrap_or_default()),
        };
        Ok(Self::Grpc { client, request: Box::new(request), stream: None })
    }

    /// A registry only keeps things: what the descriptors say is read here.
    pub(super) fn direct(registry: Arc<dyn Registry>, announcement: Announcement) -> Result<Self, Error> {
        let Announcement { descriptors, endpoint, instance_id: id, zone, weight, metadata, ttl } =
            announcement;
        let descriptors = Descriptors::read(&descriptors).map_err(refused)?;
        let manifest = manifest::read(&descriptors).map_err(refused)?;
        let endpoint = normalise_endpoint(&endpoint)?;
        let instance = v1::Instance { id, endpoint, zone, weight, metadata, ..Default::default() };
        let registration = Registration { instance, manifest, descriptors: descriptors.bytes().clone(), ttl };
        Ok(Self::Direct { registry, registration: Box::new(registration) })
    }

    pub(super) async fn register(&mut self) -> Result<Lease, Error> {
        match self {
            Self::Grpc { client, request, stream } => {
                *stream = None;
                client.register((**request).clone()).await
            }
            Self::Direct { registry, registration } => registry.register((**registration).clone()).await,
        }
    }

    pub(super) async fn keep_alive(
        &mut self,
        lease: &Lease,
        state: Option<State>,
    ) -> Result<KeptAlive, Error> {
        let (id, incarnation) = (lease.instance.id.as_str(), lease.instance.incarnation);
        match self {
            Self::Grpc { client, stream, .. } => {
                // Taken out for the call: a stream on which one failed, or was given up, is not used again.
                let (open, kept) = match stream.take() {
                    Some(mut open) => {
                        let kept = open.renew(id, incarnation, state).await?;
                        (open, kept)
                    }
                    None => {
                        let (open, kept) = client.keep_alive(id, incarnation, state).await?;
                        (Box::new(open), kept)
                    }
                };
                *stream = Some(open);
                Ok(kept)
            }
            Self::Direct { registry, .. } => registry.keep_alive(id, incarnation, state).await,
        }
    }

    pub(super) async fn deregister(&mut self, lease: &Lease) -> Result<(), Error> {
        let (id, incarnation) = (lease.instance.id.as_str(), lease.instance.incarnation);
        match self {
            Self::Grpc { client, .. } => client.deregister(id, incarnation).await,
            Self::Direct { registry, .. } => registry.deregister(id, incarnation).await,
        }
    }

    /// Ends when contact has visibly broken, so that a keep-alive is due at once.
    pub(super) async fn broken(&mut self) {
        match self {
            Self::Grpc { stream, .. } => {
                grpc::broken(stream.as_deref_mut()).await;
                *stream = None;
            }
            Self::Direct { .. } => future::pending().await,
        }
    }
}

fn refused(violations: Vec<v1::Violation>) -> Error {
    Error::Refused(Box::new(error::manifest_invalid(violations)))
}
