//! convoke-planning
