//! A real server on a free port, real agents behind it, and what a caller sees.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod agent;
mod asking;
mod draining;
mod hostile;
mod invoking;
mod leases;
mod listing;
mod mesh;
mod registering;
mod serving;
