//! The rules about one value: `(buf.validate.field).int32` and its siblings.

use super::Notes;
use super::wire::{Form, Payload, fields};
use crate::constraint::{Allowed, Bound, ElementRules, Quantity, Side};
use crate::defect::DefectRule;
use crate::further::Further;
use crate::graph::{EnumType, Graph};
use crate::kind::{Encoding, IntegerType, Type};
use crate::value::Value;

/// What a number of `FieldRules.type` is about.
pub(super) const STRING: u32 = 14;
pub(super) const BYTES: u32 = 15;
pub(super) const REPEATED: u32 = 18;
pub(super) const MAP: u32 = 19;

/// Where the rules that many kinds share stand in the message of one kind; 0 where it has none such.
struct Layout {
    constant: u32,
    /// `lt`, `lte`, `gt`, `gte`.
    bounds: [u32; 4],
    among: u32,
    not_among: u32,
    /// `example`, which says something and asks nothing.
    examples: &'static [u32],
}

const NUMBER: Layout =
    Layout { constant: 1, bounds: [2, 3, 4, 5], among: 6, not_among: 7, examples: &[8, 9] };
const FLOAT: Layout = Layout { examples: &[9], ..NUMBER };
const BOOL: Layout = Layout { constant: 1, bounds: [0; 4], among: 0, not_among: 0, examples: &[2] };
const CHOICE: Layout = Layout { constant: 1, bounds: [0; 4], among: 3, not_among: 4, examples: &[5] };
const DURATION: Layout = Layout { constant: 2, bounds: [3, 4, 5, 6], among: 7, not_among: 8, examples: &[9] };
const TIMESTAMP: Layout =
    Layout { constant: 2, bounds: [3, 4, 5, 6], among: 0, not_among: 0, examples: &[10] };

/// The name of a kind of rules.
pub(super) fn name(kind: u32) -> &'static str {
    match kind {
        1 => "float",
        2 => "double",
        3 => "int32",
        4 => "int64",
        5 => "uint32",
        6 => "uint64",
        7 => "sint32",
        8 => "sint64",
        9 => "fixed32",
        10 => "fixed64",
        11 => "sfixed32",
        12 => "sfixed64",
        13 => "bool",
        STRING => "string",
        BYTES => "bytes",
        16 => "enum",
        REPEATED => "repeated",
        MAP => "map",
        20 => "any",
        21 => "duration",
        22 => "timestamp",
        28 => "field_mask",
        _ => "unknown",
    }
}

/// Whether rules of that kind are about values of that type, which stand like that on the wire: `sint32` has other
/// rules than `int32`.
pub(super) fn fits(kind: u32, value: Type, encoding: Encoding) -> bool {
    let integer = |integer, on_wire| value == Type::Integer(integer) && encoding == on_wire;
    match kind {
        1 => value == Type::Float,
        2 => value == Type::Double,
        3 => integer(IntegerType::Int32, Encoding::Varint),
        4 => integer(IntegerType::Int64, Encoding::Varint),
        5 => integer(IntegerType::Uint32, Encoding::Varint),
        6 => integer(IntegerType::Uint64, Encoding::Varint),
        7 => integer(IntegerType::Int32, Encoding::ZigZag),
        8 => integer(IntegerType::Int64, Encoding::ZigZag),
        9 => integer(IntegerType::Uint32, Encoding::Fixed32),
        10 => integer(IntegerType::Uint64, Encoding::Fixed64),
        11 => integer(IntegerType::Int32, Encoding::Fixed32),
        12 => integer(IntegerType::Int64, Encoding::Fixed64),
        13 => value == Type::Bool,
        STRING => value == Type::String,
        BYTES => value == Type::Bytes,
        16 => matches!(value, Type::Enum(_)),
        20 => value == Type::Any,
        21 => value == Type::Duration,
        22 => value == Type::Timestamp,
        28 => value == Type::FieldMask,
        _ => false,
    }
}

/// Reads the rules of one kind, which fit the value's type.
pub(super) fn read(graph: &Graph, value: Type, kind: u32, raw: &[u8], notes: &mut Notes<'_>) -> ElementRules {
    let Some(payloads) = fields(raw) else {
        notes.malformed(name(kind));
        return ElementRules::default();
    };
    match kind {
        STRING => super::text::string(&payloads, notes),
        BYTES => super::text::bytes(&payloads, notes),
        _ => {
            let mut reader = Reader { graph, value, kind, notes, rules: ElementRules::default() };
            reader.read(&payloads);
            reader.rules
        }
    }
}

struct Reader<'a, 'n> {
    graph: &'a Graph,
    value: Type,
    kind: u32,
    notes: &'a mut Notes<'n>,
    rules: ElementRules,
}

// === impl Reader ===

impl Reader<'_, '_> {
    fn read(&mut self, payloads: &[(u32, Payload<'_>)]) {
        let Some(layout) = self.layout() else {
            for (number, _) in payloads {
                self.notes.not_enforced(name(self.kind), *number, "rules about this kind are not read");
            }
            return;
        };
        let mut bounds: [Option<Value>; 4] = [const { None }; 4];
        let (mut among, mut not_among, mut constant) = (Vec::new(), Vec::new(), Vec::new());
        for (number, payload) in payloads {
            let place = layout.bounds.iter().position(|it| it == number);
            let list = match *number {
                it if it == layout.constant => &mut constant,
                it if it == layout.among => &mut among,
                it if it == layout.not_among => &mut not_among,
                it if layout.examples.contains(&it) => continue,
                it if place.is_none() => {
                    self.other(it, *payload);
                    continue;
                }
                _ => &mut Vec::new(),
            };
            let Some(values) = self.values(*payload) else {
                self.notes.malformed(name(self.kind));
                continue;
            };
            match place.and_then(|place| bounds.get_mut(place)) {
                Some(bound) => *bound = values.into_iter().next_back(),
                None => list.extend(values),
            }
        }
        constant.drain(..constant.len().saturating_sub(1));
        self.bounds(bounds);
        allow(&mut self.rules, constant);
        allow(&mut self.rules, among);
        deny(&mut self.rules, not_among);
    }

    fn layout(&self) -> Option<Layout> {
        Some(match self.kind {
            1 | 2 => FLOAT,
            3..=12 => NUMBER,
            13 => BOOL,
            16 => CHOICE,
            21 => DURATION,
            22 => TIMESTAMP,
            _ => return None,
        })
    }

    /// What one kind alone has.
    fn other(&mut self, number: u32, payload: Payload<'_>) {
        match (self.kind, number) {
            (1 | 2, 8) if payload.flag() == Some(true) => self.rules.further.push(Further::Finite),
            (16, 2) if payload.flag() == Some(true) => self.rules.further.push(Further::Defined),
            (1 | 2, 8) | (16, 2) => {}
            (22, 7) if payload.flag() == Some(false) => {}
            (22, 8) if payload.flag() == Some(false) => {}
            (22, 7) => self.clock("lt_now"),
            (22, 8) => self.clock("gt_now"),
            (22, 9) => self.clock("within"),
            _ => self.notes.not_enforced(name(self.kind), number, "it is not known here"),
        }
    }

    fn clock(&mut self, rule: &str) {
        let why = "what a value means does not depend on the time of day here";
        self.notes.named(&format!("timestamp.{rule}"), why);
    }

    fn values(&self, payload: Payload<'_>) -> Option<Vec<Value>> {
        let form = match self.kind {
            1 => Form::Float,
            2 => Form::Double,
            3 | 4 => Form::Signed,
            5 | 6 => Form::Unsigned,
            7 | 8 => Form::ZigZag,
            9 => Form::Fixed32,
            10 => Form::Fixed64,
            11 => Form::SignedFixed32,
            12 => Form::SignedFixed64,
            13 => return Some(vec![Value::Bool(payload.flag()?)]),
            16 => return self.choices(payload),
            21 => return Some(vec![payload.duration()?]),
            _ => return Some(vec![payload.timestamp()?]),
        };
        payload.numbers(form)
    }

    fn choices(&self, payload: Payload<'_>) -> Option<Vec<Value>> {
        let Type::Enum(index) = self.value else { return None };
        let it: &EnumType = self.graph.enumeration(index)?;
        let numbers = payload.numbers(Form::Signed)?;
        let number = |value: &Value| match value {
            Value::Int(number) => i32::try_from(*number).ok(),
            _ => None,
        };
        numbers.iter().map(|value| Some(it.typed(number(value)?))).collect()
    }

    /// A pair whose least value is above its greatest means what is outside of it.
    fn bounds(&mut self, [lt, lte, gt, gte]: [Option<Value>; 4]) {
        let greatest = lt.map(|it| (it, true)).or(lte.map(|it| (it, false)));
        let least = gt.map(|it| (it, true)).or(gte.map(|it| (it, false)));
        let greatest = greatest.and_then(|(value, exclusive)| self.bound(Side::Greatest, exclusive, &value));
        let least = least.and_then(|(value, exclusive)| self.bound(Side::Least, exclusive, &value));
        match (least, greatest) {
            (Some(least), Some(greatest)) if least.at > greatest.at => {
                self.rules.further.push(Further::Outside(least, greatest));
            }
            (least, greatest) => self.rules.bounds.extend(least.into_iter().chain(greatest)),
        }
    }

    fn bound(&mut self, side: Side, exclusive: bool, value: &Value) -> Option<Bound> {
        let at = Quantity::of(value)?;
        if matches!(at, Quantity::Double(it) if it.is_nan()) {
            self.notes.defect(DefectRule::BadValue, format!("{}: NaN is no bound", name(self.kind)));
            return None;
        }
        Some(Bound { side, exclusive, at, text: value.to_json() })
    }
}

/// The value is one of these.
pub(super) fn allow(rules: &mut ElementRules, values: Vec<Value>) {
    if values.is_empty() {
        return;
    }
    let texts: Vec<String> = values.iter().map(text).collect();
    if rules.allowed_texts.is_empty() {
        rules.allowed_texts = texts;
        rules.allowed = values.into_iter().map(Allowed).collect();
    } else {
        rules.further.push(Further::In(values.into_iter().map(Allowed).collect(), texts));
    }
}

/// The value is none of these.
pub(super) fn deny(rules: &mut ElementRules, values: Vec<Value>) {
    if !values.is_empty() {
        let texts = values.iter().map(Value::to_json).collect();
        rules.further.push(Further::NotIn(values.into_iter().map(Allowed).collect(), texts));
    }
}

/// A value as a declaration would write it.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_json(), str::to_owned)
}
