//! Write an agent in Rust: its annotated proto, a `build.rs` of two lines, a handler, and [`Agent::serve`].
//!
//! ```text
//! build.rs ── convoke_build::compile ──► messages, server, FILE_DESCRIPTOR_SET ──► include_proto!
//!
//! Agent::new(FILE_DESCRIPTOR_SET).add_service(…).serve()
//!     listens ─► answers health and reflection ─► announces itself ─► SIGTERM ─► drains ─► is gone
//! ```
//!
//! The orchestrator calls the agent's own methods with their own messages; nothing of the SDK stands in between. A handler
//! fails with any [`tonic::Status`]; [`ToolError`] and [`Clarification`] make one that says more.
//!
//! The environment that [`Agent::serve`] reads: `CONVOKE_REGISTRY` (`grpc://127.0.0.1:7400`), `CONVOKE_AGENT_LISTEN`
//! (`127.0.0.1:0`) and `CONVOKE_AGENT_ENDPOINT` (the address that was bound), see [`Options`].
//!
//! It does not set up logging (it logs through [`tracing`]) and does not start a runtime.

mod agent;
mod clarification;
mod error;
mod options;
mod reflection;
mod running;
mod signal;
mod tool_error;

pub use agent::Agent;
pub use clarification::Clarification;
pub use convoke_discovery::{self as discovery, announce::Standing};
pub use convoke_proto::v1;
pub use error::Error;
pub use options::{Drain, Options};
pub use prost;
pub use prost_types;
pub use running::Running;
pub use tonic;
pub use tool_error::ToolError;

/// Includes what `convoke_build::compile` generated for a proto package: its messages, its clients and servers, and
/// `FILE_DESCRIPTOR_SET`, which [`Agent::new`] takes.
///
/// ```text
/// mod greeter {
///     convoke_sdk::include_proto!("greeter.v1");
/// }
/// ```
#[macro_export]
macro_rules! include_proto {
    ($package:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $package, ".rs"));
    };
}
