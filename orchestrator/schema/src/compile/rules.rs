//! Constraints of every field, each text of them read by the field's own row of the coercion table.

use super::defect;
use crate::coerce::Coercer;
use crate::constraint::{Allowed, Bound, Constraints, ElementRules, Quantity, Side};
use crate::defect::{Defect, DefectRule};
use crate::graph::{FieldType, Graph, Shape};
use crate::kind::Type;
use crate::pattern::Pattern;
use crate::value::Value;
use convoke_proto::v1::field_spec::Role;

pub(super) fn compile(graph: &mut Graph, defects: &mut Vec<Defect>) {
    let mut compiled = Vec::new();
    for (message, it) in graph.messages.iter().enumerate() {
        for (field, it) in it.fields.iter().enumerate() {
            let constraints = Reader { graph, field: it, defects }.read();
            if !constraints.is_empty() {
                compiled.push((message, field, constraints));
            }
        }
    }
    for (message, field, constraints) in compiled {
        if let Some(field) = graph.messages.get_mut(message).and_then(|it| it.fields.get_mut(field)) {
            field.constraints = Some(Box::new(constraints));
        }
    }
}

struct Reader<'a> {
    graph: &'a Graph,
    field: &'a FieldType,
    defects: &'a mut Vec<Defect>,
}

// === impl Reader ===

impl Reader<'_> {
    fn read(&mut self) -> Constraints {
        self.check_role();
        let spec = &self.field.spec;
        let non_finite_applies = matches!(self.field.kind, Type::Double | Type::Float);
        self.applies(!spec.allow_non_finite || non_finite_applies, "allow_non_finite", "floats");
        let list = matches!(self.field.shape, Shape::List { .. });
        let many = list || matches!(self.field.shape, Shape::Map(_));
        self.applies(spec.min_items == 0 || many, "min_items", "lists and maps");
        self.applies(spec.max_items == 0 || many, "max_items", "lists and maps");
        self.applies(!spec.unique_items || list, "unique_items", "lists");
        self.ordered(spec.min_items, spec.max_items, "items");
        Constraints {
            min_items: spec.min_items,
            max_items: spec.max_items,
            unique: spec.unique_items,
            element: self.element(),
            ..Constraints::default()
        }
    }

    fn element(&mut self) -> ElementRules {
        let spec = &self.field.spec;
        let bounds = self.bounds();
        let text = matches!(self.field.kind, Type::String);
        let sized = text || matches!(self.field.kind, Type::Bytes);
        self.applies(spec.min_length == 0 || sized, "min_length", "strings and bytes");
        self.applies(spec.max_length == 0 || sized, "max_length", "strings and bytes");
        self.ordered(spec.min_length, spec.max_length, "length");
        self.applies(spec.pattern.is_empty() || text, "pattern", "strings");
        let mut rules = ElementRules {
            bounds,
            min_length: spec.min_length,
            max_length: spec.max_length,
            pattern: if text { self.pattern() } else { None },
            ..ElementRules::default()
        };
        self.allowed(&mut rules);
        rules
    }

    fn bounds(&mut self) -> Vec<Bound> {
        let spec = &self.field.spec;
        let declared = [
            ("minimum", &spec.minimum, Side::Least, false),
            ("exclusive_minimum", &spec.exclusive_minimum, Side::Least, true),
            ("maximum", &spec.maximum, Side::Greatest, false),
            ("exclusive_maximum", &spec.exclusive_maximum, Side::Greatest, true),
        ];
        let ordered = matches!(
            self.field.kind,
            Type::Double | Type::Float | Type::Integer(_) | Type::Timestamp | Type::Duration
        );
        let mut bounds: Vec<Bound> = Vec::new();
        for (name, text, side, exclusive) in declared {
            if text.is_empty() {
                continue;
            }
            if !ordered {
                self.applies(false, name, "numbers, timestamps and durations");
                continue;
            }
            let Some(value) = self.value(name, text) else { continue };
            if let Some(at) = Quantity::of(&value) {
                bounds.push(Bound { side, exclusive, at, text: value.to_json() });
            }
        }
        for (index, bound) in bounds.iter().enumerate() {
            if bounds.iter().skip(index + 1).any(|other| bound.excludes(other)) {
                self.report(DefectRule::Contradiction, "no value is within these bounds".to_owned());
            }
        }
        bounds
    }

    fn pattern(&mut self) -> Option<Pattern> {
        let pattern = &self.field.spec.pattern;
        if pattern.is_empty() {
            return None;
        }
        match Pattern::new(pattern) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                self.report(DefectRule::BadPattern, format!("pattern {pattern:?}: {error}"));
                None
            }
        }
    }

    fn allowed(&mut self, rules: &mut ElementRules) {
        let texts = &self.field.spec.allowed_values;
        let scalar = !matches!(
            self.field.kind,
            Type::Message(_) | Type::Struct | Type::Value | Type::ListValue | Type::FieldMask
        );
        if !scalar {
            self.applies(texts.is_empty(), "allowed_values", "single values");
            return;
        }
        let mut allowed = Vec::new();
        for text in texts {
            let Some(value) = self.value("allowed_values", text) else { continue };
            if !rules.check(&value).is_empty() {
                let message = format!("allowed value {text:?} breaks another constraint of the field");
                self.report(DefectRule::Contradiction, message);
            }
            allowed.push(value);
        }
        for value in allowed {
            rules.allowed_texts.push(value.as_str().map_or_else(|| value.to_json(), str::to_owned));
            rules.allowed.insert(Allowed(value));
        }
    }

    /// Reads one text of the option as the field reads a value.
    fn value(&mut self, name: &str, text: &str) -> Option<Value> {
        let mut value = Value::Text(text.to_owned());
        let refused = Coercer::new(self.graph).single(self.field, &mut value);
        match refused.first() {
            None => Some(value),
            Some(violation) => {
                let message = format!("{name} {text:?}: expected {}", violation.expected);
                self.report(DefectRule::BadValue, message);
                None
            }
        }
    }

    fn check_role(&mut self) {
        let single = self.field.is_single();
        let (fits, name) = match self.field.spec.role() {
            Role::Unspecified => return,
            Role::Explanation => (single && self.field.kind == Type::String, "EXPLANATION is a string"),
            Role::Confidence => (
                single && matches!(self.field.kind, Type::Double | Type::Float),
                "CONFIDENCE is a double or float",
            ),
            Role::Metadata => {
                let object = single && matches!(self.field.kind, Type::Struct | Type::Message(_));
                (
                    object || matches!(self.field.shape, Shape::Map(_)),
                    "METADATA is a Struct, a message or a map",
                )
            }
        };
        if !fits {
            self.report(DefectRule::NotApplicable, format!("role {name}"));
        }
    }

    fn applies(&mut self, holds: bool, name: &str, kinds: &str) {
        if !holds {
            self.report(DefectRule::NotApplicable, format!("{name} is for {kinds} only"));
        }
    }

    fn ordered(&mut self, least: u32, greatest: u32, what: &str) {
        if greatest > 0 && least > greatest {
            self.report(
                DefectRule::Contradiction,
                format!("min_{what} {least} is above max_{what} {greatest}"),
            );
        }
    }

    fn report(&mut self, rule: DefectRule, message: String) {
        self.defects.push(defect(self.field.descriptor.full_name(), rule, message));
    }
}
