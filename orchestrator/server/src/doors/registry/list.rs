//! ListInstances and WatchInstances: what the registry holds, and what changes.

use std::collections::VecDeque;
use std::sync::Arc;

use convoke_proto::error;
use convoke_proto::v1;
use convoke_proto::v1::watch_instances_response::Kind;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tonic::Status;

use super::Doors;
use crate::doors::paging::Page;
use crate::doors::refuse;
use crate::sync::{RosterChange as Change, Watch};

/// The instances of a domain, or of all, by domain and id.
pub(super) fn instances(
    doors: &Doors,
    asked: &v1::ListInstancesRequest,
) -> Result<v1::ListInstancesResponse, Status> {
    let v1::ListInstancesRequest { domain, page_size, page_token } = asked;
    let page = Page::read("ListInstances", &[domain], *page_size, page_token)?;
    let instances = doors
        .roster
        .instances()
        .into_iter()
        .filter(|instance| domain.is_empty() || instance.domain == *domain)
        .map(|instance| (format!("{}\0{}", instance.domain, instance.id), instance))
        .collect();
    let (instances, next_page_token) = page.cut(instances, Arc::unwrap_or_clone);
    Ok(v1::ListInstancesResponse { instances, next_page_token })
}

/// What is there, `synced`, and from then on every change. Who reads too slowly is cut, and watches anew.
pub(super) fn watch(
    doors: &Doors,
    asked: v1::WatchInstancesRequest,
) -> BoxStream<'static, Result<v1::WatchInstancesResponse, Status>> {
    let Watch { instances, synced, changes } = doors.roster.watch();
    let there = instances.into_iter().map(Change::Put).chain(synced.then_some(Change::Synced)).collect();
    let watcher = Watcher { domain: asked.domain, there, changes };
    stream::unfold(Some(watcher), async |watcher| {
        let mut watcher = watcher?;
        Some(match watcher.next().await? {
            Ok(kind) => (Ok(v1::WatchInstancesResponse { kind: Some(kind) }), Some(watcher)),
            Err(status) => (Err(status), None),
        })
    })
    .boxed()
}

/// One watcher: which domain it asked for, and what it has still to be told.
struct Watcher {
    domain: String,
    there: VecDeque<Change>,
    changes: Receiver<Change>,
}

// === impl Watcher ===

impl Watcher {
    /// `None` when the registry itself has ended.
    async fn next(&mut self) -> Option<Result<Kind, Status>> {
        loop {
            let change = match self.there.pop_front() {
                Some(change) => change,
                None => match self.changes.recv().await {
                    Ok(change) => change,
                    Err(RecvError::Closed) => return None,
                    Err(RecvError::Lagged(missed)) => return Some(Err(too_slow(missed))),
                },
            };
            match change {
                Change::Put(instance) if self.wants(&instance) => {
                    return Some(Ok(Kind::Put(Arc::unwrap_or_clone(instance))));
                }
                Change::Removed(instance) if self.wants(&instance) => {
                    return Some(Ok(Kind::Removed(instance.id.clone())));
                }
                Change::Synced => return Some(Ok(Kind::Synced(true))),
                Change::Put(_) | Change::Removed(_) => {}
            }
        }
    }

    fn wants(&self, instance: &v1::Instance) -> bool {
        self.domain.is_empty() || instance.domain == self.domain
    }
}

fn too_slow(missed: u64) -> Status {
    let message = format!("the watcher fell {missed} changes behind; watch again");
    refuse::refusal(error::own(error::WATCH_TOO_SLOW, message))
}
