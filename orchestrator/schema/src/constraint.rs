//! What a field's option asks beyond its type, compiled once and checked on typed values.
//!
//! Bounds compare exactly: integers as integers, times in nanoseconds. Patterns run in linear time.

use crate::further::{Further, is_zero};
use crate::pattern::Pattern;
use crate::report::{Violation, ViolationRule};
use crate::time;
use crate::value::{Denoted, Value};
use hashbrown::{Equivalent, HashSet};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Everything a field asks of its value.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    /// About the list or map as a whole.
    pub(crate) min_items: u32,
    /// 0: none.
    pub(crate) max_items: u32,
    pub(crate) unique: bool,
    /// About the value; about each element or map value.
    pub(crate) element: ElementRules,
    /// About each key of a map.
    pub(crate) keys: ElementRules,
    /// Whether an empty list or map passes however many elements are asked for.
    pub(crate) empty_passes: bool,
}

/// What is asked of one value.
#[derive(Debug, Default)]
pub(crate) struct ElementRules {
    pub(crate) bounds: Vec<Bound>,
    /// Code points of a string, bytes of bytes.
    pub(crate) min_length: u32,
    /// 0: none.
    pub(crate) max_length: u32,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) allowed: HashSet<Allowed>,
    /// The allowed values as declared, to show.
    pub(crate) allowed_texts: Vec<String>,
    /// What else is asked.
    pub(crate) further: Vec<Further>,
    /// Whether the zero of the type passes whatever is asked.
    pub(crate) zero_passes: bool,
}

/// A least or greatest value.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) side: Side,
    pub(crate) exclusive: bool,
    pub(crate) at: Quantity,
    /// As it stands in JSON.
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Least,
    Greatest,
}

/// What bounds compare.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Quantity {
    /// An integer, or nanoseconds.
    Exact(i128),
    Double(f64),
}

/// An allowed value, found by what it denotes.
#[derive(Clone, Debug)]
pub(crate) struct Allowed(pub(crate) Value);

/// A constraint that a value breaks.
pub(crate) struct Broken {
    pub(crate) rule: ViolationRule,
    pub(crate) expected: String,
    pub(crate) suggestion: String,
}

// === impl Constraints ===

impl Constraints {
    /// Whether there is nothing to check.
    pub(crate) fn is_empty(&self) -> bool {
        self.min_items == 0
            && self.max_items == 0
            && !self.unique
            && self.element.is_empty()
            && self.keys.is_empty()
    }

    /// Checks how many elements a list or map has.
    pub(crate) fn items(&self, count: usize) -> Option<Broken> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if count < u64::from(self.min_items) && !(count == 0 && self.empty_passes) {
            return Some(Broken::new(
                ViolationRule::MinItems,
                format!("at least {} elements", self.min_items),
            ));
        }
        (self.max_items > 0 && count > u64::from(self.max_items))
            .then(|| Broken::new(ViolationRule::MaxItems, format!("at most {} elements", self.max_items)))
    }

    /// The places of elements that are equal to one before them, with the place of that one.
    pub(crate) fn repeats(&self, list: &[Value]) -> Vec<(usize, usize)> {
        if !self.unique {
            return Vec::new();
        }
        let mut seen = hashbrown::HashMap::with_capacity(list.len());
        let mut repeats = Vec::new();
        for (index, element) in list.iter().enumerate() {
            let first = *seen.entry(Denoted(element)).or_insert(index);
            if first != index {
                repeats.push((index, first));
            }
        }
        repeats
    }
}

// === impl ElementRules ===

impl ElementRules {
    pub(crate) fn is_empty(&self) -> bool {
        self.bounds.is_empty()
            && self.min_length == 0
            && self.max_length == 0
            && self.pattern.is_none()
            && self.allowed_texts.is_empty()
            && self.further.is_empty()
    }

    /// Every rule that a typed value breaks.
    pub(crate) fn check(&self, value: &Value) -> Vec<Broken> {
        let mut broken = Vec::new();
        if self.zero_passes && is_zero(value) {
            return broken;
        }
        broken.extend(self.bounds.iter().filter(|bound| !bound.admits(value)).map(Bound::broken));
        broken.extend(self.length(value));
        if let (Some(pattern), Value::Text(text)) = (&self.pattern, value)
            && !pattern.is_match(text)
        {
            broken
                .push(Broken::new(ViolationRule::Pattern, format!("text that matches {}", pattern.as_str())));
        }
        if !self.allowed_texts.is_empty() && !self.allowed.contains(&Denoted(value)) {
            broken.push(self.not_allowed(value));
        }
        broken.extend(self.further.iter().filter_map(|rule| rule.check(value)));
        broken
    }

    fn length(&self, value: &Value) -> Option<Broken> {
        if self.min_length == 0 && self.max_length == 0 {
            return None;
        }
        let (length, unit) = match value {
            Value::Text(text) => (text.chars().count(), "characters"),
            Value::Bytes(bytes) => (bytes.len(), "bytes"),
            _ => return None,
        };
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        if length < u64::from(self.min_length) {
            let expected = format!("at least {} {unit}", self.min_length);
            return Some(Broken::new(ViolationRule::MinLength, expected));
        }
        (self.max_length > 0 && length > u64::from(self.max_length))
            .then(|| Broken::new(ViolationRule::MaxLength, format!("at most {} {unit}", self.max_length)))
    }

    fn not_allowed(&self, value: &Value) -> Broken {
        let mut broken = Broken::new(ViolationRule::NotAllowed, crate::words::allowed(self));
        if let Some(text) = value.as_str() {
            let known = self.allowed_texts.iter().map(String::as_str);
            broken.suggestion =
                crate::nearest::nearest(text, known).first().copied().unwrap_or("").to_owned();
        }
        broken
    }
}

// === impl Bound ===

impl Bound {
    pub(crate) fn admits(&self, value: &Value) -> bool {
        let Some(quantity) = Quantity::of(value) else { return true };
        match (quantity.partial_cmp(&self.at), self.side) {
            (Some(Ordering::Equal), _) => !self.exclusive,
            (Some(Ordering::Greater), Side::Least) | (Some(Ordering::Less), Side::Greatest) => true,
            _ => false,
        }
    }

    fn broken(&self) -> Broken {
        let rule = match self.side {
            Side::Least => ViolationRule::Minimum,
            Side::Greatest => ViolationRule::Maximum,
        };
        Broken::new(rule, self.words())
    }

    /// `at least 1`
    pub(crate) fn words(&self) -> String {
        let words = match (self.side, self.exclusive) {
            (Side::Least, false) => "at least",
            (Side::Least, true) => "more than",
            (Side::Greatest, false) => "at most",
            (Side::Greatest, true) => "less than",
        };
        format!("{words} {}", self.text)
    }

    /// Whether no value is on the right side of both.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let (least, greatest) = match (self.side, other.side) {
            (Side::Least, Side::Greatest) => (self, other),
            (Side::Greatest, Side::Least) => (other, self),
            _ => return false,
        };
        match (least.at, greatest.at) {
            // Between two exclusive neighbours there is no integer.
            (Quantity::Exact(low), Quantity::Exact(high)) => {
                low.saturating_add(i128::from(least.exclusive))
                    > high.saturating_sub(i128::from(greatest.exclusive))
            }
            (low, high) => match low.partial_cmp(&high) {
                Some(Ordering::Less) => false,
                Some(Ordering::Equal) => least.exclusive || greatest.exclusive,
                _ => true,
            },
        }
    }
}

// === impl Quantity ===

impl Quantity {
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(value) => Some(Self::Exact(i128::from(*value))),
            Value::Uint(value) => Some(Self::Exact(i128::from(*value))),
            Value::Float(value) => Some(Self::Double(*value)),
            Value::Timestamp(value) => Some(Self::Exact(time::timestamp_nanos(*value))),
            Value::Duration(value) => Some(Self::Exact(time::duration_nanos(*value))),
            _ => None,
        }
    }
}

// === impl Allowed ===

impl PartialEq for Allowed {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Allowed {}

impl Hash for Allowed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Denoted(&self.0).hash(state);
    }
}

impl Equivalent<Allowed> for Denoted<'_> {
    fn equivalent(&self, key: &Allowed) -> bool {
        *self.0 == key.0
    }
}

// === impl Broken ===

impl Broken {
    pub(crate) fn new(rule: ViolationRule, expected: String) -> Self {
        Self { rule, expected, suggestion: String::new() }
    }

    /// The violation of this rule at a place.
    pub(crate) fn at(self, path: String, got: String) -> Violation {
        Violation { path, rule: self.rule.into(), expected: self.expected, got, suggestion: self.suggestion }
    }
}
