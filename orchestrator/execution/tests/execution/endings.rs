//! How a plan ends: failures, skips, questions, time, cancellation.

use std::time::Duration;

use crate::support::{Ends, Lab, after, engine, finish, plan, run, states};
use convoke_execution::{Engine, Limits, Permits, collect, detach};
use convoke_proto::v1::tool_error::Outcome;
use futures::StreamExt;
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn a_required_failure_resets_reads_awaits_side_effects_and_cancels_the_rest() {
    let lab = Lab::new([
        ("fails", after(100).ends(Ends::Badly("NO"))),
        ("reads", after(500)),
        ("sets", after(500)),
        ("sends", after(500)),
    ]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "fails", "capability": "read"}, {"id": "reads", "capability": "read"},
            {"id": "sets", "capability": "set"}, {"id": "sends", "capability": "send"},
            {"id": "later", "capability": "read", "depends_on": ["reads"]}]}"#,
    )
    .await;
    assert_eq!(
        states(&finished.steps),
        "fails FAILED, reads CANCELLED, sets CANCELLED, sends SUCCEEDED, later CANCELLED"
    );
    let log = lab.log();
    assert!(
        log.contains(&"100 reset reads".to_owned()) && log.contains(&"100 reset sets".to_owned()),
        "{log:?}"
    );
    assert_eq!(log.last().unwrap(), "500 end sends");
    assert_eq!(finished.state.as_str_name(), "FAILED");
    assert_eq!(finished.output.error.unwrap().code, "NO");
    let reset = finished.steps[1].output.clone().unwrap().error.unwrap();
    assert_eq!(reset.outcome(), Outcome::Unknown);
    let [attempt] = finished.steps[1].attempts.as_slice() else { panic!("{:?}", finished.steps[1]) };
    assert_eq!((attempt.instance.as_str(), attempt.code.as_str()), ("lab-1", "CANCELLED"));
    assert_eq!(attempt.elapsed.map(|elapsed| elapsed.nanos), Some(100_000_000));
    assert!(finished.steps[1].coercion.is_some());
    let unstarted = finished.steps[4].output.clone().unwrap().error.unwrap();
    assert_eq!(unstarted.outcome(), Outcome::NotStarted);
}

#[tokio::test(start_paused = true)]
async fn an_optional_failure_skips_its_dependents_and_hides_nothing() {
    let lab = Lab::new([("extra", after(10).ends(Ends::Badly("NO"))), ("main", after(10))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "extra", "capability": "read", "required": false},
            {"id": "on_extra", "capability": "read", "required": false, "params": {"text": "${extra.result.text}"}},
            {"id": "on_that", "capability": "read", "required": false, "depends_on": ["on_extra"]},
            {"id": "main", "capability": "read"}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "extra FAILED, on_extra SKIPPED, on_that SKIPPED, main SUCCEEDED");
    assert_eq!(finished.state.as_str_name(), "SUCCEEDED");
    assert_eq!(finished.output.explanation, "main says done");
    let skipped = finished.steps[1].output.clone().unwrap();
    assert_eq!(skipped.explanation, "not run: it needs step extra, which did not succeed: extra failed");
    assert_eq!(skipped.error.unwrap().outcome(), Outcome::NotStarted);
}

#[tokio::test(start_paused = true)]
async fn a_default_stands_in_for_a_failed_optional_step() {
    let lab = Lab::new([("extra", after(10).ends(Ends::Badly("NO")))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "extra", "capability": "read", "required": false},
            {"id": "main", "capability": "read", "params": {"text": "${extra.result.text ?? \"none\"}"}}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "extra FAILED, main SUCCEEDED");
    assert_eq!(lab.parameters("main").unwrap().get("text").unwrap().as_str(), Some("none"));
}

#[tokio::test(start_paused = true)]
async fn a_required_step_that_is_skipped_fails_the_plan() {
    let lab = Lab::new([("extra", after(10).ends(Ends::Badly("NO")))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "extra", "capability": "read", "required": false},
            {"id": "main", "capability": "read", "depends_on": ["extra"]}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "extra FAILED, main SKIPPED");
    assert_eq!(finished.state.as_str_name(), "FAILED");
    let error = finished.output.error.unwrap();
    assert_eq!((error.code.as_str(), error.outcome()), ("NO", Outcome::NotStarted));
}

#[tokio::test(start_paused = true)]
async fn an_argument_without_a_value_is_a_failed_step_that_was_never_called() {
    let lab = Lab::new([("a", after(10))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "a", "capability": "read"},
            {"id": "b", "capability": "read", "params": {"text": "${a.result.items[0]}"}}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "a SUCCEEDED, b FAILED");
    assert_eq!(lab.parameters("b"), None);
    let error = finished.output.error.unwrap();
    assert_eq!((error.code.as_str(), error.category().as_str_name()), ("PARAMETERS_INVALID", "INPUT_ERROR"));
    assert_eq!(error.outcome(), Outcome::NotStarted);
    assert_eq!(error.field_violations[0].path, "text");
}

#[tokio::test(start_paused = true)]
async fn a_required_question_ends_the_execution_and_nothing_waits() {
    let lab = Lab::new([("a", after(10).ends(Ends::Asking("which?")))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "a", "capability": "read"},
            {"id": "b", "capability": "read", "depends_on": ["a"]}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "a FAILED, b CANCELLED");
    assert_eq!(finished.state.as_str_name(), "FAILED");
    assert_eq!(finished.output.status().as_str_name(), "CLARIFICATION");
    let question = finished.output.clarification.unwrap();
    assert_eq!((question.question.as_str(), question.token.as_str()), ("which?", ""));
}

#[tokio::test(start_paused = true)]
async fn a_required_failure_outranks_a_question() {
    let lab = Lab::new([
        ("asks", after(10).ends(Ends::Asking("which?"))),
        ("sends", after(20).ends(Ends::Badly("NO"))),
    ]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "asks", "capability": "read"}, {"id": "sends", "capability": "send"}]}"#,
    )
    .await;
    assert_eq!(finished.output.status().as_str_name(), "FAILURE");
    assert_eq!(finished.output.error.unwrap().code, "NO");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_execution_answers_at_once_and_its_side_effect_runs_on() {
    let lab = Lab::new([("reads", after(500)), ("sends", after(500))]);
    let run = run();
    let cancel = run.cancel.clone();
    let plan = plan(
        r#"{"steps": [{"id": "reads", "capability": "read"}, {"id": "sends", "capability": "send"},
            {"id": "later", "capability": "read", "depends_on": ["sends"]}]}"#,
    );
    let started = Instant::now();
    let execution = tokio::spawn(collect(engine(&lab).run(plan, run)));
    tokio::time::sleep(Duration::from_millis(100)).await;
    cancel.cancel();
    let finished = execution.await.unwrap();
    assert_eq!(started.elapsed().as_millis(), 100);
    assert_eq!(finished.state.as_str_name(), "CANCELLED");
    assert_eq!(states(&finished.steps), "reads CANCELLED, sends CANCELLED, later CANCELLED");
    let outcomes = finished.steps.iter().map(|step| step.output.clone().unwrap().error.unwrap().outcome());
    assert!(outcomes.eq([Outcome::Unknown, Outcome::Unknown, Outcome::NotStarted]));
    assert!(lab.log().contains(&"100 reset reads".to_owned()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(lab.log().last().unwrap(), "500 end sends");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_cancels() {
    let lab = Lab::new([("reads", after(500)), ("sends", after(500)), ("stuck", after(60_000))]);
    let plan = plan(
        r#"{"steps": [{"id": "reads", "capability": "read"}, {"id": "sends", "capability": "send"},
            {"id": "stuck", "capability": "send", "timeout": "1s"}]}"#,
    );
    let mut events = detach(engine(&lab).run(plan, run()));
    for _ in 0..4 {
        events.next().await.unwrap();
    }
    drop(events);
    tokio::time::sleep(Duration::from_secs(5)).await;
    let log = lab.log();
    assert_eq!(log[3..], ["0 reset reads", "500 end sends", "1000 reset stuck"]);
}

#[tokio::test(start_paused = true)]
async fn the_least_of_the_caller_s_the_plan_s_and_the_default_time_counts() {
    let timeouts = [(Some(300), "9s", 9000, 300), (Some(9000), "0.2s", 9000, 200), (None, "9s", 100, 100)];
    for (caller, of_plan, default, expected) in timeouts {
        let lab = Lab::new([("a", after(60_000))]);
        let limits = Limits { timeout: Duration::from_millis(default), ..Limits::default() };
        let engine = Engine::new(lab.clone(), Permits::default(), limits);
        let plan =
            plan(&format!(r#"{{"timeout": "{of_plan}", "steps": [{{"id": "a", "capability": "send"}}]}}"#));
        let mut run = run();
        run.deadline = caller.map(|millis| (Instant::now() + Duration::from_millis(millis)).into_std());
        let started = Instant::now();
        let finished = collect(engine.run(plan, run)).await;
        assert_eq!(started.elapsed().as_millis(), expected);
        assert_eq!(states(&finished.steps), "a FAILED");
        let error = finished.output.error.unwrap();
        assert_eq!((error.code.as_str(), error.outcome()), ("REQUEST_TIMEOUT", Outcome::Unknown));
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_s_own_timeout_ends_that_step_alone() {
    let lab = Lab::new([("slow", after(60_000)), ("main", after(500))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "slow", "capability": "read", "required": false, "timeout": "0.1s"},
            {"id": "main", "capability": "read"}]}"#,
    )
    .await;
    assert_eq!(states(&finished.steps), "slow FAILED, main SUCCEEDED");
    assert!(lab.log().contains(&"100 reset slow".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn results_that_have_no_room_fail_their_step_with_a_typed_error() {
    let lab = Lab::new([("a", after(10))]);
    let limits = Limits { max_result_bytes: 10, ..Limits::default() };
    let engine = Engine::new(lab, Permits::default(), limits);
    let finished =
        collect(engine.run(plan(r#"{"steps": [{"id": "a", "capability": "send"}]}"#), run())).await;
    let error = finished.output.error.unwrap();
    assert_eq!((error.code.as_str(), error.outcome()), ("BUDGET_EXHAUSTED", Outcome::Applied));
}
