//! Dialling an agent: one HTTP/2 connection over TCP.
//!
//! No keep-alive pings are sent: stock gRPC servers answer pings oftener than every five minutes with GOAWAY. A dead
//! peer is found by the attempt's timeout, by its health and by its lease; one that was killed, by the end of its
//! connection, for which the socket itself is asked before a request is written (see [`Sender::is_closed`]).

use std::fmt;
use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytes::buf::Chain;
use http::Uri;
use http::uri::{Authority, Scheme};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A request's body: the gRPC frame's head and the message, neither copied.
pub(crate) type Body = Full<Chain<Bytes, Bytes>>;

/// Sends requests on one connection; a clone uses the same one. The connection closes when the last clone is gone.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    requests: http2::SendRequest<Body>,
    /// The connection's socket, to look at only.
    socket: Arc<std::net::TcpStream>,
}

/// A request that was not answered; it is there again where nothing of it was sent.
pub(crate) type Unanswered = hyper::client::conn::TrySendError<http::Request<Body>>;

/// Why there is no connection. Never holds an address: callers may read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreachable {
    /// `http://host:port` was expected.
    BadEndpoint,
    /// Nobody answered in time.
    TimedOut,
    /// The connection was refused, or broke before the first request.
    Refused,
}

/// Where an agent listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    authority: Authority,
    host: String,
    port: u16,
}

impl Endpoint {
    /// Reads `http://host:port`; port 80 where there is none. TLS is not spoken.
    pub(crate) fn parse(text: &str) -> Result<Self, Unreachable> {
        let uri: Uri = text.parse().map_err(|_| Unreachable::BadEndpoint)?;
        let authority = uri.authority().filter(|_| uri.scheme() == Some(&Scheme::HTTP));
        let authority = authority.ok_or(Unreachable::BadEndpoint)?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        Ok(Self {
            host: host.to_owned(),
            port: authority.port_u16().unwrap_or(80),
            authority: authority.clone(),
        })
    }

    /// `host:port`, as a request names it.
    pub(crate) fn authority(&self) -> &Authority {
        &self.authority
    }
}

/// Connects within `limit`, and lets the connection run in a task of its own until it ends or nobody needs it.
pub(crate) async fn dial(endpoint: Endpoint, limit: Duration) -> Result<Sender, Unreachable> {
    let connect = async {
        let stream = TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await.map_err(refused)?;
        stream.set_nodelay(true).map_err(refused)?;
        let (stream, socket) = watched(stream).map_err(refused)?;
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new());
        let (requests, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(refused)?;
        Ok((Sender { requests, socket: Arc::new(socket) }, connection))
    };
    let (sender, connection) = timeout(limit, connect).await.map_err(|_| Unreachable::TimedOut)??;
    // Not the sender itself: the connection ends when the last one is gone.
    let socket = Arc::clone(&sender.socket);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "an agent's connection ended");
        }
        // Whoever still looks at it must not keep it open.
        if let Err(error) = socket.shutdown(Shutdown::Both) {
            tracing::trace!(%error, "an agent's connection was closed already");
        }
    });
    Ok(sender)
}

/// The stream, and a second handle of its socket.
fn watched(stream: TcpStream) -> io::Result<(TcpStream, std::net::TcpStream)> {
    let stream = stream.into_std()?;
    let socket = stream.try_clone()?;
    Ok((TcpStream::from_std(stream)?, socket))
}

fn refused(error: impl fmt::Display) -> Unreachable {
    tracing::debug!(%error, "an agent could not be reached");
    Unreachable::Refused
}

// === impl Sender ===

impl Sender {
    /// Whether the connection has ended, so that nothing can be sent on it.
    ///
    /// The task that drives the connection learns of its end when it runs next. A request handed over before that
    /// would be written to a peer that is gone, and nobody could tell any more whether it was taken up; the kernel
    /// knows at once.
    pub(crate) fn is_closed(&self) -> bool {
        self.requests.is_closed() || ended(&self.socket)
    }

    pub(crate) async fn send(
        &mut self,
        request: http::Request<Body>,
    ) -> Result<http::Response<Incoming>, Unanswered> {
        self.requests.try_send_request(request).await
    }
}

/// Whether the peer has closed its end, or the connection broke. The socket does not block.
fn ended(socket: &std::net::TcpStream) -> bool {
    match socket.peek(&mut [0]) {
        Ok(unread) => unread == 0,
        Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
    }
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadEndpoint => "its endpoint is not http://host:port",
            Self::TimedOut => "it did not accept a connection in time",
            Self::Refused => "it refused the connection",
        })
    }
}

impl std::error::Error for Unreachable {}

#[cfg(test)]
mod tests {
    use super::*;

    // One thread: while the test does not await, nothing but the kernel can know that the peer is gone.
    #[tokio::test]
    async fn a_connection_whose_peer_is_gone_is_closed_before_its_task_has_seen_it() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let sender = dial(endpoint, Duration::from_secs(5)).await.unwrap();
        let (peer, _) = listener.accept().unwrap();
        assert!(!sender.is_closed());
        drop(peer);
        assert!(!sender.requests.is_closed());
        assert!(sender.is_closed());
    }

    #[test]
    fn an_endpoint_is_http_host_and_port() {
        let endpoint = Endpoint::parse("http://[::1]:7000").unwrap();
        assert_eq!((endpoint.host.as_str(), endpoint.port), ("::1", 7000));
        assert_eq!(endpoint.authority().as_str(), "[::1]:7000");
        assert_eq!(Endpoint::parse("http://agent").unwrap().port, 80);
        for bad in ["https://agent:1", "agent:1", "", "http://", "unix:/tmp/x", "http://a b:1"] {
            assert_eq!(Endpoint::parse(bad), Err(Unreachable::BadEndpoint), "{bad}");
        }
    }
}
