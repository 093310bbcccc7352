//! Agents as processes of their own.

use std::path::Path;

use tokio::process::Command;

use crate::process::Process;
use crate::tools::{program, python_environment, repository};

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
        command.env("CONVOKE_REGISTRY", registry).env("UNITS_VENV", python_environment());
        Self { process: Process::start("units", &mut command) }
    }

    /// `tests/fixtures/moon`, a service that nobody of the mesh has seen, registering at `registry`; `stubs` are its own.
    pub fn moon(registry: &str, stubs: &Path) -> Self {
        let mut command = Command::new(python_environment().join("bin/python"));
        command
            .arg(repository().join("tests/fixtures/moon/moon.py"))
            .env("CONVOKE_REGISTRY", registry)
            .env("PYTHONPATH", stubs);
        Self { process: Process::start("moon", &mut command) }
    }

    /// The process behind it.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }
}
