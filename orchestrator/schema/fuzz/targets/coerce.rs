//! Coercion of any bytes as JSON, for one of a fixed set of messages.

#![no_main]

#[path = "../src/proofs.rs"]
mod proofs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| proofs::coerce(data));
