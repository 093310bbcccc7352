//! Planning: from a person's sentence to a plan that can be checked.
//!
//! ```text
//! sentence → IntentAdapter → IntentOutput → gate → goal resolver → single-step planner → ExecutionPlan
//!                                             └→ Clarification (the alternatives as candidates)
//! ```
//!
//! [`adapter::IntentAdapter`] is the port; [`lexical::Lexical`] is the adapter that needs no model, no key
//! and no network. What follows an intent is deterministic: [`gate`] stops what is not sure enough, [`goal`]
//! maps a goal to a capability by the manifest alone, [`single`] writes a plan of one step whose values are
//! literals, so that a person's text is never read as code. [`Planner`] puts them in a row.
//!
//! This crate does no I/O and knows no domain: what tells two domains apart stands in their manifests. It does
//! not check plans (that is `convoke-plan`), does not run them, and keeps no state between sentences beyond the
//! index of the catalog it saw last.

pub mod adapter;
mod error;
pub mod gate;
pub mod goal;
pub mod lexical;
mod planner;
pub mod single;

pub use adapter::{IntentAdapter, Interpretation, Utterance};
pub use error::Error;
pub use lexical::Lexical;
pub use planner::{Planned, Planner};
