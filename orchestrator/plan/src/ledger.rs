//! What a call has done so far, kept where it outlives the call.
//!
//! The engine ends a call by dropping its future. What dispatch wrote down until then stays with the engine: what was
//! changed in the parameters, and each attempt, the one under way among them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use convoke_proto::v1::step_record::Attempt;
use convoke_proto::v1::tool_error::Outcome;
use convoke_proto::v1::{CoercionReport, ToolError};

/// The record of one call while it runs. Clones are the same ledger.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    kept: Arc<Mutex<Kept>>,
}

/// What a ledger holds.
#[derive(Debug, Default)]
pub struct Kept {
    /// What was changed in the parameters; `None` before they were looked at.
    pub coercion: Option<CoercionReport>,
    /// The attempts that ended, in order.
    pub attempts: Vec<Attempt>,
    running: Option<Running>,
}

/// The attempt that is under way.
#[derive(Debug)]
struct Running {
    instance: String,
    waited: Duration,
    since: Instant,
    sent: bool,
}

// === impl Ledger ===

impl Ledger {
    /// The parameters were coerced.
    pub fn coerced(&self, report: CoercionReport) {
        self.kept().coercion = Some(report);
    }

    /// An attempt at `instance` begins, after the call `waited` for it. Its number, from 1.
    pub fn begin(&self, instance: &str, waited: Duration, since: Instant) -> u32 {
        let mut kept = self.kept();
        kept.running = Some(Running { instance: instance.to_owned(), waited, since, sent: false });
        u32::try_from(kept.attempts.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// From here on the agent may have seen the request.
    pub fn sent(&self) {
        if let Some(running) = &mut self.kept().running {
            running.sent = true;
        }
    }

    /// The attempt ended: its code, and its error and outcome.
    pub fn end(&self, code: &str, error: Option<ToolError>, outcome: Outcome, now: Instant) {
        let mut kept = self.kept();
        if let Some(running) = kept.running.take() {
            kept.attempts.push(running.ended(code, error, outcome, now));
        }
    }

    /// All that was written down; the ledger is empty afterwards.
    #[must_use]
    pub fn take(&self) -> Kept {
        std::mem::take(&mut *self.kept())
    }

    /// The same for a call that was dropped: an attempt under way ended by that, with `error`.
    #[must_use]
    pub fn broken_off(&self, error: &ToolError, now: Instant) -> Kept {
        let mut kept = self.take();
        if let Some(running) = kept.running.take() {
            let outcome = if running.sent { Outcome::Unknown } else { Outcome::NotStarted };
            let error = ToolError { outcome: outcome.into(), ..error.clone() };
            kept.attempts.push(running.ended(&error.code.clone(), Some(error), outcome, now));
        }
        kept
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Each change is whole before the guard goes: a panic elsewhere leaves nothing half written.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// === impl Kept ===

impl Kept {
    /// What is known of the effect of a call that was dropped; unknown where nobody wrote anything down.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let not_started = |attempt: &Attempt| attempt.outcome() == Outcome::NotStarted;
        let not_applied = |attempt: &Attempt| attempt.outcome() == Outcome::NotApplied;
        if self.coercion.is_none() {
            Outcome::Unknown
        } else if self.attempts.iter().all(not_started) {
            Outcome::NotStarted
        } else if self.attempts.iter().all(|attempt| not_started(attempt) || not_applied(attempt)) {
            Outcome::NotApplied
        } else {
            Outcome::Unknown
        }
    }
}

// === impl Running ===

impl Running {
    fn ended(self, code: &str, error: Option<ToolError>, outcome: Outcome, now: Instant) -> Attempt {
        Attempt {
            instance: self.instance,
            code: code.to_owned(),
            error,
            outcome: outcome.into(),
            waited: self.waited.try_into().ok(),
            elapsed: now.saturating_duration_since(self.since).try_into().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_off(steps: impl FnOnce(&Ledger, Instant)) -> (Kept, Outcome) {
        let (ledger, start) = (Ledger::default(), Instant::now());
        steps(&ledger, start);
        let error = ToolError { code: "CANCELLED".to_owned(), ..ToolError::default() };
        let kept = ledger.broken_off(&error, start + Duration::from_millis(30));
        let outcome = kept.outcome();
        (kept, outcome)
    }

    #[test]
    fn the_attempt_under_way_is_unknown_once_it_was_sent() {
        let (kept, outcome) = broken_off(|ledger, start| {
            ledger.coerced(CoercionReport::default());
            assert_eq!(ledger.begin("a.1", Duration::from_millis(5), start), 1);
            ledger.sent();
        });
        let [attempt] = kept.attempts.as_slice() else { panic!("{:?}", kept.attempts) };
        assert_eq!((attempt.instance.as_str(), attempt.code.as_str()), ("a.1", "CANCELLED"));
        assert_eq!(attempt.outcome(), Outcome::Unknown);
        assert_eq!(attempt.error.as_ref().map(ToolError::outcome), Some(Outcome::Unknown));
        assert_eq!(attempt.elapsed.map(|elapsed| elapsed.nanos), Some(30_000_000));
        assert_eq!(outcome, Outcome::Unknown);
    }

    #[test]
    fn a_call_that_was_connecting_did_not_start() {
        let (kept, outcome) = broken_off(|ledger, start| {
            ledger.coerced(CoercionReport::default());
            ledger.begin("a.1", Duration::ZERO, start);
        });
        assert_eq!(kept.attempts.len(), 1);
        assert_eq!(outcome, Outcome::NotStarted);
    }

    #[test]
    fn attempts_before_count_and_are_numbered() {
        let (kept, outcome) = broken_off(|ledger, start| {
            ledger.coerced(CoercionReport::default());
            ledger.begin("a.1", Duration::ZERO, start);
            ledger.sent();
            ledger.end("NOT_FOUND", Some(ToolError::default()), Outcome::NotApplied, start);
            assert_eq!(ledger.begin("a.2", Duration::ZERO, start), 2);
        });
        assert_eq!(kept.attempts.iter().map(|it| it.instance.as_str()).collect::<Vec<_>>(), ["a.1", "a.2"]);
        assert_eq!(outcome, Outcome::NotApplied);
    }

    #[test]
    fn where_nobody_wrote_anything_nothing_is_known() {
        assert_eq!(broken_off(|_, _| ()).1, Outcome::Unknown);
    }
}
