//! The rows of booleans, strings, bytes and field masks.

use super::number::number_text;
use super::row::{Refusal, Row};
use crate::json;
use crate::report::{Rule, ViolationRule};
use crate::value::{Integer, Value, to_i128};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use bytes::Bytes;

const TRUE: [&str; 5] = ["true", "t", "1", "yes", "on"];
const FALSE: [&str; 5] = ["false", "f", "0", "no", "off"];

pub(super) fn boolean(value: &Value) -> Row {
    match value {
        Value::Bool(_) => Row::Keep,
        Value::Text(text) => {
            word(text).map_or_else(Row::wrong_type, |it| Row::Mended(Rule::TextToBool, Value::Bool(it)))
        }
        number => match to_i128(number) {
            Some(0) => Row::Mended(Rule::NumberToBool, Value::Bool(false)),
            Some(1) => Row::Mended(Rule::NumberToBool, Value::Bool(true)),
            _ => Row::wrong_type(),
        },
    }
}

/// The boolean that a word says, in any case.
pub(super) fn word(text: &str) -> Option<bool> {
    let text = text.trim_ascii();
    let says = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if says(&TRUE) {
        return Some(true);
    }
    says(&FALSE).then_some(false)
}

pub(super) fn string(value: &Value) -> Row {
    let mut text = String::new();
    match value {
        Value::Text(_) => return Row::Keep,
        Value::Bool(it) => {
            return Row::Mended(Rule::BoolToText, Value::from(if *it { "true" } else { "false" }));
        }
        Value::Float(it) if !it.is_finite() => return Row::refused(ViolationRule::NotFinite),
        Value::Float(it) => json::float_text(*it, &mut text),
        Value::Int(_) | Value::Uint(_) => json::write(value, &mut text),
        Value::Number(number) => {
            if !json::number(number, &mut text) {
                return Refusal::new(ViolationRule::OutOfRange)
                    .expecting("text, or a number that a double holds")
                    .into();
            }
        }
        _ => return Row::wrong_type(),
    }
    Row::Mended(Rule::NumberToText, Value::Text(text))
}

pub(super) fn bytes(value: &Value) -> Row {
    match value {
        Value::Bytes(_) => Row::Keep,
        Value::Text(text) => match STANDARD.decode(text) {
            Ok(bytes) => Row::Typed(Value::Bytes(Bytes::from(bytes))),
            Err(_) => base64_spelling(text).map_or_else(
                || Row::refused(ViolationRule::BadFormat),
                |bytes| Row::Mended(Rule::Base64Spelling, bytes),
            ),
        },
        _ => Row::wrong_type(),
    }
}

/// Either alphabet, with all of its padding or less, blanks around.
fn base64_spelling(text: &str) -> Option<Value> {
    let text = text.trim_ascii();
    let body = text.trim_end_matches('=');
    let missing = body.len().next_multiple_of(4) - body.len();
    if text.len() - body.len() > missing {
        return None;
    }
    let decoded = STANDARD_NO_PAD.decode(body).or_else(|_| URL_SAFE_NO_PAD.decode(body)).ok()?;
    Some(Value::Bytes(Bytes::from(decoded)))
}

pub(super) fn mask(value: &Value) -> Row {
    match value {
        Value::Text(text) => mask_text(text.split(','), text),
        Value::List(list) => {
            let paths: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            paths.map_or_else(Row::wrong_type, |paths| mask_text(paths.into_iter(), ","))
        }
        _ => Row::wrong_type(),
    }
}

/// Protobuf's JSON form: lower camel case, separated by commas, nothing between. `came` is the form it came in.
fn mask_text<'a>(paths: impl Iterator<Item = &'a str>, came: &str) -> Row {
    if came.is_empty() {
        return Row::Keep;
    }
    let mut out = String::new();
    for path in paths.map(str::trim_ascii) {
        if !out.is_empty() {
            out.push(',');
        }
        if !write_camel(path, &mut out) {
            return Row::refused(ViolationRule::BadFormat);
        }
    }
    if out == came { Row::Keep } else { Row::Mended(Rule::MaskSpelling, Value::Text(out)) }
}

/// Appends a path in lower camel case, where its snake case can be told from that again.
fn write_camel(path: &str, out: &mut String) -> bool {
    let segment = |segment: &str| {
        let mut bytes = segment.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_lowercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && segment
                .split('_')
                .skip(1)
                .all(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    let mut upper = false;
    for letter in path.chars() {
        match letter {
            '_' => upper = true,
            _ if upper => {
                out.push(letter.to_ascii_uppercase());
                upper = false;
            }
            _ => out.push(letter),
        }
    }
    path.split('.').all(segment)
}

/// Whether a text names 0 or another integer by its number.
pub(super) fn integer_text(text: &str) -> Option<i128> {
    match number_text(text)?.1.to_integer() {
        Integer::Exact(value) => Some(value),
        Integer::Beyond | Integer::Fraction => None,
    }
}
