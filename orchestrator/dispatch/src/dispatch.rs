//! The top of the stack: a step call goes in, its record comes out, whatever happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use convoke_catalog::Live;
use convoke_plan::{StepCall, StepResult};
use convoke_proto::error;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::step_record::{Attempt, State};
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{StepRecord, ToolError};
use futures::FutureExt;
use futures::future::BoxFuture;
use http::uri::PathAndQuery;
use tokio::time::Instant;
use tower::Service;

use crate::answer::{self, Output};
use crate::balance::Balance;
use crate::carry;
use crate::config::Config;
use crate::pool::Pool;
use crate::retry::{self, AgentCall, Reply, Retry};
use crate::unary::Framed;

/// A call under way. Dropping it resets the stream to the agent.
pub type CallFuture = BoxFuture<'static, Result<StepResult, Infallible>>;

/// Calls agents. Cheap to clone; all clones share their connections.
#[derive(Clone)]
pub struct Dispatch {
    inner: Arc<Inner>,
}

struct Inner {
    retry: Retry,
    max_message_bytes: usize,
    max_hops: u32,
}

// === impl Dispatch ===

impl Dispatch {
    pub(crate) fn new(live: Live, config: Config) -> Self {
        let Config { zone, connect_timeout, max_connections, max_message_bytes, max_hops } = config;
        let retry = Retry {
            balance: Balance::new(live, zone, fastrand::u64(..)),
            pool: Pool::new(max_connections, connect_timeout),
            max_message_bytes,
        };
        Self { inner: Arc::new(Inner { retry, max_message_bytes, max_hops }) }
    }
}

impl Service<StepCall> for Dispatch {
    type Response = StepResult;
    type Error = Infallible;
    type Future = CallFuture;

    /// Always ready: how many calls run is the engine's business.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: StepCall) -> CallFuture {
        let inner = Arc::clone(&self.inner);
        async move { Ok(inner.run(call).await) }.boxed()
    }
}

impl std::fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dispatch").finish_non_exhaustive()
    }
}

// === impl Inner ===

impl Inner {
    async fn run(&self, mut call: StepCall) -> StepResult {
        let started = Instant::now();
        let coerced = call.capability.input.coerce(std::mem::take(&mut call.parameters));
        let mut record = StepRecord {
            step_id: call.step_id.to_string(),
            domain: call.capability.domain.clone(),
            capability: call.capability.name.clone(),
            contract_digest: call.capability.contract_digest.clone(),
            coercion: Some(coerced.report.into_proto()),
            ..StepRecord::default()
        };
        let output = match self.encode(&call, &record, &coerced.value) {
            Ok(agent_call) => {
                call.ledger.coerced(record.coercion.take().unwrap_or_default());
                let mut reply = self.retry.call(agent_call, &call.ledger).await;
                let mut kept = call.ledger.take();
                let output = read(&call, &mut reply, &mut kept.attempts);
                (record.coercion, record.attempts) = (kept.coercion, kept.attempts);
                output
            }
            Err(error) => answer::failure(not_started(*error)),
        };
        record.state = match output.typed.status {
            Status::Success => State::Succeeded,
            Status::Failure | Status::Clarification | Status::Unspecified => State::Failed,
        }
        .into();
        record.output = Some(output.told);
        record.elapsed = started.elapsed().try_into().ok();
        StepResult { record, output: output.typed }
    }

    /// What goes on the wire; encoded once, whatever the number of attempts.
    fn encode(
        &self,
        call: &StepCall,
        record: &StepRecord,
        parameters: &convoke_schema::Value,
    ) -> Result<AgentCall, Box<ToolError>> {
        let violations =
            record.coercion.as_ref().map(|report| report.violations.as_slice()).unwrap_or_default();
        if !violations.is_empty() {
            return Err(Box::new(error::parameters_invalid(violations.to_vec())));
        }
        let headers = carry::headers(call, self.max_hops)?;
        let message =
            call.capability.input.encode(parameters).map_err(|error| unusable(error.to_string()))?;
        let size = message.len();
        let message = Some(message).filter(|_| size <= self.max_message_bytes).and_then(Framed::new);
        let message = message.ok_or_else(|| too_large(size, self.max_message_bytes))?;
        let deadline = call.deadline.map(Instant::from_std);
        let path = PathAndQuery::try_from(call.capability.path.as_str())
            .map_err(|error| unusable(error.to_string()))?;
        Ok(AgentCall { capability: Arc::clone(&call.capability), path, headers, message, deadline })
    }
}

/// The answer, in the record's words.
fn read(call: &StepCall, reply: &mut Reply, attempts: &mut [Attempt]) -> Output {
    match reply {
        Ok(reply) => answer::success(&call.capability, reply).unwrap_or_else(|error| {
            retry::spoil(attempts, &error);
            answer::failure(*error)
        }),
        Err(failure) => match failure.question.take() {
            Some(question) => answer::clarification(question),
            None => answer::failure(std::mem::take(&mut failure.error)),
        },
    }
}

fn not_started(error: ToolError) -> ToolError {
    ToolError { outcome: Outcome::NotStarted.into(), ..error }
}

fn too_large(size: usize, limit: usize) -> Box<ToolError> {
    let message = format!("the request has {size} bytes, and {limit} is the most that is sent");
    Box::new(error::own(error::MESSAGE_TOO_LARGE, message))
}

/// What the catalog admitted cannot be called after all.
fn unusable(reason: String) -> Box<ToolError> {
    Box::new(error::tool_error("INTERNAL", Category::ServiceError, reason))
}
