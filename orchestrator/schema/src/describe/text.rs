//! One line for each field, for prompts: `days: list of int32, required, 1 to 7 items, e.g. [3] — How long.`
//!
//! A nested message's fields stand indented below the field that holds it, where it comes first.

use super::comments::{Comments, message_text};
use super::scalar::Scalar;
use super::words::{
    MAX_CHOICES, MAX_TEXT, beyond, choice_text, clipped, default, examples, exclusive, is_deprecated, range,
    ruled, ruled_whole, rules, together,
};
use crate::constraint::{Bound, Side};
use crate::graph::{EnumType, FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use crate::value::Value;
use std::collections::HashSet;

const INDENT: &str = "  ";

/// Every line, the message's own first.
pub(super) fn lines(graph: &Graph, root: u32) -> String {
    let mut text = Text { graph, shown: HashSet::from([root]), out: String::new() };
    let Some(message) = graph.message(root) else { return String::new() };
    text.line(0, &format!("{}{}", message.full_name, said(&message_text(message))));
    match &message.whole {
        Some(whole) => text.field("value", whole, "", 0),
        None => text.message(message, 0),
    }
    text.out
}

struct Text<'g> {
    graph: &'g Graph,
    /// The messages whose fields have their lines.
    shown: HashSet<u32>,
    out: String,
}

// === impl Text ===

impl<'g> Text<'g> {
    fn line(&mut self, depth: usize, line: &str) {
        (0..depth).for_each(|_| self.out.push_str(INDENT));
        // Names, units and expressions may hold line ends: each line stays one.
        for letter in line.chars() {
            match letter {
                letter if letter.is_control() => self.out.extend(letter.escape_default()),
                letter => self.out.push(letter),
            }
        }
        self.out.push('\n');
    }

    /// Nesting is bounded by the number of messages: each is shown once.
    fn message(&mut self, message: &'g MessageType, depth: usize) {
        let comments = Comments::of(message);
        for field in &message.fields {
            self.field(&field.name, field, &comments.text(field), depth);
        }
        for oneof in &message.oneofs {
            self.line(depth, &exclusive(message, oneof));
        }
        for words in together(message).chain(ruled_whole(message)) {
            self.line(depth, &words);
        }
    }

    fn field(&mut self, name: &str, field: &'g FieldType, text: &str, depth: usize) {
        let element = self.element(field);
        let mut parts = vec![match field.shape {
            Shape::Single => element,
            Shape::List { .. } => format!("list of {element}"),
            Shape::Map(key) => format!("map of {} to {element}", key.kind.kind()),
        }];
        let held = match field.kind {
            Type::Message(index) => Some(index),
            _ => None,
        };
        let new = held.filter(|index| self.shown.insert(*index));
        if held.is_some() && new.is_none() {
            parts.push("as above".to_owned());
        }
        parts.extend(facts(self.graph, field));
        self.line(depth, &format!("{name}: {}{}", parts.join(", "), said(text)));
        if let Some(message) = new.and_then(|index| self.graph.message(index)) {
            self.message(message, depth + 1);
        }
    }

    fn element(&self, field: &FieldType) -> String {
        match field.kind {
            Type::Enum(index) => {
                self.graph.enumeration(index).map(|it| choices(it, field)).unwrap_or_default()
            }
            Type::Any => {
                let names: Vec<&str> = self.graph.packable().map(|it| it.full_name.as_ref()).collect();
                format!("message with \"@type\", {}", crate::words::one_of(names.into_iter()))
            }
            Type::Bytes => "bytes (base64)".to_owned(),
            Type::Timestamp => "timestamp (RFC 3339)".to_owned(),
            Type::Duration => "duration (seconds, like 1.5s)".to_owned(),
            Type::FieldMask => "field mask (paths, separated by commas)".to_owned(),
            kind => crate::words::type_words(self.graph, kind),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What follows a line's facts, in one line.
fn said(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() { String::new() } else { format!(" — {}", clipped(&text, MAX_TEXT)) }
}

/// `one of NONE | RED (a warm one; also crimson) | BLUE`
fn choices(it: &EnumType, field: &FieldType) -> String {
    let allowed = |name: &str| {
        rules(field).is_none_or(|rules| {
            rules.allowed_texts.is_empty() || rules.allowed_texts.iter().any(|it| it == name)
        })
    };
    let entries = it.values.iter().filter(|entry| allowed(&entry.name));
    let shown: Vec<String> = entries
        .clone()
        .take(MAX_CHOICES)
        .map(|entry| {
            let text = one_line(&choice_text(it, entry));
            let aliases = &entry.spec.aliases;
            let mut notes: Vec<String> = Vec::new();
            notes.extend((!text.is_empty()).then(|| text.trim_end_matches('.').to_owned()));
            notes.extend((!aliases.is_empty()).then(|| format!("also {}", some(aliases))));
            if notes.is_empty() {
                entry.name.to_string()
            } else {
                format!("{} ({})", entry.name, notes.join("; "))
            }
        })
        .collect();
    let count = entries.count();
    let more = if count > shown.len() { format!(" | … ({count} in all)") } else { String::new() };
    format!("one of {}{more}", shown.join(" | "))
}

fn some(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_CHOICES).map(|name| clipped(name, MAX_CHOICES)).collect();
    shown.join(", ")
}

fn facts(graph: &Graph, field: &FieldType) -> Vec<String> {
    let spec = &field.spec;
    let mut facts: Vec<String> = Vec::new();
    match (default(field), field.required && field.default.is_none()) {
        (Some(default), _) => facts.push(format!("default {}", default.to_json())),
        (None, true) => facts.push("required".to_owned()),
        (None, false) => {}
    }
    if !spec.unit.is_empty() {
        facts.push(format!("in {}", clipped(&spec.unit, MAX_CHOICES)));
    }
    if let Some(constraints) = &field.constraints {
        let rules = &constraints.element;
        facts.extend(rules.bounds.iter().map(bound));
        let unit = if field.kind == Type::Bytes { "bytes" } else { "characters" };
        facts.extend(range(rules.min_length, rules.max_length).map(|range| format!("{range} {unit}")));
        facts.extend(rules.pattern.as_ref().map(|pattern| format!("matches {}", pattern.as_str())));
        if !rules.allowed_texts.is_empty() && !matches!(field.kind, Type::Enum(_)) {
            facts.push(crate::words::allowed(rules));
        }
        let items = range(constraints.min_items, constraints.max_items);
        facts.extend(items.map(|range| format!("{range} items")));
        facts.extend(constraints.unique.then(|| "no item twice".to_owned()));
    }
    facts.extend(beyond(field).chain(ruled(field)));
    let words = Scalar { graph, field, strict: false }.non_finite();
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    facts.extend((!words.is_empty()).then(|| format!("or {}", words.join(", "))));
    facts.extend(spec.secret.then(|| "secret".to_owned()));
    facts.extend(is_deprecated(field).then(|| "deprecated".to_owned()));
    facts.extend((!spec.aliases.is_empty()).then(|| format!("also called {}", some(&spec.aliases))));
    let examples: Vec<String> = examples(graph, field).iter().map(Value::to_json).collect();
    facts.extend((!examples.is_empty()).then(|| format!("e.g. {}", examples.join(" or "))));
    facts
}

fn bound(bound: &Bound) -> String {
    let sign = match (bound.side, bound.exclusive) {
        (Side::Least, false) => ">=",
        (Side::Least, true) => ">",
        (Side::Greatest, false) => "<=",
        (Side::Greatest, true) => "<",
    };
    format!("{sign} {}", bound.text)
}
