//! How much looking one judge may do, and what it has found out so far.
//!
//! A declaration comes from an agent: nothing that it says may make a verdict costly. What there is no work left for
//! is left open, as *sometimes*. The account is the same whether something had to be built or was kept from earlier,
//! so that a verdict does not depend on what was asked before.

use super::language::Language;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// All the work there is, in steps of some ten nanoseconds: tens of milliseconds.
const ALL: u64 = 4_000_000;

/// How large a language may be to be kept, in bytes.
const MAX_KEPT: usize = 8 << 10;

/// An account of steps, and the automata that were built.
#[derive(Debug)]
pub(super) struct Work {
    left: Cell<u64>,
    languages: RefCell<HashMap<String, Option<Arc<Language>>>>,
    /// Whether a field that the consumer drops and reports counts as taken.
    pub(super) drops: bool,
}

/// A place for the language of a declared pattern, from the first time on that it is compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Arc<OnceLock<Option<Arc<Language>>>>);

// === impl Kept ===

impl Kept {
    /// What is kept, else what is built. A large one is not kept: many of them would weigh more than their schema.
    pub(super) fn or_built(&self, build: impl FnOnce() -> Option<Arc<Language>>) -> Option<Arc<Language>> {
        if let Some(kept) = self.0.get() {
            return kept.clone();
        }
        let built = build();
        if built.as_ref().is_none_or(|language| language.size() <= MAX_KEPT) {
            // Somebody else may have been faster, with the same.
            let _ = self.0.set(built.clone());
        }
        built
    }
}

// === impl Work ===

impl Work {
    pub(super) fn new(drops: bool) -> Self {
        Self { left: Cell::new(ALL), languages: RefCell::default(), drops }
    }

    /// Takes so many steps off the account; false where it does not have them. Then it is empty.
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The language of a pattern, asked for once.
    pub(super) fn language(
        &self,
        pattern: &str,
        build: impl FnOnce() -> Option<Arc<Language>>,
    ) -> Option<Arc<Language>> {
        if let Some(known) = self.languages.borrow().get(pattern) {
            return known.clone();
        }
        if !self.spend(Language::COST_AT_LEAST) {
            return None;
        }
        let built = build();
        let cost = built.as_ref().map_or(Language::COST_OF_NONE, |it| it.cost());
        let built = built.filter(|_| self.spend(cost));
        self.languages.borrow_mut().insert(pattern.to_owned(), built.clone());
        built
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(work: &Work, pattern: &str) -> Option<Arc<Language>> {
        work.language(pattern, || Language::new(pattern, true).map(Arc::new))
    }

    #[test]
    fn what_was_kept_costs_as_much_as_what_is_built() {
        let kept = Kept::default();
        let left = |_| {
            let work = Work::new(false);
            let language =
                work.language("^a+$", || kept.or_built(|| Language::new("^a+$", true).map(Arc::new)));
            (language.map(|it| Arc::as_ptr(&it)), work.left.get())
        };
        assert_eq!(left(1), left(2));
    }

    #[test]
    fn an_empty_account_builds_nothing() {
        let work = Work::new(false);
        assert!(built(&work, "^a$").is_some());
        assert!(work.spend(ALL / 2) && !work.spend(ALL));
        assert!(!work.spend(1));
        assert!(built(&work, "^b$").is_none());
        assert!(built(&work, "^a$").is_some(), "what was built stays");
    }

    #[test]
    fn what_cannot_be_built_is_paid_for_once() {
        let work = Work::new(false);
        assert!(built(&work, "(a|b){500}c{500}").is_none());
        let left = work.left.get();
        assert!(left < ALL);
        assert!(built(&work, "(a|b){500}c{500}").is_none());
        assert_eq!(work.left.get(), left);
    }
}
