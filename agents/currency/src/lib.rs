//! convoke-agent-currency
