//! What every call carries beside its message.
//!
//! | header | what |
//! |---|---|
//! | `convoke-idempotency-key` | 64 hex digits, the same for every attempt of the step: SHA-256 of the execution's key and the step |
//! | `convoke-execution-id`, `convoke-step-id` | as in the record |
//! | `convoke-attempt` | from 1 |
//! | `convoke-session-id` | the caller's; left out where there is none |
//! | `convoke-hops` | how many orchestrators the request has passed, this one included |
//! | `convoke-query-bin` | the user's sentence, its first 1,024 bytes at most; left out where there is none |
//! | `grpc-timeout` | what is left for the attempt |
//! | `traceparent` | as it came |
//!
//! All of it stays far below the 8 KiB that stock gRPC peers accept. A text that is no printable ASCII is
//! percent-encoded, as `grpc-message` is.

use std::fmt::Write;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use convoke_plan::{CallContext, StepCall};
use convoke_proto::v1::ToolError;
use convoke_proto::{digest, error};
use http::header::{CONTENT_TYPE, TE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};

const KEY: HeaderName = HeaderName::from_static("convoke-idempotency-key");
const EXECUTION: HeaderName = HeaderName::from_static("convoke-execution-id");
const STEP: HeaderName = HeaderName::from_static("convoke-step-id");
const ATTEMPT: HeaderName = HeaderName::from_static("convoke-attempt");
const SESSION: HeaderName = HeaderName::from_static("convoke-session-id");
const HOPS: HeaderName = HeaderName::from_static("convoke-hops");
const QUERY: HeaderName = HeaderName::from_static("convoke-query-bin");
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const TRACE: HeaderName = HeaderName::from_static("traceparent");

/// The most of the user's sentence that travels, in bytes.
const MAX_QUERY: usize = 1024;
/// The longest value of a header, encoded; a query of [`MAX_QUERY`] bytes has 1,366.
const MAX_TEXT: usize = 1536;
/// How long a value of `grpc-timeout` may be, without its unit.
const MAX_TIMEOUT: u128 = 99_999_999;

/// The headers that all attempts of a step share.
///
/// # Errors
/// A request that passed too many orchestrators, or whose session id is too long to travel.
pub(crate) fn headers(call: &StepCall, max_hops: u32) -> Result<HeaderMap, Box<ToolError>> {
    let context = &*call.context;
    let hops = context.hops.saturating_add(1);
    if hops > max_hops {
        let message =
            format!("the request has passed {} orchestrators, and {max_hops} is the most", context.hops);
        return Err(Box::new(error::own(error::TOOL_CALL_CAP_EXCEEDED, message)));
    }
    let mut headers = HeaderMap::with_capacity(16);
    headers.insert(TE, HeaderValue::from_static("trailers"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("convoke/", env!("CARGO_PKG_VERSION"))));
    headers.insert(KEY, text(&step_key(call))?);
    headers.insert(EXECUTION, text(&call.execution_id)?);
    headers.insert(STEP, text(&call.step_id)?);
    headers.insert(HOPS, HeaderValue::from(hops));
    if !context.session_id.is_empty() {
        headers.insert(SESSION, text(&context.session_id)?);
    }
    if !context.query.is_empty() {
        let sentence = &context.query[..context.query.floor_char_boundary(MAX_QUERY)];
        headers.insert(QUERY, text(&BASE64_STANDARD_NO_PAD.encode(sentence))?);
    }
    if let Some(trace) = trace(context) {
        headers.insert(TRACE, trace);
    }
    Ok(headers)
}

/// Adds what differs from attempt to attempt.
pub(crate) fn attempt(headers: &mut HeaderMap, number: u32, left: Option<Duration>) {
    headers.insert(ATTEMPT, HeaderValue::from(number));
    if let Some(timeout) = left.and_then(|left| HeaderValue::try_from(grpc_timeout(left)).ok()) {
        headers.insert(TIMEOUT, timeout);
    }
}

/// One key for all attempts of one step of one execution.
fn step_key(call: &StepCall) -> String {
    let execution = match call.context.idempotency_key.as_str() {
        "" => &*call.execution_id,
        key => key,
    };
    // Lengths first, so that no two pairs give one text.
    let step = &*call.step_id;
    digest::sha256_hex(format!("{}:{execution}{}:{step}", execution.len(), step.len()).as_bytes())
}

/// The trace context, where it is one (W3C Trace Context, version 00); another starts a new trace by being left out.
fn trace(context: &CallContext) -> Option<HeaderValue> {
    let trace = context.traceparent.as_deref()?;
    let hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let parts: Vec<_> = trace.split('-').collect();
    let valid = parts.iter().map(|part| part.len()).eq([2, 32, 16, 2]) && parts.iter().all(|part| hex(part));
    valid.then(|| HeaderValue::from_str(trace).ok()).flatten()
}

/// A text as a header's value.
fn text(text: &str) -> Result<HeaderValue, Box<ToolError>> {
    let plain = |byte: u8| matches!(byte, 0x21..=0x7e) && byte != b'%';
    let value = if text.bytes().all(plain) {
        HeaderValue::from_str(text).ok()
    } else {
        let encoded = text.bytes().fold(String::with_capacity(text.len() * 3), |mut encoded, byte| {
            let _ = match plain(byte) {
                true => encoded.write_char(char::from(byte)),
                false => write!(encoded, "%{byte:02X}"),
            };
            encoded
        });
        HeaderValue::try_from(encoded).ok()
    };
    let too_long =
        || error::own(error::MESSAGE_TOO_LARGE, "an id of the request is too long to travel with a call");
    value.filter(|value| value.len() <= MAX_TEXT).ok_or_else(|| Box::new(too_long()))
}

/// At most eight digits and a unit, rounded up: an agent never gives up before the caller does.
fn grpc_timeout(left: Duration) -> String {
    let micros = left.as_micros();
    for (divisor, unit) in [(1, 'u'), (1_000, 'm'), (1_000_000, 'S'), (60_000_000, 'M')] {
        let value = micros.div_ceil(divisor);
        if value <= MAX_TIMEOUT {
            return format!("{value}{unit}");
        }
    }
    format!("{MAX_TIMEOUT}H")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_has_at_most_eight_digits() {
        assert_eq!(grpc_timeout(Duration::from_micros(1_500_000)), "1500000u");
        assert_eq!(grpc_timeout(Duration::from_secs(100)), "100000m");
        assert_eq!(grpc_timeout(Duration::from_secs(1_000_000)), "1000000S");
        assert_eq!(grpc_timeout(Duration::ZERO), "0u");
        assert_eq!(grpc_timeout(Duration::MAX), "99999999H");
    }

    #[test]
    fn a_text_that_is_no_ascii_is_percent_encoded_and_an_endless_one_refused() {
        assert_eq!(text("s-1").unwrap(), "s-1");
        assert_eq!(text("ä 5%\n").unwrap(), "%C3%A4%205%25%0A");
        assert_eq!(text(&"ü".repeat(1000)).unwrap_err().code, error::MESSAGE_TOO_LARGE);
    }

    #[test]
    fn a_trace_context_travels_only_when_it_is_one() {
        let with = |trace: &str| trace_of(trace).is_some();
        assert!(with("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        assert!(!with("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"));
        assert!(!with("00-4bf9-00f067aa0ba902b7-01"));
        assert!(!with("nonsense\r\n"));
    }

    fn trace_of(trace: &str) -> Option<HeaderValue> {
        super::trace(&CallContext { traceparent: Some(trace.to_owned()), ..CallContext::default() })
    }
}
