//! Each value against the field that it fills: literals are coerced, references are compared type with type.
//!
//! A step's parameters are coerced once, with a stand-in for every value that only the run will show: a reference's
//! default where it has one, null where not. What coercion says about a stand-in's own place is passed over.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use convoke_catalog::Capability;
use convoke_proto::v1::plan_report::Rule;
use convoke_proto::v1::violation::Rule as Violated;
use convoke_proto::v1::{ExecutionPlan, Violation};
use convoke_schema::{Assignable, Field, Judge, Kind, Name, Schema, Value};

use super::findings::{At, Findings};
use super::frame::Frame;
use super::params::Params;
use super::producer::{self, Produced};
use crate::template::Part;
use crate::{Argument, Reference};

/// Checks every step whose capability is known.
pub(crate) fn check(
    plan: &ExecutionPlan,
    frame: &Frame,
    capabilities: &[Option<Arc<Capability>>],
    params: &[Params],
    findings: &mut Findings,
) {
    let mut judges = Judges::default();
    let steps = plan.steps.iter().zip(params).zip(capabilities).enumerate();
    for (position, ((step, params), capability)) in steps {
        let Some(capability) = capability else { continue };
        let mut walk = Walk {
            step: (position, &step.id),
            ids: &frame.ids,
            capabilities,
            path: String::new(),
            stand_ins: HashSet::new(),
            judges: &mut judges,
            findings,
        };
        let parameters = walk.value(&params.argument, Some(&capability.input.as_field()));
        walk.literals(parameters, &capability.input);
    }
}

/// One step's parameters, from the outside inwards.
struct Walk<'a> {
    step: (usize, &'a str),
    ids: &'a HashMap<String, usize>,
    capabilities: &'a [Option<Arc<Capability>>],
    /// Where the walk is, in proto names.
    path: String,
    /// The places whose values are not known yet.
    stand_ins: HashSet<String>,
    judges: &'a mut Judges,
    findings: &'a mut Findings,
}

/// Who compares types, for all steps of a plan together: their work is bounded, and a pair is looked at once.
struct Judges {
    lossless: Judge,
    /// Takes what the consumer's message drops by its own word.
    dropping: Judge,
}

// === impl Judges ===

impl Judges {
    /// What is lost in every value, but only by a message that wants it dropped, is a matter for a note.
    fn assignable(&mut self, producer: &Field, consumer: &Field) -> Assignable {
        let verdict = self.lossless.assignable(producer, consumer);
        let Assignable::Never { reason } = verdict else { return verdict };
        match self.dropping.assignable(producer, consumer) {
            Assignable::Never { .. } => Assignable::Never { reason },
            Assignable::Always(rule) | Assignable::Sometimes { rule, .. } => {
                Assignable::Sometimes { rule, condition: reason }
            }
        }
    }
}

impl Default for Judges {
    fn default() -> Self {
        Self { lossless: Judge::new(), dropping: Judge::of_what_is_taken() }
    }
}

// === impl Walk ===

impl Walk<'_> {
    /// The value as far as it is known. `place` is the field that it fills; `None` where anything goes.
    fn value(&mut self, argument: &Argument, place: Option<&Field>) -> Value {
        match argument {
            Argument::Literal(value) => value.clone(),
            Argument::Reference(reference) => self.reference(reference, place),
            Argument::Text(parts) => self.text(parts, place),
            Argument::List(items) => self.list(items, place),
            Argument::Object(entries) => self.object(entries, place),
        }
    }

    fn list(&mut self, items: &[Argument], place: Option<&Field>) -> Value {
        let element = place.filter(|place| place.is_list()).and_then(Field::element);
        let known = items.iter().enumerate().map(|(index, item)| {
            self.inside(&format!("[{index}]"), |walk| walk.value(item, element.as_ref()))
        });
        Value::List(known.collect())
    }

    fn object(&mut self, entries: &[(Name, Argument)], place: Option<&Field>) -> Value {
        match place {
            Some(place) if place.is_map() => self.keyed(entries, place.element().as_ref()),
            // One message for a list of them becomes a list of one.
            Some(place) if place.is_list() => {
                let element = place.element();
                self.inside("[0]", |walk| walk.object(entries, element.as_ref()))
            }
            Some(place) => match place.message() {
                Some(message) => self.message(entries, &message),
                None => self.keyed(entries, None),
            },
            None => self.keyed(entries, None),
        }
    }

    fn keyed(&mut self, entries: &[(Name, Argument)], element: Option<&Field>) -> Value {
        let known = entries.iter().map(|(key, entry)| {
            let segment = format!("[{}]", Value::from(key.as_str()).to_json());
            (key.clone(), self.inside(&segment, |walk| walk.value(entry, element)))
        });
        Value::Object(known.collect())
    }

    fn message(&mut self, entries: &[(Name, Argument)], message: &Schema) -> Value {
        let mut seen: HashMap<u32, bool> = HashMap::new();
        let mut known = Vec::with_capacity(entries.len());
        for (name, entry) in entries {
            let is_literal = matches!(entry, Argument::Literal(_));
            let Some(field) = lookup(message, name) else {
                // Whether an unknown name is refused or dropped is the message's own say, and coercion's to tell.
                let value = self.value(entry, None);
                known.push((name.clone(), if is_literal { value } else { Value::Bool(true) }));
                continue;
            };
            let segment =
                if self.path.is_empty() { field.name().to_owned() } else { format!(".{}", field.name()) };
            let first = seen.insert(field.number(), is_literal);
            if first.is_none_or(|literal| literal && is_literal) {
                let value = self.inside(&segment, |walk| walk.value(entry, Some(&field)));
                known.push((name.clone(), value));
            } else {
                let twice = "this field is given twice, under two spellings of its name";
                self.inside(&segment, |walk| walk.error(Rule::BadLiteral, twice.to_owned(), String::new()));
            }
        }
        Value::Object(known.into_iter().collect())
    }

    /// Text with references in it is text, whatever they bring.
    fn text(&mut self, parts: &[Part], place: Option<&Field>) -> Value {
        for part in parts {
            if let Part::Reference(reference) = part {
                self.produced(reference);
            }
        }
        if !parts.is_empty() {
            self.compare(&Produced::text(), place);
        }
        self.stand_in(None)
    }

    fn reference(&mut self, reference: &Reference, place: Option<&Field>) -> Value {
        if let Some(produced) = self.produced(reference) {
            self.compare(&produced, place);
        }
        self.stand_in(reference.default.as_ref())
    }

    fn stand_in(&mut self, default: Option<&Value>) -> Value {
        match default {
            Some(default) if !default.is_null() => default.clone(),
            _ => {
                self.stand_ins.insert(self.path.clone());
                Value::Null
            }
        }
    }

    /// What the reference brings; `None` where it leads nowhere, which is a finding, or where that cannot be known.
    fn produced(&mut self, reference: &Reference) -> Option<Produced> {
        let producer = self.capabilities.get(*self.ids.get(&*reference.step)?)?.as_ref()?;
        match producer::find(reference, &producer.output) {
            Ok(produced) => Some(produced),
            Err(lost) => {
                self.error(lost.rule, lost.message, lost.suggestion);
                None
            }
        }
    }

    fn compare(&mut self, produced: &Produced, place: Option<&Field>) {
        let Some(consumer) =
            place.filter(|place| place.kind() != Kind::Value || place.is_list() || place.is_map())
        else {
            return;
        };
        let verdict = match produced {
            Produced::Field(producer) => self.judges.assignable(producer, consumer),
            Produced::Untyped => Assignable::Sometimes {
                rule: None,
                condition: "what comes has no declared type, and is checked when it is there".to_owned(),
            },
        };
        match verdict {
            Assignable::Always(_) => {}
            Assignable::Sometimes { condition, .. } => {
                let message = format!("{} into {}: {condition}", produced.type_text(), consumer.type_text());
                let (position, id) = self.step;
                self.findings.note(
                    At::step(position, id, &self.full_path(&self.path)),
                    Rule::TypeUncertain,
                    message,
                );
            }
            Assignable::Never { reason } => {
                let message = format!("{} into {}: {reason}", produced.type_text(), consumer.type_text());
                self.error(Rule::TypeMismatch, message, String::new());
            }
        }
    }

    /// Coerces what is known, and reports what cannot be mended.
    fn literals(&mut self, parameters: Value, input: &Schema) {
        for violation in input.coerce(parameters).report.into_violations() {
            if self.is_stand_in(&violation.path) {
                continue;
            }
            let rule = match violation.rule() {
                Violated::UnknownField => Rule::UnknownField,
                Violated::Missing => Rule::MissingParameter,
                _ => Rule::BadLiteral,
            };
            let path = self.full_path(&violation.path);
            let (position, id) = self.step;
            self.findings.suggest(
                At::step(position, id, &path),
                rule,
                described(&violation),
                violation.suggestion,
            );
        }
    }

    /// Whether a path is the place of a stand-in, or inside it.
    fn is_stand_in(&self, path: &str) -> bool {
        let borders = path.match_indices(['.', '[']).map(|(border, _)| border).chain([path.len()]);
        borders
            .into_iter()
            .any(|border| path.get(..border).is_some_and(|place| self.stand_ins.contains(place)))
    }

    fn inside<T>(&mut self, segment: &str, then: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.path.len();
        self.path.push_str(segment);
        let result = then(self);
        self.path.truncate(outside);
        result
    }

    fn error(&mut self, rule: Rule, message: String, suggestion: String) {
        let (position, id) = self.step;
        self.findings.suggest(At::step(position, id, &self.full_path(&self.path)), rule, message, suggestion);
    }

    fn full_path(&self, path: &str) -> String {
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        format!("steps[{}].params{dot}{path}", self.step.0)
    }
}

/// The field that a name means, as coercion finds it: by its own name, else by the one field that it is a spelling of.
fn lookup(message: &Schema, name: &str) -> Option<Field> {
    if let Some(field) = message.field(name) {
        return Some(field);
    }
    let means = |field: &Field| {
        let aliases = field.spec().map(|spec| spec.aliases.as_slice()).unwrap_or_default();
        let names = [field.name(), field.json_name()].into_iter().chain(aliases.iter().map(String::as_str));
        names.into_iter().any(|known| known == name || plain(known).eq(plain(name)))
    };
    let mut found = message.fields().filter(means);
    found.next().filter(|_| found.next().is_none())
}

/// The letters of a name, without case and separators.
fn plain(name: &str) -> impl Iterator<Item = char> + '_ {
    let kept = name.chars().filter(|letter| !matches!(letter, '_' | '-') && !letter.is_whitespace());
    kept.flat_map(char::to_lowercase)
}

fn described(violation: &Violation) -> String {
    let mut message = format!("expected {}", violation.expected);
    if !violation.got.is_empty() {
        message.push_str(", got ");
        message.push_str(&violation.got);
    }
    message
}
