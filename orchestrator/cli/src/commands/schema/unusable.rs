//! What a source without types is told.

use anyhow::anyhow;

use super::problem::Problem;
use crate::exit::Failure;

/// Why there are no types.
pub(super) enum Unusable {
    /// The source is not there.
    Usage(anyhow::Error),
    /// It is there, and wrong.
    Broken(Vec<Problem>),
}

// === impl Unusable ===

impl From<Unusable> for Failure {
    fn from(unusable: Unusable) -> Self {
        Self::Usage(match unusable {
            Unusable::Usage(error) => error,
            Unusable::Broken(problems) => {
                let lines: Vec<_> = problems.iter().map(|problem| format!("\n  {problem}")).collect();
                anyhow!("this cannot be used as a schema:{}", lines.concat())
            }
        })
    }
}
