//! One watcher of a [`Memory`](super::Memory).

use std::{
    collections::HashSet,
    sync::{Arc, Weak},
};

use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Instant, sleep_until},
};

use super::Shared;
use crate::{Update, view::View};

struct Watcher {
    shared: Weak<Shared>,
    changed: Receiver<Arc<str>>,
    view: View,
}

pub(super) fn stream(shared: &Arc<Shared>) -> BoxStream<'static, Update> {
    shared.change(|_, _| ());
    // Subscribed before the first look at the state: what changes in between is seen twice, not missed.
    let changed = shared.changed.subscribe();
    let mut watcher = Watcher { shared: Arc::downgrade(shared), changed, view: View::default() };
    watcher.compare(shared);
    stream::unfold(watcher, |mut watcher| async move {
        let update = watcher.next().await?;
        Some((update, watcher))
    })
    .boxed()
}

// === impl Watcher ===

impl Watcher {
    /// The next update; `None` when the registry has been dropped.
    async fn next(&mut self) -> Option<Update> {
        loop {
            if let Some(update) = self.view.queue.pop_front() {
                return Some(update);
            }
            let deadline = self.shared.upgrade()?.lock().next_deadline();
            tokio::select! {
                changed = self.changed.recv() => self.learn(changed)?,
                // Ends the leases whose time has come; what has ended comes back through `changed`.
                () = at(deadline) => self.shared.upgrade()?.change(|_, _| ()),
            }
        }
    }

    fn learn(&mut self, changed: Result<Arc<str>, RecvError>) -> Option<()> {
        let shared = self.shared.upgrade()?;
        match changed {
            Ok(id) => match shared.lock().get(&id) {
                Some(held) => self.view.put(held.instance.clone(), &held.record),
                None => self.view.remove(&id),
            },
            Err(RecvError::Lagged(missed)) => {
                self.view
                    .queue
                    .push_back(Update::Lost(format!("the watcher was too slow: {missed} changes missed")));
                self.compare(&shared);
            }
            Err(RecvError::Closed) => return None,
        }
        Some(())
    }

    /// Queues everything that differs from what the watcher knows.
    fn compare(&mut self, shared: &Shared) {
        let state = shared.lock();
        self.view.retain(&state.all().map(|held| held.instance.id.as_str()).collect::<HashSet<_>>());
        for held in state.all() {
            self.view.put(held.instance.clone(), &held.record);
        }
        self.view.queue.push_back(Update::Synced);
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
