//! The engine over a scripted service, on a paused clock.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

mod combined;
mod endings;
mod order;
mod support;
