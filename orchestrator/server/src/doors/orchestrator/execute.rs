//! Verify, ExecutePlan and ExecutePlanStream: a plan that somebody wrote is checked, and what was checked runs.

use std::sync::Arc;

use convoke_execution::Finished;
use convoke_proto::v1;
use convoke_proto::v1::execute_plan_stream_response::Kind;
use futures::StreamExt;
use futures::stream::BoxStream;
use tonic::metadata::MetadataMap;
use tonic::{Request, Status};

use super::Doors;
use super::run::{self, Asked};
use crate::doors::request::Caller;
use crate::doors::{refuse, request};

/// What the check says of a plan; a plan with errors is an answer here, not a failure.
pub(super) fn verify(doors: &Doors, asked: v1::VerifyRequest) -> Result<v1::VerifyResponse, Status> {
    let plan = asked.plan.ok_or_else(|| refuse::missing("plan", "the plan to verify"))?;
    let (report, checked) = convoke_plan::check(plan.clone(), &doors.live.load(), &doors.limits);
    Ok(v1::VerifyResponse {
        plan: Some(checked.map_or(plan, |checked| checked.plan)),
        plan_report: Some(report),
    })
}

/// Runs a plan.
pub(super) async fn execute(
    doors: &Doors,
    request: Request<v1::ExecutePlanRequest>,
) -> Result<v1::ExecutePlanResponse, Status> {
    let (metadata, _, asked) = request.into_parts();
    let (asked, frame) = prepare(doors, &metadata, asked)?;
    let (execution_id, finished) = run::to_the_end(doors, asked).await;
    Ok(frame.fill(&execution_id, finished))
}

/// The same, with every event as it happens before the response.
pub(super) fn execute_stream(
    doors: &Doors,
    request: Request<v1::ExecutePlanStreamRequest>,
) -> Result<BoxStream<'static, Result<v1::ExecutePlanStreamResponse, Status>>, Status> {
    let (metadata, _, asked) = request.into_parts();
    let asked = asked.execute.ok_or_else(|| refuse::missing("execute", "what to execute"))?;
    let (asked, frame) = prepare(doors, &metadata, asked)?;
    let events = run::told(
        doors,
        asked,
        |event| told(Kind::Event(event)),
        move |execution_id, finished| told(Kind::Response(frame.fill(execution_id, finished))),
    );
    Ok(events.map(Ok).boxed())
}

/// The parts of a response that stand before the execution does.
struct Frame {
    plan: v1::ExecutionPlan,
    report: v1::PlanReport,
}

fn prepare(
    doors: &Doors,
    metadata: &MetadataMap,
    asked: v1::ExecutePlanRequest,
) -> Result<(Asked, Frame), Status> {
    let v1::ExecutePlanRequest { plan, session_id, metadata: extra, idempotency_key, timeout } = asked;
    request::not_served("ExecutePlanRequest", &idempotency_key, extra.as_ref())?;
    let plan = plan.ok_or_else(|| refuse::missing("plan", "the plan to execute"))?;
    let caller = Caller::read(metadata, session_id, timeout, plan.original_query.clone())?;
    let (report, checked) = convoke_plan::check(plan, &doors.live.load(), &doors.limits);
    let plan = checked.ok_or_else(|| refuse::plan(&report))?;
    let frame = Frame { plan: plan.plan.clone(), report: report.clone() };
    Ok((Asked { caller, plan, intent: None, report: Some(report) }, frame))
}

// === impl Frame ===

impl Frame {
    fn fill(self, execution_id: &Arc<str>, finished: Finished) -> v1::ExecutePlanResponse {
        v1::ExecutePlanResponse {
            execution_id: execution_id.to_string(),
            output: Some(finished.output),
            plan: Some(self.plan),
            plan_report: Some(self.report),
            steps: finished.steps,
        }
    }
}

fn told(kind: Kind) -> v1::ExecutePlanStreamResponse {
    v1::ExecutePlanStreamResponse { kind: Some(kind) }
}
