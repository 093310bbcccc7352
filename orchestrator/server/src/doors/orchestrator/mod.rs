//! The `Orchestrator` service: a sentence, a plan or a call in, an answer with its record out.
//!
//! ```text
//! Interpret  sentence ─► intent
//! Plan       sentence or intent ─► plan, checked           Verify  plan ─► plan as bound, report
//! Ask        sentence ─► intent ─► plan ─► check ─┐
//! ExecutePlan                      plan ─► check ─┼─► execution ─► output, steps
//! Invoke                  capability, parameters ─┘
//! ```
//!
//! This file says which request goes where. What is asked is in [`ask`], what runs in [`execute`] and [`invoke`], what
//! is listed in [`list`], and how an execution is run and told in [`run`].

mod ask;
mod execute;
mod invoke;
mod list;
mod plan;
mod run;

use std::sync::Arc;

use convoke_catalog::Live;
use convoke_dispatch::Dispatch;
use convoke_execution::Engine;
use convoke_planning::Planner;
use convoke_proto::v1;
use convoke_proto::v1::orchestrator_server::Orchestrator;
use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::sync::Roster;

/// What the doors of this service share.
pub(crate) struct Doors {
    /// What the mesh can do now.
    pub(crate) live: Live,
    /// What the registry holds, with the reasons that the catalog has no room for.
    pub(crate) roster: Arc<Roster>,
    pub(crate) planner: Planner,
    pub(crate) engine: Engine<Dispatch>,
    /// How much a plan may ask for.
    pub(crate) limits: convoke_plan::Limits,
    /// The name of this orchestrator, the first half of execution ids.
    pub(crate) id: String,
    /// Cancelled when executions have to end because the server does.
    pub(crate) late: CancellationToken,
}

#[tonic::async_trait]
impl Orchestrator for Doors {
    async fn interpret(
        &self,
        request: Request<v1::InterpretRequest>,
    ) -> Result<Response<v1::InterpretResponse>, Status> {
        plan::interpret(self, request.into_inner()).await.map(Response::new)
    }

    async fn plan(&self, request: Request<v1::PlanRequest>) -> Result<Response<v1::PlanResponse>, Status> {
        plan::plan(self, request.into_inner()).await.map(Response::new)
    }

    async fn verify(
        &self,
        request: Request<v1::VerifyRequest>,
    ) -> Result<Response<v1::VerifyResponse>, Status> {
        execute::verify(self, request.into_inner()).map(Response::new)
    }

    async fn ask(&self, request: Request<v1::AskRequest>) -> Result<Response<v1::AskResponse>, Status> {
        ask::ask(self, request).await.map(Response::new)
    }

    type AskStreamStream = BoxStream<'static, Result<v1::AskStreamResponse, Status>>;

    async fn ask_stream(
        &self,
        request: Request<v1::AskStreamRequest>,
    ) -> Result<Response<Self::AskStreamStream>, Status> {
        ask::ask_stream(self, request).await.map(Response::new)
    }

    async fn execute_plan(
        &self,
        request: Request<v1::ExecutePlanRequest>,
    ) -> Result<Response<v1::ExecutePlanResponse>, Status> {
        execute::execute(self, request).await.map(Response::new)
    }

    type ExecutePlanStreamStream = BoxStream<'static, Result<v1::ExecutePlanStreamResponse, Status>>;

    async fn execute_plan_stream(
        &self,
        request: Request<v1::ExecutePlanStreamRequest>,
    ) -> Result<Response<Self::ExecutePlanStreamStream>, Status> {
        execute::execute_stream(self, request).map(Response::new)
    }

    async fn invoke(
        &self,
        request: Request<v1::InvokeRequest>,
    ) -> Result<Response<v1::InvokeResponse>, Status> {
        invoke::invoke(self, request).await.map(Response::new)
    }

    async fn list_agents(
        &self,
        request: Request<v1::ListAgentsRequest>,
    ) -> Result<Response<v1::ListAgentsResponse>, Status> {
        list::agents(self, &request.into_inner()).map(Response::new)
    }

    async fn list_capabilities(
        &self,
        request: Request<v1::ListCapabilitiesRequest>,
    ) -> Result<Response<v1::ListCapabilitiesResponse>, Status> {
        list::capabilities(self, &request.into_inner()).map(Response::new)
    }
}
