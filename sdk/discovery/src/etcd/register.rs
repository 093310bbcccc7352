//! Registering: one transaction under a fresh lease.

use std::time::{Duration, SystemTime};

use convoke_proto::v1;
use etcd_client::{Client, Compare, CompareOp, KeyValue, PutOptions, Txn, TxnOp};

use super::{
    Shared,
    calls::within,
    changes,
    leases::{self, Held},
    stored,
};
use crate::{Error, Lease, Registration, record, registration};

/// How often the transaction is tried when others write the same key in between.
const ATTEMPTS: usize = 5;

pub(super) async fn register(shared: &Shared, registration: Registration) -> Result<Lease, Error> {
    let prepared = registration::prepare(registration, SystemTime::now())?;
    leases::purge(shared);
    let mut client = shared.client().await?;

    let seconds = prepared.ttl.as_millis().div_ceil(1000).try_into().unwrap_or(i64::MAX);
    let granted = within("grant a lease", client.lease_grant(seconds, None)).await?;
    match put(shared, &mut client, &prepared, granted.id()).await {
        Ok(instance) => {
            // etcd may give more than was asked for, never less.
            let ttl = Duration::from_secs(granted.ttl().try_into().unwrap_or_default());
            leases::hold(shared, Held::new(instance.clone(), granted.id(), ttl));
            Ok(Lease { instance, ttl })
        }
        Err(error) => {
            leases::revoke(&mut client, granted.id()).await;
            Err(error)
        }
    }
}

/// Puts the instance and what it names; gives the instance with its incarnation.
async fn put(
    shared: &Shared,
    client: &mut Client,
    prepared: &registration::Prepared,
    lease: i64,
) -> Result<v1::Instance, Error> {
    let mut instance = prepared.instance.clone();
    let key = shared.keys.instance(&instance.domain, &instance.id);
    changes::replace_at_endpoint(shared, client, &instance).await?;
    for _ in 0..ATTEMPTS {
        let mut found = within("get", client.get(key.as_str(), None)).await?;
        let revision = found.header().map_or(0, |header| header.revision());
        let before = found.take_kvs().pop();
        instance.incarnation = incarnation(shared, &instance, revision, before.as_ref())?;

        let unchanged = before.as_ref().map_or(0, KeyValue::mod_revision);
        let txn = Txn::new()
            .when([Compare::mod_revision(key.as_str(), CompareOp::Equal, unchanged)])
            .and_then(writes(shared, prepared, &instance, &key, lease));
        if within("register", client.txn(txn)).await?.succeeded() {
            // Nothing is left under the lease of the incarnation before.
            if let Some(old) = before.map(|kv| kv.lease()).filter(|old| *old != 0) {
                leases::revoke(client, old).await;
            }
            return Ok(instance);
        }
    }
    let reason = format!("etcd: others keep registering {:?}", instance.id);
    Err(Error::Unavailable { reason, source: None })
}

/// Greater than any before: etcd's revision grows with every write, so with every registration.
fn incarnation(
    shared: &Shared,
    instance: &v1::Instance,
    revision: i64,
    before: Option<&KeyValue>,
) -> Result<u64, Error> {
    let next = u64::try_from(revision).unwrap_or_default() + 1;
    let Some(before) = before else { return Ok(next) };
    match stored::instance(&shared.keys, before.key(), before.value()) {
        Ok(held) if held.endpoint != instance.endpoint => Err(Error::IdTaken { id: instance.id.clone() }),
        Ok(held) => Ok(next.max(held.incarnation.saturating_add(1))),
        // What can't be served holds nothing.
        Err(_) => Ok(next),
    }
}

fn writes(
    shared: &Shared,
    prepared: &registration::Prepared,
    instance: &v1::Instance,
    key: &str,
    lease: i64,
) -> Vec<TxnOp> {
    let record = &prepared.record;
    let keys = &shared.keys;
    let descriptors = keys.descriptors(&record.manifest.descriptors_digest);
    let manifest = keys.manifest(&instance.domain, record.hex());
    let under_lease = PutOptions::new().with_lease(lease);
    vec![
        put_once(descriptors, record.descriptors.to_vec()),
        put_once(manifest, record::text_of(&record.manifest).into_bytes()),
        TxnOp::put(keys.reference(&instance.domain, record.hex()), instance.id.as_str(), None),
        TxnOp::put(key, stored::text(instance), Some(under_lease)),
    ]
}

/// What is named by its digest is written once: a second time would only be replicated again.
fn put_once(key: String, value: Vec<u8>) -> TxnOp {
    let absent = Compare::version(key.as_str(), CompareOp::Equal, 0);
    TxnOp::txn(Txn::new().when([absent]).and_then([TxnOp::put(key, value, None)]))
}
