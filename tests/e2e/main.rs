//! The end-to-end suites: what a user, a polyglot team and an operator see, over real processes.

#![allow(missing_docs, reason = "suites, not an interface")]
#![allow(clippy::expect_used, clippy::panic, reason = "a helper fails its test by panicking")]

mod answers;
mod calls;
mod clarifications;
mod clients;
mod doors;
mod durable;
mod lifecycle;
mod plans;
mod registration;
mod schema;
mod schema_forms;
mod schema_sources;
mod usage;
mod values;
