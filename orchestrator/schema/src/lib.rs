//! convoke-schema
