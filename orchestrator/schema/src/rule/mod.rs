//! A JSON Schema that a value meets besides its type: for what protobuf and the other constraints cannot say.
//!
//! ```text
//! text of (convoke.v1.field).json_schema ──read──▶ Rule ──check(value)──▶ failures, each at its path
//! ```
//!
//! The dialect is draft 2020-12 without `$dynamicRef` and `unevaluated…`; a keyword that is not enforced is refused when
//! the rule is read. References stay within the text. Numbers are compared exactly; patterns run in linear time; a
//! check has a budget of steps and refuses what would exceed it.
//!
//! A validator of its own, since it walks the engine's own values with every digit they have, where another crate wants
//! them copied first, and adds nothing to what is compiled and shipped. A field without such a rule pays nothing.

mod check;
mod circle;
mod number;
mod pattern;
mod read;
mod words;

use crate::constraint::Allowed;
use crate::pattern::Pattern;
use crate::place::Place;
use crate::report::{REDACTED, Violation, ViolationRule};
use crate::value::Value;
use hashbrown::{HashMap, HashSet};

pub(crate) use self::pattern::translate;

/// A schema that was read.
#[derive(Debug)]
pub(crate) struct Rule {
    nodes: Vec<Node>,
    root: usize,
    /// As it was written, without blanks.
    text: String,
}

/// One thing that does not hold.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) path: Vec<Segment>,
    pub(crate) rule: ViolationRule,
    pub(crate) expected: String,
    pub(crate) suggestion: String,
    /// The value at the path, as a violation shows it; empty where there is none.
    pub(crate) got: String,
}

/// A step within the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A field of a message.
    Field(String),
    /// A member of an object that is none.
    Member(String),
    Element(usize),
}

/// One schema within the rule; what is none asks nothing.
#[derive(Debug, Default)]
struct Node {
    never: bool,
    reference: Option<usize>,
    types: Option<Types>,
    allowed: Option<HashSet<Allowed>>,
    allowed_text: String,
    minimum: Vec<Limit>,
    multiple_of: Option<Value>,
    length: Span,
    pattern: Option<Pattern>,
    prefix: Vec<usize>,
    items: Option<usize>,
    contains: Option<(usize, Span)>,
    item_count: Span,
    unique: bool,
    properties: HashMap<String, usize>,
    patterns: Vec<(Pattern, usize)>,
    additional: Option<usize>,
    names: Option<usize>,
    member_count: Span,
    required: Vec<String>,
    dependent_required: Vec<(String, Vec<String>)>,
    dependent: Vec<(String, usize)>,
    all_of: Vec<usize>,
    any_of: Vec<usize>,
    one_of: Vec<usize>,
    not: Option<usize>,
    condition: Option<(usize, Option<usize>, Option<usize>)>,
}

/// How many, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    least: u64,
    most: u64,
}

/// A bound of a number.
#[derive(Debug)]
struct Limit {
    least: bool,
    exclusive: bool,
    at: Value,
}

/// A set of JSON's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types(u8);

// === impl Rule ===

impl Rule {
    /// The schema's text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// What a check found, as violations.
pub(crate) fn violations(
    failures: Vec<Failure>,
    place: &Place<'_>,
    sensitive: bool,
) -> impl Iterator<Item = Violation> {
    failures.into_iter().map(move |failure| {
        let Failure { path, rule, expected, suggestion, got } = failure;
        let got = if sensitive && !got.is_empty() { REDACTED.to_owned() } else { got };
        let suggestion = if sensitive { String::new() } else { suggestion };
        Violation { path: path_of(place, &path), rule: rule.into(), expected, got, suggestion }
    })
}

fn path_of(place: &Place<'_>, path: &[Segment]) -> String {
    match path.split_first() {
        None => place.path(),
        Some((Segment::Field(name), rest)) => path_of(&place.field(name), rest),
        Some((Segment::Member(name), rest)) => path_of(&place.key(name), rest),
        Some((Segment::Element(index), rest)) => path_of(&place.index(*index), rest),
    }
}

// === impl Segment ===

impl Segment {
    /// The value that one step leads to.
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Field(name) | Self::Member(name) => value.get(name),
            Self::Element(index) => value.index(*index),
        }
    }
}

// === impl Span ===

impl Span {
    const ANY: Self = Self { least: 0, most: u64::MAX };

    fn holds(self, count: usize) -> bool {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        (self.least..=self.most).contains(&count)
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::ANY
    }
}

// === impl Types ===

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// Every number, integers too.
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);

    const NAMES: [(Self, &'static str); 7] = [
        (Self::NULL, "null"),
        (Self::BOOLEAN, "boolean"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::STRING, "string"),
        (Self::ARRAY, "array"),
        (Self::OBJECT, "object"),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(types, _)| *types)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// `a string or null`
    pub(crate) fn words(self) -> String {
        let mut left = self;
        let mut words = Vec::new();
        for (types, name) in Self::NAMES {
            if left != Self::NONE && left.has(types) {
                left = left.without(types);
                words.push(match name {
                    "null" => "null".to_owned(),
                    "array" | "integer" | "object" => format!("an {name}"),
                    name => format!("a {name}"),
                });
            }
        }
        words.join(" or ")
    }
}
