//! The engine: runs a checked plan over a service of step calls and tells what happens, as it happens.
//!
//! ```text
//! CheckedPlan ─► Engine::run ─► Graph: which steps are free ─► permit ─► arguments ─► Service<StepCall> ─► StepResult
//!                   │             ▲                                                                          │
//!                   │             └───────────── the step ended: its dependents are free, or skipped ────────┘
//!                   └► ExecutionEvent 1, 2, 3 … ─► Ended { state, output: combine() }
//! ```
//!
//! A step starts the moment its own dependencies have ended; there are no waves. One future owns the whole state of an
//! execution, so there is no lock and no task per step. The stream that [`Engine::run`] returns *is* that future: it
//! works while it is polled, and dropping it cancels the execution. A door that writes events to a slow peer puts
//! [`detach`] between, so that the peer cannot slow the execution down.
//!
//! What ends an execution before its last step, in this order of rank:
//!
//! | what | execution | output | steps that run | steps that wait |
//! |---|---|---|---|---|
//! | the caller cancels | CANCELLED | FAILURE, `CANCELLED` | without effects: reset; with: awaited in the background | CANCELLED |
//! | a required step fails or is skipped | FAILED | FAILURE, that step's error | without effects: reset; with: awaited | CANCELLED |
//! | the time is up | FAILED | FAILURE, `REQUEST_TIMEOUT` | ended by the same deadline | CANCELLED |
//! | a required step asks back | FAILED | CLARIFICATION, token empty | as for a failure | CANCELLED |
//!
//! A step that asks back is FAILED and not AWAITING_INPUT: nothing waits for the answer, and the step has no result
//! that another could use. What the agent asks stands in the step's output and in the execution's, whose *status* says
//! CLARIFICATION; a state says whether the work was done.
//!
//! It knows no agent, no descriptor and no socket, repeats nothing (that is the service's business), checks no plan,
//! and keeps nothing after the last event.

mod calls;
mod collect;
mod combine;
mod detach;
mod drive;
mod engine;
mod events;
mod graph;
mod limits;
mod permits;
mod record;
mod verdict;

pub use collect::{Finished, collect};
pub use detach::{Detached, detach};
pub use engine::{Engine, Run};
pub use limits::Limits;
pub use permits::Permits;
