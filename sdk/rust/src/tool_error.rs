//! A failure that says what a caller, a model or a retry needs to know.

use std::time::Duration;

use convoke_proto::{
    error, status,
    v1::{
        self,
        tool_error::{Category, Outcome},
    },
};
use tonic::Status;

/// A failure for a handler to return: it becomes a [`Status`] with the error in its details.
///
/// ```
/// # use convoke_sdk::{ToolError, tonic::Status};
/// fn rate(code: &str) -> Result<f64, Status> {
///     match code {
///         "EUR" => Ok(1.0),
///         _ => Err(ToolError::not_found(format!("no currency {code:?}"))
///             .code("CURRENCY_NOT_FOUND")
///             .candidates(["EUR", "EEK"])
///             .into()),
///     }
/// }
/// assert_eq!(rate("EUX").unwrap_err().code(), convoke_sdk::tonic::Code::NotFound);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolError(v1::ToolError);

// === impl ToolError ===

impl ToolError {
    /// The input is wrong; another might do. Promises that nothing was changed.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new("INVALID_ARGUMENT", Category::InputError, message)
    }

    /// What was asked for doesn't exist; something else might. Promises that nothing was changed.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new("NOT_FOUND", Category::NotFound, message)
    }

    /// Too much was asked for at once; see [`ToolError::retry_after`].
    pub fn rate_limit(message: impl Into<String>) -> Self {
        Self::new("RESOURCE_EXHAUSTED", Category::RateLimit, message)
    }

    /// The caller may not do this. Promises that nothing was changed.
    pub fn auth(message: impl Into<String>) -> Self {
        Self::new("PERMISSION_DENIED", Category::AuthError, message)
    }

    /// The agent, or something that it needs, doesn't work at the moment.
    pub fn service(message: impl Into<String>) -> Self {
        Self::new("UNAVAILABLE", Category::ServiceError, message)
    }

    /// The agent's own code for it, UPPER_SNAKE. By default the name of the gRPC code.
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.0.code = code.into();
        self
    }

    /// Names that might have been meant, nearest first: `details["candidates"]`, a JSON list.
    pub fn candidates<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<S> = names.into_iter().collect();
        self.0 = error::with_candidates(self.0, names.iter().map(AsRef::as_ref));
        self
    }

    /// Whether a repetition can help: with corrected input for [`input`](Self::input) and
    /// [`not_found`](Self::not_found), with the same one otherwise. By default all but [`auth`](Self::auth) are.
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = Some(retryable);
        self
    }

    /// When the same call may be made again.
    pub fn retry_after(mut self, delay: Duration) -> Self {
        self.0.retry_after = delay.try_into().ok();
        self
    }

    /// Whether the call has had its effect, where the agent knows.
    pub fn outcome(mut self, outcome: Outcome) -> Self {
        self.0.outcome = outcome.into();
        self
    }

    /// One more fact for programs.
    pub fn detail(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.details.insert(key.into(), value.into());
        self
    }

    /// A field of the input that is wrong: its path, what was expected in words, and what came, as JSON text.
    pub fn field(
        mut self,
        path: impl Into<String>,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Self {
        self.0.field_violations.push(v1::Violation {
            path: path.into(),
            rule: v1::violation::Rule::Constraint.into(),
            expected: expected.into(),
            got: got.into(),
            suggestion: String::new(),
        });
        self
    }

    /// What a person could do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.remediation_hint = hint.into();
        self
    }

    fn new(code: &str, category: Category, message: impl Into<String>) -> Self {
        Self(error::tool_error(code, category, message))
    }
}

impl From<ToolError> for Status {
    fn from(error: ToolError) -> Self {
        status::to_status(&error.0)
    }
}

impl From<ToolError> for v1::ToolError {
    fn from(error: ToolError) -> Self {
        error.0
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn everything_said_stands_in_the_details_of_the_status() {
        let error = ToolError::not_found("no unit \"kilometrs\"")
            .code("UNIT_NOT_FOUND")
            .candidates(["kilometre", "kilometer"])
            .retryable(true)
            .outcome(Outcome::NotApplied)
            .detail("registry", "SI")
            .field("from", "a unit", "\"kilometrs\"")
            .hint("list_units names them all");
        let status = Status::from(error.clone());
        assert_eq!((status.code(), status.message()), (Code::NotFound, "no unit \"kilometrs\""));
        let details = status::details(&status).tool_error.unwrap();
        assert_eq!(details, error.into());
        assert_eq!(details.details["candidates"], r#"["kilometre","kilometer"]"#);
        assert_eq!(details.category(), Category::NotFound);
    }

    #[test]
    fn each_kind_travels_under_its_grpc_code() {
        for (error, code) in [
            (ToolError::input(""), Code::InvalidArgument),
            (ToolError::not_found(""), Code::NotFound),
            (ToolError::rate_limit("").retry_after(Duration::from_secs(1)), Code::ResourceExhausted),
            (ToolError::auth(""), Code::PermissionDenied),
            (ToolError::service(""), Code::Unavailable),
        ] {
            assert_eq!(Status::from(error).code(), code);
        }
    }
}
