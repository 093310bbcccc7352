//! `currency`: the agent as a process. What it reads from the environment stands in [`convoke_sdk`].

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    convoke_agent_currency::agent()?.serve().await?;
    Ok(())
}
