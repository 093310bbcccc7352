//! A failure of ours says what it is: where a status left a door or the transport without a ToolError, it gets one.
//!
//! Doors attach their own. What is left are the failures that no door sees: a message over the size limit or that is
//! none, a method that is not there, an encoding that is not understood.

use convoke_proto::v1::ToolError;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::{error, status};
use http::HeaderMap;
use tonic::{Code, Status};

/// Completes the status in these headers or trailers, if there is one, it failed, and it has no details. `path` is that
/// of the method that was called.
pub(super) fn headers(headers: &mut HeaderMap, path: &str) {
    let failed = headers.get(Status::GRPC_STATUS).is_some_and(|code| code.as_bytes() != b"0");
    if !failed || headers.contains_key(Status::GRPC_STATUS_DETAILS) {
        return;
    }
    let Some(bare) = Status::from_header_map(headers) else { return };
    let explained = status::to_status(&tool_error(&bare, path));
    headers.remove(Status::GRPC_MESSAGE);
    if let Err(unsendable) = explained.add_header(headers) {
        tracing::error!(status = %unsendable, "a status could not be explained");
    }
}

/// The error of a status that the transport gave.
fn tool_error(bare: &Status, path: &str) -> ToolError {
    match bare.code() {
        // Only the limit on the size of a message has this code; it says how large the message was.
        Code::OutOfRange => error::own(error::MESSAGE_TOO_LARGE, bare.message()),
        // Doors give no bare INTERNAL: it is a message that could not be decoded, which is the caller's.
        Code::Internal => error::own(error::MESSAGE_INVALID, bare.message()),
        Code::Unimplemented if bare.message().is_empty() => no_such_method(path),
        Code::Unimplemented => error::own(error::NOT_SERVED, bare.message()),
        _ => status::from_status(bare),
    }
}

/// The contract may have it; this version does not serve it.
fn no_such_method(path: &str) -> ToolError {
    let method = path.trim_start_matches('/');
    let mut error = error::not_served(method);
    error.message = format!("{method} is not served by this version");
    error.set_outcome(Outcome::NotStarted);
    error
}

/// There is no room for another request.
pub(super) fn too_many_requests() -> Status {
    let message = "as many requests as the orchestrator takes are being answered";
    not_started(error::own(error::TOO_MANY_REQUESTS, message))
}

/// The server is about to end.
pub(super) fn draining() -> Status {
    let message = "the orchestrator is shutting down";
    not_started(error::tool_error("UNAVAILABLE", Category::ServiceError, message))
}

fn not_started(mut refusal: ToolError) -> Status {
    refusal.set_outcome(Outcome::NotStarted);
    status::to_status(&refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(status: &Status) -> (Code, ToolError) {
        let mut map = HeaderMap::new();
        status.add_header(&mut map).unwrap();
        headers(&mut map, "/convoke.v1.Orchestrator/Respond");
        let status = Status::from_header_map(&map).unwrap();
        (status.code(), status::details(&status).tool_error.unwrap())
    }

    #[test]
    fn a_method_that_is_not_there_is_not_served() {
        let (code, error) = explained(&Status::unimplemented(""));
        assert_eq!((code, error.code.as_str()), (Code::Unimplemented, error::NOT_SERVED));
        assert_eq!(error.message, "convoke.v1.Orchestrator/Respond is not served by this version");
        assert_eq!(error.outcome(), Outcome::NotStarted);
    }

    #[test]
    fn a_message_over_the_limit_is_the_callers_mistake() {
        let (code, error) = explained(&Status::out_of_range("found 5 bytes, the limit is 4"));
        assert_eq!(code, Code::ResourceExhausted);
        assert_eq!((error.code.as_str(), error.category()), (error::MESSAGE_TOO_LARGE, Category::InputError));
    }

    #[test]
    fn a_message_that_is_none_is_the_callers_mistake() {
        let (code, error) = explained(&Status::internal("failed to decode Protobuf message"));
        assert_eq!((code, error.category()), (Code::InvalidArgument, Category::InputError));
    }

    #[test]
    fn what_is_explained_already_stays_as_it_is() {
        let own = status::to_status(&error::own(error::PLAN_INVALID, "no steps"));
        let (code, error) = explained(&own);
        assert_eq!((code, error.code.as_str()), (Code::InvalidArgument, error::PLAN_INVALID));
    }

    #[test]
    fn success_is_not_touched() {
        let mut map = HeaderMap::new();
        map.insert(Status::GRPC_STATUS, "0".parse().unwrap());
        headers(&mut map, "");
        assert_eq!(map.len(), 1);
    }
}
