//! What fuzzing found worth keeping, replayed: the inputs of `fuzz/corpus` and those that broke something once, in
//! `fuzz/found`, one a line, through the proofs that the fuzz targets run.

#![cfg(test)]

#[path = "../fuzz/src/proofs.rs"]
mod proofs;

use std::panic;
use std::path::Path;

/// Bytes as they stand in a line: `\xNN` is that byte, anything else itself.
fn input(line: &str) -> Vec<u8> {
    let mut parts = line.split("\\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).unwrap());
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

fn inputs(folder: &str, target: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fuzz/{folder}/{target}.txt"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn replay(target: &str, proof: fn(&[u8])) {
    let (corpus, found) = (inputs("corpus", target), inputs("found", target));
    assert!(corpus.len() > 100, "the corpus of {target} is not there");
    let broken: Vec<&String> = corpus
        .iter()
        .chain(&found)
        .filter(|line| panic::catch_unwind(|| proof(&input(line))).is_err())
        .collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn coercion_holds_on_its_corpus() {
    replay("coerce", proofs::coerce);
}

#[test]
fn json_schemas_hold_on_their_corpus() {
    replay("json_schema", proofs::json_schema);
}

#[test]
fn descriptors_hold_on_their_corpus() {
    replay("descriptors", proofs::descriptors);
}
