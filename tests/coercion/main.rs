//! There is one coercion path: every case of the schema engine's table, sent to an agent that echoes.
//!
//! ```text
//! coercion.json ─► Invoke ─► the agent's bytes, the result, the record    ┐
//!               ─► Verify ─► the findings ─► ExecutePlan ─► the same once more ├─ as the table says
//! ```
//!
//! The types are those of `cases.proto`; the service over them is made here, and the agent answers with the bytes that
//! it got. What a Struct cannot carry is listed in [`carriage`]: there, what the engine says of the value as it arrives
//! takes the place of the table.

#![cfg(test)]

mod carriage;
mod cases;
mod echo;
mod exact;
mod expectation;
mod mesh;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use carriage::{LOSSES, NO_JSON};
use cases::{Case, Table};
use convoke_schema::Value;
use expectation::Expectation;
use mesh::Mesh;
use prost_types::value::Kind;

/// Sends one case through both doors; tells what of it a Struct could not carry.
async fn run(case: &Case, table: &Table, mesh: &mut Mesh) -> Result<Option<&'static str>, String> {
    let Ok(came) = Value::parse(&case.input) else { return Ok(Some(NO_JSON)) };
    let loss = carriage::loss(&came);
    if let Some(loss) = loss.filter(|loss| !loss.sent) {
        return Ok(Some(loss.rule));
    }
    let parameters = came.to_struct();
    let mut expected = Expectation::of(&table.schema(case), Value::from(parameters.clone()))?;

    let invoked = mesh.invoke(&case.message, parameters).await;
    let heard = mesh.echo.take();
    let mut lost = None;
    if let Err(difference) = expectation::as_in_the_table(case, &invoked.report) {
        lost = Some(loss.map(|loss| loss.rule).ok_or(difference)?);
    } else if case.violations.is_empty() {
        expected.value.clone_from(&case.value);
    }
    let descriptor = table.pool.get_message_by_name(&case.message).ok_or("no such message")?;
    expected.answered(&invoked, heard, &descriptor).map_err(|what| format!("Invoke: {what}"))?;

    let Some(Kind::StructValue(params)) = convoke_plan::literal(came.clone()).kind else {
        return Err("a literal object is no object".to_owned());
    };
    let (plan, report) = mesh.verify(&case.message, params).await;
    expected.found(&report).map_err(|what| format!("Verify: {what}"))?;
    if expected.report.violations.is_empty() {
        let executed = mesh.execute(plan).await;
        let heard = mesh.echo.take();
        expected.answered(&executed, heard, &descriptor).map_err(|what| format!("ExecutePlan: {what}"))?;
    }
    Ok(lost)
}

#[tokio::test]
async fn every_case_is_the_same_through_both_doors() {
    let table = Table::read();
    let mut mesh = Mesh::start(table.descriptors.clone()).await;
    let mut lost = BTreeSet::new();
    let mut log = String::new();
    for case in &table.cases {
        match run(case, &table, &mut mesh).await {
            Ok(None) => {}
            Ok(Some(rule)) => {
                lost.insert(rule);
            }
            Err(what) => {
                let _ = writeln!(log, "{}: {what}", case.name);
            }
        }
    }
    mesh.end().await;
    assert!(log.is_empty(), "{log}");
    // A rule that no case needs is none.
    for loss in &LOSSES {
        assert!(lost.contains(loss.rule), "nothing is lost to {:?}: {}", loss.rule, loss.reason);
    }
}
