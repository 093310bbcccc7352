//! The client of `grpc.reflection`: an endpoint's own descriptors, read off it.
//!
//! ```text
//! list services ─► the file of each ─► the files that those import, until none is missing ─► FileDescriptorSet
//! ```
//!
//! It asks v1 and falls back to v1alpha, the only version that stock Python serves; the messages of both are the same
//! on the wire, so one set of types speaks both. Files are kept as the bytes that came, because decoding them and
//! encoding them again would drop the options that annotate a service. Servers differ in what they send along and in
//! which order; nothing is taken for granted but that each answer belongs to the question before it.
//!
//! It is bounded in bytes, files and time, and judges no file: that is `convoke_proto::descriptors`.

mod exchange;
mod files;

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use convoke_proto::v1::{Violation, violation};
use tonic::Code;
use tonic::transport::Channel;

use crate::config::AgentEndpoints;
use crate::endpoint::Endpoint;
use exchange::{Exchange, Version};
use files::Files;

/// The time for everything, from dialling to the last file.
const TIME: Duration = Duration::from_secs(10);
/// The most bytes of descriptors, all files together.
const MAX_BYTES: usize = 4 << 20;
/// The most files, and the most services.
const MAX_FILES: usize = 500;

/// Why an endpoint could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// It could not be reached, or stopped answering; it may be starting.
    #[error("{0}")]
    Unavailable(String),
    /// It answered, and serves no reflection.
    #[error("it serves no reflection (grpc.reflection.v1 or v1alpha)")]
    NotServed,
    /// It answered, and what it said is of no use.
    #[error("{}: {}", .0.path, .0.expected)]
    Unusable(Box<Violation>),
}

/// The encoded `FileDescriptorSet` of everything that is served at `address`: `http://host:port`, or `host:port`. For
/// a person's own command: any machine may be asked.
///
/// # Errors
/// [`ReadError`]; after 10 s at the latest.
pub async fn read_from(address: &str) -> Result<Bytes, ReadError> {
    let endpoint = Endpoint::read(address, AgentEndpoints::Any)
        .map_err(|error| unusable("endpoint", &error.to_string(), address))?;
    read(&endpoint).await
}

/// The same for an endpoint that was read and may be dialled.
///
/// # Errors
/// [`ReadError`]; after 10 s at the latest.
pub(crate) async fn read(endpoint: &Endpoint) -> Result<Bytes, ReadError> {
    let reading = async {
        let channel = dial(endpoint).await?;
        let read = match read_version(channel.clone(), Version::V1).await {
            Err(Stopped::NotServed) => read_version(channel, Version::V1Alpha).await,
            read => read,
        };
        read.map_err(ReadError::from)
    };
    tokio::time::timeout(TIME, reading).await.unwrap_or_else(|_| {
        let seconds = TIME.as_secs();
        Err(ReadError::Unavailable(format!("reflection did not finish within {seconds} s")))
    })
}

async fn dial(endpoint: &Endpoint) -> Result<Channel, ReadError> {
    let unavailable = |error: tonic::transport::Error| {
        tracing::debug!(endpoint = endpoint.as_str(), %error, "endpoint cannot be dialled");
        ReadError::Unavailable("the endpoint cannot be connected to".to_owned())
    };
    let endpoint = Channel::from_shared(endpoint.as_str().to_owned())
        .map_err(|_| ReadError::Unavailable("the endpoint is no address".to_owned()))?;
    endpoint.connect_timeout(TIME).tcp_nodelay(true).connect().await.map_err(unavailable)
}

async fn read_version(channel: Channel, version: Version) -> Result<Bytes, Stopped> {
    let mut exchange = Exchange::new(channel, version);
    let services = exchange.services().await?;
    if services.len() > MAX_FILES {
        return Err(Stopped::Unusable(too_large("services", services.len())));
    }
    let mut files = Files::new(MAX_BYTES, MAX_FILES);
    for service in services.iter().filter(|service| !service.starts_with("grpc.")) {
        if !files.define(service) {
            let sent = exchange.file_of(service).await?;
            files.add(sent.ok_or_else(|| unknown(service))?)?;
        }
    }
    // A set, so that a server that sends other files than were asked for is not asked for the same one for ever.
    let mut asked = BTreeSet::new();
    loop {
        let missing = files.missing().find(|name| !asked.contains(*name)).map(str::to_owned);
        let Some(missing) = missing else { break };
        let sent = exchange.file_named(&missing).await?;
        files.add(sent.ok_or_else(|| unknown(&missing))?)?;
        asked.insert(missing);
    }
    Ok(files.into_set())
}

/// Why one version of the protocol was no use.
#[derive(Debug)]
enum Stopped {
    NotServed,
    Broken(tonic::Status),
    Unusable(ReadError),
}

// === impl Stopped ===

impl From<tonic::Status> for Stopped {
    fn from(status: tonic::Status) -> Self {
        match status.code() {
            Code::Unimplemented => Self::NotServed,
            _ => Self::Broken(status),
        }
    }
}

impl From<ReadError> for Stopped {
    fn from(error: ReadError) -> Self {
        Self::Unusable(error)
    }
}

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::NotServed => Self::NotServed,
            Stopped::Broken(status) => Self::Unavailable(format!(
                "no answer to reflection; the call ended with {}",
                convoke_proto::status::code_name(status.code())
            )),
            Stopped::Unusable(error) => error,
        }
    }
}

fn unknown(name: &str) -> Stopped {
    let name: String = name.chars().take(200).collect();
    Stopped::Unusable(unusable(
        &name,
        "a reflection that knows what it lists and imports",
        "it is not known there",
    ))
}

fn too_large(what: &str, count: usize) -> ReadError {
    let most = format!("at most {MAX_FILES} {what} and {MAX_BYTES} bytes of descriptors");
    let mut error = unusable("descriptors", &most, &format!("{count} {what}"));
    if let ReadError::Unusable(violation) = &mut error {
        violation.set_rule(violation::Rule::TooLarge);
    }
    error
}

fn unusable(path: &str, expected: &str, got: &str) -> ReadError {
    ReadError::Unusable(Box::new(Violation {
        path: path.to_owned(),
        rule: violation::Rule::Constraint.into(),
        expected: expected.to_owned(),
        got: got.to_owned(),
        suggestion: String::new(),
    }))
}
