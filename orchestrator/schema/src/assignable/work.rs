//! How much looking one judge may do, and what it has found out so far.
//!
//! A declaration comes from an agent: nothing that it says may make a verdict costly. What there is no work left for
//! is left open, as *sometimes*. The account is the same whether something had to be built or was kept from earlier,
//! so that a verdict does not depend on what was asked before.

use super::language::Language;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// All the work there is, in steps of some ten nanoseconds: tens of milliseconds.
const ALL: u64 = 4_000_000;

/// An account of steps, and the automata that were built.
#[derive(Debug)]
pub(super) struct Work {
    left: Cell<u64>,
    languages: RefCell<HashMap<String, Option<Arc<Language>>>>,
    /// Whether a field that the consumer drops and reports counts as taken.
    pub(super) drops: bool,
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

    /// The language of a pattern, declared or one of the forms that values have here; built once.
    pub(super) fn language(&self, pattern: &str, declared: bool) -> Option<Arc<Language>> {
        if let Some(known) = self.languages.borrow().get(pattern) {
            return known.clone();
        }
        if !self.spend(Language::COST_AT_LEAST) {
            return None;
        }
        let built = Language::new(pattern, declared).map(Arc::new);
        let cost = built.as_ref().map_or(Language::COST_OF_NONE, |it| it.cost());
        let built = built.filter(|_| self.spend(cost));
        self.languages.borrow_mut().insert(pattern.to_owned(), built.clone());
        built
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_account_builds_nothing() {
        let work = Work::new(false);
        assert!(work.language("^a$", true).is_some());
        assert!(work.spend(ALL / 2) && !work.spend(ALL));
        assert!(!work.spend(1));
        assert!(work.language("^b$", true).is_none());
        assert!(work.language("^a$", true).is_some(), "what was built stays");
    }

    #[test]
    fn what_cannot_be_built_is_paid_for_once() {
        let work = Work::new(false);
        assert!(work.language("(a|b){500}c{500}", true).is_none());
        let left = work.left.get();
        assert!(left < ALL);
        assert!(work.language("(a|b){500}c{500}", true).is_none());
        assert_eq!(work.left.get(), left);
    }
}
