//! Invoke: one capability, called by name. An execution of one step like any other.

use std::sync::Arc;

use convoke_plan::CheckedPlan;
use convoke_proto::v1;
use convoke_schema::Value;
use tonic::{Request, Status};

use super::Doors;
use super::run::{self, Asked};
use crate::doors::request::Caller;
use crate::doors::{refuse, request};

/// Calls a capability. `${…}` in its parameters is text.
pub(super) async fn invoke(
    doors: &Doors,
    request: Request<v1::InvokeRequest>,
) -> Result<v1::InvokeResponse, Status> {
    let (metadata, _, asked) = request.into_parts();
    let v1::InvokeRequest {
        domain,
        capability,
        parameters,
        contract_digest,
        session_id,
        metadata: extra,
        idempotency_key,
        timeout,
    } = asked;
    request::not_served("InvokeRequest", &idempotency_key, extra.as_ref())?;
    if capability.is_empty() {
        return Err(refuse::missing("capability", "the capability's name"));
    }
    let caller = Caller::read(&metadata, session_id, timeout, String::new())?;
    let catalog = doors.live.load();
    let capability = catalog
        .resolve(&domain, &capability, &contract_digest)
        .map_err(|unresolved| refuse::unresolved(&unresolved))?;
    let parameters = Value::from(parameters.unwrap_or_default());
    let plan = CheckedPlan::single(Arc::clone(capability), parameters, None);
    let asked = Asked { caller, plan, intent: None, report: None };
    let (execution_id, mut finished) = run::to_the_end(doors, asked).await;
    Ok(v1::InvokeResponse {
        execution_id: execution_id.to_string(),
        output: Some(finished.output),
        step: finished.steps.pop(),
    })
}
