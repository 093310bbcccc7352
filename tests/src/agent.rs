//! Agents as processes of their own.

use tokio::process::Command;

use crate::process::Process;
use crate::tools::{program, repository};

/// A running agent.
#[derive(Debug)]
pub struct Agent {
    process: Process,
}

// === impl Agent ===

impl Agent {
    /// `agents/currency`, registering at `registry`.
    pub fn currency(registry: &str) -> Self {
        let mut command = Command::new(program("convoke-agent-currency"));
        command.env("CONVOKE_REGISTRY", registry);
        Self { process: Process::start("currency", &mut command) }
    }

    /// `agents/units` by the README's line, registering at `registry`.
    pub fn units(registry: &str) -> Self {
        let mut command = Command::new(repository().join("agents/units/run"));
        command.env("CONVOKE_REGISTRY", registry);
        Self { process: Process::start("units", &mut command) }
    }

    /// The process behind it.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }
}
