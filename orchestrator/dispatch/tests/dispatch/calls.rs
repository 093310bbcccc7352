//! A call from parameters to record, against a real server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::agent::Agent;
use crate::support::{Finding, Mesh, Origin, Sample, attempts, error};
use bytes::Bytes;
use convoke_dispatch::Config;
use convoke_plan::{CallContext, StepCall};
use convoke_proto::v1::instance::State;
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_schema::Value;
use prost::Message;
use tonic::Status;

fn finding() -> Finding {
    Finding {
        total: 42.5,
        words: "it is 42.5".into(),
        certainty: Some(0.75),
        origin: Some(Origin { source: "scales".into() }),
    }
}

async fn good() -> Agent {
    Agent::answering(Ok(finding().encode_to_vec().into())).await
}

#[tokio::test]
async fn parameters_are_coerced_encoded_once_and_answered_with_a_whole_record() {
    let agent = good().await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let result = mesh.call("send", r#"{"amount": "40", "Note": "n"}"#).await;

    let seen = agent.seen.lock().unwrap()[0].clone();
    assert_eq!(seen.path, "/lab.v1.Lab/Send");
    assert_eq!(Sample::decode(seen.message).unwrap(), Sample { amount: 40.0, note: "n".into() });

    let record = &result.record;
    assert_eq!((record.domain.as_str(), record.capability.as_str()), ("lab", "send"));
    assert_eq!(record.state().as_str_name(), "SUCCEEDED");
    assert!(record.contract_digest.starts_with("sha256:") && record.elapsed.is_some());
    let coercion = record.coercion.clone().unwrap();
    assert!(
        coercion.entries.iter().any(|entry| entry.path == "amount" && entry.before == "\"40\""),
        "{coercion:?}"
    );
    assert_eq!(attempts(&result), "lab-1 OK APPLIED");
    assert!(record.attempts[0].elapsed.is_some() && record.attempts[0].waited.is_some());

    let output = record.output.clone().unwrap();
    assert_eq!((output.explanation.as_str(), output.confidence), ("it is 42.5", 0.75));
    assert_eq!(Value::from(output.metadata.unwrap()), Value::parse(br#"{"source": "scales"}"#).unwrap());
    let expected =
        br#"{"total": 42.5, "words": "it is 42.5", "certainty": 0.75, "origin": {"source": "scales"}}"#;
    assert_eq!(Value::from(output.result.unwrap()), Value::parse(expected).unwrap());
    assert_eq!(result.output.result.unwrap().get("total").unwrap().as_f64(), Some(42.5));
}

#[tokio::test]
async fn an_agent_that_names_no_confidence_is_sure() {
    let agent = Agent::answering(Ok(Bytes::new())).await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let result = mesh.call("read", r#"{"amount": 1}"#).await;
    let output = result.record.output.unwrap();
    assert_eq!((output.status().as_str_name(), output.confidence), ("SUCCESS", 1.0));
}

#[tokio::test]
async fn what_cannot_be_mended_is_a_failure_without_attempt_or_call() {
    let agent = good().await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let result = mesh.call("send", r#"{"amount": "lots"}"#).await;
    let error = error(&result);
    assert_eq!((error.code.as_str(), error.category()), ("PARAMETERS_INVALID", Category::InputError));
    assert_eq!(error.outcome(), Outcome::NotStarted);
    assert_eq!(error.field_violations[0].path, "amount");
    assert_eq!(error.field_violations[0].got, "\"lots\"");
    assert_eq!((result.record.attempts.len(), agent.calls()), (0, 0));
    assert_eq!(result.record.coercion.unwrap().violations.len(), 1);
}

#[tokio::test]
async fn every_call_carries_who_asks_and_for_how_long() {
    let agent = good().await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let context = CallContext {
        session_id: "säßion 1".into(),
        query: "ü".repeat(1000),
        hops: 2,
        idempotency_key: "key".into(),
        traceparent: Some(trace.into()),
    };
    let step = || StepCall { context: Arc::new(context.clone()), ..mesh.step("send", r#"{"amount": 1}"#) };
    mesh.run(step()).await;
    mesh.run(StepCall { step_id: "2".into(), ..step() }).await;

    let seen = agent.seen.lock().unwrap().clone();
    let text = |call: usize, name: &str| seen[call].metadata.get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!(text(0, "convoke-execution-id"), "o.01");
    assert_eq!(text(0, "convoke-step-id"), "1");
    assert_eq!(text(0, "convoke-attempt"), "1");
    assert_eq!(text(0, "convoke-hops"), "3");
    assert_eq!(text(0, "convoke-session-id"), "s%C3%A4%C3%9Fion%201");
    assert_eq!(text(0, "traceparent"), trace);
    assert!(text(0, "grpc-timeout").ends_with('u'));
    let (one, two) = (text(0, "convoke-idempotency-key"), text(1, "convoke-idempotency-key"));
    assert_eq!(one.len(), 64);
    assert_ne!(one, two, "each step has a key of its own");
    let query = seen[0].metadata.get_bin("convoke-query-bin").unwrap().to_bytes().unwrap();
    assert_eq!(query, "ü".repeat(512));
}

#[tokio::test]
async fn a_ninth_hop_is_refused_before_any_call() {
    let agent = good().await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let with = |hops| StepCall {
        context: Arc::new(CallContext { hops, ..CallContext::default() }),
        ..mesh.step("read", r#"{"amount": 1}"#)
    };
    assert!(mesh.run(with(7)).await.record.output.unwrap().error.is_none());
    let refused = error(&mesh.run(with(8)).await);
    assert_eq!((refused.code.as_str(), refused.outcome()), ("TOOL_CALL_CAP_EXCEEDED", Outcome::NotStarted));
    assert_eq!(agent.calls(), 1);
}

#[tokio::test]
async fn an_answer_that_breaks_its_contract_is_the_agent_s_failure() {
    let bad = Finding { total: -1.0, ..finding() };
    for answer in [bad.encode_to_vec().into(), Bytes::from_static(b"\xff\xff")] {
        let agent = Agent::answering(Ok(answer)).await;
        let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
        let result = mesh.call("read", r#"{"amount": 1}"#).await;
        let error = error(&result);
        assert_eq!((error.category(), error.outcome()), (Category::ServiceError, Outcome::Applied));
        assert_eq!(attempts(&result), "lab-1 OK APPLIED");
        assert_eq!(result.record.attempts[0].error.as_ref().unwrap().code, error.code);
        assert_eq!(result.output.result, None);
    }
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_in_both_directions() {
    let agent =
        Agent::answering(Ok(Finding { words: "x".repeat(200), ..finding() }.encode_to_vec().into())).await;
    let config = Config { max_message_bytes: 100, ..Config::default() };
    let mesh = Mesh::with([("lab-1", agent.endpoint.as_str()), ("lab-2", agent.endpoint.as_str())], config);

    let request = mesh.call("read", &format!(r#"{{"amount": 1, "note": "{}"}}"#, "x".repeat(200))).await;
    let too_large = error(&request);
    assert_eq!((too_large.code.as_str(), too_large.category()), ("MESSAGE_TOO_LARGE", Category::InputError));
    assert_eq!((too_large.outcome(), request.record.attempts.len()), (Outcome::NotStarted, 0));

    let response = mesh.call("read", r#"{"amount": 1}"#).await;
    let too_large = error(&response);
    assert_eq!((too_large.code.as_str(), too_large.outcome()), ("MESSAGE_TOO_LARGE", Outcome::Unknown));
    assert_eq!((response.record.attempts.len(), agent.calls()), (1, 1), "not retried");
}

#[tokio::test]
async fn an_agent_that_does_not_answer_in_time_leaves_the_outcome_unknown() {
    let agent = Agent::start(|_| std::future::pending()).await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let mut step = mesh.step("send", r#"{"amount": 1}"#);
    step.deadline = Some(Instant::now() + Duration::from_millis(200));
    let result = mesh.run(step).await;
    let error = error(&result);
    assert_eq!((error.code.as_str(), error.outcome()), ("REQUEST_TIMEOUT", Outcome::Unknown));
    assert_eq!(attempts(&result), "lab-1 DEADLINE_EXCEEDED UNKNOWN");
}

#[tokio::test]
async fn dropping_a_call_resets_its_stream_and_leaves_the_connection() {
    struct Gone(tokio::sync::mpsc::UnboundedSender<&'static str>);
    impl Drop for Gone {
        fn drop(&mut self) {
            let _ = self.0.send("gone");
        }
    }
    let (events, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let agent = Agent::start(move |call| {
        let gone = Gone(events.clone());
        async move {
            if Sample::decode(call.message).unwrap().amount == 0.0 {
                let _ = gone.0.send("begun");
                std::future::pending::<()>().await;
            }
            Ok(Bytes::new())
        }
    })
    .await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let step = mesh.step("send", r#"{"amount": "0"}"#);
    let ledger = step.ledger.clone();
    let call = mesh.run(step);
    tokio::select! {
        _ = call => panic!("the agent never answers"),
        begun = seen.recv() => assert_eq!(begun, Some("begun")),
    }
    assert_eq!(seen.recv().await, Some("gone"), "the agent's handler was dropped");
    let cancelled = convoke_proto::error::tool_error("CANCELLED", Category::ServiceError, "given up");
    let kept = ledger.broken_off(&cancelled, Instant::now());
    assert_eq!(kept.outcome(), Outcome::Unknown);
    let [attempt] = kept.attempts.as_slice() else { panic!("{kept:?}") };
    assert_eq!((attempt.instance.as_str(), attempt.code.as_str()), ("lab-1", "CANCELLED"));
    assert_eq!(kept.coercion.map(|report| report.entries.len()), Some(1), "the text became a number");
    assert_eq!(attempts(&mesh.call("send", r#"{"amount": 1}"#).await), "lab-1 OK APPLIED");
}

#[tokio::test]
async fn a_draining_instance_gets_no_new_call_and_one_that_is_gone_none_at_all() {
    let (one, two) = (good().await, good().await);
    let mut mesh = Mesh::new([("a", one.endpoint.as_str()), ("b", two.endpoint.as_str())]);
    mesh.put("a", &one.endpoint, State::Draining);
    for _ in 0..10 {
        assert_eq!(attempts(&mesh.call("read", r#"{"amount": 1}"#).await), "b OK APPLIED");
    }
    let step = mesh.step("read", r#"{"amount": 1}"#);
    mesh.remove("b");
    let result = mesh.run(step).await;
    let error = error(&result);
    assert_eq!((error.code.as_str(), error.outcome()), ("AGENT_UNAVAILABLE", Outcome::NotStarted));
    assert!(result.record.attempts.is_empty());
    assert_eq!(one.calls(), 0);
}

#[tokio::test]
async fn an_error_names_neither_address_nor_port() {
    let endpoint = crate::support::raw::nobody().await;
    let mesh = Mesh::new([("lab-1", endpoint.as_str())]);
    let result = mesh.call("read", r#"{"amount": 1}"#).await;
    let told = format!("{:?}", result.record);
    assert!(!told.contains("127.0.0.1") && !told.contains("http://"), "{told}");
}

#[tokio::test]
async fn a_status_that_the_server_s_framework_sent_is_read_by_the_table() {
    let agent = Agent::answering(Err(Status::permission_denied("no"))).await;
    let mesh = Mesh::new([("lab-1", agent.endpoint.as_str())]);
    let error = error(&mesh.call("read", r#"{"amount": 1}"#).await);
    assert_eq!((error.code.as_str(), error.category()), ("PERMISSION_DENIED", Category::AuthError));
    assert_eq!(error.outcome(), Outcome::Unknown, "a status code alone promises nothing");
}
