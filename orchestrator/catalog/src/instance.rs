//! One running copy of a domain agent, as the registry and its health describe it.

use std::collections::BTreeMap;

use convoke_proto::v1;
use convoke_proto::v1::instance::State;

/// The weight of an instance that names none.
const DEFAULT_WEIGHT: u32 = 100;

/// An instance at the moment of the snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Unique in the mesh.
    pub id: String,
    /// Greater after each start of the agent.
    pub incarnation: u64,
    /// The domain that it belongs to.
    pub domain: String,
    /// The version of the domain that it runs.
    pub version: String,
    /// `http(s)://host:port`; never shown to callers.
    pub endpoint: String,
    /// SERVING or DRAINING.
    pub state: State,
    /// Where it runs; empty where unknown.
    pub zone: String,
    /// Its share of calls, against the others of its pool; at least 1.
    pub weight: u32,
    /// The manifest that it offers, `sha256:{hex}` or plain hex as the registry wrote it.
    pub manifest_digest: String,
    /// What its health stream said last; true until it says otherwise.
    pub healthy: bool,
    /// Whatever else the agent registered.
    pub metadata: BTreeMap<String, String>,
    /// When it registered.
    pub registered: Option<prost_types::Timestamp>,
    /// Why it is never called; `None` for an instance in good order.
    pub quarantined: Option<String>,
}

impl Instance {
    /// Whether it may get a new call.
    pub fn callable(&self) -> bool {
        self.healthy && self.state == State::Serving && self.quarantined.is_none()
    }

    /// The record as the registry and `ListAgents` have it.
    pub fn to_proto(&self) -> v1::Instance {
        v1::Instance {
            id: self.id.clone(),
            incarnation: self.incarnation,
            domain: self.domain.clone(),
            version: self.version.clone(),
            endpoint: self.endpoint.clone(),
            manifest_digest: self.manifest_digest.clone(),
            state: self.state as i32,
            zone: self.zone.clone(),
            weight: self.weight,
            metadata: self.metadata.clone().into_iter().collect(),
            registered: self.registered,
        }
    }
}

impl From<v1::Instance> for Instance {
    /// An unspecified state serves: only an agent that drains has something to say.
    fn from(record: v1::Instance) -> Self {
        let state = match record.state() {
            State::Draining => State::Draining,
            State::Serving | State::Unspecified => State::Serving,
        };
        Self {
            state,
            id: record.id,
            incarnation: record.incarnation,
            domain: record.domain,
            version: record.version,
            endpoint: record.endpoint,
            zone: record.zone,
            weight: if record.weight == 0 { DEFAULT_WEIGHT } else { record.weight },
            manifest_digest: record.manifest_digest,
            healthy: true,
            metadata: record.metadata.into_iter().collect(),
            registered: record.registered,
            quarantined: None,
        }
    }
}
