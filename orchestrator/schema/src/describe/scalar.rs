//! Single values that are no messages, as JSON Schema: what both dialects say in one place, what differs by `strict`.

use super::digits;
use super::expression::ecma;
use super::further;
use super::json::{Schema, double, integer, json, object};
use crate::constraint::{Bound, ElementRules, Quantity, Side};
use crate::further::Further;
use crate::graph::{EnumType, FieldType, Graph};
use crate::kind::{IntegerType, Type};
use crate::time;
use crate::value::{SAFE, Value};
use hashbrown::{HashMap, HashSet};
use serde_json::{Value as Json, json};

/// RFC 3339 but for which days a month has, which `format` says; never finer than a nanosecond.
const DATE_TIME: &str = r"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9}0*)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$";
const FIELD_MASK: &str =
    r"^(?:[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*(?:,[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*)*)?$";
/// From here on (half a step above the greatest float) a number rounds to infinity.
const BEYOND_FLOAT: f64 = 3.402_823_567_797_336_6e38;
/// The longest text whose length an expression counts; above it strict modes would build too large an automaton.
pub(super) const COUNTED: u32 = 256;

/// One value of a field.
#[derive(Clone, Copy)]
pub(super) struct Scalar<'g> {
    pub(super) graph: &'g Graph,
    pub(super) field: &'g FieldType,
    pub(super) strict: bool,
}

// === impl Scalar ===

impl<'g> Scalar<'g> {
    /// The schema; none of what holds other values.
    pub(super) fn schema(self) -> Option<Schema> {
        let schema = match self.field.kind {
            Type::Double | Type::Float => self.number(),
            Type::Integer(integer) => self.whole(integer),
            Type::Bool => self.listed("boolean").unwrap_or_else(|| object([("type", json!("boolean"))])),
            Type::String => self.text(),
            Type::Bytes => self.bytes(),
            Type::Enum(index) => self.choice(self.graph.enumeration(index)?),
            Type::Timestamp => self.moment(),
            Type::Duration => {
                object([("type", json!("string")), ("pattern", json!(digits::durations(&self.spans())))])
            }
            Type::FieldMask => object([("type", json!("string")), ("pattern", json!(FIELD_MASK))]),
            Type::Message(_) | Type::Struct | Type::Value | Type::ListValue | Type::Any => return None,
        };
        Some(if self.strict { schema } else { self.with_further(schema) })
    }

    /// The plain dialect has keywords for more.
    fn with_further(self, mut schema: Schema) -> Schema {
        let Some(rules) = self.rules() else { return schema };
        let all = further::keywords(self.graph, self.field, rules);
        if !all.is_empty() {
            schema.insert("allOf".to_owned(), Json::Array(all));
        }
        match further::zero(self.graph, self.field.kind).filter(|_| rules.zero_passes) {
            Some(zero) => object([("anyOf", json!([schema, zero]))]),
            None => schema,
        }
    }

    fn rules(self) -> Option<&'g ElementRules> {
        self.field.constraints.as_deref().map(|constraints| &constraints.element)
    }

    fn bounds(self) -> &'g [Bound] {
        self.rules().map_or(&[], |rules| &rules.bounds)
    }

    /// The allowed values, typed, in the order of their declaration; none of those that break another rule.
    fn allowed(self) -> Vec<Value> {
        let Some(rules) = self.rules() else { return Vec::new() };
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_json(), str::to_owned);
        let known: HashMap<String, &Value> = rules.allowed.iter().map(|it| (text(&it.0), &it.0)).collect();
        let mut seen = HashSet::new();
        let texts = rules.allowed_texts.iter().filter(|text| seen.insert(text.as_str()));
        let values = texts.filter_map(|text| known.get(text).copied());
        values.filter(|value| rules.check(value).is_empty()).cloned().collect()
    }

    /// The allowed values alone, where there are any: they keep every other rule.
    fn listed(self, type_name: &str) -> Option<Schema> {
        let allowed = self.allowed();
        if allowed.is_empty() {
            return None;
        }
        let words = allowed.iter().any(|it| matches!(it, Value::Float(it) if !it.is_finite()));
        let values: Json = allowed.iter().map(json).collect();
        let mut schema = object([("enum", values)]);
        let types = if words { json!([type_name, "string"]) } else { json!(type_name) };
        schema.insert("type".to_owned(), types);
        Some(schema)
    }

    fn number(self) -> Schema {
        if let Some(schema) = self.listed("number") {
            return schema;
        }
        let mut schema = object([("type", json!("number"))]);
        let declared = |side| self.bounds().iter().any(|bound| bound.side == side);
        for (side, names, sign) in [
            (Side::Least, ["minimum", "exclusiveMinimum"], -1.0),
            (Side::Greatest, ["maximum", "exclusiveMaximum"], 1.0),
        ] {
            if self.field.kind != Type::Float || declared(side) {
                continue;
            }
            let [inclusive, exclusive] = names;
            if self.strict {
                schema.insert(inclusive.to_owned(), double(sign * f64::from(f32::MAX)));
            } else {
                schema.insert(exclusive.to_owned(), double(sign * BEYOND_FLOAT));
            }
        }
        schema.extend(self.tightest().into_iter().flat_map(further::one_bound));
        let words = self.non_finite();
        if words.is_empty() {
            return schema;
        }
        let words = object([("type", json!("string")), ("enum", Json::Array(words))]);
        object([("anyOf", json!([schema, words]))])
    }

    /// Of several bounds of one kind the one that leaves least.
    fn tightest(self) -> Vec<&'g Bound> {
        let looser = |bound: &Bound, other: &Bound| match bound.side {
            Side::Least => bound.at < other.at,
            Side::Greatest => bound.at > other.at,
        };
        let same = |bound: &Bound, other: &Bound| {
            bound.side == other.side && bound.exclusive == other.exclusive && looser(bound, other)
        };
        self.bounds().iter().filter(|bound| !self.bounds().iter().any(|other| same(bound, other))).collect()
    }

    /// The words for what is no finite number that the field takes.
    pub(super) fn non_finite(self) -> Vec<Json> {
        if !self.field.allow_non_finite {
            return Vec::new();
        }
        let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].into_iter();
        let taken = |it: &f64| self.rules().is_none_or(|rules| rules.check(&Value::Float(*it)).is_empty());
        values.filter(taken).map(double).collect()
    }

    fn whole(self, kind: IntegerType) -> Schema {
        let (least, greatest) = self.integers(kind);
        let safe = i128::from(SAFE);
        // Beyond that a reader of doubles, as most are, would lose digits.
        let text = self.strict && kind.is_wide() && (least < -safe || greatest > safe);
        let both = !self.strict && kind.is_wide();
        let types = match (text, both) {
            (true, _) => json!("string"),
            (false, true) => json!(["integer", "string"]),
            (false, false) => json!("integer"),
        };
        let mut schema = object([("type", types)]);
        let allowed = self.allowed();
        if !allowed.is_empty() {
            let zero = kind.is_signed() && allowed.iter().any(|it| *it == Value::Int(0));
            let numbers = allowed.iter().filter(|_| !text).map(json);
            let texts = allowed.iter().filter(|_| text || both).map(|it| json!(it.to_json()));
            let minus_zero = (both && zero).then(|| json!("-0"));
            schema.insert("enum".to_owned(), numbers.chain(texts).chain(minus_zero).collect());
            return schema;
        }
        if !text {
            schema.insert("minimum".to_owned(), integer(least));
            schema.insert("maximum".to_owned(), integer(greatest));
        }
        if text || both {
            let pattern = digits::integers(least, greatest, both && kind.is_signed());
            schema.insert("pattern".to_owned(), json!(pattern));
        }
        schema
    }

    /// The least and the greatest integer within the type and the bounds.
    fn integers(self, kind: IntegerType) -> (i128, i128) {
        let (least, greatest) = within(kind.range(), self.bounds());
        let no_zero = self.asks(|rule| matches!(rule, Further::NotZero));
        // Where zero is an end, the next one is.
        (if no_zero && least == 0 { 1 } else { least }, greatest)
    }

    fn asks(self, rule: fn(&Further) -> bool) -> bool {
        self.rules().is_some_and(|rules| rules.further.iter().any(rule))
    }

    /// The spans of nanoseconds that a duration may have.
    fn spans(self) -> Vec<(i128, i128)> {
        let allowed = self.allowed();
        if !allowed.is_empty() {
            let nanos = allowed.iter().filter_map(|it| match it {
                Value::Duration(it) => Some(time::duration_nanos(*it)),
                _ => None,
            });
            return nanos.map(|it| (it, it)).collect();
        }
        vec![within((-time::LONGEST_DURATION, time::LONGEST_DURATION), self.bounds())]
    }

    fn moment(self) -> Schema {
        // A moment has a spelling in every zone: only the strict dialect, which need not admit them all, lists them.
        if self.strict
            && let Some(schema) = self.listed("string")
        {
            return schema;
        }
        object([("type", json!("string")), ("format", json!("date-time")), ("pattern", json!(DATE_TIME))])
    }

    fn text(self) -> Schema {
        if let Some(schema) = self.listed("string") {
            return schema;
        }
        let mut schema = object([("type", json!("string"))]);
        let Some(rules) = self.rules() else { return schema };
        let pattern = rules.pattern.as_ref().and_then(|pattern| ecma(pattern.as_str()));
        let pattern = pattern.or_else(|| self.counted(rules)).or_else(|| self.first_pattern(rules));
        if let Some(pattern) = pattern {
            schema.insert("pattern".to_owned(), json!(pattern));
        }
        if !self.strict {
            lengths(&mut schema, rules.min_length, rules.max_length);
        }
        schema
    }

    /// Of further patterns the first, for modes that know no second one.
    fn first_pattern(self, rules: &ElementRules) -> Option<String> {
        let all = if self.strict { further::keywords(self.graph, self.field, rules) } else { Vec::new() };
        all.iter().find_map(|it| it.get("pattern")?.as_str().map(str::to_owned))
    }

    /// Lengths as an expression, for modes that know no lengths.
    fn counted(self, rules: &ElementRules) -> Option<String> {
        if !self.strict || rules.pattern.is_some() {
            return None;
        }
        let least =
            rules.min_length.min(COUNTED).max(u32::from(self.asks(|rule| matches!(rule, Further::NotZero))));
        let most = if rules.max_length > COUNTED { 0 } else { rules.max_length };
        match (least, most) {
            (0, 0) => None,
            (least, 0) => Some(format!(r"^[\s\S]{{{least},}}$")),
            (least, most) => Some(format!(r"^[\s\S]{{{least},{most}}}$")),
        }
    }

    fn bytes(self) -> Schema {
        if let Some(schema) = self.listed("string") {
            return schema;
        }
        let rules = self.rules();
        let (least, most) = rules.map_or((0, 0), |rules| (rules.min_length, rules.max_length));
        let mut schema = super::base64::schema(least, most, self.strict);
        if !self.strict {
            schema.insert("contentEncoding".to_owned(), json!("base64"));
        }
        schema
    }

    fn choice(self, it: &EnumType) -> Schema {
        let allowed = self.allowed();
        // Two names of one number say the same.
        let is_allowed = |number: i32| allowed.is_empty() || allowed.contains(&it.typed(number));
        let entries = it.values.iter().filter(|entry| is_allowed(entry.number));
        let mut names: Vec<Json> = entries.map(|entry| json!(entry.name.as_ref())).collect();
        if !it.null {
            return object([("type", json!("string")), ("enum", Json::Array(names))]);
        }
        names.push(Json::Null);
        object([("type", json!(["string", "null"])), ("enum", Json::Array(names))])
    }
}

/// A range of integers, narrowed by bounds.
pub(super) fn within((mut least, mut greatest): (i128, i128), bounds: &[Bound]) -> (i128, i128) {
    for bound in bounds {
        let Quantity::Exact(at) = bound.at else { continue };
        let inward = i128::from(bound.exclusive);
        match bound.side {
            Side::Least => least = least.max(at.saturating_add(inward)),
            Side::Greatest => greatest = greatest.min(at.saturating_sub(inward)),
        }
    }
    (least, greatest)
}

/// `minLength` and `maxLength`, where they say something.
pub(super) fn lengths(schema: &mut Schema, least: u32, most: u32) {
    if least > 0 {
        schema.insert("minLength".to_owned(), json!(least));
    }
    if most > 0 {
        schema.insert("maxLength".to_owned(), json!(most));
    }
}
