//! `currency`: the agent as a process. What it reads from the environment stands in [`convoke_sdk`].

use std::error::Error;
use std::io::{IsTerminal, stderr};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(stderr).with_ansi(stderr().is_terminal()).init();
    convoke_agent_currency::agent()?.serve().await?;
    Ok(())
}
