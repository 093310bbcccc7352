//! Dialling an agent: one HTTP/2 connection over TCP.
//!
//! No keep-alive pings are sent: stock gRPC servers answer pings oftener than every five minutes with GOAWAY. A dead
//! peer is found by the attempt's timeout, by its health and by its lease.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use bytes::buf::Chain;
use http::Uri;
use http::uri::{Authority, Scheme};
use http_body_util::Full;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A request's body: the gRPC frame's head and the message, neither copied.
pub(crate) type Body = Full<Chain<Bytes, Bytes>>;

/// Sends requests on one connection; a clone uses the same one. The connection closes when the last clone is gone.
pub(crate) type Sender = http2::SendRequest<Body>;

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
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new());
        builder.handshake(TokioIo::new(stream)).await.map_err(refused)
    };
    let (sender, connection) = timeout(limit, connect).await.map_err(|_| Unreachable::TimedOut)??;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "an agent's connection ended");
        }
    });
    Ok(sender)
}

fn refused(error: impl fmt::Display) -> Unreachable {
    tracing::debug!(%error, "an agent could not be reached");
    Unreachable::Refused
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
