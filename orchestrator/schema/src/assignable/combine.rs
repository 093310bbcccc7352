//! Verdicts on parts, put together.

use super::Assignable;
use crate::report::Rule;

/// How many conditions a verdict spells out.
const MAX_CONDITIONS: usize = 3;

pub(super) const ALWAYS: Assignable = Assignable::Always(None);

/// Whether all and whether any values of a set coerce without loss. Where that is not known, `all` is false and
/// `some` is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) all: bool,
    pub(super) some: bool,
    pub(super) rule: Option<Rule>,
}

// === impl Reach ===

impl Reach {
    pub(super) const NONE: Self = Self { all: false, some: false, rule: None };
    pub(super) const UNKNOWN: Self = Self { all: false, some: true, rule: None };

    pub(super) const fn new(all: bool, some: bool) -> Self {
        Self { all, some, rule: None }
    }

    pub(super) fn by(self, rule: Rule) -> Self {
        Self { rule: Some(rule), ..self }
    }

    /// Of the values of both sets together.
    pub(super) fn or(self, other: Self) -> Self {
        let rule = self.rule.filter(|_| self.some).or(other.rule.filter(|_| other.some));
        Self { all: self.all && other.all, some: self.some || other.some, rule }
    }

    pub(super) fn verdict(
        self,
        condition: impl FnOnce() -> String,
        reason: impl FnOnce() -> String,
    ) -> Assignable {
        match self {
            Self { all: true, rule, .. } => Assignable::Always(rule),
            Self { some: true, rule, .. } => Assignable::Sometimes { rule, condition: condition() },
            _ => Assignable::Never { reason: reason() },
        }
    }
}

pub(super) fn sometimes(rule: Option<Rule>, condition: impl Into<String>) -> Assignable {
    Assignable::Sometimes { rule, condition: condition.into() }
}

/// Of values whose parts are independent of each other: each part has to fit.
pub(super) fn both(one: Assignable, other: Assignable) -> Assignable {
    match (one, other) {
        (never @ Assignable::Never { .. }, _) | (_, never @ Assignable::Never { .. }) => never,
        (Assignable::Always(rule), Assignable::Always(other)) => Assignable::Always(rule.or(other)),
        (Assignable::Always(first), Assignable::Sometimes { rule, condition })
        | (Assignable::Sometimes { rule, condition }, Assignable::Always(first)) => {
            Assignable::Sometimes { rule: rule.or(first), condition }
        }
        (
            Assignable::Sometimes { rule, condition },
            Assignable::Sometimes { rule: other, condition: and },
        ) => Assignable::Sometimes { rule: rule.or(other), condition: joined(condition, &and) },
    }
}

fn joined(mut condition: String, and: &str) -> String {
    const SEPARATOR: &str = "; ";
    if condition.matches(SEPARATOR).count() + 1 < MAX_CONDITIONS {
        condition.push_str(SEPARATOR);
        condition.push_str(and);
    } else if !condition.ends_with('…') {
        condition.push_str("; …");
    }
    condition
}

/// Of a part that is not there in every value: a value without it has no trouble with it.
pub(super) fn where_absent(verdict: Assignable, absent: &str) -> Assignable {
    match verdict {
        Assignable::Never { reason } => sometimes(None, format!("{absent}: {reason}")),
        other => other,
    }
}

/// Puts the part's name before what is said of it.
pub(super) fn about(name: &str, verdict: Assignable) -> Assignable {
    match verdict {
        Assignable::Always(rule) => Assignable::Always(rule),
        Assignable::Sometimes { rule, condition } => sometimes(rule, format!("{name}: {condition}")),
        Assignable::Never { reason } => Assignable::Never { reason: format!("{name}: {reason}") },
    }
}
