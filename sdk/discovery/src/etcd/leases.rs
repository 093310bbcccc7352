//! The leases of what was registered through here.

use std::{
    collections::HashMap,
    sync::{MutexGuard, PoisonError},
    time::Duration,
};

use convoke_proto::v1::{self, instance::State};
use etcd_client::{Client, Error as EtcdError, LeaseKeepAliveStream, LeaseKeeper};
use tokio::time::Instant;

use super::{Shared, calls::within, changes};
use crate::{Error, KeptAlive};

/// What nobody has renewed for so many TTLs is forgotten: etcd has ended its lease long since.
const FORGOTTEN_AFTER: u32 = 3;

/// An instance that was registered through here.
pub(super) struct Held {
    instance: v1::Instance,
    lease: i64,
    ttl: Duration,
    renewed: Instant,
    /// The stream on which the lease is renewed; taken out while a renewal is under way.
    stream: Option<Stream>,
}

type Stream = (LeaseKeeper, LeaseKeepAliveStream);

// === impl Held ===

impl Held {
    pub(super) fn new(instance: v1::Instance, lease: i64, ttl: Duration) -> Self {
        Self { instance, lease, ttl, renewed: Instant::now(), stream: None }
    }
}

pub(super) fn hold(shared: &Shared, held: Held) {
    lock(shared).insert(held.instance.id.clone(), held);
}

/// Forgets what nobody has renewed for long.
pub(super) fn purge(shared: &Shared) {
    lock(shared).retain(|_, held| held.renewed.elapsed() < held.ttl * FORGOTTEN_AFTER);
}

/// The domain of the instance that was registered through here under this id.
pub(super) fn domain_of(shared: &Shared, id: &str) -> Option<String> {
    lock(shared).get(id).map(|held| held.instance.domain.clone())
}

/// The instance that was registered through here with this endpoint, and its lease.
pub(super) fn at_endpoint(shared: &Shared, endpoint: &str) -> Option<(v1::Instance, i64)> {
    let held = lock(shared);
    held.values()
        .find(|held| held.instance.endpoint == endpoint)
        .map(|held| (held.instance.clone(), held.lease))
}

pub(super) fn remember_state(shared: &Shared, instance: &v1::Instance, state: State) {
    let mut held = lock(shared);
    if let Some(held) = held.get_mut(&instance.id)
        && held.instance.incarnation == instance.incarnation
    {
        held.instance.set_state(state);
    }
}

pub(super) async fn keep_alive(
    shared: &Shared,
    id: &str,
    incarnation: u64,
    state: Option<State>,
) -> Result<KeptAlive, Error> {
    let Some((lease, stream)) = take(shared, id, incarnation) else { return Ok(KeptAlive::Lapsed) };
    let mut client = shared.client().await?;
    let renewed = match stream {
        // A stream may have broken since it was last used: one more try on a new one.
        Some(stream) => match within("keep alive", renew(stream)).await {
            Ok(renewed) => Ok(renewed),
            Err(_) => within("keep alive", open(&mut client, lease)).await,
        },
        None => within("keep alive", open(&mut client, lease)).await,
    };
    let Some(stream) = renewed? else {
        lock(shared).remove(id);
        return Ok(KeptAlive::Lapsed);
    };
    let Some((held, ttl)) = put_back(shared, id, incarnation, stream) else { return Ok(KeptAlive::Lapsed) };
    if let Some(state) = state
        && state != held.state()
        && !changes::set_state(shared, &mut client, &held, lease, state).await?
    {
        lock(shared).remove(id);
        return Ok(KeptAlive::Lapsed);
    }
    Ok(KeptAlive::Alive { ttl })
}

/// Ends a lease that may have been held here.
pub(super) async fn end(shared: &Shared, client: &mut Client, lease: i64) {
    lock(shared).retain(|_, held| held.lease != lease);
    revoke(client, lease).await;
}

/// Ends a lease and what stands under it. When that fails, it runs out.
pub(super) async fn revoke(client: &mut Client, lease: i64) {
    if lease != 0
        && let Err(error) = within("revoke a lease", client.lease_revoke(lease)).await
    {
        tracing::debug!(lease, %error, "lease not revoked: it will run out");
    }
}

/// Opens a stream for a lease, which renews it; `None` when etcd doesn't know the lease.
async fn open(client: &mut Client, lease: i64) -> Result<Option<Stream>, EtcdError> {
    match client.lease_keep_alive(lease).await {
        Ok(stream) => Ok(Some(stream)),
        // The client's word for it.
        Err(EtcdError::LeaseKeepAliveError(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn renew((mut keeper, mut answers): Stream) -> Result<Option<Stream>, EtcdError> {
    keeper.keep_alive().await?;
    match answers.message().await? {
        // Nothing left to live means that the lease is gone.
        Some(answer) => Ok((answer.ttl() > 0).then_some((keeper, answers))),
        None => Err(EtcdError::LeaseKeepAliveError("the stream is closed".into())),
    }
}

fn take(shared: &Shared, id: &str, incarnation: u64) -> Option<(i64, Option<Stream>)> {
    let mut held = lock(shared);
    let held = held.get_mut(id).filter(|held| held.instance.incarnation == incarnation)?;
    Some((held.lease, held.stream.take()))
}

/// The lease has been renewed; gives the instance when it is still the same one.
fn put_back(shared: &Shared, id: &str, incarnation: u64, stream: Stream) -> Option<(v1::Instance, Duration)> {
    let mut held = lock(shared);
    let held = held.get_mut(id).filter(|held| held.instance.incarnation == incarnation)?;
    held.stream = Some(stream);
    held.renewed = Instant::now();
    Some((held.instance.clone(), held.ttl))
}

fn lock(shared: &Shared) -> MutexGuard<'_, HashMap<String, Held>> {
    // A panic elsewhere leaves the map whole: each change is one step.
    shared.held.lock().unwrap_or_else(PoisonError::into_inner)
}
