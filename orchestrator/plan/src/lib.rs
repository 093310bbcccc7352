//! The plan as a language: its text is parsed, its steps are bound and type-checked before anything runs, its values
//! are evaluated while it runs.
//!
//! ```text
//! a plan file ─parse()─► v1::ExecutionPlan ─check(&Catalog, &Limits)─► PlanReport: every finding, with its place
//!                                                                  └─► CheckedPlan: steps bound to contracts, edges known
//! an Invoke ─CheckedPlan::single()──────────────────────────────────────┘
//!     engine: CheckedStep.arguments.evaluate(&Outputs) ─► StepCall ─dispatch─► StepResult ─► Outputs
//! ```
//!
//! A value in `params` is a literal, a reference (`${1.result.price ?? 0}`) or text with references in it. Foreign text
//! is never code: [`literal()`] wraps it, and a value that was filled in is never read again.
//!
//! It runs nothing: it neither orders nor times steps nor calls an agent, and no environment can be reached from a
//! plan. `$cel` is refused as not served.

mod argument;
mod call;
mod check;
mod checked;
mod ledger;
mod limits;
mod literal;
mod outputs;
mod parse;
mod reference;
mod template;

pub use argument::{Argument, EvalError, EvalErrorKind};
pub use call::{CallContext, StepCall, StepResult};
pub use check::check;
pub use checked::{CheckedPlan, CheckedStep};
pub use ledger::{Kept, Ledger};
pub use limits::Limits;
pub use literal::literal;
pub use outputs::{Outputs, StepOutput};
pub use parse::parse;
pub use reference::{Reference, Root, Segment};
