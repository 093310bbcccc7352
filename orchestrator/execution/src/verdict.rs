//! What ends an execution before its last step.

/// The reason, by rank: the greater one stands, and of one rank the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// This required step asked back.
    Clarified(usize),
    /// The time was up while steps were left.
    TimedOut,
    /// This required step failed, or was skipped.
    Failed(usize),
    /// The caller gave up.
    Cancelled,
}

impl Verdict {
    fn rank(self) -> u8 {
        match self {
            Self::Clarified(_) => 0,
            Self::TimedOut => 1,
            Self::Failed(_) => 2,
            Self::Cancelled => 3,
        }
    }

    /// Keeps the one of the higher rank; a tie goes to what was there.
    pub(crate) fn raise(current: &mut Option<Self>, new: Self) {
        if current.is_none_or(|current| new.rank() > current.rank()) {
            *current = Some(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_outranks_a_clarification_and_the_first_failure_stands() {
        let mut verdict = None;
        Verdict::raise(&mut verdict, Verdict::Clarified(0));
        Verdict::raise(&mut verdict, Verdict::Failed(1));
        Verdict::raise(&mut verdict, Verdict::Failed(2));
        Verdict::raise(&mut verdict, Verdict::Clarified(3));
        assert_eq!(verdict, Some(Verdict::Failed(1)));
    }
}
