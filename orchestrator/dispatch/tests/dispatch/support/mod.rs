//! Agents on real sockets, and the mesh that knows them.

#![allow(dead_code, reason = "each suite uses a part of it")]

pub(crate) mod agent;
pub(crate) mod raw;

use std::sync::Arc;
use std::time::{Duration, Instant};

use convoke_catalog::{Change, Index, Live};
use convoke_dispatch::{Config, Dispatch, stack};
use convoke_plan::{CallContext, Ledger, StepCall, StepResult};
use convoke_proto::descriptors::Descriptors;
use convoke_proto::v1;
use convoke_schema::Value;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tower::ServiceExt;

pub(crate) const PROTO: &str = r#"
syntax = "proto3";
package lab.v1;
import "convoke/v1/annotations.proto";
service Lab {
  option (convoke.v1.domain) = {name: "lab", version: "1.0.0"};
  rpc Read(Sample) returns (Finding) { option (convoke.v1.capability) = {effects: READ_ONLY}; }
  rpc Send(Sample) returns (Finding) { option (convoke.v1.capability) = {effects: NON_IDEMPOTENT}; }
}
message Sample {
  double amount = 1 [(convoke.v1.field) = {required: true}];
  string note = 2;
}
message Finding {
  double total = 1 [(convoke.v1.field) = {minimum: "0"}];
  string words = 2 [(convoke.v1.field) = {role: EXPLANATION}];
  optional double certainty = 3 [(convoke.v1.field) = {role: CONFIDENCE}];
  Origin origin = 4 [(convoke.v1.field) = {role: METADATA}];
}
message Origin { string source = 1; }
"#;

/// The request, as an agent's own generated code has it.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Sample {
    #[prost(double, tag = "1")]
    pub(crate) amount: f64,
    #[prost(string, tag = "2")]
    pub(crate) note: String,
}

/// The response.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Finding {
    #[prost(double, tag = "1")]
    pub(crate) total: f64,
    #[prost(string, tag = "2")]
    pub(crate) words: String,
    #[prost(double, optional, tag = "3")]
    pub(crate) certainty: Option<f64>,
    #[prost(message, optional, tag = "4")]
    pub(crate) origin: Option<Origin>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Origin {
    #[prost(string, tag = "1")]
    pub(crate) source: String,
}

struct Sources;

impl FileResolver for Sources {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let ours = || convoke_proto::SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let text = if name == "lab.proto" { Some(PROTO) } else { ours() };
        File::from_source(name, text.ok_or_else(|| protox::Error::file_not_found(name))?)
    }
}

/// A mesh of lab agents, by id and endpoint.
pub(crate) struct Mesh {
    index: Index,
    pub(crate) live: Live,
    pub(crate) dispatch: Dispatch,
}

impl Mesh {
    pub(crate) fn new<'a>(instances: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::with(instances, Config::default())
    }

    pub(crate) fn with<'a>(instances: impl IntoIterator<Item = (&'a str, &'a str)>, config: Config) -> Self {
        let mut resolver = ChainFileResolver::new();
        resolver.add(Sources);
        resolver.add(GoogleFileResolver::new());
        let mut compiler = protox::Compiler::with_file_resolver(resolver);
        compiler.include_imports(true).include_source_info(true);
        compiler.open_file("lab.proto").unwrap();
        let descriptors = Descriptors::read(&compiler.encode_file_descriptor_set()).unwrap();
        let manifest = convoke_proto::manifest::read(&descriptors).unwrap();
        let mut index = Index::new();
        let bytes = descriptors.bytes().clone();
        index.apply(Change::Manifest { digest: "m".into(), manifest, descriptors: bytes }).unwrap();
        let live = Live::new(index.snapshot());
        let mut mesh = Self { index, dispatch: stack(live.clone(), config), live };
        for (id, endpoint) in instances {
            mesh.put(id, endpoint, v1::instance::State::Serving);
        }
        mesh
    }

    pub(crate) fn put(&mut self, id: &str, endpoint: &str, state: v1::instance::State) {
        self.apply(v1::Instance { state: state.into(), ..instance(id, endpoint) });
    }

    pub(crate) fn put_in_zone(&mut self, id: &str, endpoint: &str, zone: &str) {
        self.apply(v1::Instance { zone: zone.into(), ..instance(id, endpoint) });
    }

    fn apply(&mut self, instance: v1::Instance) {
        self.index.apply(Change::Put(instance)).unwrap();
        self.live.store(self.index.snapshot());
    }

    pub(crate) fn remove(&mut self, id: &str) {
        self.index.apply(Change::Removed { id: id.into(), incarnation: None }).unwrap();
        self.live.store(self.index.snapshot());
    }

    /// A call as the engine makes it.
    pub(crate) fn step(&self, capability: &str, parameters: &str) -> StepCall {
        StepCall {
            execution_id: "o.01".into(),
            step_id: "1".into(),
            capability: Arc::clone(self.live.load().resolve("lab", capability, "").unwrap()),
            parameters: Value::parse(parameters.as_bytes()).unwrap(),
            deadline: Some(Instant::now() + Duration::from_secs(20)),
            context: Arc::new(CallContext::default()),
            ledger: Ledger::default(),
        }
    }

    pub(crate) async fn run(&self, step: StepCall) -> StepResult {
        match self.dispatch.clone().oneshot(step).await {
            Ok(result) => result,
            Err(never) => match never {},
        }
    }

    pub(crate) async fn call(&self, capability: &str, parameters: &str) -> StepResult {
        self.run(self.step(capability, parameters)).await
    }
}

fn instance(id: &str, endpoint: &str) -> v1::Instance {
    v1::Instance {
        id: id.into(),
        incarnation: 1,
        domain: "lab".into(),
        endpoint: endpoint.into(),
        manifest_digest: "m".into(),
        state: v1::instance::State::Serving.into(),
        ..Default::default()
    }
}

/// A failed step's error.
pub(crate) fn error(result: &StepResult) -> v1::ToolError {
    result.record.output.clone().unwrap().error.expect("the step failed")
}

/// The attempts, e.g. `"a UNAVAILABLE NOT_STARTED, b OK APPLIED"`.
pub(crate) fn attempts(result: &StepResult) -> String {
    let attempts = result.record.attempts.iter();
    let told: Vec<_> = attempts
        .map(|attempt| format!("{} {} {}", attempt.instance, attempt.code, attempt.outcome().as_str_name()))
        .collect();
    told.join(", ")
}
