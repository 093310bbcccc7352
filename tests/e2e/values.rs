//! Reading JSON answers, and the shipped rates as a second reader of the file.

use serde_json::Value;

/// The number at `pointer`.
#[track_caller]
pub(crate) fn number(value: &Value, pointer: &str) -> f64 {
    at(value, pointer).as_f64().unwrap_or_else(|| panic!("{pointer} is no number in {value:#}"))
}

/// The text at `pointer`.
#[track_caller]
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    at(value, pointer).as_str().unwrap_or_else(|| panic!("{pointer} is no text in {value:#}"))
}

/// The list at `pointer`.
#[track_caller]
pub(crate) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    at(value, pointer).as_array().unwrap_or_else(|| panic!("{pointer} is no list in {value:#}"))
}

/// Whatever is at `pointer`.
#[track_caller]
pub(crate) fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {value:#}"))
}

/// Equal but for the last bits of a double.
#[track_caller]
pub(crate) fn close(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-9 * right.abs(), "{left} is not {right}");
}

/// The newest row of the shipped reference rates: its date, and the rate of `currency` for one euro.
pub(crate) fn newest_rate(currency: &str) -> (String, f64) {
    let path = convoke_tests::repository().join("agents/currency/data/eurofxref-hist.csv");
    let file = std::fs::read_to_string(path).expect("the shipped rates can be read");
    let mut lines = file.lines();
    let header = lines.next().expect("a header");
    let column = header.split(',').position(|name| name == currency).expect("a known currency");
    let newest: Vec<&str> = lines.next().expect("a row").split(',').collect();
    (newest[0].to_owned(), newest[column].parse().expect("a rate"))
}
