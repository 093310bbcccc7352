//! What keeps a request from an answer, in the agent's own terms. [`crate::service`] turns it into a gRPC status.

use std::ops::RangeInclusive;

use jiff::civil::Date;

/// The caller's mistake, or a question back to the caller.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A field that must be there is empty.
    #[error("`{field}` is missing")]
    Missing {
        /// Which.
        field: &'static str,
    },
    /// An amount that is no finite number within the bounds of the contract.
    #[error("{amount} is not an amount that can be converted")]
    BadAmount {
        /// As it came.
        amount: f64,
    },
    /// A date that is not a calendar day written `YYYY-MM-DD`.
    #[error("\"{text}\" is not a date")]
    BadDate {
        /// As it came.
        text: String,
    },
    /// No currency of the data is called so.
    #[error("no currency with reference rates is called \"{text}\"")]
    UnknownCurrency {
        /// Which field.
        field: &'static str,
        /// As it came.
        text: String,
        /// Words that are known, best first.
        nearest: Vec<String>,
    },
    /// Several are.
    #[error("\"{text}\" may be one of several currencies")]
    Ambiguous {
        /// Which field.
        field: &'static str,
        /// As it came.
        text: String,
        /// All of them.
        candidates: Vec<Choice>,
    },
    /// The data has no rate of this pair on that day, nor one before it that still holds.
    #[error("there is no reference rate from {from} to {to}{}", outside(.currency.as_deref(), *.asked, .range.as_ref()))]
    NoRate {
        /// Code of what was given.
        from: String,
        /// Code of what was wanted.
        to: String,
        /// The one of the two that has no rate on that day; none: the pair has not.
        currency: Option<String>,
        /// The day; none: the latest was wanted.
        asked: Option<Date>,
        /// Where there are rates, of that currency or the pair.
        range: Option<RangeInclusive<Date>>,
    },
}

/// One of several currencies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// ISO 4217.
    pub code: String,
    /// In English.
    pub label: String,
}

/// " on 2015-01-01: the data has EEK from 1999-01-04 to 2010-12-31".
fn outside(currency: Option<&str>, asked: Option<Date>, range: Option<&RangeInclusive<Date>>) -> String {
    let day = asked.map_or_else(String::new, |day| format!(" on {day}"));
    match range {
        None => format!("{day}: no day has a rate of both"),
        Some(range) => {
            let what = currency.unwrap_or("the two together");
            format!("{day}: the data has {what} from {} to {}", range.start(), range.end())
        }
    }
}
