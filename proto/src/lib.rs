//! convoke-proto
