//! convoke-catalog
