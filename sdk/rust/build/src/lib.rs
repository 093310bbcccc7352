//! convoke-build
