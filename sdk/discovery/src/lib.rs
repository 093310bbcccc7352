//! How agents become known to the orchestrator, and how it learns of them.
//!
//! ```text
//! agent ── announce ──┬── grpc ──► the orchestrator's Registry service ──┬──► memory
//!                     │                                                  │
//!                     └── etcd ◄──────────── writes through ─────────────┘──► etcd
//!
//! memory, etcd ── Registry::watch ──► Update, Update, … ──► the orchestrator's catalog
//! ```
//!
//! [`Registry`] is the port; [`memory::Memory`] and `etcd::Etcd` (feature `etcd`) are the two places that keep
//! instances. [`grpc::Client`] speaks to the `Registry` service of an orchestrator, for agents without an etcd client.
//! [`announce::Announcer`] is the agent's side: it registers, keeps the lease alive and registers again when it was lost.
//!
//! The crate depends on the contract alone. It does not decide whether a manifest is sound (that is `convoke-proto` and
//! `convoke-catalog`), does not dial agents and does not serve anything.

pub mod announce;
mod backoff;
mod error;
#[cfg(feature = "etcd")]
pub mod etcd;
pub mod grpc;
pub mod memory;
mod record;
mod registration;
mod registry;
mod url;
mod view;

pub use backoff::Backoff;
pub use error::Error;
pub use record::Record;
pub use registration::{DEFAULT_TTL, MAX_TTL, MIN_TTL, clamp_ttl, normalise_endpoint};
pub use registry::{KeptAlive, Lease, Registration, Registry, Update};
pub use url::{RegistryUrl, UrlError, parse_url};
