//! Answers as sentences, with their numbers as people write them.

use crate::quote::Quote;
use crate::rates::Rates;

/// "250 EUR is 43,920 JPY at the ECB reference rate of 2026-10-30."
pub(crate) fn converted(rates: &Rates, quote: &Quote, amount: f64, result: f64) -> String {
    let (from, to) = (rates.code(quote.from), rates.code(quote.to));
    format!("{} {from} is {} {to} {}.", grouped(&amount.to_string()), money(result), at(rates, quote))
}

/// "1 EUR is 175.68 JPY at the ECB reference rate of 2026-10-30."
pub(crate) fn rated(rates: &Rates, quote: &Quote) -> String {
    let (from, to) = (rates.code(quote.from), rates.code(quote.to));
    format!("1 {from} is {} {to} {}.", significant(quote.rate.value, 6), at(rates, quote))
}

/// Which row it is, and why not another where somebody may wonder.
fn at(rates: &Rates, quote: &Quote) -> String {
    let date = quote.rate.date;
    let latest = rates.range().map(|range| *range.end());
    let why = match quote.asked {
        Some(asked) if asked != date => format!(", the last one before {asked}"),
        None if latest != Some(date) => ", the last one that there is".to_owned(),
        _ => String::new(),
    };
    format!("at the ECB reference rate of {date}{why}")
}

/// Two decimals at most, and for what is smaller than a hundredth its first four digits.
fn money(amount: f64) -> String {
    if amount.abs() < 0.01 && amount != 0.0 {
        significant(amount, 4)
    } else {
        trimmed(&format!("{amount:.2}"))
    }
}

/// At most so many significant digits.
fn significant(number: f64, digits: usize) -> String {
    // The exponent that scientific notation gives it: 1.57e2 has two digits more before the point.
    let scientific = format!("{number:e}");
    let exponent: i64 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let decimals = i64::try_from(digits).unwrap_or(0).saturating_sub(1).saturating_sub(exponent);
    let decimals = usize::try_from(decimals).unwrap_or(0);
    trimmed(&format!("{number:.decimals$}"))
}

fn trimmed(number: &str) -> String {
    let plain =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    grouped(plain)
}

/// Commas between the thousands.
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut shown = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown + fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::{Query, Quotes};

    fn sentence(from: &str, to: &str, date: &str, amount: f64) -> String {
        let quotes = Quotes::shipped().unwrap();
        let quote = quotes.quote(Query { from, to, date }).unwrap();
        converted(&quotes.rates, &quote, amount, amount * quote.rate.value)
    }

    #[test]
    fn a_sentence_names_amounts_codes_and_the_day() {
        let expected = "12.5 EUR is 2,196 JPY at the ECB reference rate of 2026-10-30.";
        assert_eq!(sentence("euro", "yen", "", 12.5), expected);
    }

    #[test]
    fn a_sentence_says_when_the_row_is_not_of_the_day_that_was_asked() {
        // 1.1147 is the row of Friday, 3 January 2020.
        let expected = "1,000 EUR is 1,114.7 USD at the ECB reference rate of 2020-01-03, the last one before 2020-01-05.";
        assert_eq!(sentence("euro", "USD", "2020-01-05", 1000.0), expected);
        assert!(sentence("euro", "EEK", "", 1.0).ends_with("of 2010-12-31, the last one that there is."));
    }

    #[test]
    fn numbers_are_grouped_and_rounded_for_the_eye() {
        for (number, shown) in [
            (0.0, "0"),
            (-1234.567, "-1,234.57"),
            (0.004_256_78, "0.004257"),
            (1e15, "1,000,000,000,000,000"),
        ] {
            assert_eq!(money(number), shown);
        }
        for (number, shown) in [
            (175.68, "175.68"),
            (157.250_268_528, "157.25"),
            (0.005_692_167_6, "0.00569217"),
            (20275.17, "20,275.2"),
        ] {
            assert_eq!(significant(number, 6), shown);
        }
    }
}
