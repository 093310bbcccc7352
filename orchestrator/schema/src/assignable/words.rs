//! Verdicts on two fields in words.

use super::Side;
use crate::constraint::ElementRules;
use crate::graph::Shape;
use crate::kind::Type;

/// How many characters of a pattern are shown.
const MAX_SHOWN: usize = 200;

/// Which values fit.
pub(super) fn condition(from: Side<'_>, to: Side<'_>) -> String {
    let mut parts = Vec::new();
    if let Some(words) = kind_condition(from, to).filter(|_| from.kind != to.kind || from.non_finite()) {
        parts.push(words);
    }
    parts.extend(to.rules().map(rules));
    if parts.is_empty() {
        parts.push(format!("it is {}", crate::words::expected(to.graph, to.kind)));
    }
    parts.join(", ")
}

fn kind_condition(from: Side<'_>, to: Side<'_>) -> Option<String> {
    let text = matches!(from.kind, Type::String | Type::FieldMask);
    if matches!(to.shape, Shape::Map(_)) {
        return Some("the text is the JSON of an object whose keys and values fit".to_owned());
    }
    Some(match to.kind {
        Type::Double | Type::Float if text => "the text is a number".to_owned(),
        Type::Double | Type::Float => match from.kind {
            Type::Double | Type::Float if from.non_finite() && !to.non_finite() => "it is finite".to_owned(),
            Type::Double | Type::Float if from.kind == to.kind => return None,
            Type::Integer(_) => format!("a {} holds it exactly", to.kind.kind()),
            _ => format!("it is {}", crate::words::expected(to.graph, to.kind)),
        },
        Type::Integer(integer) => {
            let what = if text { "the text" } else { "it" };
            format!("{what} is {}", crate::words::integer_words(integer))
        }
        Type::Bool if text => "the text says true or false".to_owned(),
        Type::Bool => "it is 0 or 1".to_owned(),
        Type::Bytes => "the text is base64".to_owned(),
        Type::Enum(_) if text => "the text names a value".to_owned(),
        Type::Enum(_) => "the value is declared".to_owned(),
        Type::Timestamp | Type::Duration if text => "the text can be read as such".to_owned(),
        Type::Timestamp | Type::Duration => {
            "it is a number of seconds within the range, exact to the nanosecond".to_owned()
        }
        Type::FieldMask => "it holds field paths".to_owned(),
        Type::Message(_) if text => "the text is the JSON of the message".to_owned(),
        Type::Message(_) => "its members are the fields of the message".to_owned(),
        Type::Struct if text => "the text is the JSON of an object".to_owned(),
        Type::ListValue if text => "the text is the JSON of a list".to_owned(),
        Type::Any if text => "the text is the JSON of a message with @type".to_owned(),
        Type::Any => "it names its type under @type".to_owned(),
        Type::String if from.kind == Type::Value => "it is no list and no object".to_owned(),
        Type::String | Type::Value if from.non_finite() => "it is finite".to_owned(),
        Type::Struct | Type::ListValue => format!("it is {}", crate::words::expected(to.graph, to.kind)),
        Type::String | Type::Value => return None,
    })
}

fn rules(rules: &ElementRules) -> String {
    let mut parts: Vec<String> = rules.bounds.iter().map(|bound| bound.words()).collect();
    match (rules.min_length, rules.max_length) {
        (0, 0) => {}
        (least, 0) => parts.push(format!("its length is at least {least}")),
        (least, greatest) => parts.push(format!("its length is from {least} to {greatest}")),
    }
    parts.extend(rules.pattern.as_ref().map(|pattern| format!("it matches {}", shown(pattern.as_str()))));
    if !rules.allowed_texts.is_empty() {
        parts.push(crate::words::allowed(rules));
    }
    parts.extend(rules.further.iter().map(|rule| format!("it is {}", rule.words())));
    parts.join(", ")
}

/// A pattern, or its beginning where it is long.
fn shown(pattern: &str) -> String {
    match pattern.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", pattern.get(..end).unwrap_or_default()),
        None => pattern.to_owned(),
    }
}

/// What is asked beyond what is compared.
pub(super) fn more(to: Side<'_>) -> String {
    let rules = to.rules().map(|rules| rules.further.as_slice()).unwrap_or_default();
    let words: Vec<String> = rules.iter().map(|rule| format!("it is {}", rule.words())).collect();
    if words.is_empty() { "it meets all that the field asks".to_owned() } else { words.join(", ") }
}

/// Why none does.
pub(super) fn reason(from: Side<'_>, to: Side<'_>) -> String {
    let mut reason = format!("{} is no {}", from.words(), to.words());
    if let Some(asked) = to.rules() {
        reason.push_str(" of which is asked: ");
        reason.push_str(&rules(asked));
    }
    reason
}
