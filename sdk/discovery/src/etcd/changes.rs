//! Changes of what stands in etcd: each is written only if what was read still stands there, under the same lease.

use convoke_proto::v1::{self, instance::State};
use etcd_client::{Client, Compare, CompareOp, DeleteOptions, GetOptions, KeyValue, PutOptions, Txn, TxnOp};

use super::{Shared, calls::within, keys, leases, stored};
use crate::Error;

/// How often a change is tried when others write the same key in between.
const ATTEMPTS: usize = 5;
/// Keys per page of a scan.
const PAGE: i64 = 500;

/// Writes an instance's state; whether it still stands there under its lease.
pub(super) async fn set_state(
    shared: &Shared,
    client: &mut Client,
    held: &v1::Instance,
    lease: i64,
    state: State,
) -> Result<bool, Error> {
    let key = shared.keys.instance(&held.domain, &held.id);
    let changed = change(shared, client, &key, |instance, kv| {
        let mut instance = instance.clone();
        instance.set_state(state);
        let options = PutOptions::new().with_lease(lease);
        let ours = kv.lease() == lease && instance.incarnation == held.incarnation;
        ours.then(|| TxnOp::put(key.as_str(), stored::text(&instance), Some(options)))
    })
    .await?;
    if changed.is_some() {
        leases::remember_state(shared, held, state);
    }
    Ok(changed.is_some())
}

/// Removes an instance and ends its lease.
pub(super) async fn deregister(shared: &Shared, id: &str, incarnation: u64) -> Result<(), Error> {
    let mut client = shared.client().await?;
    let key = match leases::domain_of(shared, id) {
        Some(domain) => Some(shared.keys.instance(&domain, id)),
        // It was registered through another process.
        None => find(shared, &mut client, id).await?,
    };
    let Some(key) = key else { return Ok(()) };
    let removed = change(shared, &mut client, &key, |instance, _| {
        (instance.incarnation == incarnation).then(|| TxnOp::delete(key.as_str(), None::<DeleteOptions>))
    })
    .await?;
    if let Some(removed) = removed {
        leases::end(shared, &mut client, removed.lease()).await;
    }
    Ok(())
}

/// One endpoint is one instance: what was registered through here with the same endpoint and another id ends. What was
/// registered elsewhere is outranked by its incarnation, and its lease runs out.
pub(super) async fn replace_at_endpoint(
    shared: &Shared,
    client: &mut Client,
    instance: &v1::Instance,
) -> Result<(), Error> {
    if let Some((before, lease)) = leases::at_endpoint(shared, &instance.endpoint)
        && (&before.id, &before.domain) != (&instance.id, &instance.domain)
    {
        let key = shared.keys.instance(&before.domain, &before.id);
        let delete = || TxnOp::delete(key.as_str(), None::<DeleteOptions>);
        change(shared, client, &key, |_, kv| (kv.lease() == lease).then(delete)).await?;
        leases::end(shared, client, lease).await;
    }
    Ok(())
}

/// Reads an instance and writes what follows from it, unless it changed in between; then once more. Gives what was read
/// where something was written.
async fn change(
    shared: &Shared,
    client: &mut Client,
    key: &str,
    decide: impl Fn(&v1::Instance, &KeyValue) -> Option<TxnOp>,
) -> Result<Option<KeyValue>, Error> {
    for _ in 0..ATTEMPTS {
        let Some(kv) = within("get", client.get(key, None)).await?.take_kvs().pop() else { return Ok(None) };
        let Ok(instance) = stored::instance(&shared.keys, kv.key(), kv.value()) else { return Ok(None) };
        let Some(op) = decide(&instance, &kv) else { return Ok(None) };
        let unchanged = [
            Compare::mod_revision(key, CompareOp::Equal, kv.mod_revision()),
            Compare::lease(key, CompareOp::Equal, kv.lease()),
        ];
        let txn = Txn::new().when(unchanged).and_then([op]);
        if within("write", client.txn(txn)).await?.succeeded() {
            return Ok(Some(kv));
        }
    }
    Err(Error::Unavailable { reason: format!("etcd: others keep writing {key}"), source: None })
}

/// The key of the instance with this id, in whatever domain. It reads every key, so it is for the rare case alone.
async fn find(shared: &Shared, client: &mut Client, id: &str) -> Result<Option<String>, Error> {
    let prefix = shared.keys.instances();
    let end = keys::prefix_end(&prefix);
    let mut from = prefix.into_bytes();
    loop {
        let options = GetOptions::new().with_range(end.clone()).with_limit(PAGE).with_keys_only();
        let mut page = within("get", client.get(from, Some(options))).await?;
        let more = page.more();
        let mut last = None;
        for kv in page.take_kvs() {
            let key = String::from_utf8_lossy(kv.key());
            if shared.keys.read_instance(&key).is_some_and(|(_, found)| found == id) {
                return Ok(Some(key.into_owned()));
            }
            last = Some(kv.into_key_value().0);
        }
        match last {
            Some(last) if more => from = keys::after(last),
            _ => return Ok(None),
        }
    }
}
