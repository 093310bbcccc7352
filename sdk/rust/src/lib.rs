//! convoke-sdk
