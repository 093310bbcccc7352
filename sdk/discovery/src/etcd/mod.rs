//! A registry in etcd, on keys that `etcdctl` and other languages can read:
//!
//! ```text
//! /convoke/v1/{namespace}/descriptors/{sha256}            FileDescriptorSet, binary
//! /convoke/v1/{namespace}/manifests/{domain}/{sha256}     Manifest, proto3 JSON; named by the digest of its bytes
//! /convoke/v1/{namespace}/refs/{domain}/{sha256}          the instance that last registered with that manifest
//! /convoke/v1/{namespace}/instances/{domain}/{instance}   Instance, proto3 JSON, under a lease
//! ```
//!
//! A registration is one transaction under a fresh lease. An instance's incarnation is taken from etcd's revision, so it
//! grows whatever clocks say. Each lease is renewed on one stream that stays open; each watcher lists at one revision
//! and watches from the next on one stream. Nothing is polled.
//!
//! Anybody may write these keys: what a reader finds there is checked (`stored`), two instances that claim one id or
//! one endpoint are told apart (`claims`), and what can't be served is handed on as [`crate::Update::Invalid`].

mod calls;
mod changes;
mod claims;
mod keys;
mod leases;
mod register;
mod stored;
mod watch;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex},
};

use convoke_proto::v1::instance::State;
use etcd_client::Client;
use futures::{future::BoxFuture, stream::BoxStream};
use tokio::sync::OnceCell;

use self::{keys::Keys, leases::Held};
use crate::{Error, KeptAlive, Lease, Registration, Registry, Update};

/// The namespace unless another is configured.
pub const DEFAULT_NAMESPACE: &str = "default";

/// A registry in etcd. A clone is the same registry, with the same leases.
#[derive(Clone)]
pub struct Etcd {
    shared: Arc<Shared>,
}

struct Shared {
    members: Vec<String>,
    keys: Keys,
    client: OnceCell<Client>,
    /// The instances that were registered through here, by id.
    held: Mutex<HashMap<String, Held>>,
}

// === impl Etcd ===

impl Etcd {
    /// The registry in this namespace of the cluster with these members (`host:port`). It is dialled when it is used.
    pub fn new(members: &[String], namespace: &str) -> Self {
        let shared = Shared {
            members: members.to_vec(),
            keys: Keys::new(namespace),
            client: OnceCell::new(),
            held: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }
}

impl fmt::Debug for Etcd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Etcd").field("members", &self.shared.members).finish_non_exhaustive()
    }
}

impl Registry for Etcd {
    fn register(&self, registration: Registration) -> BoxFuture<'_, Result<Lease, Error>> {
        Box::pin(register::register(&self.shared, registration))
    }

    fn keep_alive(
        &self,
        id: &str,
        incarnation: u64,
        state: Option<State>,
    ) -> BoxFuture<'_, Result<KeptAlive, Error>> {
        let id = id.to_owned();
        Box::pin(async move { leases::keep_alive(&self.shared, &id, incarnation, state).await })
    }

    fn deregister(&self, id: &str, incarnation: u64) -> BoxFuture<'_, Result<(), Error>> {
        let id = id.to_owned();
        Box::pin(async move { changes::deregister(&self.shared, &id, incarnation).await })
    }

    fn watch(&self) -> BoxStream<'static, Update> {
        watch::stream(&self.shared)
    }
}
