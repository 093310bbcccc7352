//! Where logs go: standard error, filtered by `CONVOKE_LOG`, so that standard output holds the answer alone.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

/// Starts logging at `default` unless `CONVOKE_LOG` holds a filter (`info`, `convoke_server=debug,warn`, …).
pub(crate) fn start(default: &str) -> anyhow::Result<()> {
    let filter = match std::env::var("CONVOKE_LOG") {
        Ok(text) if !text.is_empty() => EnvFilter::try_new(&text)
            .map_err(|error| anyhow::anyhow!("CONVOKE_LOG={text:?} is no log filter: {error}"))?,
        _ => EnvFilter::new(default),
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    Ok(())
}
