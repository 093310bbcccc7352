//! Plans over a domain that exists for these tests alone, and a service that plays its agent by script.

#![allow(dead_code, reason = "each suite uses a part of it")]

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use convoke_catalog::{Catalog, Change, Index};
use convoke_execution::{Engine, Limits, Permits, Run};
use convoke_plan::{CallContext, CheckedPlan, StepCall, StepOutput, StepResult};
use convoke_proto::descriptors::Descriptors;
use convoke_proto::v1;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::tool_error::Category;
use convoke_schema::Value;
use futures::future::BoxFuture;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::Service;

const PROTO: &str = r#"
syntax = "proto3";
package lab.v1;
import "convoke/v1/annotations.proto";
service Lab {
  option (convoke.v1.domain) = {name: "lab", version: "1.0.0"};
  rpc Read(Sample) returns (Finding) { option (convoke.v1.capability) = {effects: READ_ONLY}; }
  rpc Set(Sample) returns (Finding) { option (convoke.v1.capability) = {effects: IDEMPOTENT}; }
  rpc Send(Sample) returns (Finding) { option (convoke.v1.capability) = {effects: NON_IDEMPOTENT}; }
}
message Sample { string text = 1; double number = 2; }
message Finding { string text = 1; double number = 2; repeated string items = 3; }
"#;

struct Sources;

impl FileResolver for Sources {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let ours = || convoke_proto::SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let text = if name == "lab.proto" { Some(PROTO) } else { ours() };
        File::from_source(name, text.ok_or_else(|| protox::Error::file_not_found(name))?)
    }
}

/// The mesh that has the lab alone.
pub(crate) fn catalog() -> Arc<Catalog> {
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
    let instance = v1::Instance {
        id: "lab-1".into(),
        incarnation: 1,
        domain: "lab".into(),
        endpoint: "http://127.0.0.1:1".into(),
        manifest_digest: "m".into(),
        state: v1::instance::State::Serving.into(),
        ..Default::default()
    };
    index.apply(Change::Put(instance)).unwrap();
    index.snapshot()
}

/// A plan in JSON, checked.
pub(crate) fn plan(json: &str) -> CheckedPlan {
    let plan = convoke_plan::parse(json.as_bytes()).unwrap();
    let (report, checked) = convoke_plan::check(plan, &catalog(), &convoke_plan::Limits::default());
    checked.unwrap_or_else(|| panic!("{report:?}"))
}

/// How a step ends, and after how long.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) takes: Duration,
    pub(crate) ends: Ends,
}

#[derive(Debug, Clone)]
pub(crate) enum Ends {
    /// With this text in its result, and this confidence.
    Well(&'static str, f64),
    /// With an INPUT_ERROR of this code.
    Badly(&'static str),
    /// With a question.
    Asking(&'static str),
}

/// Ends well after so many milliseconds.
pub(crate) fn after(millis: u64) -> Script {
    Script { takes: Duration::from_millis(millis), ends: Ends::Well("done", 1.0) }
}

impl Script {
    pub(crate) fn ends(mut self, ends: Ends) -> Self {
        self.ends = ends;
        self
    }
}

/// Plays steps by script, and notes when each call began, ended or was reset.
#[derive(Clone)]
pub(crate) struct Lab {
    scripts: Arc<HashMap<&'static str, Script>>,
    started: Instant,
    log: Arc<Mutex<Vec<String>>>,
    parameters: Arc<Mutex<BTreeMap<String, Value>>>,
}

impl Lab {
    pub(crate) fn new(scripts: impl IntoIterator<Item = (&'static str, Script)>) -> Self {
        let scripts = Arc::new(scripts.into_iter().collect());
        Self { scripts, started: Instant::now(), log: Arc::default(), parameters: Arc::default() }
    }

    /// What happened, e.g. `"1000 end a"`, in order.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// What a step was called with.
    pub(crate) fn parameters(&self, step: &str) -> Option<Value> {
        self.parameters.lock().unwrap().get(step).cloned()
    }

    fn note(&self, what: &str, step: &str) {
        let at = self.started.elapsed().as_millis();
        self.log.lock().unwrap().push(format!("{at} {what} {step}"));
    }
}

/// Notes a call that was dropped before it ended.
struct Reset {
    lab: Lab,
    step: String,
    ended: bool,
}

impl Drop for Reset {
    fn drop(&mut self) {
        self.lab.note(if self.ended { "end" } else { "reset" }, &self.step);
    }
}

impl Service<StepCall> for Lab {
    type Response = StepResult;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<StepResult, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: StepCall) -> Self::Future {
        let step = call.step_id.to_string();
        self.note("begin", &step);
        let script = self.scripts.get(step.as_str()).cloned().unwrap_or_else(|| after(0));
        self.parameters.lock().unwrap().insert(step.clone(), call.parameters);
        let mut reset = Reset { lab: self.clone(), step, ended: false };
        let ledger = call.ledger;
        Box::pin(async move {
            ledger.coerced(v1::CoercionReport::default());
            ledger.begin("lab-1", Duration::ZERO, Instant::now().into_std());
            ledger.sent();
            tokio::time::sleep(script.takes).await;
            reset.ended = true;
            Ok(result(&reset.step, &script.ends))
        })
    }
}

fn result(step: &str, ends: &Ends) -> StepResult {
    let told = match ends {
        Ends::Well(text, confidence) => v1::DomainOutput {
            status: Status::Success.into(),
            result: Some(finding(text).to_struct()),
            explanation: format!("{step} says {text}"),
            confidence: *confidence,
            ..Default::default()
        },
        Ends::Badly(code) => v1::DomainOutput {
            status: Status::Failure.into(),
            error: Some(convoke_proto::error::tool_error(
                code,
                Category::InputError,
                format!("{step} failed"),
            )),
            ..Default::default()
        },
        Ends::Asking(question) => v1::DomainOutput {
            status: Status::Clarification.into(),
            clarification: Some(v1::Clarification { question: (*question).into(), ..Default::default() }),
            ..Default::default()
        },
    };
    let output = StepOutput {
        status: told.status(),
        result: match ends {
            Ends::Well(text, _) => Some(finding(text)),
            Ends::Badly(_) | Ends::Asking(_) => None,
        },
        explanation: told.explanation.clone(),
        confidence: told.confidence,
        metadata: Value::parse(b"{}").unwrap(),
    };
    let record = v1::StepRecord { step_id: step.into(), output: Some(told), ..Default::default() };
    StepResult { record, output }
}

fn finding(text: &str) -> Value {
    Value::parse(format!(r#"{{"text":"{text}","number":0,"items":[]}}"#).as_bytes()).unwrap()
}

/// A run of the caller "e", without a deadline.
pub(crate) fn run() -> Run {
    Run {
        execution_id: "o.e".into(),
        context: Arc::new(CallContext::default()),
        deadline: None,
        cancel: CancellationToken::new(),
        intent: None,
        plan_report: None,
    }
}

pub(crate) fn engine(lab: &Lab) -> Engine<Lab> {
    Engine::new(lab.clone(), Permits::default(), Limits::default())
}

/// Runs a plan to its end.
pub(crate) async fn finish(lab: &Lab, json: &str) -> convoke_execution::Finished {
    convoke_execution::collect(engine(lab).run(plan(json), run())).await
}

/// The states of the steps, e.g. `"a SUCCEEDED, b SKIPPED"`.
pub(crate) fn states(steps: &[v1::StepRecord]) -> String {
    let of = |step: &v1::StepRecord| format!("{} {}", step.step_id, step.state().as_str_name());
    steps.iter().map(of).collect::<Vec<_>>().join(", ")
}
