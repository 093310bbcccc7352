//! ListInstances and WatchInstances: what the registry holds, and what changes.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::sync::Arc;

use convoke_proto::error;
use convoke_proto::v1;
use convoke_proto::v1::tool_error::Category;
use convoke_proto::v1::watch_instances_response::Kind;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tonic::Status;

use super::Doors;
use crate::doors::paging::Page;
use crate::doors::refuse;
use crate::sync::{Happening, Watch};

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
    let Watch { instances, synced, happenings } = doors.roster.watch();
    let mut watcher =
        Watcher { domain: asked.domain, told: HashSet::new(), synced: false, queue: VecDeque::new() };
    for instance in instances {
        watcher.hear(&Happening::Put(instance));
    }
    if synced {
        watcher.hear(&Happening::Synced);
    }
    stream::unfold(Some((watcher, happenings)), async |open| {
        let (mut watcher, mut happenings) = open?;
        Some(match next(&mut watcher, &mut happenings).await? {
            Ok(kind) => (Ok(v1::WatchInstancesResponse { kind: Some(kind) }), Some((watcher, happenings))),
            Err(status) => (Err(status), None),
        })
    })
    .boxed()
}

/// `None` when the registry itself has ended.
async fn next(watcher: &mut Watcher, happenings: &mut Receiver<Happening>) -> Option<Result<Kind, Status>> {
    loop {
        if let Some(kind) = watcher.queue.pop_front() {
            return Some(Ok(kind));
        }
        match happenings.recv().await {
            Ok(happening) => watcher.hear(&happening),
            Err(RecvError::Closed) => return None,
            Err(RecvError::Lagged(missed)) => {
                let message = format!("the watcher fell {missed} changes behind; watch again");
                let slow = error::tool_error("WATCH_TOO_SLOW", Category::RateLimit, message);
                return Some(Err(refuse::refusal(slow)));
            }
        }
    }
}

/// One watcher: which domain it asked for, and what it knows.
struct Watcher {
    domain: String,
    told: HashSet<String>,
    synced: bool,
    queue: VecDeque<Kind>,
}

// === impl Watcher ===

impl Watcher {
    fn hear(&mut self, happening: &Happening) {
        match happening {
            Happening::Put(instance) if self.domain.is_empty() || instance.domain == self.domain => {
                self.told.insert(instance.id.clone());
                self.queue.push_back(Kind::Put(v1::Instance::clone(instance)));
            }
            // An id that was of this domain is of another now.
            Happening::Put(instance) | Happening::Invalid(instance, _) => self.removed(&instance.id),
            Happening::Removed(id) => self.removed(id),
            Happening::Synced if !self.synced => {
                self.synced = true;
                self.queue.push_back(Kind::Synced(true));
            }
            Happening::Synced | Happening::Health { .. } => {}
        }
    }

    fn removed(&mut self, id: &str) {
        if self.told.remove(id) {
            self.queue.push_back(Kind::Removed(id.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(id: &str, domain: &str) -> Happening {
        let (id, domain) = (id.to_owned(), domain.to_owned());
        Happening::Put(Arc::new(v1::Instance { id, domain, ..v1::Instance::default() }))
    }

    fn told(watcher: &mut Watcher) -> Vec<String> {
        let told = watcher.queue.drain(..).map(|kind| match kind {
            Kind::Put(instance) => format!("put {}", instance.id),
            Kind::Removed(id) => format!("removed {id}"),
            Kind::Synced(_) => "synced".to_owned(),
        });
        told.collect()
    }

    #[test]
    fn a_watcher_hears_of_its_own_domain_alone() {
        let mut watcher = Watcher {
            domain: "units".to_owned(),
            told: HashSet::new(),
            synced: false,
            queue: VecDeque::new(),
        };
        for happening in [put("a", "units"), put("b", "other"), Happening::Synced, Happening::Synced] {
            watcher.hear(&happening);
        }
        assert_eq!(told(&mut watcher), ["put a", "synced"]);
        for happening in [Happening::Removed("b".to_owned()), put("a", "other")] {
            watcher.hear(&happening);
        }
        assert_eq!(told(&mut watcher), ["removed a"]);
    }
}
