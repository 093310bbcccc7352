//! Interpret, Plan, Ask and AskStream: a sentence and what becomes of it.

use std::sync::atomic::Ordering;

use convoke_proto::error;
use convoke_proto::v1;
use convoke_proto::v1::ask_stream_response::Kind;
use convoke_proto::v1::domain_output::Status as Answer;
use tonic::Code;

use crate::agent::{Agent, Reflection};
use crate::mesh::{Mesh, field, text, tool_error};

async fn mesh_with_greeter() -> (Mesh, Agent) {
    let mut mesh = Mesh::start().await;
    let agent = Agent::start(Reflection::V1Alpha).await;
    mesh.register(&agent).await;
    (mesh, agent)
}

#[tokio::test]
async fn a_sentence_is_answered_with_its_intent_its_plan_and_its_steps() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let response = mesh.ask("greet Grace").await.unwrap();
    let output = response.output.unwrap();
    assert_eq!(output.status(), Answer::Success, "{output:?}");
    assert_eq!(field(output.result.as_ref(), "text"), Some(&text("hello Grace")));
    let intent = response.intent.unwrap();
    assert_eq!((intent.primary_domain.as_str(), intent.goal.as_str()), ("greeter", "greet"));
    assert_eq!(response.plan.unwrap().steps[0].capability, "greet");
    assert_eq!(response.steps.len(), 1);
    assert!(response.plan_report.is_some());
}

#[tokio::test]
async fn a_sentence_that_fits_nothing_is_asked_back_and_nothing_is_called() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let response = mesh.ask("write me a poem about the sea").await.unwrap();
    let output = response.output.unwrap();
    assert_eq!(output.status(), Answer::Clarification, "{output:?}");
    assert!(!output.clarification.unwrap().candidates.is_empty());
    assert!(response.intent.is_some() && response.plan.is_none() && response.steps.is_empty());
    assert_eq!(agent.seen.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_sentence_that_leaves_out_what_is_needed_is_asked_back() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    for sentence in ["greet", "say hello"] {
        let response = mesh.ask(sentence).await.unwrap();
        let output = response.output.unwrap();
        assert_eq!(output.status(), Answer::Clarification, "{sentence}: {output:?}");
        assert!(response.plan.is_none() && response.steps.is_empty());
    }
    assert_eq!(agent.seen.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_empty_mesh_asks_back() {
    let mut mesh = Mesh::start().await;
    let response = mesh.ask("greet Grace").await.unwrap();
    assert_eq!(response.output.unwrap().status(), Answer::Clarification);
}

#[tokio::test]
async fn a_stream_ends_with_the_response_that_ask_gives() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    for (sentence, answer) in [("greet Grace", Answer::Success), ("write me a poem", Answer::Clarification)] {
        let ask = v1::AskRequest { input_text: sentence.to_owned(), ..Default::default() };
        let request = v1::AskStreamRequest { ask: Some(ask) };
        let mut stream = mesh.orchestrator.ask_stream(request).await.unwrap().into_inner();
        let mut last = None;
        while let Some(message) = stream.message().await.unwrap() {
            assert!(last.is_none(), "something came after the response");
            if let Kind::Response(response) = message.kind.unwrap() {
                last = Some(response);
            }
        }
        assert_eq!(last.unwrap().output.unwrap().status(), answer, "{sentence}");
    }
}

#[tokio::test]
async fn a_plan_is_shown_for_a_sentence_or_for_its_intent_and_nothing_is_called() {
    let (mut mesh, agent) = mesh_with_greeter().await;
    let sentence = "greet Grace".to_owned();
    let request = v1::InterpretRequest { input_text: sentence.clone(), ..Default::default() };
    let intent = mesh.orchestrator.interpret(request).await.unwrap().into_inner().intent.unwrap();
    assert_eq!(intent.original_query, sentence);

    let of_sentence = v1::PlanRequest { input_text: sentence.clone(), ..Default::default() };
    let of_intent = v1::PlanRequest { intent: Some(intent), ..Default::default() };
    for request in [of_sentence, of_intent] {
        let response = mesh.orchestrator.plan(request).await.unwrap().into_inner();
        let plan = response.plan.unwrap();
        assert!(plan.steps[0].contract_digest.starts_with("sha256:"), "{plan:?}");
        assert!(response.plan_report.is_some() && response.clarification.is_none());
    }
    assert_eq!(agent.seen.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_plan_needs_a_sentence_or_an_intent_and_not_both() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let both = v1::PlanRequest {
        input_text: "greet Grace".to_owned(),
        intent: Some(v1::IntentOutput { goal: "greet".to_owned(), ..Default::default() }),
        ..Default::default()
    };
    for request in [both, v1::PlanRequest::default()] {
        let refused = mesh.orchestrator.plan(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        tool_error(&refused);
    }
}

#[tokio::test]
async fn an_intent_that_nobody_serves_is_not_found() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let intent = v1::IntentOutput {
        primary_domain: "greeter".to_owned(),
        goal: "FLY".to_owned(),
        confidence: 1.0,
        ..Default::default()
    };
    let request = v1::PlanRequest { intent: Some(intent), ..Default::default() };
    let refused = mesh.orchestrator.plan(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound, "{refused:?}");
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_refused_before_it_is_interpreted() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let plain = v1::AskRequest { input_text: "greet Grace".to_owned(), ..Default::default() };
    for request in [
        v1::AskRequest { input_text: String::new(), ..plain.clone() },
        v1::AskRequest { input_text: " \n\t ".to_owned(), ..plain.clone() },
        v1::AskRequest { input_text: "x".repeat(1 << 20), ..plain.clone() },
        v1::AskRequest { session_id: "a\u{e9}".to_owned(), ..plain.clone() },
        v1::AskRequest { locale: "de_DE".to_owned(), ..plain.clone() },
        v1::AskRequest { timeout: Some(prost_types::Duration { seconds: -1, nanos: 0 }), ..plain.clone() },
    ] {
        let refused = mesh.orchestrator.ask(request.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
        tool_error(&refused);
        let request = v1::AskStreamRequest { ask: Some(request) };
        assert_eq!(mesh.orchestrator.ask_stream(request).await.unwrap_err().code(), Code::InvalidArgument);
    }
    let zoned = v1::AskRequest { time_zone: "Europe/Zurich".to_owned(), ..plain.clone() };
    let keyed = v1::AskRequest { idempotency_key: "k".to_owned(), ..plain };
    for request in [zoned, keyed] {
        let refused = mesh.orchestrator.ask(request).await.unwrap_err();
        assert_eq!(
            (refused.code(), tool_error(&refused).code.as_str()),
            (Code::Unimplemented, error::NOT_SERVED)
        );
    }
}

#[tokio::test]
async fn what_interpret_says_of_a_sentence_that_means_nothing_plans_to_a_question() {
    let (mut mesh, _agent) = mesh_with_greeter().await;
    let request = v1::InterpretRequest { input_text: "write me a poem".to_owned(), ..Default::default() };
    let intent = mesh.orchestrator.interpret(request).await.unwrap().into_inner().intent.unwrap();
    assert_eq!(intent.goal, "");
    let request = v1::PlanRequest { intent: Some(intent), ..Default::default() };
    let response = mesh.orchestrator.plan(request).await.unwrap().into_inner();
    assert!(response.plan.is_none());
    assert!(!response.clarification.unwrap().candidates.is_empty());
}
