//! convoke-agents-bundle
