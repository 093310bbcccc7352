//! When the same payload may go to another instance. Data in, a word out: no clock, no socket.
//!
//! | the attempt ended | READ_ONLY, IDEMPOTENT | KEYED, NON_IDEMPOTENT |
//! |---|---|---|
//! | NOT_STARTED, by the transport's knowledge or the agent's word | repeat | repeat |
//! | SERVICE_ERROR or RATE_LIMIT, retryable | repeat | stop |
//! | INPUT_ERROR, NOT_FOUND, AUTH_ERROR, a question | stop | stop |
//! | `retryable: false` | stop | stop |
//!
//! Every instance is tried once, so a rate limit is never repeated where it was met, and there is nothing to wait for.

use convoke_proto::status;
use convoke_proto::v1::ToolError;
use convoke_proto::v1::capability::Effects;
use convoke_proto::v1::tool_error::{Category, Outcome};

/// Whether a call that failed so may be made again, elsewhere.
pub(crate) fn repeats(effects: Effects, error: &ToolError) -> bool {
    let category = matches!(status::category(error), Category::ServiceError | Category::RateLimit);
    category && status::retryable(error) && (error.outcome() == Outcome::NotStarted || is_repeatable(effects))
}

/// Whether a second call does no harm.
pub(crate) fn is_repeatable(effects: Effects) -> bool {
    match effects {
        Effects::ReadOnly | Effects::Idempotent => true,
        Effects::Keyed | Effects::NonIdempotent | Effects::Unspecified => false,
    }
}

#[cfg(test)]
mod tests {
    use convoke_proto::error::tool_error;

    use super::*;

    fn error(category: Category, outcome: Outcome) -> ToolError {
        ToolError { outcome: outcome.into(), ..tool_error("X", category, "x") }
    }

    #[test]
    fn an_unknown_side_effect_is_never_repeated() {
        let unknown = error(Category::ServiceError, Outcome::Unknown);
        assert!(!repeats(Effects::NonIdempotent, &unknown));
        assert!(!repeats(Effects::Keyed, &unknown));
        assert!(repeats(Effects::Idempotent, &unknown));
        assert!(repeats(Effects::ReadOnly, &unknown));
    }

    #[test]
    fn what_was_not_started_is_repeated_whatever_its_effects() {
        assert!(repeats(Effects::NonIdempotent, &error(Category::ServiceError, Outcome::NotStarted)));
    }

    #[test]
    fn the_agent_s_word_that_it_is_of_no_use_ends_it() {
        let mut no_use = error(Category::ServiceError, Outcome::NotStarted);
        no_use.retryable = Some(false);
        assert!(!repeats(Effects::ReadOnly, &no_use));
        for category in [Category::InputError, Category::NotFound, Category::AuthError] {
            assert!(!repeats(Effects::ReadOnly, &error(category, Outcome::NotStarted)), "{category:?}");
        }
    }
}
