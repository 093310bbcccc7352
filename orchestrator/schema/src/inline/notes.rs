//! Violations by their places: a tree with one level for each step of their paths.

use crate::json;
use crate::names::normalise;
use crate::report::Violation;
use crate::value::{Object, Value};
use hashbrown::HashMap;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Name(String),
    Index(usize),
}

/// What is wrong at a place, and at the places below it.
#[derive(Debug, Default)]
pub(super) struct Notes<'v> {
    here: Vec<&'v Violation>,
    /// In the order of the report.
    children: Vec<(Step, Notes<'v>)>,
    places: HashMap<Step, usize>,
}

// === impl Notes ===

impl<'v> Notes<'v> {
    pub(super) fn of(violations: &'v [Violation]) -> Self {
        let mut root = Self::default();
        for violation in violations {
            // A path that cannot be read names no place: it is said at the root.
            let steps = steps(&violation.path).unwrap_or_default();
            if let Some(place) = steps.into_iter().try_fold(&mut root, |notes, step| notes.enter(step)) {
                place.here.push(violation);
            }
        }
        root
    }

    fn enter(&mut self, step: Step) -> Option<&mut Self> {
        let next = self.children.len();
        let index = *self.places.entry(step.clone()).or_insert(next);
        if index == next {
            self.children.push((step, Self::default()));
        }
        self.children.get_mut(index).map(|(_, child)| child)
    }

    pub(super) fn here(&self) -> &[&'v Violation] {
        &self.here
    }

    pub(super) fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    pub(super) fn children(&self) -> impl Iterator<Item = (&Step, &Self)> {
        self.children.iter().map(|(step, child)| (step, child))
    }

    pub(super) fn child(&self, index: usize) -> Option<&Self> {
        self.children.get(index).map(|(_, child)| child)
    }

    pub(super) fn at(&self, step: &Step) -> Option<&Self> {
        self.child(*self.places.get(step)?)
    }

    /// For each member which child is about it: by its name, else by another spelling of it.
    pub(super) fn places(&self, object: &Object) -> Vec<Option<usize>> {
        let exact = |name: &str| self.places.get(&Step::Name(name.to_owned())).copied();
        let mut places: Vec<Option<usize>> = object.iter().map(|(name, _)| exact(name)).collect();
        let mut spelled: HashMap<String, usize> = HashMap::new();
        for (index, (step, _)) in self.children.iter().enumerate() {
            if let Step::Name(name) = step
                && !places.contains(&Some(index))
            {
                spelled.insert(normal(name), index);
            }
        }
        if !spelled.is_empty() {
            for (place, (name, _)) in
                places.iter_mut().zip(object.iter()).filter(|(place, _)| place.is_none())
            {
                *place = spelled.get(&normal(name)).copied();
            }
        }
        places
    }

    /// Goes through what is said here and below, with the path from where the walk began.
    pub(super) fn walk(&self, path: &mut String, visit: &mut impl FnMut(&str, &Violation)) {
        for violation in &self.here {
            visit(path, violation);
        }
        for (step, child) in self.children() {
            let length = path.len();
            if matches!(step, Step::Name(_)) {
                path.push('.');
            }
            path.push_str(&step.text());
            child.walk(path, visit);
            path.truncate(length);
        }
    }
}

// === impl Step ===

impl Step {
    /// A name in quotes, an index in brackets.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Index(index) => format!("[{index}]"),
            Self::Name(name) => {
                let mut text = String::new();
                json::string(name, &mut text);
                text
            }
        }
    }
}

fn normal(name: &str) -> String {
    let mut text = String::new();
    normalise(name, &mut text);
    text
}

/// The steps of a path as reports write it: `legs[2].departs_at`, `rates["EUR"]`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if rest.starts_with("[\"") {
            let (name, after) = quoted(rest.strip_prefix('[')?)?;
            steps.push(Step::Name(name));
            rest = after.strip_prefix(']')?;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        } else {
            let word = rest.strip_prefix('.').unwrap_or(rest);
            let (name, after) = word.split_at_checked(word.find(['.', '[']).unwrap_or(word.len()))?;
            if name.is_empty() {
                return None;
            }
            steps.push(Step::Name(name.to_owned()));
            rest = after;
        }
    }
    Some(steps)
}

/// A JSON string, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    let (string, rest) = text.split_at_checked(end?.0 + 1)?;
    match Value::parse(string.as_bytes()).ok()? {
        Value::Text(name) => Some((name, rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_path_that_a_report_writes() {
        let name = |text: &str| Step::Name(text.to_owned());
        assert_eq!(steps("legs[2].departs_at"), Some(vec![name("legs"), Step::Index(2), name("departs_at")]));
        assert_eq!(steps(r#"extra["a\"].b"].c"#), Some(vec![name("extra"), name("a\"].b"), name("c")]));
        assert_eq!(steps(r#"["a b"].c"#), Some(vec![name("a b"), name("c")]));
        assert_eq!(steps(""), Some(Vec::new()));
        for path in ["a[", "a[x]", "a[\"", "a[\"b\"", "."] {
            assert_eq!(steps(path), None, "{path}");
        }
    }
}
