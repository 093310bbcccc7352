//! A capability's contract, and the capability as it is offered now.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use convoke_proto::v1;
use convoke_schema::Schema;

use crate::Instance;

/// What a domain promises for one capability, compiled once when its manifest is admitted.
#[derive(Debug)]
pub struct Contract {
    /// The domain that offers it.
    pub domain: String,
    /// The version of the domain whose manifest this contract was read from: the highest one that offers it.
    pub version: String,
    /// The capability's name, unique in its domain and version.
    pub name: String,
    /// `sha256:{hex}` over input and output types, constraints, effects and binding; wording does not count.
    pub contract_digest: String,
    /// The method's path on the wire, `/package.Service/Method`.
    pub path: String,
    /// The request message.
    pub input: Schema,
    /// The response message.
    pub output: Schema,
    /// What a repeated call may do; never unspecified.
    pub effects: v1::capability::Effects,
    /// How long one attempt may take, where the manifest says so.
    pub attempt_timeout: Option<Duration>,
    /// Which fields of the output are copied into the answer's frame.
    pub roles: Roles,
    /// The manifest's own entry: description, hints, tags, examples.
    pub spec: v1::Capability,
}

/// The output's fields that also are explanation, confidence and metadata of the answer; proto names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// A field of text.
    pub explanation: Option<String>,
    /// A number between 0 and 1.
    pub confidence: Option<String>,
    /// A message or a map.
    pub metadata: Option<String>,
}

/// A contract and the instances that offer it now. It reads as its [`Contract`].
#[derive(Debug, Clone)]
pub struct Capability {
    /// The contract; shared by all snapshots that have it.
    pub contract: Arc<Contract>,
    /// Its pool, SERVING and DRAINING, ordered by id; capabilities of the same manifests share one allocation.
    pub instances: Arc<[Arc<Instance>]>,
}

impl Capability {
    /// The instances that may get a new call: serving and healthy.
    pub fn healthy(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.instances.iter().filter(|instance| instance.callable())
    }
}

impl Deref for Capability {
    type Target = Contract;

    fn deref(&self) -> &Contract {
        &self.contract
    }
}

/// What a person may want: a declared goal, or a capability that is its own goal.
#[derive(Debug)]
pub struct Goal {
    /// The domain that offers it; two domains may have goals of one name.
    pub domain: String,
    /// `TOP_MOVERS`, or the capability's name where it is its own goal.
    pub name: String,
    /// In words, for adapters and models; may be empty.
    pub description: String,
    /// What a sentence has to say: the message whose fields are the entities.
    pub entities: Schema,
    /// Keywords and example sentences, by language.
    pub hints: Vec<v1::IntentHints>,
    /// The capability of the same domain that reaches it.
    pub capability: String,
    /// Whether the manifest declares it; else it is a capability without a goal.
    pub declared: bool,
}
