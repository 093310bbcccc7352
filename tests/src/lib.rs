//! convoke-tests
