//! Ask and AskStream: a sentence becomes a plan, and the plan runs.

use std::sync::Arc;

use convoke_execution::Finished;
use convoke_plan::CheckedPlan;
use convoke_planning::Planned;
use convoke_proto::v1;
use convoke_proto::v1::ask_stream_response::Kind;
use convoke_proto::v1::domain_output;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use tonic::metadata::MetadataMap;
use tonic::{Request, Status};

use super::run::{self, Asked};
use super::{Doors, plan};
use crate::doors::request::Caller;
use crate::doors::{refuse, request};

/// What a sentence came to before anything ran.
enum Prepared {
    /// A plan that verifies.
    Runs(Box<Runs>),
    /// The mesh asks back; there is nothing to run.
    AsksBack(Box<v1::AskResponse>),
}

struct Runs {
    caller: Caller,
    intent: v1::IntentOutput,
    plan: CheckedPlan,
    report: v1::PlanReport,
}

/// The answer to a sentence.
pub(super) async fn ask(doors: &Doors, request: Request<v1::AskRequest>) -> Result<v1::AskResponse, Status> {
    let (metadata, _, asked) = request.into_parts();
    let runs = match prepare(doors, &metadata, asked).await? {
        Prepared::Runs(runs) => *runs,
        Prepared::AsksBack(response) => return Ok(*response),
    };
    let (asked, frame) = frame(runs);
    let (execution_id, finished) = run::to_the_end(doors, asked).await;
    Ok(frame.fill(&execution_id, finished))
}

/// The same, with every event as it happens before the answer.
pub(super) async fn ask_stream(
    doors: &Doors,
    request: Request<v1::AskStreamRequest>,
) -> Result<BoxStream<'static, Result<v1::AskStreamResponse, Status>>, Status> {
    let (metadata, _, asked) = request.into_parts();
    let asked = asked.ask.ok_or_else(|| refuse::missing("ask", "what to ask"))?;
    let runs = match prepare(doors, &metadata, asked).await? {
        Prepared::Runs(runs) => *runs,
        Prepared::AsksBack(response) => {
            let only = told(Kind::Response(*response));
            return Ok(stream::once(async { Ok(only) }).boxed());
        }
    };
    let (asked, frame) = frame(runs);
    let events = run::told(
        doors,
        asked,
        |event| told(Kind::Event(event)),
        move |execution_id, finished| told(Kind::Response(frame.fill(execution_id, finished))),
    );
    Ok(events.map(Ok).boxed())
}

async fn prepare(doors: &Doors, metadata: &MetadataMap, asked: v1::AskRequest) -> Result<Prepared, Status> {
    let v1::AskRequest {
        input_text,
        session_id,
        metadata: extra,
        locale,
        time_zone,
        idempotency_key,
        timeout,
    } = asked;
    request::not_served("AskRequest", &idempotency_key, extra.as_ref())?;
    request::time_zone("AskRequest", &time_zone)?;
    let caller = Caller::read(metadata, session_id, timeout, input_text)?;
    let catalog = doors.live.load();
    let (intent, question) = plan::read(doors, &catalog, &caller.context.query, &locale).await?;
    if let Some(question) = question {
        return Ok(asks_back(intent, question));
    }
    let planned = doors.planner.plan(&intent, &catalog).map_err(|error| refuse::planning(&error))?;
    let plan = match planned {
        Planned::Clarify(question) => return Ok(asks_back(intent, question)),
        Planned::Plan(plan) => plan,
    };
    let (report, checked) = convoke_plan::check(plan, &catalog, &doors.limits);
    let plan = checked.ok_or_else(|| refuse::plan(&report))?;
    Ok(Prepared::Runs(Box::new(Runs { caller, intent, plan, report })))
}

fn asks_back(intent: v1::IntentOutput, question: v1::Clarification) -> Prepared {
    let output = v1::DomainOutput {
        status: domain_output::Status::Clarification.into(),
        explanation: question.question.clone(),
        confidence: intent.confidence,
        clarification: Some(question),
        ..v1::DomainOutput::default()
    };
    Prepared::AsksBack(Box::new(v1::AskResponse {
        output: Some(output),
        intent: Some(intent),
        ..v1::AskResponse::default()
    }))
}

/// The parts of a response that stand before the execution does.
struct Frame {
    intent: v1::IntentOutput,
    plan: v1::ExecutionPlan,
    report: v1::PlanReport,
}

fn frame(runs: Runs) -> (Asked, Frame) {
    let Runs { caller, intent, plan, report } = runs;
    let frame = Frame { intent: intent.clone(), plan: plan.plan.clone(), report: report.clone() };
    (Asked { caller, plan, intent: Some(intent), report: Some(report) }, frame)
}

// === impl Frame ===

impl Frame {
    fn fill(self, execution_id: &Arc<str>, finished: Finished) -> v1::AskResponse {
        v1::AskResponse {
            execution_id: execution_id.to_string(),
            output: Some(finished.output),
            intent: Some(self.intent),
            plan: Some(self.plan),
            plan_report: Some(self.report),
            steps: finished.steps,
        }
    }
}

fn told(kind: Kind) -> v1::AskStreamResponse {
    v1::AskStreamResponse { kind: Some(kind) }
}
