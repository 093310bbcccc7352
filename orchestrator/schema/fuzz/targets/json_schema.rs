//! Conversion of any bytes as JSON Schema, and coercion of a value to what comes out.

#![no_main]

#[path = "../src/proofs.rs"]
mod proofs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| proofs::json_schema(data));
