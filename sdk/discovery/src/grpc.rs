//! The `Registry` service of an orchestrator, as an agent calls it.
//!
//! A registration is one unary call; its lease is then kept on one [`KeepAlive`] stream, whose breaking is how an agent
//! learns at once that the orchestrator has gone.

use std::{future, time::Duration};

use convoke_proto::{
    status,
    v1::{self, instance::State, registry_client::RegistryClient},
};
use tokio::{sync::mpsc, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{
    Code, Status, Streaming,
    transport::{Channel, Endpoint},
};

use crate::{Error, KeptAlive, Lease, registration::clamp_ttl};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The orchestrator may read an agent's descriptors by reflection for up to 10 s before it answers.
const REGISTER_TIMEOUT: Duration = Duration::from_secs(12);
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// A client of one orchestrator's `Registry` service. It connects when it is used, and again when it has to.
#[derive(Clone, Debug)]
pub struct Client {
    endpoint: Box<Endpoint>,
    registry: RegistryClient<Channel>,
}

/// One instance's open keep-alive stream.
#[derive(Debug)]
pub struct KeepAlive {
    requests: mpsc::Sender<v1::KeepAliveRequest>,
    responses: Streaming<v1::KeepAliveResponse>,
}

// === impl Client ===

impl Client {
    /// A client of the service at this `host:port`.
    ///
    /// # Errors
    /// [`Error::Invalid`] when that is no address.
    pub fn new(host_port: &str) -> Result<Self, Error> {
        let endpoint = Endpoint::from_shared(format!("http://{host_port}")).map_err(|error| {
            Error::Invalid { field: "registry", reason: format!("{host_port:?}: {error}") }
        })?;
        let endpoint = endpoint.connect_timeout(CONNECT_TIMEOUT).tcp_nodelay(true);
        let registry = RegistryClient::new(endpoint.connect_lazy());
        Ok(Self { endpoint: Box::new(endpoint), registry })
    }

    /// Registers an instance.
    ///
    /// # Errors
    /// [`Error::Refused`] with the orchestrator's own words, [`Error::IdTaken`], [`Error::Unavailable`].
    pub async fn register(&mut self, request: v1::RegisterRequest) -> Result<Lease, Error> {
        let id = request.instance_id.clone();
        let response = timeout(REGISTER_TIMEOUT, self.registry.register(request))
            .await
            .map_err(|_| self.hung("Register"))?
            .map_err(|status| error_of("Register", &id, status))?
            .into_inner();
        let instance = response.instance.unwrap_or_default();
        Ok(Lease { instance, ttl: ttl_of(response.ttl) })
    }

    /// Opens a keep-alive stream with its first request, and gives the answer to that.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Refused`].
    pub async fn keep_alive(
        &mut self,
        id: &str,
        incarnation: u64,
        state: Option<State>,
    ) -> Result<(KeepAlive, KeptAlive), Error> {
        let (requests, outgoing) = mpsc::channel(1);
        let opened = async {
            // The first request goes first: a server may wait for it before it answers anything.
            send(&requests, id, incarnation, state).await?;
            let responses = self
                .registry
                .keep_alive(ReceiverStream::new(outgoing))
                .await
                .map_err(|status| error_of("KeepAlive", id, status))?
                .into_inner();
            let mut stream = KeepAlive { requests: requests.clone(), responses };
            let kept = stream.response(id).await?;
            Ok((stream, kept))
        };
        let opened = timeout(CALL_TIMEOUT, opened).await;
        opened.map_err(|_| self.hung("KeepAlive"))?
    }

    /// Removes an instance.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Refused`].
    pub async fn deregister(&mut self, id: &str, incarnation: u64) -> Result<(), Error> {
        let request = v1::DeregisterRequest { instance_id: id.to_owned(), incarnation };
        timeout(CALL_TIMEOUT, self.registry.deregister(request))
            .await
            .map_err(|_| self.hung("Deregister"))?
            .map_err(|status| error_of("Deregister", id, status))?;
        Ok(())
    }

    /// No answer may mean that the other side is gone without having said so. The connection would be kept for many
    /// minutes; the next call gets a new one.
    fn hung(&mut self, call: &str) -> Error {
        self.registry = RegistryClient::new(self.endpoint.connect_lazy());
        Error::timed_out(call)
    }
}

// === impl KeepAlive ===

impl KeepAlive {
    /// Renews the lease once. After an error the stream is of no more use.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Refused`].
    pub async fn renew(
        &mut self,
        id: &str,
        incarnation: u64,
        state: Option<State>,
    ) -> Result<KeptAlive, Error> {
        let renewed = async {
            send(&self.requests, id, incarnation, state).await?;
            self.response(id).await
        };
        timeout(CALL_TIMEOUT, renewed).await.map_err(|_| Error::timed_out("KeepAlive"))?
    }

    /// Ends when the stream does, or when the orchestrator says unasked that the lease has lapsed.
    pub async fn broken(&mut self) {
        while let Ok(Some(response)) = self.responses.message().await {
            if response.lapsed {
                return;
            }
        }
    }

    async fn response(&mut self, id: &str) -> Result<KeptAlive, Error> {
        match self.responses.message().await {
            Ok(Some(response)) if response.lapsed => Ok(KeptAlive::Lapsed),
            Ok(Some(response)) => Ok(KeptAlive::Alive { ttl: ttl_of(response.ttl) }),
            Ok(None) => Err(closed()),
            Err(status) => Err(error_of("KeepAlive", id, status)),
        }
    }
}

/// Ends when `stream` is broken; without a stream, never.
pub(crate) async fn broken(stream: Option<&mut KeepAlive>) {
    match stream {
        Some(stream) => stream.broken().await,
        None => future::pending().await,
    }
}

async fn send(
    requests: &mpsc::Sender<v1::KeepAliveRequest>,
    id: &str,
    incarnation: u64,
    state: Option<State>,
) -> Result<(), Error> {
    let mut request = v1::KeepAliveRequest { instance_id: id.to_owned(), incarnation, ..Default::default() };
    if let Some(state) = state {
        request.set_state(state);
    }
    requests.send(request).await.map_err(|_| closed())
}

fn closed() -> Error {
    Error::Unavailable { reason: "KeepAlive: the stream is closed".into(), source: None }
}

fn ttl_of(ttl: Option<prost_types::Duration>) -> Duration {
    clamp_ttl(ttl.and_then(|ttl| ttl.try_into().ok()).unwrap_or_default())
}

/// What a status means to the caller of the registry: what will pass, and what won't.
fn error_of(call: &str, id: &str, status: Status) -> Error {
    match status.code() {
        Code::AlreadyExists => Error::IdTaken { id: id.to_owned() },
        Code::InvalidArgument
        | Code::NotFound
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unauthenticated => Error::Refused(Box::new(status::from_status(&status))),
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => Error::unavailable(format!("{call}: {}", status.message()), status),
    }
}
