//! The bodies on both sides of a stream, with what has to live as long as they do.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::body::Body;

use super::explain;

/// The body of a request on a stream that a drain ends: once the answer has ended it reads as finished, so that whoever
/// waits for the next message lets go of the stream.
#[derive(Debug)]
pub(super) struct Asked {
    inner: Body,
    answered: Pin<Box<WaitForCancellationFutureOwned>>,
    ended: bool,
}

// === impl Asked ===

impl Asked {
    pub(super) fn new(inner: Body, answered: CancellationToken) -> Self {
        Self { inner, answered: Box::pin(answered.cancelled_owned()), ended: false }
    }
}

impl http_body::Body for Asked {
    type Data = Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, tonic::Status>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        if frame.is_pending() && self.answered.as_mut().poll(cx).is_ready() {
            self.ended = true;
            self.inner = Body::empty();
            return Poll::Ready(None);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.inner.is_end_stream()
    }
}

/// A body that holds its place at the gate, and that a drain can end with a status of its own.
#[derive(Debug)]
pub(crate) struct Held {
    inner: Body,
    place: Option<OwnedSemaphorePermit>,
    drain: Option<(Pin<Box<WaitForCancellationFutureOwned>>, CancellationToken)>,
    ours: bool,
    ended: bool,
}

// === impl Held ===

impl Held {
    /// `ours`: a status in the trailers gets a ToolError where it has none.
    pub(crate) fn new(inner: Body, ours: bool) -> Self {
        Self { inner, place: None, drain: None, ours, ended: false }
    }

    pub(crate) fn with_place(self, place: Option<OwnedSemaphorePermit>) -> Self {
        Self { place, ..self }
    }

    /// Ends the body once `drain` is cancelled and it has nothing more to send at that moment; `answered` then says so.
    pub(crate) fn until(self, drain: CancellationToken, answered: CancellationToken) -> Self {
        Self { drain: Some((Box::pin(drain.cancelled_owned()), answered)), ..self }
    }

    fn end(&mut self) -> Option<Result<Frame<Bytes>, tonic::Status>> {
        self.ended = true;
        self.place = None;
        self.inner = Body::empty();
        if let Some((_, answered)) = self.drain.take() {
            answered.cancel();
        }
        let mut trailers = HeaderMap::new();
        match explain::draining().add_header(&mut trailers) {
            Ok(()) => Some(Ok(Frame::trailers(trailers))),
            Err(status) => Some(Err(status)),
        }
    }
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, tonic::Status>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        match Pin::new(&mut self.inner).poll_frame(cx) {
            Poll::Ready(Some(Ok(mut frame))) => {
                if self.ours
                    && let Some(trailers) = frame.trailers_mut()
                {
                    explain::headers(trailers, "");
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(end) => Poll::Ready(end),
            Poll::Pending => {
                let drained =
                    self.drain.as_mut().is_some_and(|(drain, _)| drain.as_mut().poll(cx).is_ready());
                if drained { Poll::Ready(self.end()) } else { Poll::Pending }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.ended { SizeHint::with_exact(0) } else { self.inner.size_hint() }
    }
}
