//! The greeter as a person runs it: a process, told where to register by its environment, ended by a signal.

#![allow(clippy::unwrap_used, reason = "a suite fails by panicking")]

#[path = "../../../../discovery/tests/support/mod.rs"]
mod support;

mod greeter {
    #![allow(unreachable_pub, dead_code, reason = "generated")]
    convoke_sdk::include_proto!("greeter.v1");
}

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use convoke_proto::{status, v1::instance::State};
use convoke_sdk::discovery::{Registry, memory::Memory};
use greeter::{GreetRequest, Language, greeter_client::GreeterClient};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use support::{Orchestrator, next, put, removed};
use tokio::time::timeout;
use tonic::Code;

struct Process(Child);

impl Process {
    fn start(registry: &str) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_greeter"))
            .env("CONVOKE_REGISTRY", registry)
            .env_remove("CONVOKE_AGENT_LISTEN")
            .env_remove("CONVOKE_AGENT_ENDPOINT")
            .stdout(Stdio::null())
            .spawn();
        Self(command.unwrap())
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.0.id().try_into().unwrap()), signal).unwrap();
    }

    /// Waits until it has ended by itself.
    async fn ended(mut self) -> bool {
        let waiting = tokio::task::spawn_blocking(move || self.0.wait().unwrap().success());
        timeout(support::PATIENCE, waiting).await.unwrap().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already, except where a test failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn it_registers_greets_and_leaves() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;
    let process = Process::start(&orchestrator.url());
    let instance = next(&mut updates, put).await;
    assert_eq!(instance.domain, "greeter");

    let mut client = GreeterClient::connect(instance.endpoint).await.unwrap();
    for (language, greeting) in [
        (Language::Unspecified, "Hello, Ada!"),
        (Language::French, "Bonjour, Ada !"),
        (Language::Japanese, "こんにちは、Adaさん。"),
    ] {
        let request = GreetRequest { name: " Ada ".into(), language: language.into() };
        assert_eq!(client.greet(request).await.unwrap().into_inner().greeting, greeting);
    }
    let refused = client.greet(GreetRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(status::details(&refused).tool_error.unwrap().field_violations[0].path, "name");

    process.signal(Signal::SIGTERM);
    let draining = timeout(Duration::from_secs(1), next(&mut updates, put)).await.unwrap();
    assert_eq!(draining.state(), State::Draining);
    assert_eq!(next(&mut updates, removed).await, instance.id);
    assert!(process.ended().await, "it ends with success");
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let memory = Memory::new();
    let mut updates = memory.watch();
    let orchestrator = Orchestrator::start(Arc::new(memory)).await;
    let process = Process::start(&orchestrator.url());
    next(&mut updates, put).await;
    process.signal(Signal::SIGINT);
    next(&mut updates, put).await;
    process.signal(Signal::SIGINT);
    // Long before the two seconds for which a draining agent still takes calls.
    assert!(timeout(Duration::from_secs(1), process.ended()).await.unwrap());
}
