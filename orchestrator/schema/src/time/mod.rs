//! Points and spans of time as text and back: RFC 3339, protobuf's duration form, and what people write instead.
//!
//! Arithmetic is on the proleptic Gregorian calendar in UTC, exact to the nanosecond; what would have to be
//! rounded is refused. No clock is read and no word like "tomorrow" is understood.

mod calendar;
mod duration;
mod timestamp;

use crate::value::{Decimal, Integer, Value};

pub(crate) use self::duration::{
    LONGEST as LONGEST_DURATION, from_nanos as duration_from_nanos, parse as parse_duration,
};
pub(crate) use self::duration::{nanos as duration_nanos, write as write_duration};
pub(crate) use self::timestamp::{from_nanos as timestamp_from_nanos, parse as parse_timestamp};
pub(crate) use self::timestamp::{nanos as timestamp_nanos, write as write_timestamp};

pub(crate) const NANOS: i128 = 1_000_000_000;

/// A text that was read: as it should be, or with something to mend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Read<T> {
    /// What it says.
    pub(crate) value: T,
    /// Whether it already was in the form that is asked for.
    pub(crate) exact: bool,
}

/// Why a text or number is no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TimeError {
    /// Not in any form that is read; with the text that may have been meant.
    Format(Option<String>),
    /// Beyond what the type holds.
    Range,
    /// Finer than a nanosecond; with what is left of it in nanoseconds when it is cut, towards zero.
    Inexact(i128),
}

/// A number of seconds as nanoseconds. A double counts as the shortest decimal that denotes it.
pub(crate) fn seconds_to_nanos(value: &Value) -> Result<i128, TimeError> {
    match value {
        Value::Int(value) => Ok(i128::from(*value).saturating_mul(NANOS)),
        Value::Uint(value) => Ok(i128::from(*value).saturating_mul(NANOS)),
        Value::Number(number) => number.decimal().ok_or(TimeError::Format(None)).and_then(decimal_to_nanos),
        Value::Float(value) if value.is_finite() => {
            let mut buffer = ryu_js::Buffer::new();
            let decimal = Decimal::parse(buffer.format_finite(*value));
            decimal.ok_or(TimeError::Format(None)).and_then(decimal_to_nanos)
        }
        _ => Err(TimeError::Format(None)),
    }
}

fn decimal_to_nanos(seconds: Decimal<'_>) -> Result<i128, TimeError> {
    let nanos = seconds.scaled(9);
    match nanos.to_integer() {
        Integer::Exact(nanos) => Ok(nanos),
        Integer::Beyond => Err(TimeError::Range),
        Integer::Fraction => nanos.cut().map_or(Err(TimeError::Range), |cut| Err(TimeError::Inexact(cut))),
    }
}

/// Appends `.123`, `.123456` or `.123456789`, as few digits as are exact, or nothing.
fn write_fraction(nanos: u32, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a String does not fail.
    let _ = match nanos {
        0 => Ok(()),
        n if n.is_multiple_of(1_000_000) => write!(out, ".{:03}", n / 1_000_000),
        n if n.is_multiple_of(1_000) => write!(out, ".{:06}", n / 1_000),
        n => write!(out, ".{n:09}"),
    };
}
