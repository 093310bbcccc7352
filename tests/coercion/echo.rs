//! An agent that answers every call with the bytes of its request, whatever the method, and keeps them.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::{Buf as _, BufMut as _, Bytes};
use convoke_sdk::{Agent, Options, Running};
use futures::future::{BoxFuture, Ready, ready};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tower::Service;

/// The service, and what it heard last.
#[derive(Clone, Default)]
pub(crate) struct Echo {
    heard: Arc<Mutex<Option<Bytes>>>,
}

// === impl Echo ===

impl Echo {
    /// Starts an agent with these descriptors, and awaits that it is registered.
    pub(crate) async fn start(&self, registry: String, descriptors: Vec<u8>) -> Running {
        // An agent's descriptors live as long as its process; this one's process is the test's.
        let agent = Agent::new(descriptors.leak()).add_service(self.clone());
        let running = agent.start(Options { registry, ..Options::default() }).await.unwrap();
        running.registered().await.unwrap();
        running
    }

    /// What was heard since this was asked last.
    pub(crate) fn take(&self) -> Option<Bytes> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl NamedService for Echo {
    const NAME: &'static str = "echo.v1.Echo";
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let echo = self.clone();
        Box::pin(async move { Ok(Grpc::new(Raw).unary(echo, request).await) })
    }
}

impl UnaryService<Bytes> for Echo {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let bytes = request.into_inner();
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes.clone());
        ready(Ok(Response::new(bytes)))
    }
}

/// Messages as their bytes.
#[derive(Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
