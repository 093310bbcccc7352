use std::sync::LazyLock;

use super::*;

static SHIPPED_RATES: LazyLock<Rates> = LazyLock::new(|| Rates::shipped().unwrap());

fn day(text: &str) -> Date {
    parse_date(text).unwrap()
}

fn rate(from: &str, to: &str, date: Option<&str>) -> Result<Rate, OutOfRange> {
    let rates = &*SHIPPED_RATES;
    let (from, to) = (rates.currency(from).unwrap(), rates.currency(to).unwrap());
    rates.rate(from, to, date.map(day))
}

#[test]
fn the_shipped_file_has_41_columns_from_1999_to_2026() {
    let rates = &*SHIPPED_RATES;
    assert_eq!(rates.currencies().count(), 42, "EUR and 41 columns");
    assert_eq!(rates.range(), Some(day("1999-01-04")..=day("2026-10-30")));
}

// Rows of the file, copied by hand:
//   2026-10-30,1.1172,175.68,…      USD, JPY        1999-01-04,1.1789,133.73,…
//   2010-12-31 EEK 15.6466 (its last)               2008-12-09 ISK 290 (none again until 2018-02-01, 125.01)
#[test]
fn from_the_euro_it_is_the_very_number_of_the_last_row() {
    assert_eq!(rate("EUR", "JPY", None).unwrap(), Rate { value: 175.68, date: day("2026-10-30") });
    assert_eq!(
        rate("EUR", "USD", Some("1999-01-04")).unwrap(),
        Rate { value: 1.1789, date: day("1999-01-04") }
    );
}

#[test]
fn to_the_euro_it_is_the_inverse_and_across_the_quotient() {
    assert_eq!(rate("JPY", "EUR", None).unwrap().value, 1.0 / 175.68);
    assert_eq!(rate("USD", "JPY", None).unwrap().value, 175.68 / 1.1172);
}

#[test]
fn a_currency_to_itself_is_one_on_a_day_of_its_own() {
    assert_eq!(rate("EUR", "EUR", None).unwrap(), Rate { value: 1.0, date: day("2026-10-30") });
    assert_eq!(rate("EEK", "EEK", None).unwrap(), Rate { value: 1.0, date: day("2010-12-31") });
}

#[test]
fn a_day_without_a_row_takes_the_one_before() {
    // New Year's Day 2020, a Wednesday; Saturday and Sunday 4 and 5 January.
    assert_eq!(
        rate("EUR", "USD", Some("2020-01-01")).unwrap(),
        Rate { value: 1.1234, date: day("2019-12-31") }
    );
    assert_eq!(
        rate("EUR", "USD", Some("2020-01-05")).unwrap(),
        Rate { value: 1.1147, date: day("2020-01-03") }
    );
}

#[test]
fn a_row_without_the_rate_takes_the_last_that_has_it() {
    assert_eq!(
        rate("EUR", "ISK", Some("2012-06-01")).unwrap(),
        Rate { value: 290.0, date: day("2008-12-09") }
    );
    assert_eq!(
        rate("EUR", "ISK", Some("2018-02-01")).unwrap(),
        Rate { value: 125.01, date: day("2018-02-01") }
    );
}

#[test]
fn both_rates_of_a_pair_come_from_one_row() {
    let crossed = rate("USD", "ISK", Some("2012-06-01")).unwrap();
    assert_eq!(crossed, Rate { value: 290.0 / 1.2838, date: day("2008-12-09") });
}

#[test]
fn without_a_date_an_ended_currency_answers_with_its_last_row() {
    assert_eq!(rate("EUR", "EEK", None).unwrap(), Rate { value: 15.6466, date: day("2010-12-31") });
}

#[test]
fn before_the_first_and_after_the_last_row_there_is_none() {
    let whole = Some(day("1999-01-04")..=day("2026-10-30"));
    for outside in ["1999-01-03", "2026-10-31", "0001-01-01", "9999-12-31"] {
        assert_eq!(rate("EUR", "USD", Some(outside)).unwrap_err().range, whole, "{outside}");
    }
}

#[test]
fn outside_a_currencys_own_days_there_is_none_and_its_range_is_told() {
    let rates = &*SHIPPED_RATES;
    for (code, asked, first, last) in [
        ("EEK", "2011-01-01", "1999-01-04", "2010-12-31"),
        ("BRL", "2007-12-31", "2008-01-02", "2026-10-30"),
        ("TRY", "2004-12-31", "2005-01-03", "2026-10-30"),
        ("RUB", "2022-03-02", "2005-04-01", "2022-03-01"),
    ] {
        let expected = OutOfRange { currency: rates.currency(code), range: Some(day(first)..=day(last)) };
        assert_eq!(rate("USD", code, Some(asked)), Err(expected.clone()), "to {code}");
        assert_eq!(rate(code, "USD", Some(asked)), Err(expected), "from {code}");
    }
}

#[test]
fn two_that_were_never_quoted_together_have_no_rate() {
    assert_eq!(rate("ROL", "RON", None), Err(OutOfRange { currency: None, range: None }));
    // ISK has a gap when INR begins: until they meet there is no row with both.
    let met = Some(day("2018-02-01")..=day("2026-10-30"));
    assert_eq!(rate("INR", "ISK", Some("2012-06-01")), Err(OutOfRange { currency: None, range: met }));
}

#[test]
fn a_date_is_a_calendar_day_in_one_spelling() {
    assert_eq!(parse_date("2024-02-29"), Some(jiff::civil::date(2024, 2, 29)));
    for bad in [
        "",
        "2023-02-29",
        "2024-2-9",
        "20240209",
        "2024-02-09T00:00:00Z",
        "09.02.2024",
        "２024-02-09",
        "tomorrow",
    ] {
        assert_eq!(parse_date(bad), None, "{bad}");
    }
}

#[test]
fn what_is_not_the_ecbs_table_is_refused_with_its_line() {
    assert_eq!(Rates::read("").unwrap_err(), FileError::NoHeader);
    assert_eq!(Rates::read("Day,USD\n").unwrap_err(), FileError::NoHeader);
    assert_eq!(
        Rates::read("Date,USD,\n2020-01-02,1,\n2020-01-03,x,\n").unwrap_err(),
        FileError::BadRow { line: 3 }
    );
    assert_eq!(Rates::read("Date,USD,JPY,\n2020-01-02,1\n").unwrap_err(), FileError::BadRow { line: 2 });
    assert_eq!(
        Rates::read("Date,USD,\n2020-01-02,N/A,\n").unwrap_err(),
        FileError::Empty { code: "USD".into() }
    );
}
