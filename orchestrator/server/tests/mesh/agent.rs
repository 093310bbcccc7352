//! An agent as a team writes it: an annotated proto, a handler, reflection. It registers nothing by itself.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use convoke_proto::error;
use convoke_proto::status;
use convoke_proto::v1::tool_error::Category;
use convoke_proto::v1::{Clarification, clarification::Candidate};
use futures::future::BoxFuture;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_health::server::HealthReporter;
use tonic_prost::ProstCodec;
use tower::Service;

/// What the agent can do.
pub(crate) const PROTO: &str = r#"
syntax = "proto3";
package greeter.v1;
import "convoke/v1/annotations.proto";
import "greeter/v1/doze.proto";

service Greeter {
  option (convoke.v1.domain) = { name: "greeter" version: "1.2.0" description: "Says hello to people." };

  rpc Greet(GreetRequest) returns (GreetResponse) {
    option (convoke.v1.capability) = {
      description: "Greet a person by name."
      effects: READ_ONLY
      intent_hints: { language: "en" keywords: "greet" keywords: "hello" examples: "greet {name}" examples: "say hello to {name}" }
    };
  }
  rpc Doze(DozeRequest) returns (DozeResponse) {
    option (convoke.v1.capability) = { description: "Sleep until woken." effects: READ_ONLY };
  }
}
message GreetRequest {
  string name = 1 [(convoke.v1.field) = { required: true description: "Who is greeted." }];
  int32 times = 2 [(convoke.v1.field) = { default: "1" minimum: "1" maximum: "5" }];
}
message GreetResponse { string text = 1; int32 times = 2; }
"#;

/// A file of its own, so that reflection has to be asked for it.
const DOZE: &str = r#"
syntax = "proto3";
package greeter.v1;
message DozeRequest {}
message DozeResponse {}
"#;

#[derive(Clone, PartialEq, prost::Message)]
struct GreetRequest {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int32, tag = "2")]
    times: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct GreetResponse {
    #[prost(string, tag = "1")]
    text: String,
    #[prost(int32, tag = "2")]
    times: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Nothing {}

/// The descriptors of `proto`, options and all.
pub(crate) fn descriptors(proto: &str) -> Vec<u8> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Sources(BTreeMap::from([
        ("agent.proto", proto.to_owned()),
        ("greeter/v1/doze.proto", DOZE.to_owned()),
    ])));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("agent.proto").unwrap();
    compiler.encode_file_descriptor_set()
}

struct Sources(BTreeMap<&'static str, String>);

impl FileResolver for Sources {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let contract =
            || convoke_proto::SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let text = self.0.get(name).map(String::as_str).or_else(contract);
        File::from_source(name, text.ok_or_else(|| protox::Error::file_not_found(name))?)
    }
}

/// An agent that runs, on threads of its own. It ends with its handle, as if it had been killed.
pub(crate) struct Agent {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Arc<Seen>,
    pub(crate) health: HealthReporter,
    process: Option<Runtime>,
}

/// What reached the agent.
#[derive(Default)]
pub(crate) struct Seen {
    /// Calls of any method.
    pub(crate) calls: AtomicUsize,
    /// A call of `Doze` has begun.
    pub(crate) dozing: Notify,
    /// A call of `Doze` was given up.
    pub(crate) dropped: Notify,
    /// Wakes all who doze.
    pub(crate) wake: Notify,
}

/// Whether the agent serves reflection, and in which version; with v1, it serves health too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reflection {
    V1,
    V1Alpha,
    None,
}

impl Agent {
    pub(crate) async fn start(reflection: Reflection) -> Self {
        Self::start_with(reflection, PROTO).await
    }

    /// An agent whose reflection shows another proto than it serves.
    pub(crate) async fn start_with(reflection: Reflection, proto: &str) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let set = descriptors(proto);
        let reflected = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(&set)
                .with_service_name(service_of(proto))
        };
        let (health, health_service) = tonic_health::server::health_reporter();
        let router = tonic::transport::Server::builder().add_service(Greeter { seen: Arc::clone(&seen) });
        let router = match reflection {
            Reflection::V1 => router.add_service(reflected().build_v1().unwrap()).add_service(health_service),
            Reflection::V1Alpha => router.add_service(reflected().build_v1alpha().unwrap()),
            Reflection::None => router,
        };
        let process =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = {
            let _inside = process.enter();
            TcpListener::from_std(listener).unwrap()
        };
        process.spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { address, seen, health, process: Some(process) }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends it with all its connections, as SIGKILL would.
    pub(crate) async fn kill(mut self) {
        let process = self.process.take().unwrap();
        let ending = tokio::task::spawn_blocking(move || process.shutdown_timeout(Duration::from_secs(5)));
        ending.await.unwrap();
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.shutdown_background();
        }
    }
}

fn service_of(proto: &str) -> String {
    let word_after = |word: &str| {
        let rest = proto.split_once(word).unwrap().1;
        rest.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_')).find(|w| !w.is_empty()).unwrap()
    };
    format!("{}.{}", word_after("package "), word_after("service "))
}

#[derive(Clone)]
struct Greeter {
    seen: Arc<Seen>,
}

impl NamedService for Greeter {
    const NAME: &'static str = "greeter.v1.Greeter";
}

impl Service<http::Request<Body>> for Greeter {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let seen = Arc::clone(&self.seen);
        seen.calls.fetch_add(1, Ordering::SeqCst);
        let path = request.uri().path().to_owned();
        Box::pin(async move {
            Ok(match path.as_str() {
                "/greeter.v1.Greeter/Greet" => Grpc::new(ProstCodec::default()).unary(Greet, request).await,
                "/greeter.v1.Greeter/Doze" => {
                    Grpc::new(ProstCodec::default()).unary(Doze(seen), request).await
                }
                _ => Status::unimplemented("").into_http(),
            })
        })
    }
}

struct Greet;

impl UnaryService<GreetRequest> for Greet {
    type Response = GreetResponse;
    type Future = BoxFuture<'static, Result<Response<GreetResponse>, Status>>;

    fn call(&mut self, request: Request<GreetRequest>) -> Self::Future {
        let GreetRequest { name, times } = request.into_inner();
        Box::pin(async move {
            match name.as_str() {
                "nobody" => {
                    let unknown =
                        error::tool_error("PERSON_NOT_FOUND", Category::NotFound, "there is no such person");
                    Err(status::to_status(&error::with_candidates(unknown, ["Ada", "Bob"])))
                }
                "someone" => Err(status::clarify(&Clarification {
                    question: "whom do you mean?".to_owned(),
                    parameter: "name".to_owned(),
                    candidates: vec![Candidate { label: "Ada".to_owned(), ..Candidate::default() }],
                    token: String::new(),
                })),
                _ => Ok(Response::new(GreetResponse { text: format!("hello {name}"), times })),
            }
        })
    }
}

struct Doze(Arc<Seen>);

impl UnaryService<Nothing> for Doze {
    type Response = Nothing;
    type Future = BoxFuture<'static, Result<Response<Nothing>, Status>>;

    fn call(&mut self, _: Request<Nothing>) -> Self::Future {
        let seen = Arc::clone(&self.0);
        Box::pin(async move {
            let woken = Woken { seen: Arc::clone(&seen), done: false };
            let wake = seen.wake.notified();
            seen.dozing.notify_one();
            wake.await;
            woken.done();
            Ok(Response::new(Nothing {}))
        })
    }
}

/// Notices that a call was dropped before it was answered.
struct Woken {
    seen: Arc<Seen>,
    done: bool,
}

impl Woken {
    fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Woken {
    fn drop(&mut self) {
        if !self.done {
            self.seen.dropped.notify_one();
        }
    }
}
