//! The port: what a place that keeps instances can do.

use std::time::Duration;

use bytes::Bytes;
use convoke_proto::v1::{self, instance::State};
use futures::{future::BoxFuture, stream::BoxStream};

use crate::Error;

/// A place that keeps instances under leases and tells watchers what changes.
///
/// Rules that hold for every backend: one endpoint is one instance, so registering it again replaces the old one; an
/// instance registered again has a greater incarnation; an id that a living instance with another endpoint holds is
/// refused until its lease ends.
pub trait Registry: Send + Sync + 'static {
    /// Puts an instance under a new lease.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a registration that can never succeed, [`Error::IdTaken`] while somebody else holds the
    /// id, [`Error::Unavailable`] when the registry cannot be reached.
    fn register(&self, registration: Registration) -> BoxFuture<'_, Result<Lease, Error>>;

    /// Renews the lease of `id`, once; with a `state`, also changes the instance's state to it.
    ///
    /// # Errors
    /// [`Error::Unavailable`]. That there is no such lease is an answer: [`KeptAlive::Lapsed`].
    fn keep_alive(
        &self,
        id: &str,
        incarnation: u64,
        state: Option<State>,
    ) -> BoxFuture<'_, Result<KeptAlive, Error>>;

    /// Removes an instance, when its incarnation is this one. What is not there is removed already.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn deregister(&self, id: &str, incarnation: u64) -> BoxFuture<'_, Result<(), Error>>;

    /// Everything that is there, then [`Update::Synced`], then what changes, for ever: the stream recovers by itself
    /// and ends only when the registry itself is dropped. Nothing happens while it isn't polled.
    fn watch(&self) -> BoxStream<'static, Update>;
}

/// What an agent says of itself.
#[derive(Clone, Debug, Default)]
pub struct Registration {
    /// The instance as asked for: `endpoint` is required; `id`, where empty, is given by the registry, and so are
    /// `incarnation`, `manifest_digest`, `registered` and `state` (SERVING). `domain` and `version` are the manifest's.
    pub instance: v1::Instance,
    /// What it can do. Its `descriptors_digest` is computed here.
    pub manifest: v1::Manifest,
    /// The encoded `FileDescriptorSet` that the manifest was read from.
    pub descriptors: Bytes,
    /// How long the instance lives without a keep-alive: 1 s to 60 s, clamped; zero means 10 s.
    pub ttl: Duration,
}

/// A registration that succeeded.
#[derive(Clone, Debug, PartialEq)]
pub struct Lease {
    /// The instance as registered: with its id and incarnation, which every later call names.
    pub instance: v1::Instance,
    /// The time within which the next keep-alive must come.
    pub ttl: Duration,
}

/// The answer to a keep-alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptAlive {
    /// The lease runs for another `ttl` from now.
    Alive {
        /// The time within which the next keep-alive must come.
        ttl: Duration,
    },
    /// There is no such instance, or another incarnation of it lives: register again.
    Lapsed,
}

/// One thing that a watcher learns. Applied in order, updates give what the registry holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// A manifest that the next [`Update::Put`] names. Without an instance that names it, it may be forgotten.
    Manifest {
        /// As in `Instance.manifest_digest`.
        digest: String,
        /// What the instances that name it can do.
        manifest: v1::Manifest,
        /// The encoded `FileDescriptorSet` of `manifest.descriptors_digest`.
        descriptors: Bytes,
    },
    /// An instance came or changed. It replaces whatever was known under its id.
    Put(v1::Instance),
    /// The instance of this id is gone: deregistered, replaced or lapsed.
    Removed {
        /// As in [`Update::Put`] or [`Update::Invalid`].
        id: String,
    },
    /// Something stands in the registry that cannot be served. It replaces whatever was known under its id.
    Invalid {
        /// As much of it as could be read; the id is always there.
        instance: v1::Instance,
        /// What is wrong with it, for a person.
        reason: String,
    },
    /// All that was there has been sent.
    Synced,
    /// Contact is lost, for this reason; what was sent stays the last known state. Once contact is back, what is gone
    /// comes as [`Update::Removed`], then what is new or has changed, then [`Update::Synced`].
    Lost(String),
}
