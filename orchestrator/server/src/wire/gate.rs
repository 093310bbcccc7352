//! The first thing a request meets: is there room for it, and how will it end when the server does.
//!
//! Requests that are answered and streams that stay open are counted apart, because a thousand agents that keep their
//! leases must not leave room for no question. What finds no room is refused at once (RATE_LIMIT), never queued.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{Request, Response, Uri};
use pin_project_lite::pin_project;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tower::{Layer, Service};

use super::body::{Asked, Held};
use super::explain;
use crate::config::Limits;

/// Everything of ours fails with a ToolError; other services keep to what their own protocol says.
const OURS: &str = "/convoke.v1.";

/// The layer. Services made by it share its bounds.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    requests: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    drain: CancellationToken,
}

/// A service behind the gate.
#[derive(Debug, Clone)]
pub(crate) struct Gated<S> {
    gate: Gate,
    inner: S,
}

/// What a path promises about how long it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lasts {
    /// Until it is answered.
    Request,
    /// Until one side hangs up.
    Stream,
    /// No time, and overload must not make the server look dead.
    Probe,
}

// === impl Gate ===

impl Gate {
    /// `drain` ends the streams that would not end by themselves.
    pub(crate) fn new(limits: &Limits, drain: CancellationToken) -> Self {
        Self {
            requests: Arc::new(Semaphore::new(limits.requests)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            drain,
        }
    }

    /// A place, or `None` where there is none left.
    fn enter(&self, lasts: Lasts) -> Option<Hold> {
        let bound = match lasts {
            Lasts::Request => &self.requests,
            Lasts::Stream => &self.streams,
            Lasts::Probe => return Some(Hold::default()),
        };
        let place = Arc::clone(bound).try_acquire_owned().ok()?;
        let drain = (lasts == Lasts::Stream).then(|| (self.drain.clone(), CancellationToken::new()));
        Some(Hold { place: Some(place), drain })
    }
}

impl<S> Layer<S> for Gate {
    type Service = Gated<S>;

    fn layer(&self, inner: S) -> Gated<S> {
        Gated { gate: self.clone(), inner }
    }
}

// === impl Lasts ===

impl Lasts {
    fn of(path: &str) -> Self {
        match path {
            "/grpc.health.v1.Health/Check" => Self::Probe,
            "/convoke.v1.Registry/KeepAlive"
            | "/convoke.v1.Registry/WatchInstances"
            | "/grpc.health.v1.Health/Watch" => Self::Stream,
            _ if path.starts_with("/grpc.reflection.") => Self::Stream,
            _ => Self::Request,
        }
    }
}

/// What a response keeps until its body has ended.
#[derive(Debug, Default)]
struct Hold {
    place: Option<OwnedSemaphorePermit>,
    /// When a stream has to end, and where it says that its answer has.
    drain: Option<(CancellationToken, CancellationToken)>,
}

// === impl Gated ===

impl<S> Service<Request<Body>> for Gated<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
{
    type Response = Response<Held>;
    type Error = S::Error;
    type Future = Answer<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let path = request.uri().path();
        let ours = path.starts_with(OURS).then(|| request.uri().clone());
        match self.gate.enter(Lasts::of(path)) {
            None => {
                tracing::warn!(path, "request refused, there are too many");
                Answer::Refused
            }
            Some(hold) => {
                let request = match &hold.drain {
                    Some((_, answered)) => request.map(|body| Body::new(Asked::new(body, answered.clone()))),
                    None => request,
                };
                Answer::Called { answer: self.inner.call(request), hold: Some(hold), ours }
            }
        }
    }
}

pin_project! {
    /// The future of a gated call.
    #[project = AnswerProjection]
    pub(crate) enum Answer<F> {
        Refused,
        Called { #[pin] answer: F, hold: Option<Hold>, ours: Option<Uri> },
    }
}

impl<F, E> Future for Answer<F>
where
    F: Future<Output = Result<Response<Body>, E>>,
{
    type Output = Result<Response<Held>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            AnswerProjection::Refused => {
                let refusal = explain::too_many_requests().into_http::<Body>();
                Poll::Ready(Ok(refusal.map(|body| Held::new(body, true))))
            }
            AnswerProjection::Called { answer, hold, ours } => {
                let mut response = ready!(answer.poll(cx))?;
                if let Some(uri) = ours {
                    explain::headers(response.headers_mut(), uri.path());
                }
                let Hold { place, drain } = hold.take().unwrap_or_default();
                Poll::Ready(Ok(response.map(|body| {
                    let held = Held::new(body, ours.is_some()).with_place(place);
                    match drain {
                        Some((drain, answered)) => held.until(drain, answered),
                        None => held,
                    }
                })))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_open_is_counted_apart_from_what_is_answered() {
        let limits = Limits { requests: 1, streams: 1, ..Limits::default() };
        let gate = Gate::new(&limits, CancellationToken::new());
        let stream = gate.enter(Lasts::of("/convoke.v1.Registry/KeepAlive"));
        let request = gate.enter(Lasts::of("/convoke.v1.Orchestrator/Ask"));
        assert!(stream.is_some() && request.is_some());
        assert!(gate.enter(Lasts::of("/grpc.health.v1.Health/Watch")).is_none());
        assert!(gate.enter(Lasts::of("/convoke.v1.Orchestrator/Invoke")).is_none());
        drop(request);
        assert!(gate.enter(Lasts::of("/convoke.v1.Orchestrator/Invoke")).is_some());
    }

    #[test]
    fn a_probe_is_answered_under_any_load() {
        let limits = Limits { requests: 1, ..Limits::default() };
        let gate = Gate::new(&limits, CancellationToken::new());
        let _busy = gate.enter(Lasts::Request);
        assert!(gate.enter(Lasts::of("/grpc.health.v1.Health/Check")).is_some());
    }
}
