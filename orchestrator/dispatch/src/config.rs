//! What dispatch may use.

use std::time::Duration;

/// The bounds of dispatch. Every value is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The zone that this orchestrator runs in: instances of it go first. `None` by default: zones then say nothing.
    pub zone: Option<String>,
    /// How long one call may spend on reaching agents, over all its attempts. 800 ms by default, so that a call to an
    /// agent that is gone fails within a second.
    pub connect_timeout: Duration,
    /// How many connections are kept, one an endpoint; past it, the one that was used least recently is closed once
    /// its calls have ended. 1,024 by default, at least 1.
    pub max_connections: usize,
    /// The largest request and the largest response, in bytes. 4 MiB by default.
    pub max_message_bytes: usize,
    /// How many orchestrators a request may pass, this one included. 8 by default.
    pub max_hops: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            zone: None,
            connect_timeout: Duration::from_millis(800),
            max_connections: 1024,
            max_message_bytes: 4 << 20,
            max_hops: 8,
        }
    }
}
