//! convoke-plan
