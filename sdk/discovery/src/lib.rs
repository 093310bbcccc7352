//! convoke-discovery
