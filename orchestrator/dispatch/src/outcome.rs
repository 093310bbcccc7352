//! What is known of a call's effect, over several attempts.

use convoke_proto::v1::tool_error::Outcome;

/// What is known of two attempts together: the one that says more of an effect.
pub(crate) fn together(one: Outcome, other: Outcome) -> Outcome {
    if certainty_of_effect(other) > certainty_of_effect(one) { other } else { one }
}

fn certainty_of_effect(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::NotStarted => 0,
        Outcome::NotApplied => 1,
        Outcome::Unspecified | Outcome::Unknown => 2,
        Outcome::Applied => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unknown_attempt_makes_the_call_unknown_until_one_is_applied() {
        assert_eq!(together(Outcome::Unknown, Outcome::NotStarted), Outcome::Unknown);
        assert_eq!(together(Outcome::NotStarted, Outcome::NotApplied), Outcome::NotApplied);
        assert_eq!(together(Outcome::Unknown, Outcome::Applied), Outcome::Applied);
    }
}
