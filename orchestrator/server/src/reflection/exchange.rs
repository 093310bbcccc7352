//! One conversation with a reflection service: a question, its answer, the next question.

use http::uri::PathAndQuery;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};
use tonic_prost::ProstCodec;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest as Question;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse as Answer;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};

/// The versions of the protocol; their messages are the same on the wire.
#[derive(Debug, Clone, Copy)]
pub(super) enum Version {
    V1,
    V1Alpha,
}

/// A conversation. Some servers end the stream with a status where others answer with an error, so it is opened anew
/// for the question after that.
pub(super) struct Exchange {
    channel: Channel,
    version: Version,
    open: Option<Open>,
}

struct Open {
    questions: mpsc::Sender<ServerReflectionRequest>,
    answers: Streaming<ServerReflectionResponse>,
}

// === impl Version ===

impl Version {
    fn path(self) -> PathAndQuery {
        PathAndQuery::from_static(match self {
            Self::V1 => "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            Self::V1Alpha => "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        })
    }
}

// === impl Exchange ===

impl Exchange {
    pub(super) fn new(channel: Channel, version: Version) -> Self {
        Self { channel, version, open: None }
    }

    /// The full names of all services.
    pub(super) async fn services(&mut self) -> Result<Vec<String>, Status> {
        match self.ask(Question::ListServices("*".to_owned())).await? {
            Answer::ListServicesResponse(list) => {
                Ok(list.service.into_iter().map(|service| service.name).collect())
            }
            Answer::ErrorResponse(error) => {
                Err(Status::new(Code::from(error.error_code), error.error_message))
            }
            _ => Err(unexpected()),
        }
    }

    /// The file that defines `symbol`, with whatever the server sends along; `None` where it is not known.
    pub(super) async fn file_of(&mut self, symbol: &str) -> Result<Option<Vec<Vec<u8>>>, Status> {
        self.files(Question::FileContainingSymbol(symbol.to_owned())).await
    }

    /// The file of this name, likewise.
    pub(super) async fn file_named(&mut self, name: &str) -> Result<Option<Vec<Vec<u8>>>, Status> {
        self.files(Question::FileByFilename(name.to_owned())).await
    }

    async fn files(&mut self, question: Question) -> Result<Option<Vec<Vec<u8>>>, Status> {
        match self.ask(question).await {
            Ok(Answer::FileDescriptorResponse(files)) => Ok(Some(files.file_descriptor_proto)),
            Ok(Answer::ErrorResponse(error)) if Code::from(error.error_code) == Code::NotFound => Ok(None),
            Ok(Answer::ErrorResponse(error)) => {
                Err(Status::new(Code::from(error.error_code), error.error_message))
            }
            Ok(_) => Err(unexpected()),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(status),
        }
    }

    async fn ask(&mut self, question: Question) -> Result<Answer, Status> {
        let request = ServerReflectionRequest { host: String::new(), message_request: Some(question) };
        let mut open = match self.open.take() {
            Some(open) => {
                open.questions.send(request).await.map_err(|_| hung_up())?;
                open
            }
            None => self.open(request).await?,
        };
        let answer = open.answers.message().await?.ok_or_else(hung_up)?;
        self.open = Some(open);
        answer.message_response.ok_or_else(unexpected)
    }

    /// Some servers send no headers before their first answer, so the first question must be on its way already.
    async fn open(&self, first: ServerReflectionRequest) -> Result<Open, Status> {
        let (questions, asked) = mpsc::channel(1);
        questions.send(first).await.map_err(|_| hung_up())?;
        let mut client = Grpc::new(self.channel.clone());
        client.ready().await.map_err(|_| Status::unavailable("the connection was closed"))?;
        let request = Request::new(ReceiverStream::new(asked));
        let codec = ProstCodec::<ServerReflectionRequest, ServerReflectionResponse>::default();
        let answers = client.streaming(request, self.version.path(), codec).await?.into_inner();
        Ok(Open { questions, answers })
    }
}

fn unexpected() -> Status {
    Status::internal("an answer to another question")
}

fn hung_up() -> Status {
    Status::unavailable("the stream ended without an answer")
}
