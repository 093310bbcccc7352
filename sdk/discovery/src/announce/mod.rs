//! The agent's side: known to the registry from start to end, whatever happens to the registry in between.
//!
//! ```text
//! announce ─► register ──► kept alive at a third of the TTL ──► DRAINING ──► deregistered
//!               ▲  │ refused: slow retry         │ lapsed
//!               │  │ unavailable: backoff        │
//!               └──┴──────────────◄──────────────┘
//! ```
//!
//! Start order does not matter: registering goes on until it succeeds. The agent asks only for a wanted state
//! (serving, draining, gone) through its [`Announced`] handle; one task brings the registry to it.

mod registrar;
mod task;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use bytes::Bytes;
use convoke_proto::v1;
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use self::{registrar::Registrar, task::Wanted};
use crate::{Error, Registry, RegistryUrl, UrlError, grpc, parse_url};

/// How long [`Announced::drain`] waits for the registry.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// How long [`Announced::deregister`] waits for the registry.
const DEREGISTER_TIMEOUT: Duration = Duration::from_secs(3);

/// What an agent announces.
#[derive(Clone, Debug, Default)]
pub struct Announcement {
    /// The encoded, annotated `FileDescriptorSet` of what it serves.
    pub descriptors: Bytes,
    /// Where it serves: `http(s)://host:port` or `host:port`.
    pub endpoint: String,
    /// Its id; empty: one is given.
    pub instance_id: String,
    /// Its zone, for balancing; may be empty.
    pub zone: String,
    /// Its weight, for balancing; 0 means 100.
    pub weight: u32,
    /// Whatever else is to be known of it.
    pub metadata: BTreeMap<String, String>,
    /// How long it is known without a keep-alive; zero means 10 s.
    pub ttl: Duration,
}

/// Where announcements go. A clone is the same place.
#[derive(Clone)]
pub struct Announcer {
    place: Place,
    /// For logs: the address as it was given.
    address: Arc<str>,
}

#[derive(Clone)]
enum Place {
    Grpc(grpc::Client),
    Registry(Arc<dyn Registry>),
}

/// Where an announcement stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// Not registered: the last attempt, if there was one, failed for a reason that may pass.
    Registering(Option<Arc<Error>>),
    /// The registry refused it, and is asked again only now and then.
    Refused(Arc<Error>),
    /// Registered as this instance.
    Registered(v1::Instance),
    /// Listed as draining, or never registered and not trying any more.
    Draining,
    /// Deregistered, or given up.
    Ended,
}

/// A running announcement. Dropping it ends the keep-alives, and the lease runs out by itself.
#[derive(Debug)]
pub struct Announced {
    wanted: watch::Sender<Wanted>,
    standing: watch::Receiver<Standing>,
    task: JoinHandle<()>,
}

// === impl Announcer ===

impl Announcer {
    /// Announces to the registry at `grpc://host:port` or `etcd://host:port[,host:port]`. Nothing is dialled yet.
    ///
    /// # Errors
    /// [`UrlError`], also for what only an orchestrator can be told and for `etcd://` in a program built without it.
    pub fn connect(url: &str) -> Result<Self, UrlError> {
        let place = match parse_url(url)? {
            RegistryUrl::Memory => return Err(UrlError::MemoryForAgent),
            RegistryUrl::Grpc(address) => Place::Grpc(
                grpc::Client::new(&address)
                    .map_err(|_| UrlError::HostPort { url: url.into(), part: address })?,
            ),
            RegistryUrl::Etcd(members) => Place::Registry(etcd(url, &members)?),
        };
        Ok(Self { place, address: url.into() })
    }

    /// Announces to a registry in this process.
    pub fn over(registry: Arc<dyn Registry>) -> Self {
        Self { place: Place::Registry(registry), address: "this process".into() }
    }

    /// Starts announcing, and goes on until the handle says otherwise. Has to be called within a tokio runtime.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a malformed endpoint; [`Error::Refused`] (`MANIFEST_INVALID`) when the registry leaves it
    /// to the agent to read its descriptors, and they can't be registered.
    pub fn announce(&self, announcement: Announcement) -> Result<Announced, Error> {
        let registrar = match &self.place {
            Place::Grpc(client) => Registrar::grpc(client.clone(), announcement)?,
            Place::Registry(registry) => Registrar::direct(registry.clone(), announcement)?,
        };
        let (wanted, orders) = watch::channel(Wanted::Serving);
        let (reports, standing) = watch::channel(Standing::Registering(None));
        let task = task::Task::new(registrar, orders, reports, self.address.clone());
        Ok(Announced { wanted, standing, task: tokio::spawn(task.run()) })
    }
}

#[cfg(feature = "etcd")]
fn etcd(_: &str, members: &[String]) -> Result<Arc<dyn Registry>, UrlError> {
    Ok(Arc::new(crate::etcd::Etcd::new(members, crate::etcd::DEFAULT_NAMESPACE)))
}

#[cfg(not(feature = "etcd"))]
fn etcd(url: &str, _: &[String]) -> Result<Arc<dyn Registry>, UrlError> {
    Err(UrlError::NoEtcd { url: url.into() })
}

// === impl Announced ===

impl Announced {
    /// Where the announcement stands now.
    pub fn standing(&self) -> Standing {
        self.standing.borrow().clone()
    }

    /// Waits until the instance is registered, as it is then known.
    ///
    /// # Errors
    /// [`Error::Refused`] or [`Error::Invalid`] as soon as the registry refuses it, [`Error::Unavailable`] when the
    /// announcement has ended. What may pass is waited for.
    pub async fn registered(&self) -> Result<v1::Instance, Arc<Error>> {
        let settled = |standing: &Standing| !matches!(standing, Standing::Registering(_));
        let standing = self.standing.clone().wait_for(settled).await.map(|standing| standing.clone());
        match standing {
            Ok(Standing::Registered(instance)) => Ok(instance),
            Ok(Standing::Refused(error)) => Err(error),
            Ok(Standing::Registering(_) | Standing::Draining | Standing::Ended) | Err(_) => {
                Err(Arc::new(Error::Unavailable {
                    reason: "the announcement has ended".into(),
                    source: None,
                }))
            }
        }
    }

    /// Has the instance listed as DRAINING, so that it gets no new call; waits at most 1 s for the registry to know.
    pub async fn drain(&self) {
        self.want(Wanted::Draining, DRAIN_TIMEOUT).await;
    }

    /// Has the instance removed; waits at most 3 s for the registry to know. Whatever it answers, the lease runs out.
    pub async fn deregister(self) {
        self.want(Wanted::Gone, DEREGISTER_TIMEOUT).await;
    }

    async fn want(&self, wanted: Wanted, patience: Duration) {
        self.wanted.send_replace(wanted);
        let reached = |standing: &Standing| match wanted {
            Wanted::Serving => true,
            Wanted::Draining => matches!(standing, Standing::Draining | Standing::Ended),
            Wanted::Gone => matches!(standing, Standing::Ended),
        };
        let mut standing = self.standing.clone();
        if timeout(patience, standing.wait_for(reached)).await.is_err() {
            tracing::warn!(?wanted, "the registry did not answer in time");
        }
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        self.task.abort();
    }
}
