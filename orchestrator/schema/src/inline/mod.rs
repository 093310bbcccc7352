//! A refused value as a model reads it best: JSON over several lines, each violation a comment at its place.
//!
//! ```text
//! {
//!   "days": [
//!     1,
//!     "x" // WRONG_TYPE: expected an integer from -2147483648 to 2147483647
//!   ],
//!   // "name": MISSING: expected text
//! }
//! ```
//!
//! Paths are those of the report, in proto names; a member that came in another spelling is found all the same. What
//! the value does not hold (a missing key, an unknown one that was taken out, a oneof) is a comment of its own in the
//! nearest object that is there. A secret that was refused stays redacted; [`Schema::redacted`](crate::Schema::redacted)
//! takes out the others.

mod notes;

use self::notes::{Notes, Step};
use crate::json;
use crate::report::{REDACTED, Violation};
use crate::value::{Object, Value};

const INDENT: &str = "  ";

/// Writes a value as JSON with each violation as a comment at its place, missing keys included.
///
/// The value may be the one that came or the one that coercion left: both are found by the paths of the report.
#[must_use]
pub fn render_inline(value: &Value, violations: &[Violation]) -> String {
    let notes = Notes::of(violations);
    let mut out = String::new();
    Writer { out: &mut out }.value(value, Some(&notes), 0, "");
    out
}

struct Writer<'a> {
    out: &'a mut String,
}

// === impl Writer ===

impl Writer<'_> {
    /// A value, what follows it, and then its comments.
    fn value(&mut self, value: &Value, notes: Option<&Notes<'_>>, depth: usize, after: &str) {
        if notes.is_some_and(|notes| notes.here().iter().any(|it| it.got == REDACTED)) {
            self.out.push_str(REDACTED);
            self.out.push_str(after);
            return self.comments(notes, true);
        }
        match value {
            Value::Object(object) if !object.is_empty() || notes.is_some_and(Notes::has_children) => {
                self.object(object, notes, depth, after);
            }
            Value::List(list) if !list.is_empty() => self.list(list, notes, depth, after),
            scalar => {
                json::write(scalar, self.out);
                self.out.push_str(after);
                self.comments(notes, true);
            }
        }
    }

    fn object(&mut self, object: &Object, notes: Option<&Notes<'_>>, depth: usize, after: &str) {
        self.out.push('{');
        self.comments(notes, false);
        let places = notes.map(|notes| notes.places(object)).unwrap_or_default();
        let last = object.len().saturating_sub(1);
        for (index, (name, member)) in object.iter().enumerate() {
            self.line(depth + 1);
            json::string(name, self.out);
            self.out.push_str(": ");
            let child = places.get(index).copied().flatten();
            let child = notes.and_then(|notes| notes.child(child?));
            self.value(member, child, depth + 1, if index < last { "," } else { "" });
        }
        if let Some(notes) = notes {
            for (index, (step, child)) in notes.children().enumerate() {
                if !places.contains(&Some(index)) {
                    self.absent(step, child, depth + 1);
                }
            }
        }
        self.line(depth);
        self.out.push('}');
        self.out.push_str(after);
    }

    fn list(&mut self, list: &[Value], notes: Option<&Notes<'_>>, depth: usize, after: &str) {
        self.out.push('[');
        self.comments(notes, false);
        let last = list.len().saturating_sub(1);
        for (index, element) in list.iter().enumerate() {
            self.line(depth + 1);
            let child = notes.and_then(|notes| notes.at(&Step::Index(index)));
            self.value(element, child, depth + 1, if index < last { "," } else { "" });
        }
        for (step, child) in notes.into_iter().flat_map(Notes::children) {
            if !matches!(step, Step::Index(index) if *index < list.len()) {
                self.absent(step, child, depth + 1);
            }
        }
        self.line(depth);
        self.out.push(']');
        self.out.push_str(after);
    }

    /// What is wrong with a place that the value does not have, and with all below it.
    fn absent(&mut self, step: &Step, notes: &Notes<'_>, depth: usize) {
        notes.walk(&mut step.text(), &mut |path, violation| {
            self.line(depth);
            self.out.push_str("// ");
            self.out.push_str(path);
            self.out.push_str(": ");
            self.words(violation, true);
        });
    }

    /// The comments of a place; of a single value also those about places within it.
    fn comments(&mut self, notes: Option<&Notes<'_>>, within: bool) {
        let Some(notes) = notes else { return };
        for violation in notes.here() {
            self.out.push_str(" // ");
            self.words(violation, false);
        }
        for (step, child) in notes.children().filter(|_| within) {
            child.walk(&mut step.text(), &mut |path, violation| {
                self.out.push_str(" // ");
                self.out.push_str(path);
                self.out.push_str(": ");
                self.words(violation, true);
            });
        }
    }

    /// `RULE: expected …; got …; try …`, in one line.
    fn words(&mut self, violation: &Violation, with_got: bool) {
        self.out.push_str(violation.rule().as_str_name());
        self.plain(": expected ", &violation.expected);
        if with_got {
            self.plain("; got ", &violation.got);
        }
        self.plain("; try ", &violation.suggestion);
    }

    /// Text that ends no line and so no comment.
    fn plain(&mut self, before: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        self.out.push_str(before);
        let ends_line = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
        self.out.extend(text.chars().map(|letter| if ends_line(letter) { ' ' } else { letter }));
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        for _ in 0..depth {
            self.out.push_str(INDENT);
        }
    }
}
