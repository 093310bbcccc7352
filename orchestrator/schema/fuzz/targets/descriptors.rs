//! Descriptors of any bytes, and the schemas of all their messages.

#![no_main]

#[path = "../src/proofs.rs"]
mod proofs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| proofs::descriptors(data));
