//! Connections that are taken: a bounded number, each of which can be severed.
//!
//! A client that neither reads nor closes would keep a drain waiting for ever, and the transport has no way to drop
//! a connection from outside. So every connection listens to a token of its own accord: once that is cancelled, it
//! reads as aborted, and whatever is on it ends with it. One on which nothing ever came cannot be told to go away, and
//! listens to a token that comes earlier.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::transport::server::{Connected, TcpConnectInfo};

/// How long accepting rests after it failed, e.g. because there are no more file descriptors.
const REST: Duration = Duration::from_millis(100);

/// The connections of `listener`, at most `limit` at a time: one more waits in the system's backlog. All end once
/// `sever` is cancelled, those that were never used already with `drain`.
pub(crate) fn incoming(
    listener: TcpListener,
    limit: usize,
    drain: CancellationToken,
    sever: CancellationToken,
) -> impl Stream<Item = io::Result<Connection>> {
    let places = Arc::new(Semaphore::new(limit));
    futures::stream::unfold((listener, places), move |(listener, places)| {
        let (drain, sever) = (drain.clone(), sever.clone());
        async move {
            let place = Arc::clone(&places).acquire_owned().await.ok()?;
            let stream = accept(&listener).await;
            let severed = Box::pin(sever.cancelled_owned());
            let unused = Some(Box::pin(drain.cancelled_owned()));
            Some((Ok(Connection { stream, severed, unused, _place: place }), (listener, places)))
        }
    })
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Without it small answers wait for the peer's acknowledgement; that it fails is no reason to hang up.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "nodelay could not be set");
                }
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

/// A connection of a client.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    severed: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Until the first byte came.
    unused: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    _place: OwnedSemaphorePermit,
}

// === impl Connection ===

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.severed.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let before = buf.filled().len();
        match Pin::new(&mut self.stream).poll_read(cx, buf) {
            Poll::Pending if self.unused.as_mut().is_some_and(|drain| drain.as_mut().poll(cx).is_ready()) => {
                Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
            }
            Poll::Ready(Ok(())) if buf.filled().len() > before => {
                self.unused = None;
                Poll::Ready(Ok(()))
            }
            read => read,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}
