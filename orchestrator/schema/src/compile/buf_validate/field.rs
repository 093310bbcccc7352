//! `(buf.validate.field)`: one field's rules, and those about its elements and keys.

use super::Notes;
use super::element::{self, MAP, REPEATED, fits, name};
use super::wire::{Payload, fields};
use crate::constraint::{Constraints, ElementRules};
use crate::defect::DefectRule;
use crate::further::Further;
use crate::graph::{FieldType, Graph, Shape};
use crate::kind::{Encoding, Type};

/// What the option asks of a field.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) constraints: Constraints,
    pub(super) required: bool,
}

/// The message `FieldRules`.
#[derive(Default)]
struct Rules {
    required: bool,
    ignore: Option<u64>,
    /// The kind of rules by its number, and their bytes.
    kind: Option<(u32, Vec<u8>)>,
}

const IGNORE_IF_ZERO: u64 = 1;
const IGNORE_ALWAYS: u64 = 3;

/// Reads a field's option. A field that belongs to a message's own oneof ignores its zero unless it says otherwise.
pub(super) fn read(
    graph: &Graph,
    field: &FieldType,
    raw: &[u8],
    in_choice: bool,
    notes: &mut Notes<'_>,
) -> Asked {
    let rules = rules(raw, notes);
    let ignore = rules.ignore.unwrap_or(if in_choice { IGNORE_IF_ZERO } else { 0 });
    if ignore == IGNORE_ALWAYS {
        if matches!(field.kind, Type::Message(_)) {
            notes.named("ignore", "the rules of the message that the field holds count wherever it is held");
        }
        return Asked::default();
    }
    let mut asked = Asked { required: rules.required, ..Asked::default() };
    if let Some((kind, raw)) = &rules.kind {
        match (*kind, field.shape) {
            (REPEATED, Shape::List { .. }) => list(graph, field, raw, &mut asked.constraints, notes),
            (MAP, Shape::Map(_)) => map(graph, field, raw, &mut asked.constraints, notes),
            (kind, Shape::Single) => {
                asked.constraints.element = values(graph, (field.kind, field.encoding), kind, raw, notes);
            }
            (kind, _) => misplaced(kind, notes),
        }
    }
    let no_presence = !field.is_single() || !field.presence;
    if no_presence {
        let zero_ignored = ignore == IGNORE_IF_ZERO;
        asked.constraints.empty_passes = zero_ignored && !field.is_single();
        asked.constraints.element.zero_passes |= zero_ignored && field.is_single();
        without_presence(graph, field, &mut asked);
    }
    asked
}

/// Zero is absent: where zero is refused, the field is required, and where it is required, zero is refused.
fn without_presence(graph: &Graph, field: &FieldType, asked: &mut Asked) {
    let constraints = &mut asked.constraints;
    if !field.is_single() {
        if asked.required {
            constraints.min_items = constraints.min_items.max(1);
            constraints.empty_passes = false;
        }
        asked.required |= constraints.items(0).is_some();
        return;
    }
    if asked.required {
        constraints.element.zero_passes = false;
        constraints.element.further.push(Further::NotZero);
    }
    let zero = field.zero(graph);
    asked.required |= zero.is_some_and(|zero| !constraints.element.check(&zero).is_empty());
}

fn rules(raw: &[u8], notes: &mut Notes<'_>) -> Rules {
    let mut rules = Rules::default();
    let Some(payloads) = fields(raw) else {
        notes.malformed("field");
        return rules;
    };
    for (number, payload) in payloads {
        match (number, payload) {
            (23 | 29, payload) => super::message::cel(payload, number == 23, notes),
            (25, Payload::Varint(it)) => rules.required = it != 0,
            (27, Payload::Varint(it)) if it == 0 || it == IGNORE_IF_ZERO || it == IGNORE_ALWAYS => {
                rules.ignore = Some(it);
            }
            (27, _) => notes.named("ignore", "its value is not known here"),
            (kind, Payload::Bytes(bytes)) if name(kind) != "unknown" => match &mut rules.kind {
                // Pieces of one message are one message, one behind the other.
                Some((known, raw)) if *known == kind => raw.extend_from_slice(bytes),
                it => *it = Some((kind, bytes.to_vec())),
            },
            (number, _) => notes.not_enforced("field", number, "it is not known here"),
        }
    }
    rules
}

fn list(graph: &Graph, field: &FieldType, raw: &[u8], out: &mut Constraints, notes: &mut Notes<'_>) {
    let Some(payloads) = fields(raw) else { return notes.malformed("repeated") };
    for (number, payload) in payloads {
        match (number, payload) {
            (1, Payload::Varint(count)) => out.min_items = clamped(count),
            (2, Payload::Varint(count)) => most(count, out, notes),
            (3, Payload::Varint(it)) => out.unique = it != 0,
            (4, Payload::Bytes(raw)) => {
                out.element = held(graph, (field.kind, field.encoding), raw, "items", notes)
            }
            (1..=4, _) => notes.malformed("repeated"),
            (number, _) => notes.not_enforced("repeated", number, "it is not known here"),
        }
    }
}

fn map(graph: &Graph, field: &FieldType, raw: &[u8], out: &mut Constraints, notes: &mut Notes<'_>) {
    let (Some(payloads), Shape::Map(key)) = (fields(raw), field.shape) else { return notes.malformed("map") };
    for (number, payload) in payloads {
        match (number, payload) {
            (1, Payload::Varint(count)) => out.min_items = clamped(count),
            (2, Payload::Varint(count)) => most(count, out, notes),
            (4, Payload::Bytes(raw)) => out.keys = held(graph, (key.kind, key.encoding), raw, "keys", notes),
            (5, Payload::Bytes(raw)) => {
                out.element = held(graph, (field.kind, field.encoding), raw, "values", notes)
            }
            (1 | 2 | 4 | 5, _) => notes.malformed("map"),
            (number, _) => notes.not_enforced("map", number, "it is not known here"),
        }
    }
}

fn clamped(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Zero means no limit in our own option; nobody declares a list that must be empty.
fn most(count: u64, out: &mut Constraints, notes: &mut Notes<'_>) {
    match clamped(count) {
        0 => notes.named("a greatest count of 0", "a field that must be empty cannot be said here"),
        count => out.max_items = count,
    }
}

/// The rules about elements, values or keys.
fn held(
    graph: &Graph,
    value: (Type, Encoding),
    raw: &[u8],
    what: &str,
    notes: &mut Notes<'_>,
) -> ElementRules {
    let rules = rules(raw, notes);
    if rules.ignore == Some(IGNORE_ALWAYS) {
        return ElementRules::default();
    }
    let mut read = match &rules.kind {
        Some((REPEATED | MAP, _)) => {
            notes.defect(DefectRule::NotApplicable, format!("buf.validate: {what} are single values"));
            ElementRules::default()
        }
        Some((kind, raw)) => values(graph, value, *kind, raw, notes),
        None => ElementRules::default(),
    };
    // Each of them is there: `required` asks nothing of them, not even that it be no zero.
    read.zero_passes = rules.ignore == Some(IGNORE_IF_ZERO);
    read
}

fn values(
    graph: &Graph,
    (value, encoding): (Type, Encoding),
    kind: u32,
    raw: &[u8],
    notes: &mut Notes<'_>,
) -> ElementRules {
    if fits(kind, value, encoding) {
        return element::read(graph, value, kind, raw, notes);
    }
    misplaced(kind, notes);
    ElementRules::default()
}

fn misplaced(kind: u32, notes: &mut Notes<'_>) {
    let message = format!("buf.validate: {} rules are not for a field of this type", name(kind));
    notes.defect(DefectRule::NotApplicable, message);
}
