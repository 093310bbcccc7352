//! The error table: it is total, so no error falls through.

use tonic::Code;

use crate::{
    error,
    v1::{ToolError, tool_error::Category},
};

/// The category of a status that carries no ToolError.
pub fn category_of(code: Code) -> Category {
    match code {
        Code::InvalidArgument | Code::OutOfRange | Code::AlreadyExists | Code::FailedPrecondition => {
            Category::InputError
        }
        Code::NotFound | Code::Unimplemented => Category::NotFound,
        Code::Unauthenticated | Code::PermissionDenied => Category::AuthError,
        Code::ResourceExhausted => Category::RateLimit,
        Code::Unavailable
        | Code::DeadlineExceeded
        | Code::Aborted
        | Code::Internal
        | Code::Unknown
        | Code::DataLoss
        | Code::Cancelled
        | Code::Ok => Category::ServiceError,
    }
}

/// The category of an error; one that names none, or one that nobody knows, is a SERVICE_ERROR.
pub fn category(error: &ToolError) -> Category {
    match error.category() {
        Category::Unspecified => Category::ServiceError,
        known => known,
    }
}

/// The gRPC code under which an error travels: that of its own code where there is one, else its category's.
pub fn code_of(error: &ToolError) -> Code {
    if let Some(code) = error::grpc_code(error) {
        return code;
    }
    let category = category(error);
    if let Some(code) = code_named(&error.code)
        && category_of(code) == category
    {
        return code;
    }
    match category {
        Category::InputError => Code::InvalidArgument,
        Category::NotFound => Code::NotFound,
        Category::RateLimit => Code::ResourceExhausted,
        Category::AuthError => Code::Unauthenticated,
        Category::ServiceError | Category::Unspecified => Code::Unavailable,
    }
}

/// Whether a retry can help: as the error says, else as its category has it. AUTH_ERROR alone is final by default.
pub fn retryable(error: &ToolError) -> bool {
    error.retryable.unwrap_or(category(error) != Category::AuthError)
}

/// The HTTP status of an error.
pub fn http_status(error: &ToolError) -> u16 {
    match (category(error), code_of(error)) {
        (Category::InputError, Code::AlreadyExists) => 409,
        (Category::InputError, _) => 400,
        (Category::NotFound, _) => 404,
        (Category::AuthError, Code::PermissionDenied) => 403,
        (Category::AuthError, _) => 401,
        (Category::RateLimit, _) => 429,
        (Category::ServiceError | Category::Unspecified, _) => 503,
    }
}

/// The name of a gRPC code as the specification spells it: `DEADLINE_EXCEEDED`.
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// The failure code of that name.
fn code_named(name: &str) -> Option<Code> {
    (1..=16).map(Code::from_i32).find(|&code| code_name(code) == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::tool_error;

    #[test]
    fn each_grpc_code_has_the_category_and_http_status_of_the_table() {
        use Category::{AuthError, InputError, NotFound, RateLimit, ServiceError};
        let table = [
            (1, "CANCELLED", ServiceError, 503),
            (2, "UNKNOWN", ServiceError, 503),
            (3, "INVALID_ARGUMENT", InputError, 400),
            (4, "DEADLINE_EXCEEDED", ServiceError, 503),
            (5, "NOT_FOUND", NotFound, 404),
            (6, "ALREADY_EXISTS", InputError, 409),
            (7, "PERMISSION_DENIED", AuthError, 403),
            (8, "RESOURCE_EXHAUSTED", RateLimit, 429),
            (9, "FAILED_PRECONDITION", InputError, 400),
            (10, "ABORTED", ServiceError, 503),
            (11, "OUT_OF_RANGE", InputError, 400),
            (12, "UNIMPLEMENTED", NotFound, 404),
            (13, "INTERNAL", ServiceError, 503),
            (14, "UNAVAILABLE", ServiceError, 503),
            (15, "DATA_LOSS", ServiceError, 503),
            (16, "UNAUTHENTICATED", AuthError, 401),
        ];
        for (number, name, category, http) in table {
            let code = Code::from_i32(number);
            assert_eq!((code_name(code), category_of(code)), (name, category));
            let error = tool_error(name, category, "");
            assert_eq!((code_of(&error), http_status(&error)), (code, http), "{name}");
        }
    }

    #[test]
    fn an_agents_own_code_travels_as_its_category_says() {
        for (category, code) in [
            (Category::InputError, Code::InvalidArgument),
            (Category::NotFound, Code::NotFound),
            (Category::RateLimit, Code::ResourceExhausted),
            (Category::AuthError, Code::Unauthenticated),
            (Category::ServiceError, Code::Unavailable),
            (Category::Unspecified, Code::Unavailable),
        ] {
            assert_eq!(code_of(&tool_error("CURRENCY_UNKNOWN", category, "")), code);
            assert_eq!(
                code_of(&tool_error(error::PLAN_INVALID, category, "")),
                code,
                "in its own category only"
            );
        }
    }

    #[test]
    fn the_orchestrators_own_codes_travel_as_documented() {
        for (code, expected) in [
            (error::NOT_SERVED, Code::Unimplemented),
            (error::PLAN_INVALID, Code::InvalidArgument),
            (error::AGENT_UNAVAILABLE, Code::Unavailable),
            (error::EXECUTION_OWNER_LOST, Code::Unavailable),
            (error::REQUEST_TIMEOUT, Code::DeadlineExceeded),
            (error::IDEMPOTENCY_CONFLICT, Code::AlreadyExists),
        ] {
            assert_eq!(code_of(&error::own(code, "")), expected, "{code}");
        }
    }

    #[test]
    fn an_absent_retryable_takes_the_default_of_the_category() {
        let error = |category| tool_error("X", category, "");
        assert!(retryable(&error(Category::InputError)) && retryable(&error(Category::NotFound)));
        assert!(retryable(&error(Category::RateLimit)) && retryable(&error(Category::ServiceError)));
        assert!(!retryable(&error(Category::AuthError)));
        assert!(!retryable(&ToolError { retryable: Some(false), ..error(Category::NotFound) }));
        assert!(retryable(&ToolError { retryable: Some(true), ..error(Category::AuthError) }));
    }
}
