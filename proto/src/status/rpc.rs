//! The three messages of `google/rpc` that travel in status details. A stock protoc has no `google/rpc`, so the
//! contract's files do not import them and neither does this crate.

use std::time::Duration;

use prost::{Message, Name};

/// `google.rpc.Status`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct RpcStatus {
    #[prost(int32, tag = "1")]
    pub(super) code: i32,
    #[prost(string, tag = "2")]
    pub(super) message: String,
    #[prost(message, repeated, tag = "3")]
    pub(super) details: Vec<Any>,
}

/// `google.protobuf.Any`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Any {
    #[prost(string, tag = "1")]
    pub(super) type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) value: Vec<u8>,
}

/// `google.rpc.RetryInfo`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    pub(super) retry_delay: Option<prost_types::Duration>,
}

/// `google.rpc.BadRequest`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct BadRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) field_violations: Vec<FieldViolation>,
}

/// `google.rpc.BadRequest.FieldViolation`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct FieldViolation {
    #[prost(string, tag = "1")]
    pub(super) field: String,
    #[prost(string, tag = "2")]
    pub(super) description: String,
}

/// Packs a message of the contract.
pub(super) fn any<M: Name>(message: &M) -> Any {
    Any { type_url: M::type_url(), value: message.encode_to_vec() }
}

// === impl Any ===

impl Any {
    /// What stands behind the last `/`; the host before it is anybody's.
    pub(super) fn type_name(&self) -> &str {
        self.type_url.rsplit('/').next().unwrap_or_default()
    }
}

// === impl RetryInfo ===

impl RetryInfo {
    pub(super) const NAME: &'static str = "google.rpc.RetryInfo";

    /// The delay, unless it is negative or out of range.
    pub(super) fn delay(self) -> Option<Duration> {
        self.retry_delay.and_then(|delay| Duration::try_from(delay).ok())
    }
}

// === impl BadRequest ===

impl BadRequest {
    pub(super) const NAME: &'static str = "google.rpc.BadRequest";

    pub(super) fn into_pairs(self) -> Vec<(String, String)> {
        self.field_violations.into_iter().map(|violation| (violation.field, violation.description)).collect()
    }
}
