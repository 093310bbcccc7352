//! One watcher of etcd: list in pages at one revision, watch from the next, and when that breaks, the same again.
//!
//! ```text
//! list ──► Synced ──► watch ──► events …
//!   ▲                    │ broken, cancelled, compacted
//!   └── backoff ◄── Lost ◄┘
//! ```
//!
//! It is driven by whoever polls the stream, so there is no task to end and no queue between: a slow reader slows etcd's
//! stream, not the process.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    mem,
    sync::Arc,
    time::Duration,
};

use convoke_proto::v1;
use etcd_client::{GetOptions, KeyValue, WatchOptions, WatchResponse, WatchStream};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use tokio::time::sleep;

use super::{
    Shared,
    calls::within,
    claims::{Claim, Claims},
    keys, stored,
};
use crate::{Backoff, Error, Record, Update, view::View};

/// Instances per page of a list.
const PAGE: i64 = 500;
/// The largest answer of etcd that is read. A page of instances is far below.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
const BACKOFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

struct Watcher {
    shared: Arc<Shared>,
    phase: Phase,
    backoff: Backoff,
    /// Whether the reader has been told that contact is lost.
    lost: bool,
    claims: Claims,
    records: HashMap<String, Arc<Record>>,
    view: View,
}

enum Phase {
    List,
    Watch(Box<WatchStream>),
    Wait,
}

pub(super) fn stream(shared: &Arc<Shared>) -> BoxStream<'static, Update> {
    let watcher = Watcher {
        shared: shared.clone(),
        phase: Phase::List,
        backoff: Backoff::new(BACKOFF.0, BACKOFF.1, fastrand::Rng::new()),
        lost: false,
        claims: Claims::default(),
        records: HashMap::new(),
        view: View::default(),
    };
    stream::unfold(watcher, |mut watcher| async move {
        let update = watcher.next().await;
        Some((update, watcher))
    })
    .boxed()
}

// === impl Watcher ===

impl Watcher {
    async fn next(&mut self) -> Update {
        loop {
            if let Some(update) = self.view.queue.pop_front() {
                return update;
            }
            let moved = match mem::replace(&mut self.phase, Phase::Wait) {
                Phase::List => self.list().await,
                Phase::Watch(stream) => self.follow(stream).await,
                Phase::Wait => {
                    sleep(self.backoff.next_delay()).await;
                    Ok(Phase::List)
                }
            };
            self.phase = moved.unwrap_or_else(|error| self.lose(&error));
        }
    }

    fn lose(&mut self, error: &Error) -> Phase {
        if !mem::replace(&mut self.lost, true) {
            self.view.queue.push_back(Update::Lost(error.to_string()));
        }
        Phase::Wait
    }

    /// Everything that is there, and the watch from there on.
    async fn list(&mut self) -> Result<Phase, Error> {
        let (found, revision) = self.pages().await?;
        self.claims = Claims::default();
        let found: Vec<_> = found.into_iter().map(|kv| self.read(&kv)).collect();
        // Who outranks whom is known once all have been seen.
        let found: Vec<_> = found.into_iter().filter(|found| self.claims.holds(&found.key)).collect();
        self.view.retain(&self.claims.ids().collect::<HashSet<_>>());
        for found in found {
            self.show(found.instance).await?;
        }
        self.forget_records();

        let prefix = self.shared.keys.instances();
        let options =
            WatchOptions::new().with_prefix().with_fragment().with_start_revision(revision.saturating_add(1));
        let mut client = self.shared.client().await?.watch_client().max_decoding_message_size(MAX_ANSWER);
        let stream = within("watch", client.watch(prefix, Some(options))).await?;
        self.view.queue.push_back(Update::Synced);
        self.lost = false;
        self.backoff.reset();
        Ok(Phase::Watch(Box::new(stream)))
    }

    /// All instances at one revision, and that revision.
    async fn pages(&self) -> Result<(Vec<KeyValue>, i64), Error> {
        let mut client = self.shared.client().await?.kv_client().max_decoding_message_size(MAX_ANSWER);
        let prefix = self.shared.keys.instances();
        let end = keys::prefix_end(&prefix);
        let (mut from, mut found, mut revision) = (prefix.into_bytes(), Vec::new(), 0);
        loop {
            let options = GetOptions::new().with_range(end.clone()).with_limit(PAGE).with_revision(revision);
            let mut page = within("list", client.get(from, Some(options))).await?;
            if revision == 0 {
                revision = page.header().map_or(0, |header| header.revision());
            }
            let more = page.more();
            found.append(&mut page.take_kvs());
            match found.last() {
                Some(last) if more => from = keys::after(last.key().to_vec()),
                _ => return Ok((found, revision)),
            }
        }
    }

    async fn follow(&mut self, mut stream: Box<WatchStream>) -> Result<Phase, Error> {
        let broken =
            |reason: &str| Error::Unavailable { reason: format!("etcd: watch: {reason}"), source: None };
        let response = match stream.message().await {
            Ok(Some(response)) => response,
            Ok(None) => return Err(broken("the stream ended")),
            Err(error) => return Err(Error::unavailable(format!("etcd: watch: {error}"), error)),
        };
        if response.compact_revision() > 0 {
            return Err(broken("what comes next has been compacted"));
        }
        if response.canceled() {
            return Err(broken(response.cancel_reason()));
        }
        self.apply(&response).await?;
        Ok(Phase::Watch(stream))
    }

    async fn apply(&mut self, response: &WatchResponse) -> Result<(), Error> {
        for kv in response.events().iter().filter_map(|event| event.kv()) {
            // A key that was deleted has no version.
            if kv.version() == 0 {
                let consequence = self.claims.delete(kv.key());
                consequence.gone.iter().for_each(|id| self.view.remove(id));
            } else {
                let found = self.read(kv);
                found.gone.iter().for_each(|id| self.view.remove(id));
                if found.shown {
                    self.show(found.instance).await?;
                }
            }
        }
        self.forget_records();
        Ok(())
    }

    fn read(&mut self, kv: &KeyValue) -> Found {
        let instance = stored::instance(&self.shared.keys, kv.key(), kv.value());
        let claim = match &instance {
            Ok(instance) => Claim {
                id: instance.id.clone(),
                endpoint: instance.endpoint.clone(),
                incarnation: instance.incarnation,
            },
            Err(unusable) => {
                Claim { id: unusable.instance.id.clone(), endpoint: String::new(), incarnation: 0 }
            }
        };
        let consequence = self.claims.put(kv.key(), claim);
        if !consequence.shown {
            tracing::warn!(key = %String::from_utf8_lossy(kv.key()), "outranked by a greater incarnation");
        }
        Found { key: kv.key().to_vec(), instance, shown: consequence.shown, gone: consequence.gone }
    }

    async fn show(&mut self, instance: Result<v1::Instance, Box<stored::Unusable>>) -> Result<(), Error> {
        let instance = match instance {
            Ok(instance) => instance,
            Err(unusable) => {
                self.view.put_invalid(unusable.instance, unusable.reason);
                return Ok(());
            }
        };
        let known = self.records.get(&instance.manifest_digest).cloned();
        let record = match known {
            Some(record) => Ok(record),
            None => stored::record(&self.shared, &instance).await,
        };
        match record {
            Ok(record) => {
                self.records.insert(record.digest.clone(), record.clone());
                self.view.put(instance, &record);
            }
            // Without contact nothing is known of it; the relist will tell.
            Err(error) if error.is_retryable() => return Err(error),
            Err(error) => self.view.put_invalid(instance, error.to_string()),
        }
        Ok(())
    }

    fn forget_records(&mut self) {
        self.records.retain(|digest, _| self.view.names(digest));
    }
}

/// What stands at one key.
struct Found {
    key: Vec<u8>,
    instance: Result<v1::Instance, Box<stored::Unusable>>,
    shown: bool,
    gone: BTreeSet<String>,
}
