//! Where coercion stands: a chain of frames on the stack, put into words only when something is reported.
//!
//! `path` names the place in the result, `source` the same place as it came; they part where a field came under
//! another name, a single value was wrapped, or a list of pairs became a map.

use crate::json;
use std::fmt::Write as _;

/// One step from the root to a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
    source: Source<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    /// A member of a message: bare where it is a plain word, else quoted in brackets.
    Field(&'a str),
    /// A key of a map or a Struct: always quoted in brackets.
    Key(&'a str),
    Index(usize),
}

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// As in the result.
    Same,
    /// Under this name.
    Named(&'a str),
    /// The value itself: it was wrapped into a list.
    Whole,
    /// This member of that pair.
    Pair(usize, &'static str),
}

// === impl Place ===

impl<'a> Place<'a> {
    /// The root, whose path is empty.
    pub(crate) const ROOT: Place<'static> = Place { parent: None, step: Step::Root, source: Source::Same };

    pub(crate) fn field(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Field(name), source: Source::Same }
    }

    /// A field that may have come under another name.
    pub(crate) fn field_from(&'a self, name: &'a str, came: &'a str) -> Self {
        let source = if name == came { Source::Same } else { Source::Named(came) };
        Self { parent: Some(self), step: Step::Field(name), source }
    }

    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Key(key), source: Source::Same }
    }

    pub(crate) fn key_from(&'a self, key: &'a str, came: &'a str) -> Self {
        let source = if key == came { Source::Same } else { Source::Named(came) };
        Self { parent: Some(self), step: Step::Key(key), source }
    }

    /// The key or the value of a pair in a list that became a map.
    pub(crate) fn pair(&'a self, key: &'a str, index: usize, part: &'static str) -> Self {
        Self { parent: Some(self), step: Step::Key(key), source: Source::Pair(index, part) }
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index), source: Source::Same }
    }

    /// The only element of a list that came without its brackets.
    pub(crate) fn wrapped(&'a self) -> Self {
        Self { parent: Some(self), step: Step::Index(0), source: Source::Whole }
    }

    /// Whether path and source are the same text.
    pub(crate) fn came_as_is(&self) -> bool {
        let mut place = Some(self);
        while let Some(it) = place {
            if !matches!(it.source, Source::Same) {
                return false;
            }
            place = it.parent;
        }
        true
    }

    /// Appends the path in the result.
    pub(crate) fn write_path(&self, start: usize, out: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_path(start, out);
        }
        self.step.write(start, out);
    }

    /// Appends the path as it came.
    pub(crate) fn write_source(&self, start: usize, out: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_source(start, out);
        }
        match (self.source, self.step) {
            (Source::Same, step) => step.write(start, out),
            (Source::Named(came), Step::Key(_)) => Step::Key(came).write(start, out),
            (Source::Named(came), _) => Step::Field(came).write(start, out),
            (Source::Whole, _) => {}
            (Source::Pair(index, part), _) => {
                Step::Index(index).write(start, out);
                Step::Field(part).write(start, out);
            }
        }
    }

    /// The path in the result.
    pub(crate) fn path(&self) -> String {
        let mut out = String::new();
        self.write_path(0, &mut out);
        out
    }
}

// === impl Step ===

impl Step<'_> {
    /// `start` is where the path begins in `out`: its first segment takes no dot.
    fn write(self, start: usize, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Field(name) if is_plain_word(name) => {
                if out.len() > start {
                    out.push('.');
                }
                out.push_str(name);
            }
            Self::Field(name) | Self::Key(name) => {
                out.push('[');
                json::string(name, out);
                out.push(']');
            }
            // Writing to a String does not fail.
            Self::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
}

/// `[A-Za-z_][A-Za-z0-9_]*`
fn is_plain_word(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(place: &Place<'_>) -> (String, String) {
        let mut source = String::new();
        place.write_source(0, &mut source);
        (place.path(), source)
    }

    #[test]
    fn names_fields_elements_and_keys() {
        let legs = Place::ROOT.field("legs");
        let leg = legs.index(2);
        assert_eq!(leg.field("departs_at").path(), "legs[2].departs_at");
        assert_eq!(Place::ROOT.field("rates").key("EUR").path(), r#"rates["EUR"]"#);
        assert_eq!(Place::ROOT.field("a b").field("c").path(), r#"["a b"].c"#);
        assert_eq!(Place::ROOT.field("extra").key("a\"b").path(), r#"extra["a\"b"]"#);
        assert_eq!(Place::ROOT.path(), "");
    }

    #[test]
    fn the_source_is_the_path_as_it_came() {
        let days = Place::ROOT.field_from("days", "Days");
        assert_eq!(both(&days.index(0)), ("days[0]".into(), "Days[0]".into()));
        assert_eq!(both(&days.wrapped()), ("days[0]".into(), "Days".into()));
        assert_eq!(both(&days.pair("a", 1, "value")), (r#"days["a"]"#.into(), "Days[1].value".into()));
        assert!(!days.index(0).came_as_is());
        assert!(Place::ROOT.field("days").index(0).came_as_is());
    }
}
