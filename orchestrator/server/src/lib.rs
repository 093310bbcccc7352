//! convoke-server
