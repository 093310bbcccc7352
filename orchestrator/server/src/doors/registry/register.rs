//! Register: an agent says where it is, and everything else is read off it.

use std::time::Duration;

use bytes::Bytes;
use convoke_discovery::{DEFAULT_TTL, Lease, MAX_TTL, MIN_TTL, Registration};
use convoke_proto::descriptors::Descriptors;
use convoke_proto::error;
use convoke_proto::v1::violation::Rule;
use convoke_proto::v1::{self, Manifest, Violation};
use tonic::Status;

use super::{Doors, SEEN_TIME, in_time};
use crate::doors::refuse;
use crate::endpoint::{Endpoint, EndpointError};
use crate::reflection::{self, ReadError};

/// Puts an instance into the registry; it is in the catalog when this returns.
pub(super) async fn register(
    doors: &Doors,
    asked: v1::RegisterRequest,
) -> Result<v1::RegisterResponse, Status> {
    let v1::RegisterRequest { endpoint, descriptors, manifest, instance_id, zone, weight, metadata, ttl } =
        asked;
    let endpoint = Endpoint::read(&endpoint, doors.policy).map_err(|error| not_dialled(&endpoint, &error))?;
    let descriptors = match descriptors.is_empty() {
        true => reflected(doors, &endpoint).await?,
        false => descriptors,
    };
    let (manifest, descriptors) = understood(manifest, descriptors).await?;
    let instance = v1::Instance {
        id: instance_id,
        endpoint: endpoint.as_str().to_owned(),
        zone,
        weight,
        metadata,
        ..v1::Instance::default()
    };
    let registration = Registration { instance, manifest, descriptors, ttl: asked_ttl(ttl) };
    let Lease { instance, ttl } = in_time("register", doors.registry.register(registration)).await?;
    tracing::info!(
        id = instance.id,
        domain = instance.domain,
        incarnation = instance.incarnation,
        "agent registered"
    );
    let seen = doors.roster.has(&instance.id, instance.incarnation);
    if tokio::time::timeout(SEEN_TIME, seen).await.is_err() {
        tracing::warn!(id = instance.id, "registered, and not in the local catalog yet");
    }
    Ok(v1::RegisterResponse { instance: Some(instance), ttl: ttl.try_into().ok() })
}

/// Asks the endpoint itself, when it is its turn.
async fn reflected(doors: &Doors, endpoint: &Endpoint) -> Result<Bytes, Status> {
    let Ok(Ok(_turn)) = tokio::time::timeout(SEEN_TIME, doors.reading.acquire()).await else {
        return Err(refuse::unavailable("too many endpoints are being read"));
    };
    reflection::read(endpoint).await.map_err(|error| match error {
        ReadError::Unavailable(reason) => {
            let message = format!("{} cannot be read: {reason}", endpoint.as_str());
            refuse::refusal(error::own(error::AGENT_UNAVAILABLE, message))
        }
        ReadError::NotServed => refuse::manifest(vec![Violation {
            path: "endpoint".to_owned(),
            rule: Rule::Constraint.into(),
            expected:
                "a server with reflection (grpc.reflection.v1 or v1alpha), or `descriptors` in the request"
                    .to_owned(),
            got: "reflection is not served there".to_owned(),
            suggestion: String::new(),
        }]),
        ReadError::Unusable(violation) => refuse::manifest(vec![*violation]),
    })
}

/// Reads descriptors and manifest, as the catalog will; off the runtime's threads, because both come from outside and
/// may be large.
async fn understood(given: Option<Manifest>, descriptors: Bytes) -> Result<(Manifest, Bytes), Status> {
    let understanding = tokio::task::spawn_blocking(move || understand(given, &descriptors)).await;
    match understanding {
        Ok(understood) => understood.map_err(refuse::manifest),
        Err(defect) => {
            tracing::error!(%defect, "a registration broke the compiler of schemas");
            Err(refuse::manifest(vec![refuse::violation(
                "descriptors",
                Rule::Constraint,
                "descriptors that this version can compile",
                "",
            )]))
        }
    }
}

fn understand(given: Option<Manifest>, descriptors: &[u8]) -> Result<(Manifest, Bytes), Vec<Violation>> {
    let (manifest, descriptors) = match given {
        Some(manifest) => {
            let descriptors = Descriptors::read_for(descriptors, &manifest)?;
            (convoke_proto::manifest::adopt(manifest, &descriptors)?, descriptors)
        }
        None => {
            let descriptors = Descriptors::read(descriptors)?;
            (convoke_proto::manifest::read(&descriptors)?, descriptors)
        }
    };
    convoke_catalog::admit(manifest.clone(), &descriptors)?;
    Ok((manifest, descriptors.bytes().clone()))
}

/// What was asked for, brought into bounds. Out of bounds is no mistake.
fn asked_ttl(ttl: Option<prost_types::Duration>) -> Duration {
    match ttl {
        None => DEFAULT_TTL,
        Some(ttl) if ttl.seconds < 0 => MIN_TTL,
        Some(ttl) => Duration::try_from(ttl).map_or(MIN_TTL, |ttl| ttl.clamp(MIN_TTL, MAX_TTL)),
    }
}

fn not_dialled(text: &str, error: &EndpointError) -> Status {
    let rule = match error {
        EndpointError::Tls => return refuse::not_served("RegisterRequest", "endpoint with https"),
        EndpointError::Malformed(_) if text.is_empty() => Rule::Missing,
        EndpointError::Malformed(_) => Rule::BadFormat,
        EndpointError::NotLoopback => Rule::NotAllowed,
    };
    refuse::manifest(vec![refuse::violation("endpoint", rule, &error.to_string(), text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ttl_is_brought_into_bounds() {
        let asked = |seconds, nanos| asked_ttl(Some(prost_types::Duration { seconds, nanos })).as_millis();
        assert_eq!(asked_ttl(None), Duration::from_secs(10));
        assert_eq!(
            [asked(0, 0), asked(-5, 0), asked(0, 999_999_999), asked(2, 500_000_000), asked(i64::MAX, 0)],
            [1000, 1000, 1000, 2500, 60_000]
        );
    }
}
