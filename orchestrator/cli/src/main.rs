//! The binary `convoke`: every command is a client of the doors.
//!
//! ```text
//! arguments → mesh (a running one, or one embedded in this process) → RPC → output (human or JSON) → exit code
//! ```
//!
//! A command knows which RPC it calls and nothing of how the orchestrator works; the two that run an orchestrator,
//! `serve` and `dev`, build it from `convoke-server` and then reach it over gRPC as any other client does.

mod args;
mod commands;
mod exit;
mod logs;
mod mesh;
mod output;
mod parameters;

use clap::Parser as _;

#[tokio::main]
async fn main() -> std::process::ExitCode {
    match args::Arguments::try_parse() {
        Ok(arguments) => commands::run(arguments).await,
        Err(unread) => commands::unread(&unread),
    }
    .into()
}
