//! A hash over what a type means: types, names, constraints, defaults and units, but no wording.
//!
//! Comments, descriptions, examples, aliases and secrecy may change without a change of meaning.

use crate::constraint::{Bound, Constraints, ElementRules};
use crate::further::Further;
use crate::graph::{EnumType, FieldType, Graph, MessageType, Shape};
use crate::kind::Type;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fmt::Write as _;

/// SHA-256 in lower-case hex.
pub(crate) fn fingerprint(graph: &Graph, root: u32) -> String {
    let mut hash = Sha256::new();
    let mut order = vec![root];
    let mut seen = HashSet::from([root]);
    let mut next = 0;
    while let Some(index) = order.get(next).copied() {
        next += 1;
        let Some(message) = graph.message(index) else { continue };
        hash.update(normal_message(graph, message));
        order.extend(graph.held(index).into_iter().filter(|held| seen.insert(*held)));
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// One line per field; texts are quoted as JSON, so that no two types have one form.
fn normal_message(graph: &Graph, message: &MessageType) -> String {
    let mut out = format!("message {} drop={}\n", message.full_name, message.drop_unknown);
    for demand in &message.demands {
        // Writing to a String does not fail.
        let _ = writeln!(out, "demand {} {:?} required={}", demand.name, demand.fields, demand.required);
    }
    if let Some(rule) = &message.rule {
        out.push_str("json_schema=");
        crate::json::string(rule.text(), &mut out);
        out.push('\n');
    }
    for field in message.fields.iter().chain(message.whole.as_deref()) {
        normal_field(graph, message, field, &mut out);
    }
    out
}

fn normal_field(graph: &Graph, message: &MessageType, field: &FieldType, out: &mut String) {
    let spec = &field.spec;
    let shape = match field.shape {
        Shape::Single => "single".to_owned(),
        Shape::List { .. } => "list".to_owned(),
        Shape::Map(key) => format!("map<{:?}>", key.kind),
    };
    let oneof = field.oneof.and_then(|index| crate::graph::at(&message.oneofs, index));
    let oneof = oneof.map_or("", |oneof| &oneof.name);
    // Writing to a String does not fail.
    let _ = write!(
        out,
        "{} {} {shape} {} {:?} wrapped={} presence={} oneof={oneof} required={} role={} non_finite={}",
        field.number,
        field.name,
        crate::words::type_words(graph, field.kind),
        field.encoding,
        field.wrapped,
        field.presence,
        field.required,
        spec.role().as_str_name(),
        field.allow_non_finite,
    );
    out.push_str(" unit=");
    crate::json::string(&spec.unit, out);
    if let Some(default) = &field.default {
        out.push_str(" default=");
        crate::json::write(default, out);
    }
    if let Some(constraints) = &field.constraints {
        normal_constraints(constraints, out);
    }
    if let Some(rule) = &field.rule {
        out.push_str(" json_schema=");
        crate::json::string(rule.text(), out);
    }
    if spec.json_null || spec.json_spread {
        let _ = write!(out, " json_null={} json_spread={}", spec.json_null, spec.json_spread);
    }
    out.push('\n');
    if let Type::Enum(index) = field.kind
        && let Some(it) = graph.enumeration(index)
    {
        normal_enum(it, out);
    }
}

fn normal_constraints(constraints: &Constraints, out: &mut String) {
    let rules = &constraints.element;
    let mut bounds: Vec<String> = rules.bounds.iter().map(crate::constraint::Bound::words).collect();
    bounds.sort();
    let mut allowed = rules.allowed_texts.clone();
    allowed.sort();
    let _ = write!(
        out,
        " items={}..{} unique={} length={}..{} bounds={bounds:?} allowed={allowed:?}",
        constraints.min_items, constraints.max_items, constraints.unique, rules.min_length, rules.max_length,
    );
    if let Some(pattern) = &rules.pattern {
        out.push_str(" pattern=");
        crate::json::string(pattern.as_str(), out);
    }
    normal_further("further", rules, out);
    normal_further("keys", &constraints.keys, out);
    if constraints.empty_passes {
        out.push_str(" empty_passes");
    }
}

/// What was declared for `buf.validate`; nothing where nothing was.
fn normal_further(name: &str, rules: &ElementRules, out: &mut String) {
    let mut words: Vec<String> = rules.further.iter().map(Further::words).collect();
    if name == "keys" {
        words.extend(rules.bounds.iter().map(Bound::words));
        words.extend(rules.pattern.iter().map(|it| format!("pattern {}", it.as_str())));
        words.extend(rules.allowed_texts.iter().map(|it| format!("allowed {it}")));
        if (rules.min_length, rules.max_length) != (0, 0) {
            words.push(format!("length {}..{}", rules.min_length, rules.max_length));
        }
    }
    words.sort();
    if !words.is_empty() || rules.zero_passes {
        // Writing to a String does not fail.
        let _ = write!(out, " {name}={words:?} zero_passes={}", rules.zero_passes);
    }
}

fn normal_enum(it: &EnumType, out: &mut String) {
    let mut values: Vec<(i32, &str)> =
        it.values.iter().map(|entry| (entry.number, entry.name.as_ref())).collect();
    values.sort_unstable();
    let _ = writeln!(out, "enum {} closed={} {values:?}", it.full_name, it.closed);
}
