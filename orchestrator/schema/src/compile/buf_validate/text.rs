//! The rules about strings and bytes.

use super::Notes;
use super::element::{allow, deny};
use super::wire::Payload;
use crate::constraint::ElementRules;
use crate::defect::DefectRule;
use crate::further::{Family, Format, Further, Part};
use crate::pattern::Pattern;
use crate::value::Value;

/// What the letters of an e-mail address are: HTML's own definition, without the length of a label.
const EMAIL: &str = r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";
const UUID: &str = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
/// With the comma that the rule's own expression lets in between `+` and `.`.
const HEADER_NAME: &str = r"^:?[0-9a-zA-Z!#$%&'*+,\-.^_|~`]+$";
const HEADER_VALUE: &str = r"^[^\x00-\x08\x0A-\x1F\x7F]*$";
const LOOSE_NAME: &str = r"^[^\x00\x0A\x0D]+$";
const LOOSE_VALUE: &str = r"^[^\x00\x0A\x0D]*$";

/// What was collected of one message of rules.
struct Draft<'a, 'n> {
    kind: &'static str,
    rules: ElementRules,
    among: Vec<Value>,
    not_among: Vec<Value>,
    constant: Vec<Value>,
    notes: &'a mut Notes<'n>,
}

pub(super) fn string(payloads: &[(u32, Payload<'_>)], notes: &mut Notes<'_>) -> ElementRules {
    let strict = payloads.iter().rev().find(|(number, _)| *number == 25).and_then(|(_, it)| it.flag());
    let mut draft = Draft::new("string", notes);
    for (number, payload) in payloads {
        let read = match number {
            1 => payload.text().map(|it| draft.constant = vec![Value::from(it)]),
            2 => payload.count().map(|it| draft.least(it)),
            3 => payload.count().map(|it| draft.most(it)),
            4 => payload.count().map(|it| draft.further(Further::Bytes { least: it, most: u64::MAX })),
            5 => payload.count().map(|it| draft.further(Further::Bytes { least: 0, most: it })),
            6 => payload.text().map(|it| draft.pattern(it)),
            7 => payload.text().map(|it| draft.further(Further::Prefix(it.into()))),
            8 => payload.text().map(|it| draft.further(Further::Suffix(it.into()))),
            9 => payload.bytes().map(|it| draft.part(it, Further::Contains)),
            10 => payload.text().map(|it| draft.among.push(Value::from(it))),
            11 => payload.text().map(|it| draft.not_among.push(Value::from(it))),
            19 => payload.count().map(|it| {
                draft.least(it);
                draft.most(it);
            }),
            20 => payload.count().map(|it| draft.further(Further::Bytes { least: it, most: it })),
            23 => payload.bytes().map(|it| draft.part(it, Further::Lacks)),
            24 => payload.count().map(|it| draft.header(it, strict.unwrap_or(true))),
            25 | 34 => Some(()),
            other => match (format(*other), payload.flag()) {
                (Some(read), Some(true)) => {
                    draft.format(read);
                    Some(())
                }
                (Some(_), Some(false)) => Some(()),
                (Some(_), None) => None,
                (None, _) => {
                    draft.notes.not_enforced("string", *other, "it is not known here");
                    Some(())
                }
            },
        };
        draft.judge(read);
    }
    draft.finish()
}

pub(super) fn bytes(payloads: &[(u32, Payload<'_>)], notes: &mut Notes<'_>) -> ElementRules {
    let mut draft = Draft::new("bytes", notes);
    let value = |it: &[u8]| Value::Bytes(it.to_vec().into());
    for (number, payload) in payloads {
        let read = match number {
            1 => payload.bytes().map(|it| draft.constant = vec![value(it)]),
            2 => payload.count().map(|it| draft.least(it)),
            3 => payload.count().map(|it| draft.most(it)),
            4 => payload.text().map(|it| {
                if let Some(pattern) = draft.compiled(it) {
                    draft.further(Further::Pattern(pattern));
                }
            }),
            5 => payload.bytes().map(|it| draft.further(Further::Prefix(it.into()))),
            6 => payload.bytes().map(|it| draft.further(Further::Suffix(it.into()))),
            7 => payload.bytes().map(|it| draft.part(it, Further::Contains)),
            8 => payload.bytes().map(|it| draft.among.push(value(it))),
            9 => payload.bytes().map(|it| draft.not_among.push(value(it))),
            13 => payload.count().map(|it| {
                draft.least(it);
                draft.most(it);
            }),
            10 => payload.flag().map(|it| draft.packed(it, Format::Packed(Family::Any))),
            11 => payload.flag().map(|it| draft.packed(it, Format::Packed(Family::V4))),
            12 => payload.flag().map(|it| draft.packed(it, Format::Packed(Family::V6))),
            15 => payload.flag().map(|it| draft.packed(it, Format::PackedUuid)),
            14 => Some(()),
            other => {
                draft.notes.not_enforced("bytes", *other, "it is not known here");
                Some(())
            }
        };
        draft.judge(read);
    }
    draft.finish()
}

/// The format that a flag of `StringRules` asks for.
fn format(number: u32) -> Option<Result<Format, regex::Error>> {
    Some(match number {
        12 => Format::letters("an e-mail address, like ada@example.com", EMAIL),
        13 => Ok(Format::Hostname),
        14 => Ok(Format::Ip(Family::Any)),
        15 => Ok(Format::Ip(Family::V4)),
        16 => Ok(Format::Ip(Family::V6)),
        17 => Ok(Format::Uri),
        18 => Ok(Format::UriReference),
        21 => Ok(Format::Address),
        22 => Format::letters("a UUID, like 123e4567-e89b-12d3-a456-426614174000", UUID),
        26 => Ok(Format::IpWithPrefixLength(Family::Any)),
        27 => Ok(Format::IpWithPrefixLength(Family::V4)),
        28 => Ok(Format::IpWithPrefixLength(Family::V6)),
        29 => Ok(Format::IpPrefix(Family::Any)),
        30 => Ok(Format::IpPrefix(Family::V4)),
        31 => Ok(Format::IpPrefix(Family::V6)),
        32 => Ok(Format::HostAndPort),
        33 => Format::letters("a UUID without dashes", "^[0-9a-fA-F]{32}$"),
        35 => Format::letters("a ULID", "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$"),
        37 => Format::letters(
            "a full name of protobuf, like trip.v1.Trip",
            r"^[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*$",
        ),
        38 => Format::letters(
            "a full name of protobuf with a dot before it, like .trip.v1.Trip",
            r"^\.[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*$",
        ),
        _ => return None,
    })
}

// === impl Draft ===

impl<'a, 'n> Draft<'a, 'n> {
    fn new(kind: &'static str, notes: &'a mut Notes<'n>) -> Self {
        let (among, not_among, constant) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind, rules: ElementRules::default(), among, not_among, constant, notes }
    }

    fn further(&mut self, rule: Further) {
        self.rules.further.push(rule);
    }

    fn least(&mut self, count: u64) {
        self.rules.min_length = self.rules.min_length.max(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Zero, which means no limit in our own option, leaves the empty value alone.
    fn most(&mut self, count: u64) {
        match u32::try_from(count).unwrap_or(u32::MAX) {
            0 => self.further(Further::Bytes { least: 0, most: 0 }),
            count if self.rules.max_length == 0 => self.rules.max_length = count,
            // Both `len` and `max_len` were declared: both count.
            count => self.rules.max_length = self.rules.max_length.min(count),
        }
    }

    fn pattern(&mut self, text: &str) {
        self.rules.pattern = self.compiled(text);
    }

    fn compiled(&mut self, text: &str) -> Option<Pattern> {
        match Pattern::new(text) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                let message = format!("(buf.validate.field).{}.pattern {text:?}: {error}", self.kind);
                self.notes.defect(DefectRule::BadPattern, message);
                None
            }
        }
    }

    fn part(&mut self, bytes: &[u8], rule: impl FnOnce(Part) -> Further) {
        match Part::new(bytes) {
            Ok(part) => self.further(rule(part)),
            Err(error) => self.notes.defect(DefectRule::BadPattern, error.to_string()),
        }
    }

    fn format(&mut self, read: Result<Format, regex::Error>) {
        match read {
            Ok(format) => self.further(Further::Format(format)),
            Err(error) => self.notes.defect(DefectRule::BadPattern, error.to_string()),
        }
    }

    fn packed(&mut self, asked: bool, format: Format) {
        if asked {
            self.further(Further::Format(format));
        }
    }

    /// `well_known_regex`.
    fn header(&mut self, which: u64, strict: bool) {
        let (words, letters) = match (which, strict) {
            (0, _) => return,
            (1, true) => ("the name of an HTTP header", HEADER_NAME),
            (1, false) => ("the name of an HTTP header, on one line", LOOSE_NAME),
            (2, true) => ("the value of an HTTP header", HEADER_VALUE),
            (2, false) => ("the value of an HTTP header, on one line", LOOSE_VALUE),
            _ => return self.notes.named("string.well_known_regex", "its value is not known here"),
        };
        self.format(Format::letters(words, letters));
    }

    fn judge(&mut self, read: Option<()>) {
        if read.is_none() {
            self.notes.malformed(self.kind);
        }
    }

    fn finish(mut self) -> ElementRules {
        allow(&mut self.rules, self.constant);
        allow(&mut self.rules, self.among);
        deny(&mut self.rules, self.not_among);
        self.rules
    }
}
