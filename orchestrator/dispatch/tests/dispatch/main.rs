//! Calls to agents on real sockets: a tonic server with a handler of raw bytes, and peers that misbehave.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on says so"
)]

mod calls;
mod failures;
mod support;
