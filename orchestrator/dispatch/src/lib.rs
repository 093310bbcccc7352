//! convoke-dispatch
