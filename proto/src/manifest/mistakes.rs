//! Collects every mistake, each with its place.

use crate::v1::{Violation, violation::Rule};

/// Most mistakes that one answer lists; whoever makes more has another problem.
const MOST: usize = 100;

/// Most names, and the longest, among which the nearest to a misspelt one is looked for.
const MOST_COMPARED: usize = 500;
const LONGEST_COMPARED: usize = 96;

#[derive(Debug, Default)]
pub(super) struct Mistakes {
    found: Vec<Violation>,
}

// === impl Mistakes ===

impl Mistakes {
    /// `value` where nothing was found.
    pub(super) fn or<T>(self, value: T) -> Result<T, Vec<Violation>> {
        if self.found.is_empty() { Ok(value) } else { Err(self.found) }
    }

    pub(super) fn format(&mut self, path: impl Into<String>, expected: impl Into<String>) {
        self.add(Rule::BadFormat, path.into(), expected.into(), None);
    }

    pub(super) fn missing(&mut self, path: impl Into<String>, expected: impl Into<String>) {
        self.add(Rule::Missing, path.into(), expected.into(), None);
    }

    pub(super) fn not_allowed(&mut self, path: impl Into<String>, expected: impl Into<String>) {
        self.add(Rule::NotAllowed, path.into(), expected.into(), None);
    }

    pub(super) fn too_large(&mut self, path: impl Into<String>, expected: impl Into<String>) {
        self.add(Rule::TooLarge, path.into(), expected.into(), None);
    }

    pub(super) fn duplicate(&mut self, path: impl Into<String>, name: &str) {
        let expected = format!("a name of its own: {name:?} is taken");
        self.add(Rule::NotUnique, path.into(), expected, None);
    }

    /// A name that stands for nothing; `known` are the names that would.
    pub(super) fn unknown<'a>(
        &mut self,
        path: impl Into<String>,
        expected: impl Into<String>,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) {
        if self.found.len() >= MOST {
            return;
        }
        let near = known.take(MOST_COMPARED).filter(|known| name.len().max(known.len()) <= LONGEST_COMPARED);
        let nearest =
            near.map(|known| (strsim::osa_distance(name, known), known)).filter(|&(d, _)| d <= 2).min();
        self.add(Rule::UnknownField, path.into(), expected.into(), Some(name));
        if let (Some((_, nearest)), Some(last)) = (nearest, self.found.last_mut()) {
            nearest.clone_into(&mut last.suggestion);
        }
    }

    /// An option that is in the contract and that this version does not build.
    pub(super) fn not_served(&mut self, path: impl Into<String>) {
        let path = path.into();
        let expected = format!("NOT_SERVED: {path} would change a call and is not served by this version");
        self.add(Rule::NotAllowed, path, expected, None);
    }

    fn add(&mut self, rule: Rule, path: String, expected: String, got: Option<&str>) {
        if self.found.len() < MOST {
            let got = got.map(|text| serde_json::Value::from(text).to_string()).unwrap_or_default();
            let rule = rule.into();
            self.found.push(Violation { path, rule, expected, got, suggestion: String::new() });
        }
    }
}
