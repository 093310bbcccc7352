//! Requests that no client of ours would send.

use bytes::{BufMut, Bytes, BytesMut};
use convoke_proto::v1::tool_error::Category;
use convoke_proto::{error, v1};
use convoke_server::{Config, Limits};
use http::uri::PathAndQuery;
use prost_types::{Struct, Value, value::Kind};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Code, Request, Status};

use crate::agent::{Agent, Reflection};
use crate::mesh::{Mesh, object, text, tool_error};

/// Bytes as they are.
#[derive(Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buf: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buf.put(item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buf: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let mut bytes = BytesMut::new();
        bytes.put(buf);
        Ok(Some(bytes.freeze()))
    }
}

async fn send(mesh: &Mesh, path: &'static str, bytes: Bytes) -> Result<Bytes, Status> {
    let mut client = Grpc::new(mesh.channel.clone());
    client.ready().await.unwrap();
    let answer = client.unary(Request::new(bytes), PathAndQuery::from_static(path), Raw).await;
    answer.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn bytes_that_are_no_message_are_refused_with_a_tool_error() {
    let mesh = Mesh::start().await;
    for method in ["/convoke.v1.Orchestrator/Ask", "/convoke.v1.Registry/Register"] {
        let refused = send(&mesh, method, Bytes::from_static(&[0xff; 40])).await.unwrap_err();
        assert_eq!(
            (refused.code(), tool_error(&refused).category()),
            (Code::InvalidArgument, Category::InputError)
        );
    }
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_as_too_large() {
    let mesh = Mesh::start().await;
    let large = Bytes::from(vec![0; (4 << 20) + 1]);
    let refused = send(&mesh, "/convoke.v1.Orchestrator/Invoke", large).await.unwrap_err();
    assert_eq!(tool_error(&refused).code, error::MESSAGE_TOO_LARGE, "{refused:?}");
}

#[tokio::test]
async fn a_method_that_is_not_there_is_not_served() {
    let mesh = Mesh::start().await;
    for method in ["/convoke.v1.Orchestrator/Respond", "/convoke.v1.DomainAgent/Execute"] {
        let refused = send(&mesh, method, Bytes::new()).await.unwrap_err();
        assert_eq!(
            (refused.code(), tool_error(&refused).code.as_str()),
            (Code::Unimplemented, error::NOT_SERVED)
        );
    }
}

#[tokio::test]
async fn requests_without_what_they_are_about_are_refused() {
    let mut mesh = Mesh::start().await;
    let refused = [
        mesh.orchestrator.verify(v1::VerifyRequest::default()).await.unwrap_err(),
        mesh.orchestrator.execute_plan(v1::ExecutePlanRequest::default()).await.unwrap_err(),
        mesh.orchestrator.execute_plan_stream(v1::ExecutePlanStreamRequest::default()).await.unwrap_err(),
        mesh.orchestrator.ask_stream(v1::AskStreamRequest::default()).await.unwrap_err(),
        mesh.orchestrator.invoke(v1::InvokeRequest::default()).await.unwrap_err(),
        mesh.orchestrator.interpret(v1::InterpretRequest::default()).await.unwrap_err(),
        mesh.registry.register(v1::RegisterRequest::default()).await.unwrap_err(),
        mesh.registry.deregister(v1::DeregisterRequest::default()).await.unwrap_err(),
    ];
    for status in refused {
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(tool_error(&status).field_violations.len(), 1, "{status:?}");
    }
}

/// Objects inside one another; each is three messages deep on the wire.
fn nested(depth: usize) -> Kind {
    (0..depth).fold(text("x"), |kind, _| {
        let fields = [("a".to_owned(), Value { kind: Some(kind) })].into();
        Kind::StructValue(Struct { fields })
    })
}

#[tokio::test]
async fn parameters_that_are_nested_deeply_are_refused_and_nothing_breaks() {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    let answer = mesh.invoke("greet", object([("name", nested(25))])).await.unwrap();
    assert_eq!(answer.output.unwrap().error.unwrap().code, error::PARAMETERS_INVALID);
    // Deeper than protobuf itself is read.
    let refused = mesh.invoke("greet", object([("name", nested(500))])).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(tool_error(&refused).category(), Category::InputError);
}

#[tokio::test]
async fn one_request_more_than_there_is_room_for_is_refused() {
    let limits = Limits { requests: 1, ..Limits::default() };
    let mut mesh = Mesh::start_with(Config { limits, ..Config::default() }).await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    let mut caller = mesh.orchestrator.clone();
    let request = v1::InvokeRequest { capability: "doze".to_owned(), ..Default::default() };
    let busy = tokio::spawn(async move { caller.invoke(request).await });
    agent.seen.dozing.notified().await;
    let refused = mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    tool_error(&refused);
    agent.seen.wake.notify_waiters();
    busy.await.unwrap().unwrap();
    mesh.invoke("greet", object([("name", text("Ada"))])).await.unwrap();
    mesh.end().await;
}
