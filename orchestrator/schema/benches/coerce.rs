//! What a call costs here: `cargo bench -p convoke-schema`; with ratios to pydantic, `benches/pydantic_compare.py`.
//!
//! The message has ten fields of eight kinds. Inputs vary from one iteration to the next, and path, rule, before and
//! after of every entry are read inside the measured time. Half mended means five fields, by five rules. Beside each
//! the `jsonschema` crate judges the same values by the schema's own description; it mends nothing and reports no
//! change.

#![allow(clippy::unwrap_used, reason = "what a benchmark is set up from is known to be right")]

use convoke_schema::{Schema, Value};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use std::sync::atomic::{AtomicU64, Ordering};

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

const PROTO: &str = r#"
syntax = "proto3";
package bench.v1;
import "convoke/v1/annotations.proto";
import "google/protobuf/timestamp.proto";
message Order {
  int64 id = 1;
  uint64 customer = 2;
  double amount = 3 [(convoke.v1.field) = {minimum: "0"}];
  Side side = 4;
  google.protobuf.Timestamp placed_at = 5;
  repeated int32 lots = 6;
  string symbol = 7 [(convoke.v1.field) = {max_length: 12}];
  bool urgent = 8;
  int32 retries = 9;
  string note = 10;
}
enum Side { SIDE_UNSPECIFIED = 0; SIDE_BUY = 1; SIDE_SELL = 2; }
message Nested { repeated Order orders = 1; }
"#;

struct Texts(Vec<(String, String)>);

impl FileResolver for Texts {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn pool(source: &str) -> DescriptorPool {
    let own = convoke_proto::SOURCES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let texts = own.chain([("bench.proto".to_owned(), source.to_owned())]).collect();
    let mut resolver = ChainFileResolver::new();
    resolver.add(Texts(texts));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_source_info(true).include_imports(true).open_file("bench.proto").unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
}

fn schema(message: &str) -> Schema {
    Schema::compile(&pool(PROTO).get_message_by_name(message).unwrap()).unwrap()
}

fn clean(seed: u64) -> String {
    format!(
        r#"{{"id":{},"customer":{},"amount":{}.25,"side":"SIDE_BUY","placed_at":"2024-03-0{}T09:00:00Z","lots":[1,{}],"symbol":"SYM{}","urgent":true,"retries":{},"note":"as usual {}"}}"#,
        seed + 9_007_199_254_740_993,
        seed,
        seed,
        1 + seed % 9,
        seed % 100,
        seed % 1000,
        seed % 5,
        seed
    )
}

/// Five of ten fields are mended: FIELD_SPELLING, TEXT_TO_NUMBER, ENUM_SPELLING, TIME_SPELLING, TEXT_TO_BOOL.
fn mended(seed: u64) -> String {
    format!(
        r#"{{"id":{},"Customer":{},"amount":"{}.25","side":"buy","placed_at":"2024-03-0{}","lots":[1,{}],"symbol":"SYM{}","urgent":"yes","retries":{},"note":"as usual {}"}}"#,
        seed + 9_007_199_254_740_993,
        seed,
        seed,
        1 + seed % 9,
        seed % 100,
        seed % 1000,
        seed % 5,
        seed
    )
}

/// Makes another one each time.
fn seeded<T>(make: impl Fn(u64) -> T) -> impl Fn() -> T {
    let seed = AtomicU64::new(0);
    move || make(seed.fetch_add(1, Ordering::Relaxed))
}

fn values(text: impl Fn(u64) -> String) -> impl Fn() -> Value {
    seeded(move |seed| Value::parse(text(seed).as_bytes()).unwrap())
}

fn coerce_and_read(schema: &Schema, value: Value) -> (Value, usize) {
    let coerced = schema.coerce(value);
    assert!(coerced.report.is_ok());
    let read = coerced.report.entries().map(|entry| {
        black_box(entry.rule);
        black_box(entry.path).len() + black_box(entry.before).len() + black_box(entry.after).len()
    });
    let length = read.sum();
    (coerced.value, length)
}

#[divan::bench]
fn ten_fields_clean(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Order");
    bencher.with_inputs(values(clean)).bench_values(|value| coerce_and_read(&schema, value));
}

#[divan::bench]
fn ten_fields_half_mended(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Order");
    assert_eq!(schema.coerce(Value::parse(mended(1).as_bytes()).unwrap()).report.entries().len(), 5);
    bencher.with_inputs(values(mended)).bench_values(|value| coerce_and_read(&schema, value));
}

/// Ten orders of ten fields each; no two of them are alike.
fn ten_orders(text: fn(u64) -> String) -> impl Fn(u64) -> String {
    move |seed| {
        let orders: Vec<String> = (0..10).map(|order| text(seed * 10 + order)).collect();
        format!("{{\"orders\":[{}]}}", orders.join(","))
    }
}

#[divan::bench]
fn a_hundred_leaves_clean(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Nested");
    bencher.with_inputs(values(ten_orders(clean))).bench_values(|value| coerce_and_read(&schema, value));
}

#[divan::bench]
fn a_hundred_leaves_half_mended(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Nested");
    let value = Value::parse(ten_orders(mended)(1).as_bytes()).unwrap();
    assert_eq!(schema.coerce(value).report.entries().len(), 50);
    bencher.with_inputs(values(ten_orders(mended))).bench_values(|value| coerce_and_read(&schema, value));
}

/// The `jsonschema` crate on the same values: whether they are right, or everything that is wrong with them.
mod json_schema {
    use super::{Bencher, clean, mended, schema, seeded, ten_orders};
    use jsonschema::Validator;
    use serde_json::Value as Json;

    fn validator(message: &str) -> Validator {
        jsonschema::validator_for(&schema(message).describe()).unwrap()
    }

    fn parsed(text: impl Fn(u64) -> String) -> impl Fn() -> Json {
        seeded(move |seed| serde_json::from_str(&text(seed)).unwrap())
    }

    #[divan::bench]
    fn ten_fields_clean(bencher: Bencher<'_, '_>) {
        let validator = validator("bench.v1.Order");
        bencher.with_inputs(parsed(clean)).bench_refs(|value| assert!(validator.is_valid(value)));
    }

    #[divan::bench]
    fn ten_fields_half_mended(bencher: Bencher<'_, '_>) {
        let validator = validator("bench.v1.Order");
        bencher.with_inputs(parsed(mended)).bench_refs(|value| validator.iter_errors(value).count());
    }

    #[divan::bench]
    fn a_hundred_leaves_clean(bencher: Bencher<'_, '_>) {
        let validator = validator("bench.v1.Nested");
        bencher.with_inputs(parsed(ten_orders(clean))).bench_refs(|value| assert!(validator.is_valid(value)));
    }

    #[divan::bench]
    fn a_hundred_leaves_half_mended(bencher: Bencher<'_, '_>) {
        let validator = validator("bench.v1.Nested");
        bencher
            .with_inputs(parsed(ten_orders(mended)))
            .bench_refs(|value| validator.iter_errors(value).count());
    }
}

#[divan::bench]
fn text_to_value(bencher: Bencher<'_, '_>) {
    let text = clean(7);
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| Value::parse(black_box(text.as_bytes())));
}

#[divan::bench]
fn struct_to_value(bencher: Bencher<'_, '_>) {
    let value = Value::parse(clean(7).as_bytes()).unwrap().to_struct();
    bencher.with_inputs(|| value.clone()).bench_values(Value::from);
}

#[divan::bench]
fn encode(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Order");
    let value = schema.coerce(Value::parse(clean(7).as_bytes()).unwrap()).value;
    bencher.bench(|| schema.encode(black_box(&value)));
}

#[divan::bench]
fn decode(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Order");
    let value = schema.coerce(Value::parse(clean(7).as_bytes()).unwrap()).value;
    let bytes = schema.encode(&value).unwrap();
    bencher.bench(|| schema.decode(black_box(&bytes)));
}

#[divan::bench]
fn validate(bencher: Bencher<'_, '_>) {
    let schema = schema("bench.v1.Order");
    let value = schema.coerce(Value::parse(clean(7).as_bytes()).unwrap()).value;
    bencher.bench(|| schema.validate(black_box(&value)));
}

/// Fifty fields of five kinds; every fifth carries an option, if any does.
fn wide(option: &str) -> prost_reflect::MessageDescriptor {
    let kinds = ["int32", "string", "double", "repeated int64", "Side"];
    let field = |number: usize| {
        let option = if number.is_multiple_of(5) { option } else { "" };
        format!("{} field_number_{number} = {number}{option};", kinds.get(number % 5).unwrap())
    };
    let body: String = (1..=50).map(field).collect();
    let source = format!("{PROTO} message Wide {{ {body} }}");
    pool(&source).get_message_by_name("bench.v1.Wide").unwrap()
}

#[divan::bench]
fn compile_fifty_fields(bencher: Bencher<'_, '_>) {
    let message = wide("");
    bencher.counter(ItemsCount::new(50_usize)).bench(|| Schema::compile(black_box(&message)));
}

#[divan::bench]
fn compile_fifty_fields_ten_with_options(bencher: Bencher<'_, '_>) {
    let message =
        wide(" [(convoke.v1.field) = { minimum: \"1\", description: \"How many.\", required: true }]");
    bencher.counter(ItemsCount::new(50_usize)).bench(|| Schema::compile(black_box(&message)));
}

fn main() {
    divan::main();
}
