//! The agents that `convoke dev` starts: the Rust ones of `agents/`, in the caller's process.
//!
//! In process is no short cut: each listens on a loopback port of its own, registers through the `Registry` service and
//! is called over gRPC, as it would be on another machine.
//!
//! ```text
//! start(registry) ─► every agent listens and announces itself ─► registered() ─► … ─► stop()
//! ```

use std::{sync::Arc, time::Duration};

use convoke_sdk::{Agent, Drain, Options, Running, discovery};
use tokio::task::JoinSet;

/// The orchestrator hears of the drain before it is over, and nobody else calls: no call is late.
const DRAIN: Drain = Drain { accept: Duration::ZERO, finish: Duration::from_secs(5) };

/// The agents, running, each under its domain.
#[derive(Debug)]
pub struct Bundle {
    agents: Vec<(&'static str, Running)>,
}

/// Why the bundle does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An agent's shipped data cannot be read.
    #[error("the currency agent cannot read its data: {0}")]
    Currency(#[from] convoke_agent_currency::quote::DataError),
    /// An agent cannot listen or announce itself.
    #[error("an agent does not start: {0}")]
    Agent(#[from] convoke_sdk::Error),
}

/// Starts every agent, each on a free port of 127.0.0.1. `registry` is where they register: `grpc://host:port`.
///
/// When this returns they listen; [`Bundle::registered`] waits until the registry knows them.
///
/// # Errors
/// What keeps one of them from starting; those that had started are ended.
pub async fn start(registry: &str) -> Result<Bundle, Error> {
    let mut bundle = Bundle { agents: vec![] };
    for (domain, agent) in agents()? {
        let options = Options { registry: registry.to_owned(), drain: DRAIN, ..Options::default() };
        bundle.agents.push((domain, agent.start(options).await?));
    }
    Ok(bundle)
}

fn agents() -> Result<Vec<(&'static str, Agent)>, Error> {
    Ok(vec![("currency", convoke_agent_currency::agent()?)])
}

// === impl Bundle ===

impl Bundle {
    /// Waits until every agent is registered. Waits as long as there is no registry.
    ///
    /// # Errors
    /// What the registry says when it refuses one.
    pub async fn registered(&self) -> Result<(), Arc<discovery::Error>> {
        for (_, agent) in &self.agents {
            agent.registered().await?;
        }
        Ok(())
    }

    /// Each agent's domain and where it listens, `http://127.0.0.1:port`.
    pub fn endpoints(&self) -> impl Iterator<Item = (String, String)> {
        self.agents.iter().map(|(domain, agent)| ((*domain).to_owned(), agent.endpoint().to_owned()))
    }

    /// Ends them, all at once: no new call, running ones finish, and they are gone from the registry. What breaks on
    /// the way is logged.
    pub async fn stop(self) {
        let mut ending: JoinSet<_> = self
            .agents
            .into_iter()
            .map(|(domain, agent)| async move { (domain, agent.stop().await) })
            .collect();
        while let Some(joined) = ending.join_next().await {
            if let Ok((domain, Err(error))) = joined {
                tracing::warn!(domain, %error, "an agent broke down");
            }
        }
    }
}
