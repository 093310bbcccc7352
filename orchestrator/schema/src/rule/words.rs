//! A schema in a few words.

use super::{Limit, Node};

// === impl Node ===

impl Node {
    pub(super) fn words(&self) -> String {
        let mut words = match (&self.allowed, self.types) {
            (Some(_), _) => return format!("one of {}", self.allowed_text),
            (None, Some(types)) => types.words(),
            (None, None) => "a value".to_owned(),
        };
        let limits: Vec<String> = self.minimum.iter().map(Limit::words).collect();
        if !limits.is_empty() {
            words = format!("{words} of {}", limits.join(" and "));
        }
        if !self.required.is_empty() {
            words = format!("{words} with {}", self.required.join(", "));
        }
        if let Some(pattern) = &self.pattern {
            words = format!("{words} that matches {}", pattern.as_str());
        }
        words
    }
}
