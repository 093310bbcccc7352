//! The orchestrator as a server: it puts the other crates together and opens the doors.
//!
//! ```text
//! caller ─► gate (bounds, drain) ─► doors::orchestrator ─► planning ─► plan check ─► engine ─► dispatch ─► agent
//! agent  ─► gate (bounds, drain) ─► doors::registry ─► endpoint policy, reflection ─► registry (memory, etcd)
//!                                                                                        │ watch
//!            doors, planning, dispatch ◄─ Live catalog ◄─ Index ◄─ sync ◄────────────────┘
//!                                                                 └ health of each instance
//! ```
//!
//! [`Server::build`] checks the [`Config`], binds the listener and starts the sync; [`Server::serve`] answers until it
//! is told to drain, and is over a bounded time after that, whatever stream is open.
//!
//! It decides nothing about schemas, plans, retries or leases: those are the crates behind it. It installs no signal
//! handler and no log subscriber, and parses no flag: those are the command line's.

mod config;
mod doors;
mod drain;
mod endpoint;
mod error;
pub mod reflection;
mod server;
mod sync;
mod wire;

pub use config::{AgentEndpoints, Config, ConfigError, DEFAULT_PORT, Limits, Timeouts};
pub use error::Error;
pub use server::Server;
