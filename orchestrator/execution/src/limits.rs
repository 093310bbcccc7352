//! What an execution may use, where its plan and its caller say nothing or ask for more.

use std::time::Duration;

/// The engine's own bounds. Both are read; neither can be switched off by 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long an execution may take when neither plan nor caller say less. 60 s by default.
    pub timeout: Duration,
    /// How many bytes the results of one execution may hold together, encoded. 64 MiB by default.
    pub max_result_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), max_result_bytes: 64 << 20 }
    }
}
