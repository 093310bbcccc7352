//! What can go wrong before there is a plan.

use convoke_proto::{
    error,
    v1::{ToolError, Violation, tool_error::Outcome, violation::Rule},
};

/// Why a sentence or an intent did not become a plan or a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The sentence is longer than [`crate::Utterance::MAX_BYTES`].
    #[error("the sentence has {bytes} bytes; at most {limit} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// The intent names a goal that no registered agent offers.
    #[error("there is no goal {goal:?}")]
    UnknownGoal {
        /// As the intent has it, `domain.GOAL` or `GOAL`.
        goal: String,
        /// The nearest goals that there are, best first.
        nearest: Vec<String>,
    },
    /// The intent names a goal without its domain, and several domains have it.
    #[error("the goal {goal:?} is offered by several domains")]
    AmbiguousGoal {
        /// As the intent has it.
        goal: String,
        /// `domain.GOAL` of each.
        candidates: Vec<String>,
    },
    /// The goal is known; the capability that it leads to is not there (now).
    #[error("the goal {goal:?} leads to {capability:?}, which no registered agent offers")]
    NoCapability {
        /// `domain.GOAL`.
        goal: String,
        /// The capability's name.
        capability: String,
    },
}

impl Error {
    /// The record of this error, as callers of a door see it.
    #[must_use]
    pub fn to_tool_error(&self) -> ToolError {
        let (mut error, names) = match self {
            Self::TooLong { limit, .. } => {
                let violation = Violation {
                    path: "input_text".to_owned(),
                    rule: Rule::TooLarge.into(),
                    expected: format!("at most {limit} bytes"),
                    ..Violation::default()
                };
                (
                    ToolError { message: self.to_string(), ..error::parameters_invalid(vec![violation]) },
                    &[][..],
                )
            }
            Self::UnknownGoal { nearest, .. } => {
                (error::own(error::CAPABILITY_NOT_FOUND, self.to_string()), nearest.as_slice())
            }
            Self::AmbiguousGoal { candidates, .. } => {
                (error::own(error::CAPABILITY_AMBIGUOUS, self.to_string()), candidates.as_slice())
            }
            Self::NoCapability { .. } => (error::own(error::CAPABILITY_NOT_FOUND, self.to_string()), &[][..]),
        };
        if !names.is_empty() {
            error = error::with_candidates(error, names.iter().map(String::as_str));
        }
        error.set_outcome(Outcome::NotStarted);
        error
    }
}
