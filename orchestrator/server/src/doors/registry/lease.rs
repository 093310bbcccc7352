//! KeepAlive and Deregister: a lease goes on, or ends.

use std::sync::Arc;
use std::time::Duration;

use convoke_discovery::{KeptAlive, MAX_TTL, Registry};
use convoke_proto::names;
use convoke_proto::v1;
use convoke_proto::v1::instance::State;
use convoke_proto::v1::violation::Rule;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use tonic::{Status, Streaming};

use super::{Doors, SEEN_TIME, in_time};
use crate::doors::refuse;

/// A stream on which nothing comes for this long keeps no lease alive.
const IDLE: Duration = Duration::from_secs(2 * MAX_TTL.as_secs());

/// Renews a lease with each message, and answers each. A lease that is not there is an answer, not an error.
pub(super) fn keep_alive(
    registry: Arc<dyn Registry>,
    requests: Streaming<v1::KeepAliveRequest>,
) -> BoxStream<'static, Result<v1::KeepAliveResponse, Status>> {
    stream::unfold(Some((registry, requests)), async |open| {
        let (registry, mut requests) = open?;
        let request = match tokio::time::timeout(IDLE, requests.message()).await {
            Ok(Ok(Some(request))) => request,
            // It hung up, broke, or says nothing: the lease ends by itself.
            Ok(Ok(None)) | Err(_) => return None,
            Ok(Err(status)) => return Some((Err(status), None)),
        };
        match renew(&*registry, request).await {
            Ok(response) => Some((Ok(response), Some((registry, requests)))),
            Err(status) => Some((Err(status), None)),
        }
    })
    .boxed()
}

async fn renew(
    registry: &dyn Registry,
    request: v1::KeepAliveRequest,
) -> Result<v1::KeepAliveResponse, Status> {
    let v1::KeepAliveRequest { instance_id, incarnation, state } = request;
    let state = match State::try_from(state) {
        Ok(State::Unspecified) => None,
        Ok(state @ (State::Serving | State::Draining)) => Some(state),
        Err(_) => {
            return Err(refuse::field(
                "state",
                Rule::UnknownEnumValue,
                "SERVING or DRAINING",
                i64::from(state),
            ));
        }
    };
    // No lease has such an id; the backend need not be asked.
    if !names::valid_instance(&instance_id) {
        return Ok(lapsed());
    }
    match in_time("keep_alive", registry.keep_alive(&instance_id, incarnation, state)).await? {
        KeptAlive::Alive { ttl } => Ok(v1::KeepAliveResponse { lapsed: false, ttl: ttl.try_into().ok() }),
        KeptAlive::Lapsed => {
            tracing::info!(id = instance_id, incarnation, "keep-alive for a lease that is not there");
            Ok(lapsed())
        }
    }
}

fn lapsed() -> v1::KeepAliveResponse {
    v1::KeepAliveResponse { lapsed: true, ttl: None }
}

/// Ends a lease; it is out of the catalog when this returns. What is not there has ended already.
pub(super) async fn deregister(
    doors: &Doors,
    request: v1::DeregisterRequest,
) -> Result<v1::DeregisterResponse, Status> {
    let v1::DeregisterRequest { instance_id, incarnation } = request;
    if instance_id.is_empty() {
        return Err(refuse::missing("instance_id", "the id that Register gave"));
    }
    if !names::valid_instance(&instance_id) {
        return Ok(v1::DeregisterResponse {});
    }
    in_time("deregister", doors.registry.deregister(&instance_id, incarnation)).await?;
    tracing::info!(id = instance_id, incarnation, "agent deregistered");
    let gone = doors.roster.has_not(&instance_id, incarnation);
    if tokio::time::timeout(SEEN_TIME, gone).await.is_err() {
        tracing::warn!(id = instance_id, "deregistered, and still in the local catalog");
    }
    Ok(v1::DeregisterResponse {})
}
