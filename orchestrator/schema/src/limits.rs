//! How much one value may cost.

/// Bounds of a compiled schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep messages and the lists and objects of a Struct may nest, the root counted; 32 by default.
    pub max_depth: usize,
    /// How many bytes a report's texts may take together; 64 MiB by default.
    pub max_report_bytes: usize,
    /// How many values a decoded message may hold; 4,194,304 by default.
    pub max_values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 32, max_report_bytes: 64 << 20, max_values: 4 << 20 }
    }
}
