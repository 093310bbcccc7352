//! What coercion changed and what it could not mend, in the order in which it happened.
//!
//! All texts of the entries stand one after the other in a single buffer: an entry costs no allocation of its own.
//! The size is bounded; a report that would grow beyond it ends in one TOO_LARGE.

use crate::json;
use crate::place::Place;
use crate::value::Value;
use convoke_proto::v1;

pub use convoke_proto::v1::Violation;
pub use convoke_proto::v1::coercion_report::{Op, Rule};
pub use convoke_proto::v1::violation::Rule as ViolationRule;

/// How many characters of a refused value a violation shows.
pub(crate) const MAX_GOT: usize = 200;
/// What stands for a secret.
pub(crate) const REDACTED: &str = "\"[redacted]\"";

/// Room for the texts of a few entries, made at the first one: growing byte by byte costs more than the entries.
const FIRST_TEXT: usize = 512;
const FIRST_ENTRIES: usize = 8;

/// The changes and the violations of one coercion.
#[derive(Clone, Debug, Default)]
pub struct Report {
    text: String,
    entries: Vec<Record>,
    violations: Vec<Violation>,
    limit: usize,
    spent: usize,
    full: bool,
}

/// One change. Texts borrow from the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Where in the result, in proto names.
    pub path: &'a str,
    /// The rule that made the change.
    pub rule: Rule,
    /// What the change does there.
    pub op: Op,
    /// The whole path as it came.
    pub source: &'a str,
    /// JSON text of what was there; empty for an insertion.
    pub before: &'a str,
    /// JSON text of what is there now; empty for a removal.
    pub after: &'a str,
    /// Whether nothing of the meaning was lost.
    pub lossless: bool,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    path: Span,
    source: Span,
    before: Span,
    after: Span,
    rule: Rule,
    op: Op,
    lossless: bool,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
}

// === impl Report ===

impl Report {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// The changes, in order of application.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> {
        self.entries.iter().map(|record| self.entry(record))
    }

    /// What could not be mended, in the order of the fields.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether there is nothing to refuse; the value is meaningful then.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether nothing was changed and nothing refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.violations.is_empty()
    }

    /// The violations alone.
    #[must_use]
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The contract's record of this report.
    #[must_use]
    pub fn to_proto(&self) -> v1::CoercionReport {
        v1::CoercionReport {
            entries: self.entries().map(proto_entry).collect(),
            violations: self.violations.clone(),
        }
    }

    /// The contract's record of this report.
    #[must_use]
    pub fn into_proto(self) -> v1::CoercionReport {
        let entries = self.entries().map(proto_entry).collect();
        v1::CoercionReport { entries, violations: self.violations }
    }

    fn entry(&self, record: &Record) -> Entry<'_> {
        Entry {
            path: self.slice(record.path),
            rule: record.rule,
            op: record.op,
            source: self.slice(record.source),
            before: self.slice(record.before),
            after: self.slice(record.after),
            lossless: record.lossless,
        }
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn since(&self, start: usize) -> Span {
        Span { start, end: self.text.len() }
    }

    /// Begins an entry at a place; its texts follow.
    pub(crate) fn begin(&mut self, place: &Place<'_>, rule: Rule, op: Op) -> Draft<'_> {
        if self.entries.capacity() == 0 {
            self.text.reserve(FIRST_TEXT);
            self.entries.reserve(FIRST_ENTRIES);
        }
        let mark = self.text.len();
        place.write_path(mark, &mut self.text);
        let path = self.since(mark);
        let source = if place.came_as_is() {
            path
        } else {
            let start = self.text.len();
            place.write_source(start, &mut self.text);
            self.since(start)
        };
        let empty = Span { start: mark, end: mark };
        let record = Record { path, source, before: empty, after: empty, rule, op, lossless: true };
        Draft { report: self, record, mark }
    }

    /// Records a violation as it is.
    pub(crate) fn violate(&mut self, violation: Violation) {
        let size = violation.path.len()
            + violation.expected.len()
            + violation.got.len()
            + violation.suggestion.len();
        if self.affords(size + size_of::<Violation>()) {
            self.violations.push(violation);
        }
    }

    /// Records a field that has to be there and is not.
    pub(crate) fn missing(&mut self, place: &Place<'_>, expected: String) {
        let (path, rule) = (place.path(), ViolationRule::Missing.into());
        self.violate(Violation { path, rule, expected, ..Violation::default() });
    }

    /// Gives the violation that was recorded last a name to try; names are no secrets.
    pub(crate) fn suggest(&mut self, suggestion: String) {
        if !self.full
            && let Some(last) = self.violations.last_mut()
        {
            last.suggestion = suggestion;
        }
    }

    /// Whether the report still takes that many bytes; says TOO_LARGE once when it does not.
    fn affords(&mut self, size: usize) -> bool {
        self.spent = self.spent.saturating_add(size);
        if self.spent <= self.limit {
            return true;
        }
        if !self.full {
            self.full = true;
            self.violations.push(Violation {
                path: String::new(),
                rule: ViolationRule::TooLarge.into(),
                expected: "a value whose corrections can be listed in a report of bounded size".to_owned(),
                ..Violation::default()
            });
        }
        false
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full
    }
}

fn proto_entry(entry: Entry<'_>) -> v1::coercion_report::Entry {
    v1::coercion_report::Entry {
        path: entry.path.to_owned(),
        rule: entry.rule.into(),
        op: entry.op.into(),
        source: entry.source.to_owned(),
        before: entry.before.to_owned(),
        after: entry.after.to_owned(),
        lossless: entry.lossless,
    }
}

/// An entry that is being written.
pub(crate) struct Draft<'a> {
    report: &'a mut Report,
    record: Record,
    mark: usize,
}

// === impl Draft ===

impl Draft<'_> {
    pub(crate) fn before(self, value: &Value) -> Self {
        self.before_with(|out| json::write(value, out))
    }

    pub(crate) fn after(self, value: &Value) -> Self {
        self.after_with(|out| json::write(value, out))
    }

    pub(crate) fn before_text(self, text: &str) -> Self {
        self.before_with(|out| json::string(text, out))
    }

    pub(crate) fn after_text(self, text: &str) -> Self {
        self.after_with(|out| json::string(text, out))
    }

    pub(crate) fn before_with(mut self, write: impl FnOnce(&mut String)) -> Self {
        let start = self.report.text.len();
        write(&mut self.report.text);
        self.record.before = self.report.since(start);
        self
    }

    pub(crate) fn after_with(mut self, write: impl FnOnce(&mut String)) -> Self {
        let start = self.report.text.len();
        write(&mut self.report.text);
        self.record.after = self.report.since(start);
        self
    }

    pub(crate) fn lossy(mut self) -> Self {
        self.record.lossless = false;
        self
    }

    pub(crate) fn finish(self) {
        let size = self.report.text.len().saturating_sub(self.mark);
        if self.report.affords(size + size_of::<Record>()) {
            self.report.entries.push(self.record);
        } else {
            self.report.text.truncate(self.mark);
        }
    }
}

/// A value as a violation shows it: JSON text, cut at [`MAX_GOT`] characters.
pub(crate) fn got(value: &Value) -> String {
    let mut out = String::new();
    bounded(value, &mut out);
    match out.char_indices().nth(MAX_GOT) {
        None => out,
        Some(_) => {
            let end = out.char_indices().nth(MAX_GOT - 1).map_or(0, |(end, _)| end);
            out.truncate(end);
            out.push('…');
            out
        }
    }
}

/// Writes no more of a huge value than a violation could show.
fn bounded(value: &Value, out: &mut String) {
    if out.len() > 4 * MAX_GOT {
        return;
    }
    match value {
        Value::Text(text) => {
            let end = text.char_indices().nth(MAX_GOT).map_or(text.len(), |(end, _)| end);
            json::string(text.get(..end).unwrap_or_default(), out);
        }
        Value::List(list) => {
            out.push('[');
            for (index, element) in list.iter().take(MAX_GOT).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                bounded(element, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (index, (name, member)) in object.iter().take(MAX_GOT).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let end = name.char_indices().nth(MAX_GOT).map_or(name.len(), |(end, _)| end);
                json::string(name.get(..end).unwrap_or_default(), out);
                out.push(':');
                bounded(member, out);
            }
            out.push('}');
        }
        Value::Bytes(bytes) => json::write(&Value::Bytes(bytes.slice(..bytes.len().min(MAX_GOT))), out),
        Value::Number(number) => out.push_str(number.as_str().get(..MAX_GOT + 1).unwrap_or(number.as_str())),
        scalar => json::write(scalar, out),
    }
}
