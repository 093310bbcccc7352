//! The snapshot that is current.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::Catalog;

/// Where the newest snapshot is read by everybody and written by the task that owns the index.
#[derive(Clone)]
pub struct Live(Arc<ArcSwap<Catalog>>);

impl Live {
    /// Starts with a snapshot, e.g. of a new index.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self(Arc::new(ArcSwap::new(catalog)))
    }

    /// The newest snapshot; it stays as it is for as long as it is held.
    pub fn load(&self) -> Arc<Catalog> {
        self.0.load_full()
    }

    /// Makes a snapshot the newest.
    pub fn store(&self, catalog: Arc<Catalog>) {
        self.0.store(catalog);
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new(Arc::new(Catalog::default()))
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("revision", &self.0.load().revision()).finish()
    }
}
