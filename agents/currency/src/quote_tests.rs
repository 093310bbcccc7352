use std::sync::LazyLock;

use super::*;

static SHIPPED: LazyLock<Quotes> = LazyLock::new(|| Quotes::shipped().unwrap());

fn quote(from: &str, to: &str, date: &str) -> Result<Quote, Error> {
    SHIPPED.quote(Query { from, to, date })
}

fn asked_about(result: Result<Quote, Error>) -> (&'static str, Vec<String>) {
    match result {
        Err(Error::Ambiguous { field, candidates, .. }) => {
            (field, candidates.into_iter().map(|one| one.code).collect())
        }
        other => panic!("expected a question, got {other:?}"),
    }
}

#[test]
fn words_become_a_rate_and_the_day_it_is_of() {
    let quote = quote("Euro", "yen", "").unwrap();
    assert_eq!((quote.rate.value, quote.rate.date.to_string().as_str()), (175.68, "2026-10-30"));
}

#[test]
fn a_shared_word_is_a_question_about_its_field() {
    assert_eq!(asked_about(quote("dollars", "yen", "")).0, "from");
    let (field, candidates) = asked_about(quote("yen", "krona", ""));
    assert_eq!((field, candidates), ("to", vec!["SEK".to_owned(), "ISK".to_owned()]));
}

#[test]
fn a_shared_word_means_the_one_that_is_quoted_on_that_day() {
    let quotes = &*SHIPPED;
    for (text, date, code) in [
        ("pounds", "", "GBP"),
        ("lira", "", "TRY"),
        ("lira", "2004-06-01", ""),
        ("koruna", "", "CZK"),
        ("lei", "", "RON"),
    ] {
        let result = quotes.quote(Query { from: text, to: "EUR", date });
        match result {
            Ok(quote) => assert_eq!(quotes.rates.code(quote.from), code, "{text}"),
            Err(question) => {
                assert!(code.is_empty() && matches!(question, Error::Ambiguous { .. }), "{text}: {question}")
            }
        }
    }
    assert_eq!(asked_about(quote("pounds", "EUR", "2005-06-01")).1, ["CYP", "GBP"]);
}

#[test]
fn an_unknown_currency_outranks_a_question() {
    let error = quote("dollars", "blorgs", "").unwrap_err();
    assert!(
        matches!(error, Error::UnknownCurrency { field: "to", ref nearest, .. } if !nearest.is_empty()),
        "{error:?}"
    );
}

#[test]
fn a_malformed_date_outranks_everything() {
    for date in ["2020-02-30", "yesterday", "1/2/2020"] {
        assert_eq!(quote("blorgs", "dollars", date), Err(Error::BadDate { text: date.to_owned() }));
    }
    assert!(quote("EUR", "JPY", " 2020-01-02 ").is_ok());
}

#[test]
fn an_empty_currency_is_missing() {
    assert_eq!(quote(" ", "yen", ""), Err(Error::Missing { field: "from" }));
    assert_eq!(quote("yen", "", ""), Err(Error::Missing { field: "to" }));
}

#[test]
fn outside_the_data_the_range_is_told() {
    let told = quote("EUR", "EEK", "2015-01-01").unwrap_err().to_string();
    let expected = "there is no reference rate from EUR to EEK on 2015-01-01: the data has EEK from 1999-01-04 to 2010-12-31";
    assert_eq!(told, expected);
    let told = quote("ROL", "RON", "").unwrap_err().to_string();
    assert_eq!(told, "there is no reference rate from ROL to RON: no day has a rate of both");
}
