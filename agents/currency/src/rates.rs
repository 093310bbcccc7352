//! The ECB's reference rates, row by row: what one euro was worth on each of its working days.
//!
//! The file is read once, at start (some 10 ms). A cell is a number or `N/A`; EUR itself is in no column and worth 1
//! in every row. Nothing here knows names: a currency is its code.

use std::ops::RangeInclusive;

use jiff::civil::Date;

/// The history as the ECB publishes it, newest row first.
const SHIPPED: &str = include_str!("../data/eurofxref-hist.csv");

/// The currency that every rate is quoted against.
pub const BASE: &str = "EUR";

/// A currency of the table: the base or one of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(Option<usize>);

/// The table, oldest row first.
#[derive(Debug)]
pub struct Rates {
    codes: Vec<String>,
    rows: Vec<Row>,
    ranges: Vec<RangeInclusive<Date>>,
}

#[derive(Debug)]
struct Row {
    date: Date,
    /// Units of each column's currency for one euro; none where the ECB had no rate.
    cells: Box<[Option<f64>]>,
}

/// A pair's rate in one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Units of the second currency for one of the first.
    pub value: f64,
    /// The row it stands in.
    pub date: Date,
}

/// Why there is no rate of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfRange {
    /// The one of the two whose own days leave the asked one out; none: no row up to it quotes both.
    pub currency: Option<Currency>,
    /// The days of that currency, else of the rows that quote both; none: they never met in a row.
    pub range: Option<RangeInclusive<Date>>,
}

/// Why a file is not the ECB's table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// No header, or one that does not begin with `Date`.
    #[error("the file does not begin with a row of currency codes")]
    NoHeader,
    /// A row without a readable date, with a cell that is no number, or with too few cells.
    #[error("line {line} is no row of rates")]
    BadRow {
        /// Counted from 1, the header included.
        line: usize,
    },
    /// A header alone, or a column that never has a rate.
    #[error("{code} has no rate at all")]
    Empty {
        /// The column.
        code: String,
    },
}

// === impl Rates ===

impl Rates {
    /// The table in the binary.
    ///
    /// # Errors
    /// None with the file that is shipped; a test reads it.
    pub fn shipped() -> Result<Self, FileError> {
        Self::read(SHIPPED)
    }

    /// Reads a table in the ECB's format, rows in any order.
    ///
    /// # Errors
    /// Where a line is not in that format.
    pub fn read(csv: &str) -> Result<Self, FileError> {
        let mut lines = csv.lines();
        let mut header = lines.next().ok_or(FileError::NoHeader)?.split(',');
        if header.next() != Some("Date") {
            return Err(FileError::NoHeader);
        }
        let codes: Vec<String> =
            header.map(str::trim).filter(|code| !code.is_empty()).map(String::from).collect();
        let mut rows = lines
            .enumerate()
            .map(|(index, line)| Row::read(line, codes.len()).ok_or(FileError::BadRow { line: index + 2 }))
            .collect::<Result<Vec<_>, _>>()?;
        rows.sort_by_key(|row| row.date);
        let ranges = (codes.iter().enumerate())
            .map(|(column, code)| {
                let quoted = |row: &&Row| row.cells.get(column).copied().flatten().is_some();
                let mut dates = rows.iter().filter(quoted).map(|row| row.date);
                let first = dates.next().ok_or_else(|| FileError::Empty { code: code.clone() })?;
                Ok(first..=dates.next_back().unwrap_or(first))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { codes, rows, ranges })
    }

    /// EUR, then the columns in the file's order.
    pub fn currencies(&self) -> impl Iterator<Item = Currency> {
        std::iter::once(Currency(None)).chain((0..self.codes.len()).map(|column| Currency(Some(column))))
    }

    /// The currency of an ISO 4217 code as the file spells it.
    pub fn currency(&self, code: &str) -> Option<Currency> {
        self.currencies().find(|&currency| self.code(currency) == code)
    }

    /// Its ISO 4217 code.
    pub fn code(&self, currency: Currency) -> &str {
        currency.0.and_then(|column| self.codes.get(column)).map_or(BASE, String::as_str)
    }

    /// The file's own days.
    pub fn range(&self) -> Option<RangeInclusive<Date>> {
        Some(self.rows.first()?.date..=self.rows.last()?.date)
    }

    /// First and last day with a rate of this currency.
    pub fn range_of(&self, currency: Currency) -> Option<RangeInclusive<Date>> {
        match currency.0 {
            None => self.range(),
            Some(column) => self.ranges.get(column).cloned(),
        }
    }

    /// Whether the currency is quoted on that day, or was before it and is again after it.
    pub fn covers(&self, currency: Currency, date: Date) -> bool {
        self.range_of(currency).is_some_and(|range| range.contains(&date))
    }

    /// The rate of the pair on `date`, or of the last row before it that has both; without a date, of the last row
    /// that has both.
    ///
    /// # Errors
    /// [`OutOfRange`] where the day lies outside the days of one of them.
    pub fn rate(&self, from: Currency, to: Currency, date: Option<Date>) -> Result<Rate, OutOfRange> {
        let outside = |&currency: &Currency| date.is_some_and(|date| !self.covers(currency, date));
        if let Some(currency) = [from, to].into_iter().find(outside) {
            return Err(OutOfRange { currency: Some(currency), range: self.range_of(currency) });
        }
        let until = date.map_or(self.rows.len(), |date| self.rows.partition_point(|row| row.date <= date));
        let found = self.rows.iter().take(until).rev().find_map(|row| row.rate(from, to));
        found.ok_or_else(|| OutOfRange { currency: None, range: self.common_range(from, to) })
    }

    /// From the first to the last row that quotes both.
    fn common_range(&self, from: Currency, to: Currency) -> Option<RangeInclusive<Date>> {
        let mut days = self.rows.iter().filter_map(|row| row.rate(from, to)).map(|rate| rate.date);
        let first = days.next()?;
        Some(first..=days.next_back().unwrap_or(first))
    }
}

// === impl Row ===

impl Row {
    fn read(line: &str, columns: usize) -> Option<Self> {
        let mut cells = line.split(',');
        let date = parse_date(cells.next()?)?;
        let cells = cells
            .take(columns)
            .map(|cell| match cell.trim() {
                "N/A" | "" => Some(None),
                number => number.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0).map(Some),
            })
            .collect::<Option<Box<[_]>>>()?;
        (cells.len() == columns).then_some(Self { date, cells })
    }

    /// From the euro it is the row's own number; of two others the quotient of theirs.
    fn rate(&self, from: Currency, to: Currency) -> Option<Rate> {
        let (sold, bought) = (self.per_euro(from)?, self.per_euro(to)?);
        let value = if from == to { 1.0 } else { bought / sold };
        Some(Rate { value, date: self.date })
    }

    fn per_euro(&self, currency: Currency) -> Option<f64> {
        currency.0.map_or(Some(1.0), |column| *self.cells.get(column)?)
    }
}

/// A calendar day written `YYYY-MM-DD`, and in no other way.
pub fn parse_date(text: &str) -> Option<Date> {
    let shape = |(index, byte): (usize, u8)| {
        if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    (text.len() == 10 && text.bytes().enumerate().all(shape)).then(|| text.parse().ok())?
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
