//! The contract as data: its sources and its descriptors.

use std::sync::OnceLock;

use prost_reflect::DescriptorPool;

/// All files of `convoke.v1` and the files of `google.protobuf` that they import, as an encoded `FileDescriptorSet`
/// with source info and options. Imports come before the files that import them.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/convoke.v1.binpb"));

/// The text of each file, by the name under which it is imported.
pub const SOURCES: &[(&str, &str)] = &[
    ("convoke/v1/agent.proto", include_str!("../convoke/v1/agent.proto")),
    ("convoke/v1/annotations.proto", include_str!("../convoke/v1/annotations.proto")),
    ("convoke/v1/error.proto", include_str!("../convoke/v1/error.proto")),
    ("convoke/v1/execution.proto", include_str!("../convoke/v1/execution.proto")),
    ("convoke/v1/intent.proto", include_str!("../convoke/v1/intent.proto")),
    ("convoke/v1/manifest.proto", include_str!("../convoke/v1/manifest.proto")),
    ("convoke/v1/orchestrator.proto", include_str!("../convoke/v1/orchestrator.proto")),
    ("convoke/v1/output.proto", include_str!("../convoke/v1/output.proto")),
    ("convoke/v1/plan.proto", include_str!("../convoke/v1/plan.proto")),
    ("convoke/v1/registry.proto", include_str!("../convoke/v1/registry.proto")),
];

/// The pool of [`FILE_DESCRIPTOR_SET`]. It is built once; a clone is a reference count.
pub fn descriptor_pool() -> DescriptorPool {
    static POOL: OnceLock<DescriptorPool> = OnceLock::new();
    POOL.get_or_init(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).unwrap_or_default()).clone()
}
