//! What a description says in words: the team's own, then what keywords do not carry. All of it is bounded.

use super::comments::find;
use super::expression::ecma;
use super::json::Schema;
use crate::constraint::ElementRules;
use crate::further::Further;
use crate::graph::{EnumEntry, EnumType, FieldType, Graph, MessageType, Oneof, Shape};
use crate::kind::Type;
use crate::value::Value;
use serde_json::json;

/// How many characters of a team's own text are shown.
pub(super) const MAX_TEXT: usize = 1_000;
/// How many characters of the text about one choice are shown.
const MAX_CHOICE_TEXT: usize = 200;
/// How many choices, aliases and names are shown.
pub(super) const MAX_CHOICES: usize = 30;
const MAX_EXAMPLES: usize = 5;
/// How long the JSON text of an example or a default that is shown may be, in bytes.
const MAX_VALUE: usize = 500;

/// The first characters of a text, and whether there were more.
pub(super) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
    }
}

/// Puts the description in, where there is one.
pub(super) fn describe(schema: &mut Schema, parts: &[String]) {
    if !parts.is_empty() {
        schema.insert("description".to_owned(), json!(parts.join(" ")));
    }
}

/// The team's words, the unit, and what JSON Schema has no keyword for.
pub(super) fn about(graph: &Graph, field: &FieldType, text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    if !text.is_empty() {
        parts.push(clipped(text, MAX_TEXT));
    }
    if !field.spec.unit.is_empty() {
        parts.push(format!("Unit: {}.", clipped(&field.spec.unit, MAX_CHOICE_TEXT)));
    }
    if let Some(rules) = rules(field) {
        if field.kind == Type::Timestamp {
            parts.extend(rules.bounds.iter().map(|bound| format!("It is {}.", bound.words())));
            parts.extend(allowed(rules));
        }
        let unsaid = rules.pattern.as_ref().filter(|pattern| ecma(pattern.as_str()).is_none());
        parts.extend(unsaid.map(|pattern| format!("It matches {} (RE2).", pattern.as_str())));
    }
    parts.extend(beyond(field).map(|words| format!("It is {words}.")));
    if let Type::Enum(index) = field.kind
        && let Some(it) = graph.enumeration(index)
    {
        parts.extend(choices(it));
    }
    parts
}

/// What has no keyword in every dialect: of each value, and of the keys of a map.
pub(super) fn beyond(field: &FieldType) -> impl Iterator<Item = String> + '_ {
    let constraints = field.constraints.as_deref();
    let values = constraints.into_iter().flat_map(|it| &it.element.further).map(Further::words);
    let keys = constraints.into_iter().flat_map(|it| &it.keys.further);
    let keys = keys.map(|rule| format!("as a key {}", rule.words()));
    values.chain(keys).map(|words| clipped(&words, MAX_TEXT))
}

/// The JSON Schema that a field's values meet, in the dialects that do not hold it.
pub(super) fn ruled(field: &FieldType) -> Option<String> {
    field.rule.as_ref().map(|rule| clipped(&format!("what meets the JSON Schema {}", rule.text()), MAX_TEXT))
}

/// The JSON Schema that a message meets, in the dialects that do not hold it.
pub(super) fn ruled_whole(message: &MessageType) -> Option<String> {
    let rule = message.rule.as_ref()?;
    Some(clipped(&format!("Under its JSON names it meets the JSON Schema {}", rule.text()), MAX_TEXT))
}

/// What is asked of several fields of a message.
pub(super) fn together(message: &MessageType) -> impl Iterator<Item = String> + '_ {
    message.demands.iter().map(|demand| {
        let fields = demand.fields.iter().filter_map(|index| message.field(*index));
        let names: Vec<&str> = fields.map(|field| field.name.as_ref()).collect();
        let count = if demand.required { "Exactly" } else { "At most" };
        let shown = names.iter().take(MAX_CHOICES).copied().collect::<Vec<_>>().join(", ");
        let more = if names.len() > MAX_CHOICES { ", …" } else { "" };
        format!("{count} one of {shown}{more}.")
    })
}

/// What the strict dialect has no keyword for, and the bounds again for providers that pass over theirs.
pub(super) fn strictly(graph: &Graph, field: &FieldType) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(constraints) = &field.constraints {
        let rules = &constraints.element;
        if field.kind != Type::Timestamp {
            parts.extend(rules.bounds.iter().map(|bound| format!("It is {}.", bound.words())));
        }
        let unit = if field.kind == Type::Bytes { "bytes" } else { "characters" };
        parts.extend(count("Length", rules.min_length, rules.max_length, unit));
        parts.extend(count("Size", constraints.min_items, constraints.max_items, "elements"));
        if constraints.unique {
            parts.push("No element comes twice.".to_owned());
        }
    }
    match (field.shape, field.kind) {
        (Shape::Map(_), _) => parts.push("Each key comes once.".to_owned()),
        (_, Type::Struct) => parts.push("JSON text of an object.".to_owned()),
        _ => {}
    }
    parts.extend(ruled(field).map(|words| format!("It is {words}.")));
    if let Some(default) = default(field) {
        parts.push(format!("Default: {}.", default.to_json()));
    }
    let examples: Vec<String> = examples(graph, field).iter().map(Value::to_json).collect();
    if !examples.is_empty() {
        parts.push(format!("For example {}.", examples.join(", ")));
    }
    if is_deprecated(field) {
        parts.push("Deprecated.".to_owned());
    }
    parts
}

fn count(what: &str, least: u32, most: u32, unit: &str) -> Option<String> {
    range(least, most).map(|range| format!("{what}: {range} {unit}."))
}

/// `2`, `2 to 5`, `at least 2`, `at most 5`.
pub(super) fn range(least: u32, most: u32) -> Option<String> {
    match (least, most) {
        (0, 0) => None,
        (least, 0) => Some(format!("at least {least}")),
        (0, most) => Some(format!("at most {most}")),
        (least, most) if least == most => Some(least.to_string()),
        (least, most) => Some(format!("{least} to {most}")),
    }
}

fn allowed(rules: &ElementRules) -> Option<String> {
    (!rules.allowed_texts.is_empty()).then(|| format!("It is {}.", crate::words::allowed(rules)))
}

/// `RED: a warm colour.`, as many as a reader takes in.
fn choices(it: &EnumType) -> Vec<String> {
    let described = it.values.iter().filter_map(|entry| {
        let text = choice_text(it, entry);
        (!text.is_empty()).then(|| format!("{}: {}.", entry.name, text.trim_end_matches('.')))
    });
    described.take(MAX_CHOICES).collect()
}

/// What the team says of one choice: the option, else the comment.
pub(super) fn choice_text(it: &EnumType, entry: &EnumEntry) -> String {
    let text = match entry.spec.description.as_str() {
        "" => {
            let file = it.descriptor.parent_file_descriptor_proto();
            it.descriptor.get_value_by_name(&entry.name).map(|it| find(file, it.path())).unwrap_or_default()
        }
        text => text.to_owned(),
    };
    clipped(&text, MAX_CHOICE_TEXT)
}

/// `At most one of card, iban (payment).`
pub(super) fn exclusive(message: &MessageType, oneof: &Oneof) -> String {
    let names: Vec<&str> = members(message, oneof).map(|field| field.name.as_ref()).collect();
    let shown = names.iter().take(MAX_CHOICES).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > MAX_CHOICES { ", …" } else { "" };
    format!("At most one of {shown}{more} (oneof {}).", oneof.name)
}

pub(super) fn members<'m>(message: &'m MessageType, oneof: &'m Oneof) -> impl Iterator<Item = &'m FieldType> {
    oneof.fields.iter().filter_map(|index| message.field(*index))
}

/// Another member of the field's oneof, which must be there: this one never is then.
pub(super) fn is_shut_out(message: &MessageType, field: &FieldType) -> bool {
    let oneof = field.oneof.and_then(|index| crate::graph::at(&message.oneofs, index));
    oneof.is_some_and(|oneof| members(message, oneof).any(|it| it.required && it.number != field.number))
}

pub(super) fn is_deprecated(field: &FieldType) -> bool {
    let options = field.descriptor.field_descriptor_proto().options.as_ref();
    options.is_some_and(|options| options.deprecated())
}

/// The default, where it may be shown.
pub(super) fn default(field: &FieldType) -> Option<&Value> {
    field.default.as_ref().filter(|it| !field.sensitive && it.to_json().len() <= MAX_VALUE)
}

/// Examples are about each element: of a list they are shown as one of it.
pub(super) fn examples(graph: &Graph, field: &FieldType) -> Vec<Value> {
    if field.sensitive {
        return Vec::new();
    }
    let read = |text: &String| crate::compile::example(graph, field, text).ok();
    let examples = field.spec.examples.iter().filter_map(read);
    let examples = examples.filter(|it| it.to_json().len() <= MAX_VALUE).take(MAX_EXAMPLES);
    match field.shape {
        Shape::Single => examples.collect(),
        Shape::List { .. } => examples.map(|example| Value::List(vec![example])).collect(),
        Shape::Map(_) => Vec::new(),
    }
}

/// What is asked of each value.
pub(super) fn rules(field: &FieldType) -> Option<&ElementRules> {
    field.constraints.as_deref().map(|constraints| &constraints.element)
}
