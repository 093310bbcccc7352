//! What must hold for any input, whoever made it up: the fuzz targets run this on what they invent, a test of the crate
//! on what they kept.

#![allow(dead_code, reason = "each target proves one of them")]

use std::sync::LazyLock;

use convoke_proto::descriptors::Descriptors;
use convoke_schema::{Dialect, Schema, Value, from_json_schema, render_inline};
use prost_reflect::{DescriptorPool, MessageDescriptor};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

const CASES: &str = include_str!("../../../../tests/data/cases.proto");

/// The messages of the table of cases in their order, so that a new one at the end leaves the corpus what it means.
static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let pool = pool();
    let file = pool.get_file_by_name("cases.proto").unwrap();
    let compiled = file.messages().map(|message| Schema::compile(&message).unwrap());
    compiled.collect()
});

/// The letter that stands before the JSON text in an input of [`coerce`], by the place of the message.
pub(crate) const FIRST_MESSAGE: u8 = b'A';

/// A letter that names the message, then JSON text: coercion is total, deterministic and idempotent, and what it typed
/// goes to bytes, to text and back.
pub(crate) fn coerce(data: &[u8]) {
    let Some((letter, text)) = data.split_first() else { return };
    let schema = &SCHEMAS[usize::from(letter.wrapping_sub(FIRST_MESSAGE)) % SCHEMAS.len()];
    if let Ok(came) = Value::parse(text) {
        mended(schema, came);
    }
    // What does not come from here is decoded without harm, too.
    let _ = schema.decode(data);
}

/// What holds of every value for every schema.
fn mended(schema: &Schema, came: Value) {
    let coerced = schema.coerce(came.clone());
    let same = schema.coerce(came.clone());
    assert_eq!(coerced.report.to_proto(), same.report.to_proto());
    assert!(coerced.report.violations().iter().all(|violation| !violation.expected.is_empty()));
    let (value, _) = match coerced.into_result() {
        Ok(typed) => typed,
        Err(report) => {
            let _ = render_inline(&came, report.violations());
            return;
        }
    };

    let again = schema.coerce(value.clone());
    assert!(again.report.is_empty(), "a second coercion changes {:?}", again.report);
    assert_eq!(again.value, value);

    let text = schema.to_json(&value);
    let printed = schema.coerce(Value::parse(text.as_bytes()).unwrap());
    assert!(printed.report.is_empty(), "{text} is changed: {:?}", printed.report);
    assert_eq!(printed.value, value);

    let bytes = schema.encode(&value).unwrap();
    let decoded = schema.decode(&bytes).unwrap();
    // The names of a Struct have no order of their own, so bytes may differ where values don't.
    assert_eq!(schema.decode(&schema.encode(&decoded).unwrap()).unwrap(), decoded);
    assert_eq!(schema.to_struct(&decoded), schema.to_struct(&value));
    assert!(schema.validate(&value).is_empty());
    let _ = schema.to_original(&value);
}

/// A `FileDescriptorSet` as anybody can send it: it is refused, or each message of it compiles or says why not, and
/// what compiles describes itself, takes a value and has a fingerprint that does not change.
pub(crate) fn descriptors(data: &[u8]) {
    let Ok(descriptors) = Descriptors::read(data) else { return };
    let kept = Descriptors::read(descriptors.bytes()).unwrap();
    assert_eq!(kept.digest(), descriptors.digest());
    let _ = convoke_proto::manifest::read(&descriptors);
    let foreign = |message: &MessageDescriptor| {
        let package = message.package_name();
        !(package == "convoke.v1" || package == "google.protobuf" || message.is_map_entry())
    };
    for message in descriptors.pool().all_messages().filter(foreign).take(64) {
        match Schema::compile(&message) {
            Ok(schema) => compiled(&schema),
            Err(defects) => assert!(defects.iter().all(|defect| !defect.message.is_empty())),
        }
    }
}

/// A JSON Schema, and after the first line break a value for it: the schema becomes a message or is refused, and the
/// value is mended or refused like any other.
pub(crate) fn json_schema(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (text, rest) = data.split_at(end);
    let Ok(document) = serde_json::from_slice(text) else { return };
    match from_json_schema(&document, "fuzzed.Tool") {
        Ok(converted) => {
            let schema = Schema::compile(&converted.descriptor).unwrap();
            compiled(&schema);
            if let Ok(came) = Value::parse(rest.trim_ascii()) {
                mended(&schema, came);
            }
        }
        Err(defects) => assert!(!defects.is_empty()),
    }
}

/// What holds of every schema.
fn compiled(schema: &Schema) {
    assert_eq!(schema.fingerprint(), schema.fingerprint());
    for dialect in Dialect::ALL {
        let _ = schema.describe_as(dialect);
    }
    mended(schema, Value::parse(b"{}").unwrap());
    for field in schema.fields() {
        let _ = convoke_schema::assignable(&field, &field);
    }
}

fn pool() -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Known);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("cases.proto").unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
}

struct Known;

impl FileResolver for Known {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let contract =
            || convoke_proto::SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let text = if name == "cases.proto" { Some(CASES) } else { contract() };
        File::from_source(name, text.ok_or_else(|| protox::Error::file_not_found(name))?)
    }
}
