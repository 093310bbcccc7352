//! How long to wait before the next attempt.

use std::time::Duration;

/// Exponential backoff with full jitter: each delay is drawn evenly from nothing to a bound that doubles up to a cap.
#[derive(Clone, Debug)]
pub struct Backoff {
    base: Duration,
    cap: Duration,
    failures: u32,
    random: fastrand::Rng,
}

impl Backoff {
    /// Bounds start at `base` and double up to `cap`.
    pub fn new(base: Duration, cap: Duration, random: fastrand::Rng) -> Self {
        Self { base, cap, failures: 0, random }
    }

    /// The delay after one more failure.
    pub fn next_delay(&mut self) -> Duration {
        let bound =
            self.base.saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX)).min(self.cap);
        self.failures = self.failures.saturating_add(1);
        bound.mul_f64(self.random.f64())
    }

    /// An attempt succeeded: the next failure counts as the first.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Duration = Duration::from_millis(100);
    const CAP: Duration = Duration::from_secs(2);

    fn backoff() -> Backoff {
        Backoff::new(BASE, CAP, fastrand::Rng::with_seed(7))
    }

    #[test]
    fn bounds_double_from_the_base_up_to_the_cap() {
        let mut backoff = backoff();
        for bound in [100, 200, 400, 800, 1600, 2000, 2000] {
            assert!(backoff.next_delay() <= Duration::from_millis(bound));
        }
        for _ in 0..100 {
            assert!(backoff.next_delay() <= CAP);
        }
    }

    #[test]
    fn delays_are_spread_over_the_whole_range() {
        let mut backoff = backoff();
        let delays: Vec<_> = (0..1000).map(|_| backoff.next_delay()).collect();
        assert!(delays.iter().any(|delay| *delay < CAP / 10));
        assert!(delays.iter().any(|delay| *delay > CAP / 10 * 9));
    }

    #[test]
    fn success_starts_over() {
        let mut backoff = backoff();
        for _ in 0..40 {
            backoff.next_delay();
        }
        backoff.reset();
        assert!(backoff.next_delay() <= BASE);
    }
}
