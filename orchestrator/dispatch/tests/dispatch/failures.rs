//! What is known after a failure, and what is repeated: real sockets that misbehave.

use std::time::{Duration, Instant};

use crate::support::agent::Agent;
use crate::support::raw::{Peer, nobody, unresponsive};
use crate::support::{Finding, Mesh, attempts, error};
use bytes::Bytes;
use convoke_dispatch::Config;
use convoke_proto::error::tool_error;
use convoke_proto::status;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{Clarification, ToolError};
use prost::Message;
use tonic::Status;

const ONE: &str = r#"{"amount": 1}"#;

async fn good() -> Agent {
    Agent::answering(Ok(Finding::default().encode_to_vec().into())).await
}

/// Calls until the instance with this id came first, and gives that call's result.
async fn first_at(mesh: &Mesh, capability: &str, id: &str) -> convoke_plan::StepResult {
    for _ in 0..200 {
        let result = mesh.call(capability, ONE).await;
        if result.record.attempts[0].instance == id {
            return result;
        }
    }
    panic!("{id} never came first");
}

#[tokio::test]
async fn a_refused_port_is_known_not_to_have_started_and_fails_within_a_second() {
    let endpoint = nobody().await;
    let mesh = Mesh::new([("a", endpoint.as_str())]);
    let started = Instant::now();
    let result = mesh.call("send", ONE).await;
    assert!(started.elapsed().as_millis() < 1000);
    let error = error(&result);
    assert_eq!((error.code.as_str(), error.category()), ("AGENT_UNAVAILABLE", Category::ServiceError));
    assert_eq!(error.outcome(), Outcome::NotStarted);
    assert_eq!(attempts(&result), "a UNAVAILABLE NOT_STARTED");
}

#[tokio::test]
async fn agents_that_accept_no_connection_are_given_up_within_a_second_however_many_they_are() {
    let (one, _queue) = unresponsive().await;
    let (two, _queue_too) = unresponsive().await;
    let mesh = Mesh::new([("a", one.as_str()), ("b", two.as_str())]);
    let started = Instant::now();
    let result = mesh.call("send", ONE).await;
    assert!(started.elapsed().as_millis() < 1000);
    let told = error(&result);
    assert_eq!((told.code.as_str(), told.outcome()), ("AGENT_UNAVAILABLE", Outcome::NotStarted));
    assert_eq!(result.record.attempts.len(), 2);

    let mut step = mesh.step("send", ONE);
    step.deadline = Some(Instant::now() + Duration::from_millis(50));
    let told = error(&mesh.run(step).await);
    assert_eq!((told.code.as_str(), told.outcome()), ("REQUEST_TIMEOUT", Outcome::NotStarted));
}

#[tokio::test]
async fn an_instance_with_a_connection_is_called_after_all_others_hung() {
    let (endpoint, _queue) = unresponsive().await;
    let agent = good().await;
    let config =
        Config { zone: Some("z1".into()), connect_timeout: Duration::from_millis(300), ..Config::default() };
    let mut mesh = Mesh::with([("good", agent.endpoint.as_str())], config);
    mesh.call("send", ONE).await;
    for id in ["a", "b", "c", "d"] {
        mesh.put_in_zone(id, &endpoint, "z1");
    }
    let result = mesh.call("send", ONE).await;
    assert!(attempts(&result).ends_with("NOT_STARTED, good OK APPLIED"), "{}", attempts(&result));
    assert_eq!(result.record.attempts.len(), 3, "there is time for two dials, of 200 ms and of what is left");
}

#[tokio::test]
async fn instances_of_the_own_zone_go_first_and_the_others_when_those_fail() {
    let (far, near) = (good().await, nobody().await);
    let config = Config { zone: Some("z1".into()), ..Config::default() };
    let mut mesh = Mesh::with([("far", far.endpoint.as_str())], config);
    mesh.put_in_zone("near", &near, "z1");
    for _ in 0..10 {
        let result = mesh.call("send", ONE).await;
        assert_eq!(attempts(&result), "near UNAVAILABLE NOT_STARTED, far OK APPLIED");
    }
}

#[tokio::test]
async fn what_did_not_start_goes_to_another_instance_whatever_its_effects() {
    let (endpoint, agent) = (nobody().await, good().await);
    let mesh = Mesh::new([("a", endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = first_at(&mesh, "send", "a").await;
    assert_eq!(attempts(&result), "a UNAVAILABLE NOT_STARTED, b OK APPLIED");
    let numbers = agent.seen.lock().unwrap();
    assert_eq!(numbers.last().unwrap().metadata.get("convoke-attempt").unwrap(), "2");
}

#[tokio::test]
async fn a_connection_that_closes_before_the_answer_leaves_a_side_effect_unknown_and_unrepeated() {
    let (peer, agent) = (Peer::closing().await, good().await);
    let mesh = Mesh::new([("a", peer.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = first_at(&mesh, "send", "a").await;
    assert_eq!(attempts(&result), "a UNAVAILABLE UNKNOWN");
    assert_eq!(error(&result).outcome(), Outcome::Unknown);
    let result = first_at(&mesh, "read", "a").await;
    assert_eq!(attempts(&result), "a UNAVAILABLE UNKNOWN, b OK APPLIED");
}

#[tokio::test]
async fn a_goaway_below_the_stream_is_known_not_to_have_started() {
    let peer = Peer::going_away().await;
    let mesh = Mesh::new([("a", peer.endpoint.as_str())]);
    let result = mesh.call("send", ONE).await;
    assert_eq!(attempts(&result), "a UNAVAILABLE NOT_STARTED");
    assert_eq!(error(&result).code, "AGENT_UNAVAILABLE");
}

#[tokio::test]
async fn a_refused_stream_is_known_not_to_have_started() {
    let (peer, agent) = (Peer::refusing().await, good().await);
    let mesh = Mesh::new([("a", peer.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = first_at(&mesh, "send", "a").await;
    assert_eq!(attempts(&result), "a UNAVAILABLE NOT_STARTED, b OK APPLIED");
}

#[tokio::test]
async fn a_server_that_says_goaway_after_each_answer_is_dialled_anew() {
    let peer = Peer::answering_once(Finding::default().encode_to_vec().into()).await;
    let mesh = Mesh::new([("a", peer.endpoint.as_str())]);
    for _ in 0..5 {
        assert_eq!(attempts(&mesh.call("send", ONE).await), "a OK APPLIED");
    }
    assert_eq!(peer.connections(), 5);
}

#[tokio::test]
async fn an_agent_that_comes_back_is_reached_again() {
    let mut agent = good().await;
    let mesh = Mesh::new([("a", agent.endpoint.as_str())]);
    assert_eq!(attempts(&mesh.call("send", ONE).await), "a OK APPLIED");
    agent.kill().await;
    // Until the connection's end is noticed, a call may be sent into it, and is then unknown.
    while error(&mesh.call("send", ONE).await).outcome() != Outcome::NotStarted {}
    agent.restart().await;
    assert_eq!(attempts(&mesh.call("send", ONE).await), "a OK APPLIED");
}

#[tokio::test]
async fn a_status_of_a_living_agent_says_nothing_about_the_effect() {
    let agent = Agent::answering(Err(Status::unavailable("busy"))).await;
    let mesh = Mesh::new([("a", agent.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = mesh.call("send", ONE).await;
    assert_eq!(result.record.attempts.len(), 1);
    assert_eq!(error(&result).outcome(), Outcome::Unknown);
    let result = mesh.call("read", ONE).await;
    assert_eq!(result.record.attempts.len(), 2, "each instance once, then no more");
    assert_eq!(agent.calls(), 3);
    let seen = agent.seen.lock().unwrap();
    let carried =
        |call: usize, name: &str| seen[call].metadata.get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!([carried(1, "convoke-attempt"), carried(2, "convoke-attempt")], ["1", "2"]);
    assert_eq!(carried(1, "convoke-idempotency-key"), carried(2, "convoke-idempotency-key"));
}

#[tokio::test]
async fn the_agent_s_own_word_counts() {
    let said = |category, outcome: Outcome, retryable| ToolError {
        outcome: outcome.into(),
        retryable,
        ..tool_error("MINE", category, "as I said")
    };
    let cases = [
        (said(Category::ServiceError, Outcome::NotStarted, None), Outcome::NotStarted, 2),
        (said(Category::ServiceError, Outcome::NotStarted, Some(false)), Outcome::NotStarted, 1),
        (said(Category::ServiceError, Outcome::Applied, None), Outcome::Applied, 1),
        (said(Category::ServiceError, Outcome::Unspecified, None), Outcome::Unknown, 1),
        (said(Category::NotFound, Outcome::Unspecified, None), Outcome::NotApplied, 1),
        (said(Category::InputError, Outcome::Unspecified, Some(true)), Outcome::NotApplied, 1),
        (said(Category::AuthError, Outcome::Unspecified, None), Outcome::NotApplied, 1),
        (said(Category::RateLimit, Outcome::Unspecified, None), Outcome::Unknown, 1),
    ];
    for (error_sent, outcome, attempts) in cases {
        let agent = Agent::answering(Err(status::to_status(&error_sent))).await;
        let mesh = Mesh::new([("a", agent.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
        let result = mesh.call("send", ONE).await;
        let told = error(&result);
        assert_eq!((told.code.as_str(), told.message.as_str()), ("MINE", "as I said"));
        assert_eq!((told.outcome(), result.record.attempts.len()), (outcome, attempts), "{error_sent:?}");
    }
}

#[tokio::test]
async fn a_repeatable_call_stops_at_a_final_word() {
    let agent = Agent::answering(Err(status::to_status(&ToolError {
        retryable: Some(false),
        ..tool_error("MINE", Category::ServiceError, "for good")
    })))
    .await;
    let mesh = Mesh::new([("a", agent.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    assert_eq!(mesh.call("read", ONE).await.record.attempts.len(), 1);
}

#[tokio::test]
async fn a_question_is_an_answer_and_not_repeated() {
    let question = Clarification { question: "which?".into(), token: "t".into(), ..Clarification::default() };
    let agent = Agent::answering(Err(status::clarify(&question))).await;
    let mesh = Mesh::new([("a", agent.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = mesh.call("read", ONE).await;
    assert_eq!(attempts(&result).split_once(' ').unwrap().1, "FAILED_PRECONDITION NOT_APPLIED");
    assert_eq!(result.record.attempts[0].error, None);
    let output = result.record.output.unwrap();
    assert_eq!(output.status().as_str_name(), "CLARIFICATION");
    let asked = output.clarification.unwrap();
    assert_eq!(
        (asked.question.as_str(), asked.token.as_str()),
        ("which?", ""),
        "nothing waits for the answer"
    );
}

#[tokio::test]
async fn an_unknown_attempt_is_not_forgotten_when_the_next_is_known() {
    let (peer, agent) = (Peer::closing().await, Agent::answering(Err(rejection())).await);
    let mesh = Mesh::new([("a", peer.endpoint.as_str()), ("b", agent.endpoint.as_str())]);
    let result = first_at(&mesh, "read", "a").await;
    assert_eq!(attempts(&result), "a UNAVAILABLE UNKNOWN, b INVALID_ARGUMENT NOT_APPLIED");
    assert_eq!((error(&result).code.as_str(), error(&result).outcome()), ("MINE", Outcome::Unknown));
}

fn rejection() -> Status {
    status::to_status(&tool_error("MINE", Category::InputError, "no"))
}

#[tokio::test]
async fn an_answer_that_is_no_grpc_is_a_service_error() {
    let peer = Peer::start(|stream| async move {
        let mut connection = h2::server::handshake(stream).await.unwrap();
        while let Some(Ok((_request, mut respond))) = connection.accept().await {
            let head = http::Response::builder().header("content-type", "text/html").body(()).unwrap();
            let mut body = respond.send_response(head, false).unwrap();
            body.send_data(Bytes::from_static(b"<html>"), true).unwrap();
        }
    })
    .await;
    let mesh = Mesh::new([("a", peer.endpoint.as_str())]);
    let error = error(&mesh.call("send", ONE).await);
    assert_eq!((error.category(), error.outcome()), (Category::ServiceError, Outcome::Unknown));
}
