//! `convoke serve`: the orchestrator alone.

use anyhow::Context as _;
use convoke_server::{Config, Server};
use tokio::signal::unix::{SignalKind, signal};

use crate::args;
use crate::exit::{Ending, Exit, Failure};
use crate::output::Printer;

pub(crate) async fn run(args: args::Serve, printer: &Printer) -> Ending {
    let config = config(args).map_err(Failure::Usage)?;
    let server = Server::build(config).await.map_err(|error| Failure::Other(error.into()))?;
    printer.text(&format!("listening on {}", server.local_addr()))?;
    server.serve(asked_to_end()).await.map_err(|error| Failure::Other(error.into()))?;
    Ok(Exit::Success)
}

fn config(args: args::Serve) -> anyhow::Result<Config> {
    let unset = Config::default();
    let config = Config {
        listen: args.listen,
        insecure_listen: args.insecure_listen,
        registry: args.registry.parse()?,
        namespace: args.namespace,
        id: args.id.unwrap_or(unset.id),
        agent_endpoints: args.agent_endpoints,
        confidence_threshold: args.confidence_threshold,
        ..Config::default()
    };
    config.check()?;
    Ok(config)
}

/// Ready at SIGTERM or Ctrl-C.
pub(crate) async fn asked_to_end() {
    let terminated = async {
        match signal(SignalKind::terminate()).context("SIGTERM cannot be watched") {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::warn!(%error, "only ctrl-c ends this process cleanly");
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        () = terminated => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
