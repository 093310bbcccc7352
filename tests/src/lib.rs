//! The harness of the end-to-end suites: it runs the products as a user does and watches what a user sees.
//!
//! ```text
//! tools (where the programs are) → process (start, read, signal, end) → mesh · agent · etcd → a suite's assertions
//! ```
//!
//! Everything is the real thing: the binary `convoke`, agents in their own processes, a real etcd. Ports are free ones,
//! folders are temporary, and a process ends with the value that started it. What is awaited is a line that a process
//! prints or an update that the registry sends; nothing sleeps.

#![allow(clippy::expect_used, clippy::panic, reason = "a harness fails a test by panicking")]

mod agent;
mod command;
mod etcd;
mod mesh;
mod process;
mod tools;

pub use agent::Agent;
pub use command::{Output, convoke, grpcurl, python, python_stubs};
pub use etcd::Etcd;
pub use mesh::Mesh;
pub use process::{PATIENCE, Process};
pub use tools::{plan, program, python_environment, repository, tool};
