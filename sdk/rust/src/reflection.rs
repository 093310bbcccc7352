//! Reflection, v1 and v1alpha, over the agent's own bytes: custom options survive.

use std::collections::BTreeSet;

use tonic::service::RoutesBuilder;
use tonic_reflection::server::{Builder, Error};

/// What every agent serves besides its own services.
const OURS: [&str; 3] = [
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
];

/// Adds both versions. The contract's own types can be asked for, so that a client decodes the details of a status, but
/// only what the agent serves is listed.
pub(crate) fn add(
    routes: &mut RoutesBuilder,
    descriptors: &[u8],
    services: &BTreeSet<&'static str>,
) -> Result<(), Error> {
    let builder = || {
        let builder = Builder::configure()
            .register_encoded_file_descriptor_set(descriptors)
            .register_encoded_file_descriptor_set(convoke_proto::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
        services.iter().chain(&OURS).fold(builder, |builder, name| builder.with_service_name(*name))
    };
    routes.add_service(builder().build_v1()?);
    routes.add_service(builder().build_v1alpha()?);
    Ok(())
}
