//! Plans as people, models and planners write them, against a mesh with one domain.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up has failed")]

#[path = "../../../catalog/tests/support/mod.rs"]
mod agents;
mod evaluation;
mod files;
mod hostile;
mod support;
mod verification;
