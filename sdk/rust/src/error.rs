//! Why an agent cannot start or go on.

use std::{io, net::SocketAddr};

use convoke_proto::v1::Violation;

/// What ends an agent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Mistakes in the environment, all of them.
    #[error("{}", .0.join("\n"))]
    Environment(Vec<String>),
    /// The registry's address is of no use to this agent.
    #[error(transparent)]
    Registry(#[from] convoke_discovery::UrlError),
    /// Nothing can listen there.
    #[error("cannot listen on {address}")]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// Why it can't.
        #[source]
        source: io::Error,
    },
    /// It listens on every address of the machine: which of them others can reach, only a person knows.
    #[error("listening on {0}, which is no address to announce: set CONVOKE_AGENT_ENDPOINT")]
    NoEndpoint(SocketAddr),
    /// The annotations of the agent's proto can't be registered.
    #[error("the annotated proto can't be registered:\n{}", listed(.0))]
    Manifest(Vec<Violation>),
    /// The proto declares capabilities of a service that was not added.
    #[error("{service} has capabilities, but was not added to the agent: add_service is missing")]
    NotAdded {
        /// The full name of the service.
        service: String,
    },
    /// The descriptors can't be served by reflection.
    #[error("cannot serve the descriptors by reflection")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// What the agent says of itself is malformed.
    #[error("cannot be announced")]
    Announce(#[from] convoke_discovery::Error),
    /// The server broke down.
    #[error("the server broke down")]
    Serve(#[from] tonic::transport::Error),
}

fn listed(violations: &[Violation]) -> String {
    let lines: Vec<_> = violations
        .iter()
        .map(|v| {
            let got = if v.got.is_empty() { String::new() } else { format!(" (got {})", v.got) };
            format!("  {}: {}{got}", v.path, v.expected)
        })
        .collect();
    lines.join("\n")
}
