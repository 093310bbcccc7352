//! What can go wrong before there is a plan.

use convoke_proto::v1::{ToolError, tool_error::Category};

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
        let (code, category, names) = match self {
            Self::TooLong { .. } => ("INPUT_TOO_LONG", Category::InputError, &[][..]),
            Self::UnknownGoal { nearest, .. } => ("GOAL_NOT_FOUND", Category::NotFound, &nearest[..]),
            Self::AmbiguousGoal { candidates, .. } => {
                ("GOAL_AMBIGUOUS", Category::InputError, &candidates[..])
            }
            Self::NoCapability { .. } => ("CAPABILITY_NOT_FOUND", Category::NotFound, &[][..]),
        };
        let mut error = ToolError {
            code: code.to_owned(),
            message: self.to_string(),
            category: category.into(),
            retryable: Some(false),
            outcome: convoke_proto::v1::tool_error::Outcome::NotStarted.into(),
            ..ToolError::default()
        };
        if !names.is_empty() {
            let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
            error.details.insert("candidates".to_owned(), format!("[{}]", quoted.join(",")));
        }
        error
    }
}
