//! A real server on a free port, real agents behind it, and what a caller sees.

mod agent;
mod asking;
mod draining;
mod hostile;
mod invoking;
mod leases;
mod listing;
mod mesh;
mod registering;
mod serving;
