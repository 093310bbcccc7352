//! One unary gRPC call on an HTTP/2 connection, in raw bytes.
//!
//! The message is framed and read here rather than by tonic's client, because the transport's knowledge must survive:
//! whether the request was ever sent, whether the peer took it up, whether the answer was too large are typed here and
//! would be words in a status there.

use bytes::{Buf, Bytes, BytesMut};
use http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tonic::{Code, Status};

use crate::connection::{Body, Sender};

/// Compression flag and length, before every message.
const HEAD: usize = 5;

/// Why a call has no message for an answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The request did not leave, or the peer closed the connection before it took it up.
    NotSent,
    /// The peer refused the stream before its application saw it; the connection is good.
    Refused,
    /// The connection or the stream broke after the request was sent.
    Broken(hyper::Error),
    /// The answer is larger than what is read.
    TooLarge {
        /// As the answer's head says.
        size: usize,
    },
    /// The agent's answer; never OK.
    Status(Status),
    /// What came is no gRPC answer.
    Protocol(&'static str),
}

/// A message and the head that it has on the wire.
#[derive(Debug, Clone)]
pub(crate) struct Framed {
    head: Bytes,
    message: Bytes,
}

impl Framed {
    /// `None` for a message whose length a head cannot say.
    pub(crate) fn new(message: Bytes) -> Option<Self> {
        let length = u32::try_from(message.len()).ok()?.to_be_bytes();
        let [a, b, c, d] = length;
        Some(Self { head: Bytes::copy_from_slice(&[0, a, b, c, d]), message })
    }

    /// The body of one more request; counts references.
    pub(crate) fn body(&self) -> Body {
        Body::new(self.head.clone().chain(self.message.clone()))
    }
}

/// Sends the request and reads the one message that answers it, of at most `limit` bytes. Dropping the future resets
/// the stream.
pub(crate) async fn call(
    sender: &mut Sender,
    request: http::Request<Body>,
    limit: usize,
) -> Result<Bytes, Failed> {
    let response = sender.send(request).await.map_err(|mut error| {
        let unsent = error.take_message().is_some();
        if unsent { Failed::NotSent } else { broken(error.into_error()) }
    })?;
    let (head, body) = response.into_parts();
    if let Some(status) = Status::from_header_map(&head.headers) {
        return Err(rejected(status));
    }
    if head.status != StatusCode::OK {
        return Err(Failed::Status(Status::new(
            code_of(head.status),
            "the agent answered without a gRPC status",
        )));
    }
    check_encoding(&head.headers)?;
    read(body, limit).await
}

/// A stream that broke before its answer began. It was not taken up when the peer says so: it refused the stream, or it
/// is going away and named a last stream below this one. (A stream that was taken up before a GOAWAY breaks with an
/// I/O error.)
fn broken(error: hyper::Error) -> Failed {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<h2::Error>());
    match source.filter(|source| source.is_remote()) {
        Some(source) if source.is_go_away() => Failed::NotSent,
        Some(source) if source.is_reset() && source.reason() == Some(h2::Reason::REFUSED_STREAM) => {
            Failed::Refused
        }
        _ => Failed::Broken(error),
    }
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Failed> {
    let text = |name| headers.get(name).map(|value: &http::HeaderValue| value.as_bytes());
    if !text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with(b"application/grpc")) {
        return Err(Failed::Protocol("the agent's answer is not gRPC"));
    }
    match headers.get("grpc-encoding").map(http::HeaderValue::as_bytes) {
        None | Some(b"identity") => Ok(()),
        Some(_) => Err(Failed::Protocol("the agent's answer is compressed, which was not offered")),
    }
}

/// Reads one message and the status after it.
async fn read(mut body: Incoming, limit: usize) -> Result<Bytes, Failed> {
    let mut message = Message::default();
    while let Some(frame) = body.frame().await {
        match frame.map_err(Failed::Broken)?.into_data() {
            Ok(data) => message.push(data, limit)?,
            Err(frame) => {
                let trailers = frame.into_trailers().unwrap_or_default();
                return match Status::from_header_map(&trailers) {
                    Some(status) if status.code() == Code::Ok => message.finish(),
                    Some(status) => Err(Failed::Status(status)),
                    None => Err(Failed::Protocol("the agent's answer ended without a gRPC status")),
                };
            }
        }
    }
    Err(Failed::Protocol("the agent's answer ended without a gRPC status"))
}

/// The message as it arrives. One that came in one piece is not copied.
#[derive(Default)]
struct Message {
    pieces: BytesMut,
    whole: Option<Bytes>,
}

impl Message {
    fn push(&mut self, data: Bytes, limit: usize) -> Result<(), Failed> {
        if self.whole.is_none() && self.pieces.is_empty() && length(&data, limit)? == Some(data.len()) {
            self.whole = Some(data);
            return Ok(());
        }
        if let Some(whole) = self.whole.take() {
            self.pieces.extend_from_slice(&whole);
        }
        self.pieces.extend_from_slice(&data);
        match length(&self.pieces, limit)? {
            Some(length) if self.pieces.len() > length => {
                Err(Failed::Protocol("the agent answered more than one message"))
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<Bytes, Failed> {
        let mut message = self.whole.unwrap_or_else(|| self.pieces.freeze());
        match length(&message, usize::MAX)? {
            Some(length) if length == message.len() => {
                message.advance(HEAD);
                Ok(message)
            }
            _ => Err(Failed::Protocol("the agent's answer has no whole message")),
        }
    }
}

/// The length of a message with its head, once the head is there.
fn length(data: &[u8], limit: usize) -> Result<Option<usize>, Failed> {
    let Some(&[compressed, a, b, c, d]) = data.first_chunk::<HEAD>() else { return Ok(None) };
    if compressed != 0 {
        return Err(Failed::Protocol("the agent's message is compressed, which was not offered"));
    }
    let size = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
    if size > limit {
        return Err(Failed::TooLarge { size });
    }
    Ok(Some(size.saturating_add(HEAD)))
}

/// A status that came instead of a message.
fn rejected(status: Status) -> Failed {
    match status.code() {
        Code::Ok => Failed::Protocol("the agent answered OK without a message"),
        _ => Failed::Status(status),
    }
}

/// The gRPC code for an HTTP status without one (gRPC over HTTP/2, "HTTP to gRPC Status Code Mapping").
fn code_of(status: StatusCode) -> Code {
    match status {
        StatusCode::BAD_REQUEST => Code::Internal,
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::PermissionDenied,
        StatusCode::NOT_FOUND => Code::Unimplemented,
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Code::Unavailable,
        _ => Code::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(pieces: &[&'static [u8]], limit: usize) -> Result<Bytes, Failed> {
        let mut message = Message::default();
        for piece in pieces {
            message.push(Bytes::from_static(piece), limit)?;
        }
        message.finish()
    }

    #[test]
    fn a_message_is_put_together_from_its_pieces() {
        for pieces in
            [&[&b"\0\0\0\0\x03abc"[..]][..], &[b"\0\0", b"\0\0\x03a", b"", b"bc"], &[b"\0\0\0\0\x03abc", b""]]
        {
            assert_eq!(message(pieces, 3).unwrap(), "abc");
        }
        assert_eq!(message(&[b"\0\0\0\0\0"], 0).unwrap(), "");
    }

    #[test]
    fn what_is_not_one_whole_message_is_refused() {
        for pieces in
            [&[][..], &[&b"\0\0"[..]], &[b"\0\0\0\0\x03ab"], &[b"\0\0\0\0\x01ab"], &[b"\x01\0\0\0\x01a"]]
        {
            assert!(matches!(message(pieces, 8), Err(Failed::Protocol(_))), "{pieces:?}");
        }
    }

    #[test]
    fn a_message_over_the_limit_is_refused_by_its_head() {
        assert!(matches!(message(&[b"\0\0\0\0\x04"], 3), Err(Failed::TooLarge { size: 4 })));
        assert!(matches!(message(&[b"\0\xff\xff\xff\xff"], 3), Err(Failed::TooLarge { size: 0xffff_ffff })));
    }
}
