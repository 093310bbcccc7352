//! When steps start: dependencies, order, concurrency, permits.

use crate::support::{Lab, after, engine, finish, plan, run};
use convoke_execution::{Engine, Limits, Permits, collect};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn a_skewed_plan_takes_its_critical_path_and_no_more() {
    let lab = Lab::new([("a", after(1000)), ("b", after(3000)), ("c", after(3000)), ("d", after(1000))]);
    let finished = finish(
        &lab,
        r#"{"steps": [{"id": "a", "capability": "read"}, {"id": "b", "capability": "read"},
            {"id": "c", "capability": "read", "depends_on": ["a"]},
            {"id": "d", "capability": "read", "depends_on": ["b", "c"]}]}"#,
    )
    .await;
    assert_eq!(finished.state.as_str_name(), "SUCCEEDED");
    let expected = [
        "0 begin a",
        "0 begin b",
        "1000 end a",
        "1000 begin c",
        "3000 end b",
        "4000 end c",
        "4000 begin d",
        "5000 end d",
    ];
    assert_eq!(lab.log(), expected, "in waves, c would wait for b and the whole take 7 s");
}

#[tokio::test(start_paused = true)]
async fn a_reference_is_a_dependency_and_its_value_arrives() {
    let lab = Lab::new([("a", after(10)), ("b", after(10))]);
    finish(
        &lab,
        r#"{"steps": [{"id": "b", "capability": "read", "params": {"text": "got ${a.result.text}"}},
            {"id": "a", "capability": "read"}]}"#,
    )
    .await;
    assert_eq!(lab.log(), ["0 begin a", "10 end a", "10 begin b", "20 end b"]);
    assert_eq!(lab.parameters("b").unwrap().get("text").unwrap().as_str(), Some("got done"));
}

#[tokio::test(start_paused = true)]
async fn a_sequential_plan_takes_one_step_after_the_other_even_after_an_optional_failure() {
    let lab = Lab::new([("a", after(5).ends(crate::support::Ends::Badly("NO"))), ("b", after(5))]);
    let finished = finish(
        &lab,
        r#"{"execution_mode": "SEQUENTIAL", "steps": [
            {"id": "a", "capability": "read", "required": false}, {"id": "b", "capability": "read"}]}"#,
    )
    .await;
    assert_eq!(lab.log(), ["0 begin a", "5 end a", "5 begin b", "10 end b"]);
    assert_eq!(crate::support::states(&finished.steps), "a FAILED, b SUCCEEDED");
    assert_eq!(finished.state.as_str_name(), "SUCCEEDED");
}

#[tokio::test(start_paused = true)]
async fn no_more_steps_run_at_once_than_the_plan_allows() {
    let lab = Lab::new(["a", "b", "c"].map(|step| (step, after(10))));
    finish(
        &lab,
        r#"{"execution_mode": "PARALLEL", "max_concurrency": 2, "steps": [{"id": "a", "capability": "read"},
            {"id": "b", "capability": "read"}, {"id": "c", "capability": "read"}]}"#,
    )
    .await;
    let expected = ["0 begin a", "0 begin b", "10 end a", "10 begin c", "10 end b", "20 end c"];
    let mut log = lab.log();
    log[2..5].sort();
    let mut sorted = expected;
    sorted[2..5].sort_unstable();
    assert_eq!(log, sorted);
}

#[tokio::test(start_paused = true)]
async fn a_wide_plan_and_a_narrow_one_take_turns_at_the_permits() {
    let lab = Lab::new(["a", "b", "c", "z"].map(|step| (step, after(10))));
    let engine = Engine::new(lab.clone(), Permits::new(1), Limits::default());
    let wide = plan(
        r#"{"execution_mode": "PARALLEL", "steps": [{"id": "a", "capability": "read"},
            {"id": "b", "capability": "read"}, {"id": "c", "capability": "read"}]}"#,
    );
    let narrow = plan(r#"{"steps": [{"id": "z", "capability": "read"}]}"#);
    tokio::join!(collect(engine.run(wide, run())), collect(engine.run(narrow, run())));
    let begun: Vec<_> = lab.log().into_iter().filter(|line| line.contains("begin")).collect();
    assert_eq!(begun, ["0 begin a", "10 begin b", "20 begin z", "30 begin c"]);
}

#[tokio::test(start_paused = true)]
async fn an_execution_that_gets_no_permit_ends_in_time() {
    let lab = Lab::new([("a", after(3_000)), ("b", after(10))]);
    let limits = Limits { timeout: std::time::Duration::from_secs(1), ..Limits::default() };
    let permits = Permits::new(1);
    let holder = Engine::new(lab.clone(), permits.clone(), Limits::default());
    let waiter = Engine::new(lab.clone(), permits, limits);
    let holding =
        tokio::spawn(collect(holder.run(plan(r#"{"steps": [{"id": "a", "capability": "read"}]}"#), run())));
    tokio::task::yield_now().await;
    let started = Instant::now();
    let waited = collect(waiter.run(plan(r#"{"steps": [{"id": "b", "capability": "read"}]}"#), run())).await;
    assert_eq!(started.elapsed().as_millis(), 1000);
    assert_eq!(waited.output.error.unwrap().code, "REQUEST_TIMEOUT");
    assert_eq!(crate::support::states(&waited.steps), "b CANCELLED");
    assert_eq!(holding.await.unwrap().state.as_str_name(), "SUCCEEDED");
}

#[tokio::test(start_paused = true)]
async fn events_are_numbered_without_gaps_and_each_step_ends_once() {
    use convoke_proto::v1::execution_event::Kind;
    use futures::StreamExt;

    let lab = Lab::new([("a", after(10)), ("b", after(20))]);
    let plan = plan(
        r#"{"steps": [{"id": "a", "capability": "read"}, {"id": "b", "capability": "read"},
            {"id": "c", "capability": "read", "depends_on": ["a"]}]}"#,
    );
    let events: Vec<_> = engine(&lab).run(plan, run()).collect().await;
    let told: Vec<_> = events
        .iter()
        .map(|event| match event.kind.as_ref().unwrap() {
            Kind::Started(started) => format!("started {}", started.plan.as_ref().unwrap().steps.len()),
            Kind::StepStarted(step) => format!("begin {}", step.step_id),
            Kind::StepEnded(step) => format!("end {}", step.step.as_ref().unwrap().step_id),
            Kind::Ended(_) => "ended".to_owned(),
            Kind::Progress(_) => "progress".to_owned(),
        })
        .collect();
    let expected = ["started 3", "begin a", "begin b", "end a", "begin c", "end c", "end b", "ended"];
    assert_eq!(told, expected);
    assert!(events.iter().map(|event| event.sequence).eq(1..=8));
    assert!(events.iter().all(|event| event.execution_id == "o.e" && event.time.is_some()));
}
