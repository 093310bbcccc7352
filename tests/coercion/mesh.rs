//! An orchestrator in this process, with its doors open, and the echo agent behind it.

use convoke_proto::v1::orchestrator_client::OrchestratorClient;
use convoke_proto::v1::{self, ExecutionPlan, ExecutionStep, PlanReport};
use convoke_sdk::Running;
use convoke_server::{Config, Server};
use prost_types::Struct;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

use crate::cases::method;
use crate::echo::Echo;

/// A call's record and its answer.
pub(crate) struct Called {
    pub(crate) report: v1::CoercionReport,
    pub(crate) output: v1::DomainOutput,
}

pub(crate) struct Mesh {
    pub(crate) echo: Echo,
    /// Where its doors are.
    pub(crate) address: String,
    client: OrchestratorClient<Channel>,
    agent: Running,
    drain: CancellationToken,
    served: JoinHandle<Result<(), convoke_server::Error>>,
}

// === impl Mesh ===

impl Mesh {
    pub(crate) async fn start(descriptors: Vec<u8>) -> Self {
        let config = Config { listen: "127.0.0.1:0".parse().unwrap(), ..Config::default() };
        let server = Server::build(config).await.unwrap();
        let address = server.local_addr();
        let drain = CancellationToken::new();
        let served = tokio::spawn(server.serve(drain.clone().cancelled_owned()));
        let echo = Echo::default();
        let agent = echo.start(format!("grpc://{address}"), descriptors).await;
        let client = OrchestratorClient::connect(format!("http://{address}")).await.unwrap();
        let client = client.max_decoding_message_size(64 << 20);
        Self { echo, address: address.to_string(), client, agent, drain, served }
    }

    pub(crate) async fn invoke(&mut self, message: &str, parameters: Struct) -> Called {
        let request = v1::InvokeRequest {
            domain: "echo".to_owned(),
            capability: capability(message),
            parameters: Some(parameters),
            ..Default::default()
        };
        let response = self.client.invoke(request).await.unwrap().into_inner();
        let step = response.step.unwrap();
        Called { report: step.coercion.unwrap_or_default(), output: response.output.unwrap() }
    }

    /// What the check says about a plan of one step, and the plan as it is bound.
    pub(crate) async fn verify(&mut self, message: &str, params: Struct) -> (ExecutionPlan, PlanReport) {
        let step = ExecutionStep {
            id: "1".to_owned(),
            domain: "echo".to_owned(),
            capability: capability(message),
            params: Some(params),
            ..Default::default()
        };
        let plan = ExecutionPlan { steps: vec![step], ..Default::default() };
        let response = self.client.verify(v1::VerifyRequest { plan: Some(plan) }).await.unwrap().into_inner();
        (response.plan.unwrap(), response.plan_report.unwrap_or_default())
    }

    pub(crate) async fn execute(&mut self, plan: ExecutionPlan) -> Called {
        let request = v1::ExecutePlanRequest { plan: Some(plan), ..Default::default() };
        let mut response = self.client.execute_plan(request).await.unwrap().into_inner();
        let step = response.steps.pop().unwrap();
        Called { report: step.coercion.unwrap_or_default(), output: response.output.unwrap() }
    }

    pub(crate) async fn end(self) {
        let Self { client, agent, drain, served, .. } = self;
        drop((client, agent));
        drain.cancel();
        served.await.unwrap().unwrap();
    }
}

/// A method's name as a capability's: in snake case.
fn capability(message: &str) -> String {
    let mut name = String::new();
    for (index, letter) in method(message).char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
