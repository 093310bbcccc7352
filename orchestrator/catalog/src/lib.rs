//! What the mesh can do now: an immutable snapshot of the manifests that were admitted and the instances that offer
//! them.
//!
//! ```text
//! discovery ─Change─► Index (mutable, one task owns it) ─snapshot()─► Arc<Catalog> ─store()─► Live
//!                       │ admit(): every schema compiled, every contract hashed                 │ load()
//!                       └ a bad manifest: its instances are quarantined, nobody else            ▼
//!                                                      planning, plan checks, dispatch: resolve(), goals(), agents()
//! ```
//!
//! The key of a capability is (domain, capability, contract digest): versions of a domain live side by side, and equal
//! contracts of several versions share one pool of instances. A change rebuilds the domain that it touches; every other
//! domain of the next snapshot is the same `Arc` as before.
//!
//! It does no I/O: it neither watches a registry nor asks for health nor picks an instance for a call.

mod admit;
mod catalog;
mod contract;
mod contract_digest;
mod index;
mod instance;
mod live;
mod nearest;
mod quarantine;
mod resolve;
mod version;
mod view;

pub use admit::{Admitted, admit};
pub use catalog::Catalog;
pub use contract::{Capability, Contract, Goal, Roles};
pub use index::{Change, Index};
pub use instance::Instance;
pub use live::Live;
pub use quarantine::Quarantine;
pub use resolve::Unresolved;
