//! From the words of a request to a rate: which currencies, which day, which row.
//!
//! Findings come in the order of their weight: a malformed date, an unknown currency, an ambiguous one, a day outside
//! the data. A word that several currencies share means the one of them that is quoted on the asked day, where that
//! is a single one: "pounds" are British since the Cypriot ones ended. Otherwise the caller is asked.

use jiff::civil::Date;

use crate::error::{Choice, Error};
use crate::names::Names;
use crate::rates::{Currency, FileError, Rate, Rates, parse_date};

/// Characters of a currency's text that are read; the proto refuses longer ones.
const LONGEST_NAME: usize = 64;

/// The rates and their names.
#[derive(Debug)]
pub struct Quotes {
    /// The table.
    pub rates: Rates,
    /// Its vocabulary.
    pub names: Names,
}

/// What a caller asks for, in the caller's words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// What is given.
    pub from: &'a str,
    /// What is wanted.
    pub to: &'a str,
    /// `YYYY-MM-DD`; empty for the latest.
    pub date: &'a str,
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quote {
    /// What was given.
    pub from: Currency,
    /// What was wanted.
    pub to: Currency,
    /// The day that was asked for, where one was.
    pub asked: Option<Date>,
    /// The rate and its row.
    pub rate: Rate,
}

/// Why the shipped data cannot be read. A defect of the build, not of a request.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The rates.
    #[error(transparent)]
    Rates(#[from] FileError),
    /// The names.
    #[error(transparent)]
    Names(#[from] crate::names::BadLine),
}

// === impl Quotes ===

impl Quotes {
    /// Rates and names as they are in the binary.
    ///
    /// # Errors
    /// None with the files that are shipped.
    pub fn shipped() -> Result<Self, DataError> {
        let rates = Rates::shipped()?;
        let names = Names::shipped(&rates)?;
        Ok(Self { rates, names })
    }

    /// Answers a query.
    ///
    /// # Errors
    /// What keeps it from an answer, the weightiest first.
    pub fn quote(&self, query: Query<'_>) -> Result<Quote, Error> {
        let asked = match query.date.trim() {
            "" => None,
            text => Some(
                parse_date(text)
                    .ok_or_else(|| Error::BadDate { text: text.chars().take(LONGEST_NAME).collect() })?,
            ),
        };
        let (from, to) = (self.meaning("from", query.from, asked)?, self.meaning("to", query.to, asked)?);
        let (from, to) = (from.single()?, to.single()?);
        match self.rates.rate(from, to, asked) {
            Ok(rate) => Ok(Quote { from, to, asked, rate }),
            Err(outside) => Err(Error::NoRate {
                from: self.rates.code(from).to_owned(),
                to: self.rates.code(to).to_owned(),
                currency: outside.currency.map(|currency| self.rates.code(currency).to_owned()),
                asked,
                range: outside.range,
            }),
        }
    }

    /// What a text means, or an error where it means nothing.
    fn meaning(&self, field: &'static str, text: &str, asked: Option<Date>) -> Result<Meaning, Error> {
        if text.trim().is_empty() {
            return Err(Error::Missing { field });
        }
        // What is longer than any name is none, and comparing it with all of them would cost its length each time.
        let read: String = text.chars().take(LONGEST_NAME).collect();
        let found = if read.len() < text.len() { &[] } else { self.names.find(text) };
        if found.is_empty() {
            let nearest = self.names.nearest(&read).into_iter().map(String::from).collect();
            return Err(Error::UnknownCurrency { field, text: read, nearest });
        }
        let day = asked.or_else(|| self.rates.range().map(|range| *range.end()));
        let quoted: Vec<_> =
            found.iter().copied().filter(|&one| day.is_some_and(|day| self.rates.covers(one, day))).collect();
        let candidates = if quoted.is_empty() { found } else { &quoted };
        if let &[one] = candidates {
            return Ok(Meaning::One(one));
        }
        let candidates = candidates.iter().map(|&one| self.choice(one)).collect();
        Ok(Meaning::Several(Error::Ambiguous { field, text: text.trim().to_owned(), candidates }))
    }

    fn choice(&self, currency: Currency) -> Choice {
        let code = self.rates.code(currency).to_owned();
        let label = self.names.about(currency).map_or_else(|| code.clone(), |about| about.label.clone());
        Choice { code, label }
    }
}

/// One currency, or the question that several raise.
enum Meaning {
    One(Currency),
    Several(Error),
}

// === impl Meaning ===

impl Meaning {
    fn single(self) -> Result<Currency, Error> {
        match self {
            Self::One(currency) => Ok(currency),
            Self::Several(question) => Err(question),
        }
    }
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
