//! The rows of points and spans of time.

use super::row::{Refusal, Row};
use crate::report::{Rule, ViolationRule};
use crate::time::{self, TimeError};
use crate::value::Value;

pub(super) fn timestamp(value: &Value) -> Row {
    match value {
        Value::Timestamp(it) => match time::timestamp_from_nanos(time::timestamp_nanos(*it)) {
            Ok(_) => Row::Keep,
            Err(error) => refused(error, shown_moment),
        },
        Value::Text(text) => match time::parse_timestamp(text) {
            Ok(read) => Row::Typed(Value::Timestamp(read.value)).mended_by(Rule::TimeSpelling, read.exact),
            Err(error) => refused(error, shown_moment),
        },
        Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_) => {
            match time::seconds_to_nanos(value).and_then(time::timestamp_from_nanos) {
                Ok(moment) => Row::Mended(Rule::TimeSpelling, Value::Timestamp(moment)),
                Err(error) => refused(error, shown_moment),
            }
        }
        _ => Row::wrong_type(),
    }
}

pub(super) fn duration(value: &Value) -> Row {
    match value {
        Value::Duration(it) => match time::duration_from_nanos(time::duration_nanos(*it)) {
            Ok(_) => Row::Keep,
            Err(error) => refused(error, shown_span),
        },
        Value::Text(text) => match time::parse_duration(text) {
            Ok(read) => Row::Typed(Value::Duration(read.value)).mended_by(Rule::DurationSpelling, read.exact),
            Err(error) => refused(error, shown_span),
        },
        Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_) => {
            match time::seconds_to_nanos(value).and_then(time::duration_from_nanos) {
                Ok(span) => Row::Mended(Rule::DurationSpelling, Value::Duration(span)),
                Err(error) => refused(error, shown_span),
            }
        }
        _ => Row::wrong_type(),
    }
}

fn refused(error: TimeError, shown: fn(i128) -> Option<Value>) -> Row {
    match error {
        TimeError::Format(suggestion) => {
            Refusal::new(ViolationRule::BadFormat).suggesting(suggestion.unwrap_or_default()).into()
        }
        TimeError::Range => Row::refused(ViolationRule::OutOfRange),
        TimeError::Inexact(cut) => Refusal::new(ViolationRule::Inexact)
            .expecting("a time that is exact to the nanosecond")
            .suggesting(shown(cut).map(|it| it.to_text()).unwrap_or_default())
            .into(),
    }
}

fn shown_moment(nanos: i128) -> Option<Value> {
    time::timestamp_from_nanos(nanos).ok().map(Value::Timestamp)
}

fn shown_span(nanos: i128) -> Option<Value> {
    time::duration_from_nanos(nanos).ok().map(Value::Duration)
}
