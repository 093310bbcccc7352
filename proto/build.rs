//! Compiles `convoke/v1/*.proto` with protox: no protoc is needed.
//!
//! The descriptor set is encoded by protox itself, since prost's own type for it has no place for custom options.

use std::{env, error::Error, fs, path::Path};

use tonic_prost_build::Config;

const FILES: [&str; 10] = [
    "convoke/v1/agent.proto",
    "convoke/v1/annotations.proto",
    "convoke/v1/error.proto",
    "convoke/v1/execution.proto",
    "convoke/v1/intent.proto",
    "convoke/v1/manifest.proto",
    "convoke/v1/orchestrator.proto",
    "convoke/v1/output.proto",
    "convoke/v1/plan.proto",
    "convoke/v1/registry.proto",
];

/// What agents' files may import beside ours.
const GOOGLE: [&str; 11] = [
    "google/protobuf/any.proto",
    "google/protobuf/api.proto",
    "google/protobuf/descriptor.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/field_mask.proto",
    "google/protobuf/source_context.proto",
    "google/protobuf/struct.proto",
    "google/protobuf/timestamp.proto",
    "google/protobuf/type.proto",
    "google/protobuf/wrappers.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=convoke");
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_source_info(true).include_imports(true).open_files(FILES)?;

    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("convoke.v1.binpb"), compiler.encode_file_descriptor_set())?;

    let mut canonical = protox::Compiler::new(["."])?;
    canonical.include_source_info(false).include_imports(true).open_files(FILES.iter().chain(&GOOGLE))?;
    fs::write(Path::new(&out).join("canonical.binpb"), canonical.encode_file_descriptor_set())?;

    let mut config = Config::new();
    config.enable_type_names().type_name_domain(["."], "type.googleapis.com");
    // Ordered maps, so that one message has one encoding.
    config.bytes(["."]).btree_map(["."]);
    tonic_prost_build::configure().compile_fds_with_config(compiler.file_descriptor_set(), config)?;
    Ok(())
}
