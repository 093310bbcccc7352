//! From the catalog's goals to what the index reads.

use convoke_catalog::{Catalog, Contract, Goal};
use convoke_schema::{Field, Kind, Value};

use super::{
    dates,
    numbers::Notation,
    source::{EnumValue, Hint, Sample, Slot, SlotKind, Source, words_of_name},
};

/// The most values of an enum that are matched by their names.
const MAX_ENUM: usize = 500;

/// What `goal` says about itself, with what its capability's contract adds.
pub(crate) fn source(goal: &Goal, contract: Option<&Contract>) -> Source {
    let mut labels = Vec::new();
    let mut samples = Vec::new();
    let mut hints: Vec<Hint> = goal.hints.iter().map(hint).collect();
    if let Some(contract) = contract {
        labels.extend(contract.spec.tags.iter().cloned());
        samples.extend(contract.spec.examples.iter().map(sample));
        if goal.declared {
            labels.push(contract.name.clone());
            hints.extend(contract.spec.intent_hints.iter().map(hint));
        }
    }
    Source {
        domain: goal.domain.clone(),
        name: goal.name.clone(),
        description: goal.description.clone(),
        labels,
        hints,
        samples,
        slots: goal.entities.fields().map(|field| slot(&field)).collect(),
    }
}

/// The contract that an unbound call of the goal's capability takes.
pub(crate) fn contract(goal: &Goal, catalog: &Catalog) -> Option<std::sync::Arc<Contract>> {
    catalog.resolve(&goal.domain, &goal.capability, "").ok().map(|capability| capability.contract.clone())
}

fn hint(hint: &convoke_proto::v1::IntentHints) -> Hint {
    Hint { language: hint.language.clone(), keywords: hint.keywords.clone(), examples: hint.examples.clone() }
}

fn sample(example: &convoke_proto::v1::Example) -> Sample {
    let input = example.input.clone().map(Value::from);
    let object = input.as_ref().and_then(Value::as_object);
    let scalar = |value: &Value| !matches!(value, Value::Null | Value::List(_) | Value::Object(_));
    let values = object.into_iter().flat_map(|object| object.iter()).filter(|(_, value)| scalar(value));
    Sample {
        text: example.description.clone(),
        values: values.map(|(name, value)| (name.as_str().to_owned(), value.to_text())).collect(),
    }
}

fn slot(field: &Field) -> Slot {
    let spec = field.spec();
    let texts =
        |read: fn(&convoke_proto::v1::FieldSpec) -> &Vec<String>| spec.map(read).cloned().unwrap_or_default();
    let examples = texts(|spec| &spec.examples);
    Slot {
        field: field.name().to_owned(),
        kind: kind(field, &examples, texts(|spec| &spec.allowed_values)),
        required: field.is_required() && field.default_value().is_none(),
        repeated: field.is_list(),
        description: field.description(),
        aliases: texts(|spec| &spec.aliases),
        examples,
    }
}

fn kind(field: &Field, examples: &[String], allowed: Vec<String>) -> SlotKind {
    if field.is_map() {
        return SlotKind::Closed;
    }
    match field.kind() {
        Kind::Double | Kind::Float => SlotKind::Number { integer: false },
        Kind::Int32 | Kind::Int64 | Kind::Uint32 | Kind::Uint64 => SlotKind::Number { integer: true },
        Kind::Bool => SlotKind::Bool,
        Kind::Timestamp => SlotKind::Date { timestamp: true },
        Kind::String if !allowed.is_empty() => {
            let named = |name: String| EnumValue { words: vec![name.clone(), words_of_name(&name)], name };
            SlotKind::Enum(allowed.into_iter().take(MAX_ENUM).map(named).collect())
        }
        Kind::String if is_date(field.name(), examples) => SlotKind::Date { timestamp: false },
        Kind::String => SlotKind::Text,
        Kind::Enum => SlotKind::Enum(enum_values(field)),
        _ => SlotKind::Closed,
    }
}

/// A text that holds a date: every example is one, or its name says so.
fn is_date(name: &str, examples: &[String]) -> bool {
    let written = |example: &String| {
        dates::scan(example, Notation::of("")).is_some_and(|(_, bytes)| bytes == example.len())
    };
    let named = words_of_name(name).split(' ').next_back() == Some("date");
    if examples.is_empty() { named } else { examples.iter().all(written) }
}

/// The values that can be meant; the zero of a proto3 enum is the absence of one where it is named so.
fn enum_values(field: &Field) -> Vec<EnumValue> {
    let prefix = enum_prefix(field);
    let unspecified = |name: &str| name.ends_with("UNSPECIFIED");
    let values = field.enum_values().filter(|value| !(value.number() == 0 && unspecified(value.name())));
    let named = values.take(MAX_ENUM).map(|value| {
        let words = words_of_name(value.name());
        let bare = words.strip_prefix(&prefix).unwrap_or(&words).to_owned();
        EnumValue {
            name: value.name().to_owned(),
            words: [bare].into_iter().chain(value.aliases().iter().cloned()).collect(),
        }
    });
    named.collect()
}

/// The words of the enum's own name, with a space behind them: many styles put it before each value.
pub(crate) fn enum_prefix(field: &Field) -> String {
    let own = field.type_name().and_then(|name| name.rsplit('.').next()).unwrap_or_default();
    format!("{} ", words_of_name(own))
}
