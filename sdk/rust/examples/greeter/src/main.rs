//! The smallest agent: one capability, `greet`.

mod greeter {
    #![allow(unreachable_pub, reason = "generated")]
    convoke_sdk::include_proto!("greeter.v1");
}

use convoke_sdk::{Agent, Error, ToolError};
use greeter::{
    FILE_DESCRIPTOR_SET, GreetRequest, GreetResponse, Language,
    greeter_server::{Greeter, GreeterServer},
};
use tonic::{Request, Response, Status};

struct Polite;

#[tonic::async_trait]
impl Greeter for Polite {
    async fn greet(&self, request: Request<GreetRequest>) -> Result<Response<GreetResponse>, Status> {
        let request = request.into_inner();
        let name = request.name.trim();
        if name.is_empty() {
            return Err(ToolError::input("nobody to greet").field("name", "a name", "\"\"").into());
        }
        let greeting = match request.language() {
            Language::Unspecified | Language::English => format!("Hello, {name}!"),
            Language::French => format!("Bonjour, {name} !"),
            Language::German => format!("Guten Tag, {name}!"),
            Language::Japanese => format!("こんにちは、{name}さん。"),
        };
        Ok(Response::new(GreetResponse { greeting }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    tracing_subscriber::fmt().init();
    Agent::new(FILE_DESCRIPTOR_SET).add_service(GreeterServer::new(Polite)).serve().await
}
