//! The `Registry` service: agents without a client of the registry's backend come in here.
//!
//! ```text
//! Register ─► policy ─► descriptors (given, or by reflection) ─► manifest (given, or off the annotations), checked
//!          ─► Registry port (memory, etcd) ─► in the local catalog ─► answer
//! ```
//!
//! It writes through to the backend, whichever it is, and keeps nothing itself. [`register`] reads what an agent says,
//! [`lease`] keeps it alive and ends it, [`list`] shows what is there and what changes.

mod lease;
mod list;
mod register;

use std::sync::Arc;
use std::time::Duration;

use convoke_discovery as discovery;
use convoke_proto::status;
use convoke_proto::v1;
use convoke_proto::v1::registry_server::Registry;
use futures::stream::BoxStream;
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status, Streaming};

use super::refuse;
use crate::config::AgentEndpoints;
use crate::sync::Roster;

/// How many endpoints are read at a time; others wait for their turn.
const READ_AT_ONCE: usize = 16;
/// How long the backend may take.
const BACKEND_TIME: Duration = Duration::from_secs(10);
/// How long an answer waits until the local catalog shows what was written.
const SEEN_TIME: Duration = Duration::from_secs(2);

/// What the doors of this service share.
pub(crate) struct Doors {
    registry: Arc<dyn discovery::Registry>,
    roster: Arc<Roster>,
    policy: AgentEndpoints,
    reading: Semaphore,
}

// === impl Doors ===

impl Doors {
    pub(crate) fn new(
        registry: Arc<dyn discovery::Registry>,
        roster: Arc<Roster>,
        policy: AgentEndpoints,
    ) -> Self {
        Self { registry, roster, policy, reading: Semaphore::new(READ_AT_ONCE) }
    }
}

#[tonic::async_trait]
impl Registry for Doors {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        register::register(self, request.into_inner()).await.map(Response::new)
    }

    type KeepAliveStream = BoxStream<'static, Result<v1::KeepAliveResponse, Status>>;

    async fn keep_alive(
        &self,
        request: Request<Streaming<v1::KeepAliveRequest>>,
    ) -> Result<Response<Self::KeepAliveStream>, Status> {
        Ok(Response::new(lease::keep_alive(Arc::clone(&self.registry), request.into_inner())))
    }

    async fn deregister(
        &self,
        request: Request<v1::DeregisterRequest>,
    ) -> Result<Response<v1::DeregisterResponse>, Status> {
        lease::deregister(self, request.into_inner()).await.map(Response::new)
    }

    async fn list_instances(
        &self,
        request: Request<v1::ListInstancesRequest>,
    ) -> Result<Response<v1::ListInstancesResponse>, Status> {
        list::instances(self, &request.into_inner()).map(Response::new)
    }

    type WatchInstancesStream = BoxStream<'static, Result<v1::WatchInstancesResponse, Status>>;

    async fn watch_instances(
        &self,
        request: Request<v1::WatchInstancesRequest>,
    ) -> Result<Response<Self::WatchInstancesStream>, Status> {
        Ok(Response::new(list::watch(self, request.into_inner())))
    }
}

/// What the backend said no with, as the caller sees it. The backend's own words stay in the log.
fn refused(error: &discovery::Error) -> Status {
    let told = error.to_tool_error();
    match error {
        discovery::Error::Unavailable { reason, source } => {
            let source = source.as_deref().map(tracing::field::display);
            tracing::warn!(reason, source, "the registry is unavailable");
            // It may have been written all the same.
            status::to_status(&told)
        }
        discovery::Error::Invalid { .. }
        | discovery::Error::IdTaken { .. }
        | discovery::Error::Refused(_) => refuse::refusal(told),
    }
}

/// Gives the backend its time, and no more.
async fn in_time<T>(
    what: &'static str,
    asked: impl Future<Output = Result<T, discovery::Error>>,
) -> Result<T, Status> {
    match tokio::time::timeout(BACKEND_TIME, asked).await {
        Ok(answer) => answer.map_err(|error| refused(&error)),
        Err(_) => {
            tracing::warn!(what, "the registry did not answer in time");
            Err(refuse::unavailable("the registry did not answer in time"))
        }
    }
}
