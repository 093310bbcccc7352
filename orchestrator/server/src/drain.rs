//! How the server ends: three moments, each a token that whatever is open listens to.
//!
//! ```text
//! begun ───────────────────────────────► late ──────────► over
//! health NOT_SERVING, GOAWAY,             running          connections
//! endless streams get ended               executions       are severed
//!                                         are cancelled
//! ```
//!
//! Between `begun` and `late` requests and executions that run get what is left to finish. Whoever waits for the end
//! (the transport, once every connection is closed) usually sees it long before `late`.

use std::convert::Infallible;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// What is left of a drain after executions were cancelled, for their answers to be written.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// The three moments. Clones see the same ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drain {
    begun: CancellationToken,
    late: CancellationToken,
    over: CancellationToken,
}

// === impl Drain ===

impl Drain {
    /// Cancelled when streams that would never end by themselves have to.
    pub(crate) fn begun(&self) -> &CancellationToken {
        &self.begun
    }

    /// Cancelled when executions have to end.
    pub(crate) fn late(&self) -> &CancellationToken {
        &self.late
    }

    /// Cancelled when connections have to be closed whatever is on them.
    pub(crate) fn over(&self) -> &CancellationToken {
        &self.over
    }

    /// Runs through the moments until `ended` is ready, which it is soon after `over` at the latest.
    pub(crate) async fn run<T>(&self, time: Duration, ended: impl Future<Output = T>) -> T {
        let late = time.saturating_sub(LAST_ANSWERS).max(time / 2);
        let moments = async {
            self.begun.cancel();
            tokio::time::sleep(late).await;
            self.late.cancel();
            tokio::time::sleep(time.saturating_sub(late)).await;
            self.over.cancel();
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            ended = ended => {
                self.late.cancel();
                self.over.cancel();
                ended
            }
            never = moments => match never {},
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn the_moments_come_in_order_and_within_the_time() {
        let drain = Drain::default();
        let start = Instant::now();
        let seen = drain
            .run(Duration::from_secs(9), async {
                drain.begun().cancelled().await;
                let begun = start.elapsed();
                drain.late().cancelled().await;
                let late = start.elapsed();
                drain.over().cancelled().await;
                [begun, late, start.elapsed()].map(|moment| moment.as_secs())
            })
            .await;
        assert_eq!(seen, [0, 8, 9]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_ends_early_is_not_waited_for() {
        let drain = Drain::default();
        let start = Instant::now();
        drain.run(Duration::from_secs(9), async {}).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert!(drain.over().is_cancelled());
    }
}
