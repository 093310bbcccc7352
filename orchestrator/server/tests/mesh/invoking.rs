//! Invoke and ExecutePlan: what runs, what is refused before it runs, and what is on the record.

use std::sync::atomic::Ordering;
use std::time::Duration;

use convoke_proto::v1::domain_output::Status as Answer;
use convoke_proto::v1::execute_plan_stream_response::Kind;
use convoke_proto::v1::execution_event::Kind as Event;
use convoke_proto::v1::plan_report::{Rule, Severity};
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{self, execution_plan::CombineMode};
use convoke_proto::{error, status};
use convoke_server::Config;
use prost_types::value::Kind as Json;
use tonic::Code;

use crate::agent::{Agent, Reflection};
use crate::mesh::{Mesh, SOON, field, object, step, text, tool_error};

async fn mesh_with_greeter() -> (Mesh, Agent) {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    (mesh, agent)
}

#[tokio::test]
async fn a_call_is_mended_made_and_recorded() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let response = mesh.invoke("greet", object([("name", text("Ada")), ("times", text("3"))])).await.unwrap();
    assert!(response.execution_id.starts_with("orchestrator-"), "{}", response.execution_id);
    let output = response.output.unwrap();
    assert_eq!(output.status(), Answer::Success);
    assert_eq!(field(output.result.as_ref(), "text"), Some(&text("hello Ada")));
    assert_eq!(field(output.result.as_ref(), "times"), Some(&Json::NumberValue(3.0)));
    let step = response.step.unwrap();
    assert_eq!((step.domain.as_str(), step.capability.as_str()), ("greeter", "greet"));
    let entries = step.coercion.unwrap().entries;
    assert_eq!(entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["times"]);
    assert_eq!(step.attempts.len(), 1);
}

#[tokio::test]
async fn a_bad_parameter_is_an_answer_and_no_call() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let response =
        mesh.invoke("greet", object([("name", text("Ada")), ("times", text("lots"))])).await.unwrap();
    let output = response.output.unwrap();
    assert_eq!(output.status(), Answer::Failure);
    let error = output.error.unwrap();
    assert_eq!((error.category(), error.code.as_str()), (Category::InputError, error::PARAMETERS_INVALID));
    assert_eq!(error.field_violations[0].path, "times");
    assert!(response.step.unwrap().attempts.is_empty());
    assert_eq!(agent.seen.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn code_in_a_parameter_is_text() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let response = mesh.invoke("greet", object([("name", text("${1.result.text}"))])).await.unwrap();
    let output = response.output.unwrap();
    assert_eq!(field(output.result.as_ref(), "text"), Some(&text("hello ${1.result.text}")));
}

#[tokio::test]
async fn an_unknown_capability_is_a_status_with_the_nearest_names() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let refused = mesh.invoke("gret", object([])).await.unwrap_err();
    let error = tool_error(&refused);
    assert_eq!((refused.code(), error.code.as_str()), (Code::NotFound, error::CAPABILITY_NOT_FOUND));
    assert!(error.details["candidates"].contains("greeter.greet"), "{error:?}");
    assert_eq!(error.outcome(), Outcome::NotStarted);
}

#[tokio::test]
async fn what_an_agent_answers_comes_through() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let output = mesh.invoke("greet", object([("name", text("nobody"))])).await.unwrap().output.unwrap();
    let error = output.error.unwrap();
    assert_eq!((error.code.as_str(), error.category()), ("PERSON_NOT_FOUND", Category::NotFound));
    assert_eq!(error.details["candidates"], r#"["Ada","Bob"]"#);

    let output = mesh.invoke("greet", object([("name", text("someone"))])).await.unwrap().output.unwrap();
    assert_eq!(output.status(), Answer::Clarification);
    assert_eq!(output.clarification.unwrap().candidates[0].label, "Ada");
}

#[tokio::test]
async fn an_agent_that_is_gone_fails_a_call_within_a_second() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    agent.kill().await;
    let call = mesh.invoke("greet", object([("name", text("Ada"))]));
    let response = tokio::time::timeout(Duration::from_secs(1), call).await.unwrap().unwrap();
    let error = response.output.unwrap().error.unwrap();
    assert_eq!(error.code, error::AGENT_UNAVAILABLE);
    assert_eq!((error.category(), error.outcome()), (Category::ServiceError, Outcome::NotStarted));
}

#[tokio::test]
async fn a_call_that_takes_too_long_says_so() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let request = v1::InvokeRequest {
        capability: "doze".to_owned(),
        timeout: Some(prost_types::Duration { seconds: 0, nanos: 50_000_000 }),
        ..Default::default()
    };
    let response = mesh.orchestrator.invoke(request).await.unwrap().into_inner();
    assert_eq!(response.output.unwrap().error.unwrap().code, error::REQUEST_TIMEOUT);
    tokio::time::timeout(SOON, agent.seen.dropped.notified()).await.unwrap();
}

#[tokio::test]
async fn a_deadline_of_grpc_comes_back_with_what_happened() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let mut request =
        tonic::Request::new(v1::InvokeRequest { capability: "doze".to_owned(), ..Default::default() });
    request.set_timeout(Duration::from_millis(1500));
    let response = mesh.orchestrator.invoke(request).await.unwrap().into_inner();
    assert_eq!(response.output.unwrap().error.unwrap().code, error::REQUEST_TIMEOUT);
}

#[tokio::test]
async fn a_caller_that_hangs_up_cancels_its_execution() {
    let (mesh, agent) = mesh_with_greeter().await;
    let mut caller = mesh.orchestrator.clone();
    let request = v1::InvokeRequest { capability: "doze".to_owned(), ..Default::default() };
    let call = tokio::spawn(async move { caller.invoke(request).await });
    tokio::time::timeout(SOON, agent.seen.dozing.notified()).await.unwrap();
    call.abort();
    tokio::time::timeout(SOON, agent.seen.dropped.notified()).await.unwrap();
}

#[tokio::test]
async fn what_is_not_served_is_refused_by_name() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let plain = v1::InvokeRequest { capability: "greet".to_owned(), ..Default::default() };
    for (request, named) in [
        (v1::InvokeRequest { idempotency_key: "k".to_owned(), ..plain.clone() }, "idempotency_key"),
        (v1::InvokeRequest { metadata: Some(object([("a", text("b"))])), ..plain.clone() }, "metadata"),
    ] {
        let refused = mesh.orchestrator.invoke(request).await.unwrap_err();
        let error = tool_error(&refused);
        assert_eq!((refused.code(), error.code.as_str()), (Code::Unimplemented, error::NOT_SERVED));
        assert!(error.message.contains(named), "{error:?}");
    }
}

fn chained(reference: &str) -> v1::ExecutionPlan {
    v1::ExecutionPlan {
        combine_mode: CombineMode::Report.into(),
        steps: vec![
            step("1", "greet", object([("name", text("Ada"))])),
            step("2", "greeter.greet", object([("name", text(reference))])),
        ],
        ..Default::default()
    }
}

#[tokio::test]
async fn a_plan_runs_with_what_its_steps_answered() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let request = v1::ExecutePlanRequest { plan: Some(chained("${1.result.text}")), ..Default::default() };
    let response = mesh.orchestrator.execute_plan(request).await.unwrap().into_inner();
    assert_eq!(response.output.unwrap().status(), Answer::Success);
    let last = response.steps[1].output.as_ref().unwrap();
    assert_eq!(field(last.result.as_ref(), "text"), Some(&text("hello hello Ada")));
    let bound = response.plan.unwrap();
    assert!(bound.steps.iter().all(|step| step.contract_digest.starts_with("sha256:")), "{bound:?}");
}

#[tokio::test]
async fn a_plan_that_does_not_verify_costs_no_call_and_says_the_same_everywhere() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let plan = chained("${1.result.txt}");
    let verified = mesh
        .orchestrator
        .verify(v1::VerifyRequest { plan: Some(plan.clone()) })
        .await
        .unwrap()
        .into_inner()
        .plan_report
        .unwrap();
    let finding = &verified.findings[0];
    assert_eq!((finding.severity(), finding.rule()), (Severity::Error, Rule::UnknownField));
    assert_eq!((finding.step_id.as_str(), finding.path.as_str()), ("2", "steps[1].params.name"));

    let request = v1::ExecutePlanRequest { plan: Some(plan), ..Default::default() };
    let refused = mesh.orchestrator.execute_plan(request.clone()).await.unwrap_err();
    assert_eq!(
        (refused.code(), tool_error(&refused).code.as_str()),
        (Code::InvalidArgument, error::PLAN_INVALID)
    );
    assert_eq!(status::details(&refused).plan_report.unwrap(), verified);
    let request = v1::ExecutePlanStreamRequest { execute: Some(request) };
    assert_eq!(
        mesh.orchestrator.execute_plan_stream(request).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    assert_eq!(agent.seen.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stream_tells_each_step_and_then_the_response() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let execute = v1::ExecutePlanRequest { plan: Some(chained("${1.result.text}")), ..Default::default() };
    let request = v1::ExecutePlanStreamRequest { execute: Some(execute) };
    let mut stream = mesh.orchestrator.execute_plan_stream(request).await.unwrap().into_inner();
    let (mut told, mut sequences) = (Vec::new(), Vec::new());
    while let Some(message) = stream.message().await.unwrap() {
        told.push(match message.kind.unwrap() {
            Kind::Event(event) => {
                sequences.push(event.sequence);
                match event.kind.unwrap() {
                    Event::Started(_) => "started".to_owned(),
                    Event::StepStarted(step) => format!("step {}", step.step_id),
                    Event::StepEnded(ended) => format!("ended {}", ended.step.unwrap().step_id),
                    Event::Ended(_) => "ended".to_owned(),
                    Event::Progress(_) => "progress".to_owned(),
                }
            }
            Kind::Response(response) => format!("response with {} steps", response.steps.len()),
        });
    }
    assert_eq!(told, ["started", "step 1", "ended 1", "step 2", "ended 2", "ended", "response with 2 steps"]);
    assert_eq!(sequences, [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn a_reader_that_hangs_up_cancels_its_execution() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let plan = v1::ExecutionPlan { steps: vec![step("1", "doze", object([]))], ..Default::default() };
    let execute = v1::ExecutePlanRequest { plan: Some(plan), ..Default::default() };
    let request = v1::ExecutePlanStreamRequest { execute: Some(execute) };
    let mut stream = mesh.orchestrator.execute_plan_stream(request).await.unwrap().into_inner();
    stream.message().await.unwrap();
    tokio::time::timeout(SOON, agent.seen.dozing.notified()).await.unwrap();
    drop(stream);
    tokio::time::timeout(SOON, agent.seen.dropped.notified()).await.unwrap();
}

#[tokio::test]
async fn a_plan_of_too_many_steps_is_refused() {
    let limits = convoke_server::Limits { steps: 1, ..Default::default() };
    let mut mesh = Mesh::start_with(Config { limits, ..Config::default() }).await;
    let agent = Agent::start(Reflection::V1).await;
    mesh.register(&agent).await;
    let request = v1::VerifyRequest { plan: Some(chained("${1.result.text}")) };
    let report = mesh.orchestrator.verify(request).await.unwrap().into_inner().plan_report.unwrap();
    assert_eq!(report.findings[0].rule(), Rule::LimitExceeded);
}
