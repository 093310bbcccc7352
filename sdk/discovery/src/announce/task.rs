//! The task that brings the registry to the wanted state and keeps it there.

use std::{sync::Arc, time::Duration};

use convoke_proto::v1::{self, instance::State};
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{Standing, registrar::Registrar};
use crate::{Backoff, Error, KeptAlive, Lease};

/// Between failures that may pass. The cap is what lets an agent be back soon after its registry is.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));
/// Between refusals, and up to twice that: somebody has to change something first.
const REFUSED_PAUSE: Duration = Duration::from_secs(30);
/// How long a registration under way may still take once the agent wants to end.
const LAST_ATTEMPT: Duration = Duration::from_secs(1);
const DEREGISTER_TIMEOUT: Duration = Duration::from_secs(2);
/// Keep-alives per TTL.
const BEATS: u32 = 3;

/// What the agent wants the registry to say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Serving,
    Draining,
    Gone,
}

pub(super) struct Task {
    registrar: Registrar,
    wanted: watch::Receiver<Wanted>,
    standing: watch::Sender<Standing>,
    address: Arc<str>,
    backoff: Backoff,
    refusals: Backoff,
    /// The last failure that was logged: the same one again says nothing new.
    logged: String,
}

// === impl Task ===

impl Task {
    pub(super) fn new(
        registrar: Registrar,
        wanted: watch::Receiver<Wanted>,
        standing: watch::Sender<Standing>,
        address: Arc<str>,
    ) -> Self {
        let backoff = Backoff::new(BACKOFF.0, BACKOFF.1, fastrand::Rng::new());
        let refusals = Backoff::new(REFUSED_PAUSE, REFUSED_PAUSE, fastrand::Rng::new());
        Self { registrar, wanted, standing, address, backoff, refusals, logged: String::new() }
    }

    pub(super) async fn run(mut self) {
        while self.wants(Wanted::Serving) {
            if let Some(lease) = self.register().await {
                self.hold(lease).await;
            }
        }
        self.report(Standing::Draining);
        // The handle was dropped, or wants the end: there is nothing left to undo.
        let _ = self.wanted.wait_for(|wanted| *wanted == Wanted::Gone).await;
        self.report(Standing::Ended);
    }

    /// One attempt, and the wait after it when it failed.
    async fn register(&mut self) -> Option<Lease> {
        let mut wanted = self.wanted.clone();
        let given_up = async {
            // Dropping the call could leave an instance behind that nobody removes: it gets a little time.
            let _ = wanted.wait_for(|wanted| *wanted != Wanted::Serving).await;
            sleep(LAST_ATTEMPT).await;
        };
        let attempt = tokio::select! {
            biased;
            registered = self.registrar.register() => registered,
            () = given_up => return None,
        };
        match attempt {
            Ok(lease) => {
                self.backoff.reset();
                self.logged.clear();
                let v1::Instance { id, domain, version, .. } = &lease.instance;
                tracing::info!(instance = %id, %domain, %version, registry = %self.address, "registered");
                Some(lease)
            }
            Err(error) => {
                let delay = self.failed("not registered", error);
                self.pause(delay).await;
                None
            }
        }
    }

    /// Keeps a lease until it lapses or the agent wants to end.
    async fn hold(&mut self, mut lease: Lease) {
        self.report(Standing::Registered(lease.instance.clone()));
        let mut told = Wanted::Serving;
        // The first beat at once: it opens the stream whose breaking tells that the registry has gone.
        let mut beat = Instant::now();
        loop {
            let wanted = *self.wanted.borrow_and_update();
            if wanted == Wanted::Gone {
                return self.deregister(&lease).await;
            }
            if wanted == told {
                tokio::select! {
                    () = sleep_until(beat) => (),
                    () = self.registrar.broken() => (),
                    changed = self.wanted.changed() => match changed {
                        Ok(()) => continue,
                        Err(_) => return,
                    },
                }
            }
            match self.registrar.keep_alive(&lease, state_of(wanted)).await {
                Ok(KeptAlive::Alive { ttl }) => {
                    self.backoff.reset();
                    self.logged.clear();
                    lease.ttl = ttl;
                    beat = Instant::now() + ttl / BEATS;
                    if wanted != told {
                        told = wanted;
                        self.report(Standing::Draining);
                    }
                }
                Ok(KeptAlive::Lapsed) => {
                    tracing::warn!(instance = %lease.instance.id, "the lease has lapsed");
                    self.report(Standing::Registering(None));
                    return;
                }
                Err(error) => {
                    let delay = self.failed("not kept alive", error);
                    self.pause(delay).await;
                    beat = Instant::now();
                }
            }
        }
    }

    async fn deregister(&mut self, lease: &Lease) {
        match timeout(DEREGISTER_TIMEOUT, self.registrar.deregister(lease)).await {
            Ok(Ok(())) => tracing::info!(instance = %lease.instance.id, "deregistered"),
            Ok(Err(error)) => tracing::warn!(%error, "not deregistered: the lease will run out"),
            Err(_) => tracing::warn!("not deregistered in time: the lease will run out"),
        }
    }

    /// Logs and reports a failure; gives the delay before the next attempt.
    fn failed(&mut self, what: &str, error: Error) -> Duration {
        let text = error.to_string();
        if text != self.logged {
            match &error {
                Error::Refused(refusal) => {
                    tracing::error!(registry = %self.address, code = refusal.code, violations = ?refusal.field_violations, "{what}: {error}");
                }
                error => tracing::warn!(registry = %self.address, "{what}: {error}; trying again"),
            }
            self.logged = text;
        }
        let passes = error.is_retryable();
        let error = Arc::new(error);
        if passes {
            self.standing.send_if_modified(|standing| {
                let registering = matches!(standing, Standing::Registering(_) | Standing::Refused(_));
                if registering {
                    *standing = Standing::Registering(Some(error));
                }
                registering
            });
            self.backoff.next_delay()
        } else {
            self.report(Standing::Refused(error));
            REFUSED_PAUSE + self.refusals.next_delay()
        }
    }

    fn wants(&mut self, wanted: Wanted) -> bool {
        *self.wanted.borrow_and_update() == wanted
    }

    fn report(&self, standing: Standing) {
        self.standing.send_replace(standing);
    }

    /// Waits, but not longer than until something else is wanted.
    async fn pause(&mut self, delay: Duration) {
        tokio::select! {
            () = sleep(delay) => (),
            _ = self.wanted.changed() => (),
        }
    }
}

/// What a keep-alive says; a serving instance has nothing to say.
fn state_of(wanted: Wanted) -> Option<State> {
    match wanted {
        Wanted::Serving | Wanted::Gone => None,
        Wanted::Draining => Some(State::Draining),
    }
}
