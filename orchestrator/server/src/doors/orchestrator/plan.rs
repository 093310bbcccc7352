//! Interpret and Plan: what a sentence means and what would be done about it. Nothing is called.

use std::sync::Arc;

use convoke_catalog::Catalog;
use convoke_planning::{Planned, Utterance};
use convoke_proto::v1::{self, violation::Rule};
use tonic::Status;

use super::Doors;
use crate::doors::{refuse, request};

/// The intent of a sentence, however sure it is.
pub(super) async fn interpret(
    doors: &Doors,
    asked: v1::InterpretRequest,
) -> Result<v1::InterpretResponse, Status> {
    let v1::InterpretRequest { input_text, session_id, locale, time_zone } = asked;
    request::session(&session_id)?;
    request::time_zone("InterpretRequest", &time_zone)?;
    let (intent, _) = read(doors, &doors.live.load(), &input_text, &locale).await?;
    Ok(v1::InterpretResponse { intent: Some(intent) })
}

/// The plan for a sentence or an intent, as it was bound and with what the check found.
pub(super) async fn plan(doors: &Doors, asked: v1::PlanRequest) -> Result<v1::PlanResponse, Status> {
    let v1::PlanRequest { input_text, session_id, locale, time_zone, intent } = asked;
    request::session(&session_id)?;
    request::time_zone("PlanRequest", &time_zone)?;
    let catalog = doors.live.load();
    let (intent, question) = match intent {
        None => read(doors, &catalog, &input_text, &locale).await?,
        Some(_) if !input_text.is_empty() => {
            let expected = "absent beside input_text: a sentence or an intent, not both";
            return Err(refuse::field("intent", Rule::OneofConflict, expected, ""));
        }
        Some(intent) => {
            request::locale(&locale)?;
            (given(intent)?, None)
        }
    };
    if let Some(question) = question {
        return Ok(asks_back(intent, question));
    }
    let planned = doors.planner.plan(&intent, &catalog).map_err(|error| refuse::planning(&error))?;
    match planned {
        Planned::Clarify(question) => Ok(asks_back(intent, question)),
        Planned::Plan(plan) => {
            let (report, checked) = convoke_plan::check(plan.clone(), &catalog, &doors.limits);
            Ok(v1::PlanResponse {
                intent: Some(intent),
                plan: Some(checked.map_or(plan, |checked| checked.plan)),
                plan_report: Some(report),
                clarification: None,
            })
        }
    }
}

/// Reads a sentence: its intent, and the question that the gate asks where it is not sure enough.
pub(super) async fn read(
    doors: &Doors,
    catalog: &Arc<Catalog>,
    text: &str,
    locale: &str,
) -> Result<(v1::IntentOutput, Option<v1::Clarification>), Status> {
    request::sentence(text)?;
    request::locale(locale)?;
    let utterance = Utterance { text, locale };
    let read = doors.planner.interpret(utterance, catalog).await.map_err(|error| refuse::planning(&error))?;
    tracing::debug!(
        domain = read.intent.primary_domain,
        goal = read.intent.goal,
        confidence = read.intent.confidence,
        stopped = read.gate.is_some(),
        "sentence read"
    );
    Ok((read.intent, read.gate))
}

/// An intent that a caller wrote, or had from Interpret: that one has no goal where the sentence had none.
fn given(intent: v1::IntentOutput) -> Result<v1::IntentOutput, Status> {
    if intent == v1::IntentOutput::default() {
        return Err(refuse::missing("intent.goal", "the goal's name"));
    }
    let confidence = intent.confidence;
    if !(0.0..=1.0).contains(&confidence) {
        return Err(refuse::field("intent.confidence", Rule::OutOfRange, "a number from 0 to 1", confidence));
    }
    Ok(intent)
}

fn asks_back(intent: v1::IntentOutput, question: v1::Clarification) -> v1::PlanResponse {
    v1::PlanResponse { intent: Some(intent), plan: None, plan_report: None, clarification: Some(question) }
}
