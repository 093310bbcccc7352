//! Reading a step's `params`: literals, references, text with references, and nothing else.

use convoke_proto::v1::plan_report::Rule;
use convoke_schema::{Object, Value};
use prost_types::value::Kind;

use super::findings::{At, Findings};
use crate::argument::extend;
use crate::literal::LITERAL;
use crate::template::{self, Part, Template};
use crate::{Argument, Limits, Reference, Segment};

/// How many bytes of a reference's place count as one value more.
const PATH_PER_VALUE: usize = 32;

/// One `params`, read.
#[derive(Debug)]
pub(crate) struct Params {
    pub(crate) argument: Argument,
    /// Every reference, with its place in the plan.
    pub(crate) references: Vec<(Reference, String)>,
}

/// Reads the `params` of one step after another, against one account of values.
pub(crate) struct Reader<'a> {
    limits: &'a Limits,
    values_left: usize,
    findings: &'a mut Findings,
}

/// The step that is being read.
struct Reading<'a> {
    step: (usize, &'a str),
    path: String,
    depth: usize,
    references: Vec<(Reference, String)>,
}

// === impl Reader ===

impl<'a> Reader<'a> {
    pub(crate) fn new(limits: &'a Limits, findings: &'a mut Findings) -> Self {
        Self { limits, values_left: limits.max_values, findings }
    }

    pub(crate) fn read(&mut self, position: usize, id: &str, params: Option<&prost_types::Struct>) -> Params {
        let mut reading = Reading {
            step: (position, id),
            path: format!("steps[{position}].params"),
            depth: 0,
            references: Vec::new(),
        };
        let argument = match params {
            Some(params) => self.object(&mut reading, params),
            None => Argument::Literal(Value::Object(Object::new())),
        };
        Params { argument, references: reading.references }
    }

    fn value(&mut self, reading: &mut Reading<'_>, value: &prost_types::Value) -> Argument {
        if !self.spend(reading, 1) {
            return unreadable();
        }
        match &value.kind {
            Some(Kind::StringValue(text)) => self.text(reading, text),
            Some(Kind::ListValue(list)) => self.list(reading, list),
            Some(Kind::StructValue(object)) => self.object(reading, object),
            _ => Argument::Literal(Value::from(value.clone())),
        }
    }

    fn text(&mut self, reading: &mut Reading<'_>, text: &str) -> Argument {
        match template::parse(text) {
            Ok(Template::Text(text)) => Argument::Literal(Value::from(text)),
            Ok(Template::Whole(reference)) if self.note(reading, &reference) => {
                Argument::Reference(Box::new(reference))
            }
            Ok(Template::Parts(parts)) => {
                let mut references = parts.iter().filter_map(|part| match part {
                    Part::Reference(reference) => Some(reference),
                    Part::Text(_) => None,
                });
                let noted = references.all(|reference| self.note(reading, reference));
                if noted { Argument::Text(parts) } else { unreadable() }
            }
            Ok(Template::Whole(_)) => unreadable(),
            Err(problem) => {
                self.error(reading, Rule::BadReference, format!("{problem}; write $${{ for the text ${{"));
                unreadable()
            }
        }
    }

    /// Remembers a reference with its place. The place counts by its length: it is kept once for each reference.
    fn note(&mut self, reading: &mut Reading<'_>, reference: &Reference) -> bool {
        let affordable = self.spend(reading, 1 + reading.path.len() / PATH_PER_VALUE);
        if affordable {
            reading.references.push((reference.clone(), reading.path.clone()));
        }
        affordable
    }

    /// Takes that many values off the account; says so once when it is empty.
    fn spend(&mut self, reading: &Reading<'_>, values: usize) -> bool {
        if self.values_left > values {
            self.values_left -= values;
            return true;
        }
        if std::mem::take(&mut self.values_left) > 0 {
            let most = self.limits.max_values;
            self.error(reading, Rule::LimitExceeded, format!("the plan holds more than {most} values"));
        }
        false
    }

    fn list(&mut self, reading: &mut Reading<'_>, list: &prost_types::ListValue) -> Argument {
        if self.too_deep(reading, reading.depth) {
            return unreadable();
        }
        reading.depth += 1;
        let mut items = Vec::with_capacity(list.values.len());
        for (index, item) in list.values.iter().enumerate() {
            items.push(self.within(reading, &Segment::Index(index), item));
        }
        reading.depth -= 1;
        if items.iter().all(|item| matches!(item, Argument::Literal(_))) {
            return Argument::Literal(Value::List(items.into_iter().filter_map(into_literal).collect()));
        }
        Argument::List(items)
    }

    fn object(&mut self, reading: &mut Reading<'_>, object: &prost_types::Struct) -> Argument {
        if self.too_deep(reading, reading.depth) {
            return unreadable();
        }
        if let Some(code) = object.fields.keys().find(|key| key.starts_with('$')) {
            return self.code(reading, code, object);
        }
        reading.depth += 1;
        let mut entries = Vec::with_capacity(object.fields.len());
        for (key, entry) in &object.fields {
            let argument = self.within(reading, &Segment::Key(key.clone()), entry);
            entries.push((key.as_str().into(), argument));
        }
        reading.depth -= 1;
        if entries.iter().all(|(_, entry)| matches!(entry, Argument::Literal(_))) {
            let literals = entries.into_iter().filter_map(|(name, entry)| Some((name, into_literal(entry)?)));
            return Argument::Literal(Value::Object(literals.collect()));
        }
        Argument::Object(entries)
    }

    /// An object with a `$` key.
    fn code(&mut self, reading: &mut Reading<'_>, key: &str, object: &prost_types::Struct) -> Argument {
        let problem = match (key, object.fields.get(LITERAL)) {
            (_, Some(protected)) if object.fields.len() == 1 => {
                return if self.fits(reading, protected) {
                    Argument::Literal(Value::from(protected.clone()))
                } else {
                    unreadable()
                };
            }
            (_, Some(_)) => format!("{LITERAL} stands alone in its object"),
            ("$cel", None) => {
                "$cel is not served yet: write a reference, or compute in a capability".to_owned()
            }
            _ => format!("{key:?} is no expression; {{\"{LITERAL}\": …}} protects an object with such a key"),
        };
        self.error(reading, Rule::BadExpression, problem);
        unreadable()
    }

    fn within(
        &mut self,
        reading: &mut Reading<'_>,
        segment: &Segment,
        value: &prost_types::Value,
    ) -> Argument {
        let outside = reading.path.len();
        extend(&mut reading.path, segment);
        let argument = self.value(reading, value);
        reading.path.truncate(outside);
        argument
    }

    /// Whether a protected value keeps the limits; it is walked without recursion.
    fn fits(&mut self, reading: &Reading<'_>, protected: &prost_types::Value) -> bool {
        let mut open = vec![(protected, reading.depth)];
        while let Some((value, depth)) = open.pop() {
            if self.too_deep(reading, depth) || !self.spend(reading, 1) {
                return false;
            }
            match &value.kind {
                Some(Kind::ListValue(list)) => open.extend(list.values.iter().map(|item| (item, depth + 1))),
                Some(Kind::StructValue(object)) => {
                    open.extend(object.fields.values().map(|entry| (entry, depth + 1)))
                }
                _ => {}
            }
        }
        true
    }

    fn too_deep(&mut self, reading: &Reading<'_>, depth: usize) -> bool {
        let most = self.limits.max_depth;
        let too_deep = depth > most;
        if too_deep {
            self.error(
                reading,
                Rule::LimitExceeded,
                format!("the value is nested deeper than {most} levels"),
            );
        }
        too_deep
    }

    fn error(&mut self, reading: &Reading<'_>, rule: Rule, message: String) {
        let (position, id) = reading.step;
        self.findings.error(At::step(position, id, &reading.path), rule, message);
    }
}

/// What stands for a value that could not be read: a text of no parts. Its plan has an error, so nothing evaluates it.
fn unreadable() -> Argument {
    Argument::Text(Vec::new())
}

fn into_literal(argument: Argument) -> Option<Value> {
    match argument {
        Argument::Literal(value) => Some(value),
        _ => None,
    }
}
