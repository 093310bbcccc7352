//! How much a plan may ask for.

/// What bounds a plan, whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Steps in one plan.
    pub max_steps: usize,
    /// Objects and lists inside one another in a step's `params`.
    pub max_depth: usize,
    /// Values of all kinds in all `params` of one plan, references and literals counted alike.
    pub max_values: usize,
    /// Steps that run at a time, where the plan does not say.
    pub default_concurrency: usize,
    /// Steps that run at a time, whatever the plan says.
    pub max_concurrency: usize,
    /// Findings in one report; what is left out is said.
    pub max_findings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 100,
            max_depth: 32,
            max_values: 100_000,
            default_concurrency: 16,
            max_concurrency: 100,
            max_findings: 200,
        }
    }
}
