//! convoke-execution
