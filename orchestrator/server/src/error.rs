//! Why a server did not start or did not serve.

use std::io;
use std::net::SocketAddr;

use crate::ConfigError;

/// What ends a server that nobody told to end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration has mistakes; all of them are in the message.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// As configured.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The registry's backend cannot be set up.
    #[error("the registry cannot be reached")]
    Registry(#[from] convoke_discovery::Error),
    /// The server's own descriptors are broken: a defect of the build.
    #[error("the descriptors that reflection serves are broken")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("the server ended")]
    Transport(#[from] tonic::transport::Error),
}
