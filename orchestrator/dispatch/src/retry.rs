//! The same payload to one instance after another, as far as that is safe, and what is told about each attempt.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use convoke_catalog::Capability;
use convoke_plan::Ledger;
use convoke_proto::v1::capability::Effects;
use convoke_proto::v1::step_record::Attempt;
use convoke_proto::v1::tool_error::Outcome;
use convoke_proto::{status, v1};
use http::uri::{PathAndQuery, Scheme};
use http::{HeaderMap, Method, Request, Uri, Version};
use tokio::time::{Instant, timeout_at};
use tonic::Code;

use crate::balance::{Balance, Pick};
use crate::connection::{Body, Endpoint, Sender, Unreachable};
use crate::failure::{self, Failure};
use crate::pool::{InFlight, Lease, Pool};
use crate::unary::{self, Failed, Framed};
use crate::{carry, outcome, policy};

/// The least that one instance gets for its connection, while there is as much left.
const LEAST_DIAL: Duration = Duration::from_millis(200);

/// A call on the wire: what it is to every instance.
pub(crate) struct AgentCall {
    pub(crate) capability: Arc<Capability>,
    pub(crate) path: PathAndQuery,
    pub(crate) headers: HeaderMap,
    pub(crate) message: Framed,
    pub(crate) deadline: Option<Instant>,
}

/// The response message's bytes, or why there are none; the failure's outcome counts all attempts.
pub(crate) type Reply = Result<Bytes, Box<Failure>>;

/// Calls agents.
pub(crate) struct Retry {
    pub(crate) balance: Balance,
    pub(crate) pool: Pool,
    pub(crate) max_message_bytes: usize,
}

/// What the attempts of one call share.
struct Course {
    /// What is left for connecting.
    reach: Duration,
    tried: HashSet<String>,
    outcome: Outcome,
    last: Option<Box<Failure>>,
}

// === impl Retry ===

impl Retry {
    /// Each attempt stands in the ledger from its beginning on.
    pub(crate) async fn call(&self, call: AgentCall, ledger: &Ledger) -> Reply {
        let mut course = Course::new(self.pool.dial_timeout());
        let mut free_since = Instant::now();
        loop {
            let pick = match self.balance.pick(&call.capability, &course.tried, &self.pool) {
                Ok(pick) => pick,
                Err(nobody) => return course.failed(nobody),
            };
            let now = Instant::now();
            if call.deadline.is_some_and(|deadline| deadline <= now) {
                return course.failed(failure::timed_out(false));
            }
            let waited = now.saturating_duration_since(free_since);
            course.tried.insert(pick.instance.id.clone());
            if course.reach.is_zero() && !self.pool.is_connected(&pick.instance.endpoint) {
                // No time is left to dial it; one with a connection may still be found.
                continue;
            }
            let number = ledger.begin(&pick.instance.id, waited, now.into_std());
            let reply = self.attempt(&call, &pick, number, &mut course, ledger).await;
            free_since = Instant::now();
            note(ledger, &reply, free_since);
            let failure = match reply {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let goes_on =
                failure.question.is_none() && policy::repeats(call.capability.effects, &failure.error);
            if !goes_on {
                return course.end(failure);
            }
            course.keep(failure);
        }
    }

    /// One attempt at one instance, within its own time.
    async fn attempt(
        &self,
        call: &AgentCall,
        pick: &Pick,
        number: u32,
        course: &mut Course,
        ledger: &Ledger,
    ) -> Reply {
        let deadline = attempt_deadline(call, pick.further);
        let in_flight = self.pool.enter(&pick.instance.endpoint).map_err(failure::unreachable)?;
        let lease = course.connect(self, &in_flight, pick.further, deadline).await?;
        let (reused, generation) = (lease.reused, lease.generation);
        ledger.sent();
        let mut reply = self.send(call, lease.sender, in_flight.endpoint(), number, deadline).await;
        if matches!(reply, Err(Sent::Failed(Failed::NotSent))) {
            in_flight.discard(generation);
            if reused {
                // The connection had ended while nobody used it. The agent saw nothing: the same attempt, dialled anew.
                let lease = course.connect(self, &in_flight, pick.further, deadline).await?;
                reply = self.send(call, lease.sender, in_flight.endpoint(), number, deadline).await;
            }
        }
        reply.map_err(|sent| match sent {
            Sent::Failed(failed) => failure::read(failed),
            Sent::TimedOut => failure::timed_out(true),
        })
    }

    async fn send(
        &self,
        call: &AgentCall,
        mut sender: Sender,
        endpoint: &Endpoint,
        number: u32,
        deadline: Option<Instant>,
    ) -> Result<Bytes, Sent> {
        let request = call.request(endpoint, number, deadline);
        let reply = unary::call(&mut sender, request, self.max_message_bytes);
        let Some(deadline) = deadline else { return reply.await.map_err(Sent::Failed) };
        match timeout_at(deadline, reply).await {
            Err(_) => Err(Sent::TimedOut),
            Ok(Err(failed)) if is_its_timer(&failed, deadline) => Err(Sent::TimedOut),
            Ok(reply) => reply.map_err(Sent::Failed),
        }
    }
}

/// Puts the end of an attempt on the record.
fn note(ledger: &Ledger, reply: &Reply, now: Instant) {
    match reply {
        Ok(_) => ledger.end(status::code_name(Code::Ok), None, Outcome::Applied, now.into_std()),
        Err(failure) => {
            let error = failure.question.is_none().then(|| failure.error.clone());
            ledger.end(failure.code, error, failure.error.outcome(), now.into_std());
        }
    }
}

/// Whether the agent's framework ended the call because `grpc-timeout` was over: both sides' timers race then, and a
/// caller must not read two different errors for the one thing that happened.
fn is_its_timer(failed: &Failed, deadline: Instant) -> bool {
    const RACE: Duration = Duration::from_millis(10);
    let Failed::Status(status) = failed else { return false };
    matches!(status.code(), Code::Cancelled | Code::DeadlineExceeded)
        && status.details().is_empty()
        && Instant::now() + RACE >= deadline
}

/// Why a request that had a connection has no answer.
enum Sent {
    Failed(Failed),
    TimedOut,
}

// === impl Course ===

impl Course {
    fn new(reach: Duration) -> Self {
        Self { reach, tried: HashSet::new(), outcome: Outcome::NotStarted, last: None }
    }

    /// A connection, within the instance's share of what is left for connecting.
    async fn connect(
        &mut self,
        retry: &Retry,
        in_flight: &InFlight,
        further: usize,
        deadline: Option<Instant>,
    ) -> Result<Lease, Box<Failure>> {
        let started = Instant::now();
        let shares = u32::try_from(further).unwrap_or(u32::MAX).saturating_add(1);
        let share = (self.reach / shares).max(LEAST_DIAL).min(self.reach);
        let left = deadline.map(|deadline| deadline.saturating_duration_since(started));
        let lease = in_flight.connect(&retry.pool, left.map_or(share, |left| left.min(share))).await;
        self.reach = self.reach.saturating_sub(started.elapsed());
        lease.map_err(|reason| match (reason, left) {
            (Unreachable::TimedOut, Some(left)) if left <= share => failure::timed_out(false),
            _ => failure::unreachable(reason),
        })
    }

    /// Keeps the failure that says most: an agent that could not be reached says nothing new after one that could.
    fn keep(&mut self, failure: Box<Failure>) {
        self.outcome = outcome::together(self.outcome, failure.error.outcome());
        let unstarted = failure.error.outcome() == Outcome::NotStarted;
        if self.last.is_none() || !unstarted {
            self.last = Some(failure);
        }
    }

    /// There is no further instance, or no further time: the attempts before say why, else `nobody` does.
    fn failed(mut self, nobody: Box<Failure>) -> Reply {
        let failure = self.last.take().unwrap_or(nobody);
        self.end(failure)
    }

    /// This failure is the call's; its outcome counts the attempts before it.
    fn end(self, mut failure: Box<Failure>) -> Reply {
        let outcome = outcome::together(self.outcome, failure.error.outcome());
        failure.error.outcome = outcome.into();
        Err(failure)
    }
}

// === impl AgentCall ===

impl AgentCall {
    fn request(&self, endpoint: &Endpoint, number: u32, deadline: Option<Instant>) -> Request<Body> {
        let now = Instant::now();
        let mut headers = self.headers.clone();
        carry::attempt(
            &mut headers,
            number,
            deadline.map(|deadline| deadline.saturating_duration_since(now)),
        );
        let mut uri = http::uri::Parts::default();
        uri.scheme = Some(Scheme::HTTP);
        uri.authority = Some(endpoint.authority().clone());
        uri.path_and_query = Some(self.path.clone());
        let mut request = Request::new(self.message.body());
        *request.method_mut() = Method::POST;
        *request.version_mut() = Version::HTTP_2;
        // Scheme, authority and path are all there: the parts make a URI.
        *request.uri_mut() = Uri::from_parts(uri).unwrap_or_default();
        *request.headers_mut() = headers;
        request
    }
}

/// When an attempt has to have ended: as its capability declares, else its share of what is left. Only a call that may
/// be repeated leaves time for a repetition.
fn attempt_deadline(call: &AgentCall, further: usize) -> Option<Instant> {
    let now = Instant::now();
    let declared = call.capability.attempt_timeout.and_then(|timeout| now.checked_add(timeout));
    let Some(deadline) = call.deadline else { return declared };
    if let Some(declared) = declared {
        return Some(declared.min(deadline));
    }
    let effects: Effects = call.capability.effects;
    let shares = if policy::is_repeatable(effects) { further.saturating_add(1) } else { 1 };
    let left = deadline.saturating_duration_since(now) / u32::try_from(shares).unwrap_or(u32::MAX);
    now.checked_add(left)
}

impl std::fmt::Debug for AgentCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentCall").field("path", &self.path).finish_non_exhaustive()
    }
}

/// An answered call whose answer turned out to be of no use: the record of its last attempt says so too.
pub(crate) fn spoil(attempts: &mut [Attempt], error: &v1::ToolError) {
    if let Some(last) = attempts.last_mut() {
        last.error = Some(error.clone());
        last.outcome = error.outcome;
    }
}
