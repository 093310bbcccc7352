//! What can go wrong between an agent and a registry.

use convoke_proto::{
    error,
    v1::{self, tool_error::Category, violation::Rule},
};

/// Why a registry did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The registration can never succeed as it is: a field is malformed.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field of the registration, as `RegisterRequest` names it.
        field: &'static str,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// A living instance with another endpoint holds the id, until its lease ends.
    #[error("instance id {id:?} is held by a living instance with another endpoint, until its lease ends")]
    IdTaken {
        /// The id that was asked for.
        id: String,
    },
    /// The registry looked at the registration and refused it; it would refuse it again.
    #[error("refused: {} ({})", .0.message, .0.code)]
    Refused(Box<v1::ToolError>),
    /// The registry cannot be reached, or did not answer in time.
    #[error("the registry is unavailable: {reason}")]
    Unavailable {
        /// What was attempted, and how it failed.
        reason: String,
        /// The failure beneath.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
}

impl Error {
    /// Whether the same call may succeed later, unchanged.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::IdTaken { .. } | Self::Unavailable { .. } => true,
            Self::Invalid { .. } | Self::Refused(_) => false,
        }
    }

    /// The error as the `Registry` service answers it: without addresses and without what lies beneath.
    pub fn to_tool_error(&self) -> v1::ToolError {
        match self {
            Self::Invalid { field, reason } => error::manifest_invalid(vec![v1::Violation {
                path: (*field).to_owned(),
                rule: Rule::BadFormat.into(),
                expected: reason.clone(),
                ..Default::default()
            }]),
            Self::IdTaken { .. } => v1::ToolError {
                retryable: Some(true),
                ..error::tool_error("ALREADY_EXISTS", Category::InputError, self.to_string())
            },
            Self::Refused(error) => (**error).clone(),
            Self::Unavailable { .. } => {
                error::tool_error("UNAVAILABLE", Category::ServiceError, "the registry is unavailable")
            }
        }
    }

    pub(crate) fn unavailable(
        reason: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Unavailable { reason: reason.into(), source: Some(source.into()) }
    }

    pub(crate) fn timed_out(what: &str) -> Self {
        Self::Unavailable { reason: format!("{what}: no answer in time"), source: None }
    }
}
