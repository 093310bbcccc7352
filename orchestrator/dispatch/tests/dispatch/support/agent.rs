//! A real tonic server whose one handler gets raw bytes: an agent without generated code.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::{Buf, BufMut, Bytes};
use futures::future::BoxFuture;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataMap;
use tonic::server::{NamedService, UnaryService};
use tonic::{Request, Response, Status};

/// What a call brought.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) metadata: MetadataMap,
    pub(crate) message: Bytes,
}

type Handler = Arc<dyn Fn(Seen) -> BoxFuture<'static, Result<Bytes, Status>> + Send + Sync>;

/// A running agent, on a runtime of its own: when that goes, its connections go too, as with a process that is killed.
pub(crate) struct Agent {
    pub(crate) endpoint: String,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
    lab: Lab,
    server: Option<Runtime>,
}

impl Agent {
    pub(crate) async fn start<F>(handler: impl Fn(Seen) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Bytes, Status>> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |seen| Box::pin(handler(seen)));
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let lab = Lab { handler, seen: Arc::clone(&seen) };
        let (endpoint, server) = serve(lab.clone(), "127.0.0.1:0").await;
        Self { endpoint, seen, lab, server: Some(server) }
    }

    /// Kills the agent. Its sockets are closed when this returns.
    pub(crate) async fn kill(&mut self) {
        let server = self.server.take();
        tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
    }

    /// Serves again, at the address where it was.
    pub(crate) async fn restart(&mut self) {
        let address = self.endpoint.trim_start_matches("http://").to_owned();
        self.server = Some(serve(self.lab.clone(), &address).await.1);
    }

    /// One that answers every call so.
    pub(crate) async fn answering(answer: Result<Bytes, Status>) -> Self {
        Self::start(move |_| std::future::ready(answer.clone())).await
    }

    pub(crate) fn calls(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown_background();
        }
    }
}

async fn serve(lab: Lab, address: &str) -> (String, Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let address = address.to_owned();
    let listener = runtime.spawn(async move { TcpListener::bind(address).await.unwrap() }).await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let server = tonic::transport::Server::builder()
        .add_service(lab)
        .serve_with_incoming(TcpListenerStream::new(listener));
    runtime.spawn(async move { server.await.unwrap() });
    (endpoint, runtime)
}

#[derive(Clone)]
struct Lab {
    handler: Handler,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl NamedService for Lab {
    const NAME: &'static str = "lab.v1.Lab";
}

impl tower::Service<http::Request<Body>> for Lab {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = Method { path: request.uri().path().to_owned(), lab: self.clone() };
        Box::pin(async move { Ok(tonic::server::Grpc::new(Raw).unary(method, request).await) })
    }
}

struct Method {
    path: String,
    lab: Lab,
}

impl UnaryService<Bytes> for Method {
    type Response = Bytes;
    type Future = BoxFuture<'static, Result<Response<Bytes>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let (metadata, _, message) = request.into_parts();
        let seen = Seen { path: self.path.clone(), metadata, message };
        self.lab.seen.lock().unwrap().push(seen.clone());
        let answer = (self.lab.handler)(seen);
        Box::pin(async move { answer.await.map(Response::new) })
    }
}

/// Messages as they are on the wire.
#[derive(Default, Clone, Copy)]
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

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
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
