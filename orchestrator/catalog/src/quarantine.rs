//! Why something that the registry holds is not served.

use convoke_proto::v1;

/// A manifest or an instance that was listed and left out of every pool. Nobody else is affected by it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{subject}: {reason}")]
pub struct Quarantine {
    /// `manifest {digest}` or `instance {id}`.
    pub subject: String,
    /// In words, for operators; what `ListAgents` shows.
    pub reason: String,
    /// Every mistake of a manifest; empty where the reason says it all.
    pub violations: Vec<v1::Violation>,
}

impl Quarantine {
    pub(crate) fn manifest(digest: &str, reason: impl Into<String>, violations: Vec<v1::Violation>) -> Self {
        Self { subject: format!("manifest {digest}"), reason: reason.into(), violations }
    }

    pub(crate) fn instance(id: &str, reason: impl Into<String>) -> Self {
        Self { subject: format!("instance {id}"), reason: reason.into(), violations: Vec::new() }
    }
}

/// The first violations in one line.
pub(crate) fn summary(violations: &[v1::Violation]) -> String {
    const SHOWN: usize = 3;
    let mut words: Vec<String> = violations
        .iter()
        .take(SHOWN)
        .map(|violation| format!("{}: {}", violation.path, violation.expected))
        .collect();
    if violations.len() > SHOWN {
        words.push(format!("and {} more", violations.len() - SHOWN));
    }
    words.join("; ")
}
