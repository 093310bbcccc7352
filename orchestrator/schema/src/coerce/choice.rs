//! The row of enums.

use super::row::{Refusal, Row};
use super::text::integer_text;
use crate::graph::{EnumEntry, EnumType};
use crate::names::Match;
use crate::report::{Rule, ViolationRule};
use crate::value::{EnumValue, Value, to_i128};
use crate::words;
use std::sync::Arc;

pub(super) fn choice(it: &EnumType, value: &Value, scratch: &mut String) -> Row {
    match value {
        Value::Text(text) => text_choice(it, text, scratch),
        Value::Null if it.null => Row::Keep,
        // A value of the same enum, or of another one: names count, and numbers where there is no name.
        Value::Enum(EnumValue { number, name }) => match name {
            Some(name) if it.of_number(*number).is_some_and(|entry| Arc::ptr_eq(&entry.name, name)) => {
                Row::Keep
            }
            Some(name) => text_choice(it, name, scratch),
            None => numbered(it, i128::from(*number)),
        },
        Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_) => {
            to_i128(value).map_or_else(|| unknown(it, ""), |number| numbered(it, number))
        }
        _ => Refusal::new(ViolationRule::WrongType).expecting(words::choices(it)).into(),
    }
}

fn text_choice(it: &EnumType, text: &str, scratch: &mut String) -> Row {
    let found = it.names.find(text, scratch);
    let number = integer_text(text)
        .and_then(|number| i32::try_from(number).ok())
        .and_then(|number| it.of_number(number));
    let named = |index: u32| it.value(index);
    let (rule, entry) = match found {
        Match::Exact(index) => {
            return named(index).map_or(Row::Keep, |entry| Row::Typed(it.typed(entry.number)));
        }
        Match::Spelling(index) => (Rule::EnumSpelling, named(index)),
        Match::Alias(index) => (Rule::EnumAlias, named(index)),
        Match::Ambiguous(one, other) => return ambiguous([named(one), named(other)]),
        Match::Unknown => (Rule::EnumNumber, number),
    };
    match (entry, number) {
        (None, _) => unknown(it, text),
        // The text is a number of one value and the spelling of another.
        (Some(entry), Some(number)) if entry.number != number.number && rule == Rule::EnumSpelling => {
            ambiguous([Some(entry), Some(number)])
        }
        (Some(entry), _) => Row::Mended(rule, it.typed(entry.number)),
    }
}

fn numbered(it: &EnumType, number: i128) -> Row {
    match i32::try_from(number).ok().and_then(|number| it.of_number(number)) {
        Some(entry) => Row::Mended(Rule::EnumNumber, it.typed(entry.number)),
        None => unknown(it, ""),
    }
}

fn unknown(it: &EnumType, text: &str) -> Row {
    let nearest = it.nearest_values(text).into_iter();
    let names: Vec<&str> = nearest.take(3).map(|entry| entry.name.as_ref()).collect();
    Refusal::new(ViolationRule::UnknownEnumValue)
        .expecting(words::choices(it))
        .suggesting(if text.is_empty() { String::new() } else { names.join(", ") })
        .into()
}

fn ambiguous(entries: [Option<&EnumEntry>; 2]) -> Row {
    let names: Vec<&str> = entries.into_iter().flatten().map(|entry| entry.name.as_ref()).collect();
    Refusal::new(ViolationRule::UnknownEnumValue)
        .expecting(format!("{}: the text may mean each of them", words::one_of(names.iter().copied())))
        .suggesting(names.join(", "))
        .into()
}
