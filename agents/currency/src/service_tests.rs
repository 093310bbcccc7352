use std::sync::LazyLock;

use convoke_proto::status::{Details, details};
use convoke_sdk::tonic::Code;
use convoke_sdk::v1::tool_error::Category;

use super::*;

static SERVICE: LazyLock<Service> = LazyLock::new(|| Service::new().unwrap());

async fn convert(
    amount: f64,
    from: &str,
    to: &str,
    date: &str,
) -> Result<ConvertCurrencyResponse, (Code, Details)> {
    let request = ConvertCurrencyRequest { amount, from: from.into(), to: to.into(), date: date.into() };
    match SERVICE.convert_currency(Request::new(request)).await {
        Ok(response) => Ok(response.into_inner()),
        Err(status) => Err((status.code(), details(&status))),
    }
}

#[tokio::test]
async fn an_answer_states_amount_rate_day_and_codes() {
    let answer = convert(250.0, "Euro", "yen", "").await.unwrap();
    assert_eq!((answer.amount, answer.rate, answer.date.as_str()), (250.0 * 175.68, 175.68, "2026-10-30"));
    assert_eq!((answer.from.as_str(), answer.to.as_str(), answer.source_amount), ("EUR", "JPY", 250.0));
    assert_eq!(answer.explanation, "250 EUR is 43,920 JPY at the ECB reference rate of 2026-10-30.");
}

#[tokio::test]
async fn a_shared_word_is_a_clarification_with_codes_as_values() {
    let (code, details) = convert(100.0, "dollars", "yen", "").await.unwrap_err();
    let question = details.clarification.unwrap();
    let values: Vec<_> = question.candidates.iter().map(|one| one.value.clone().unwrap()).collect();
    let expected: Vec<prost_types::Value> =
        ["USD", "AUD", "CAD", "HKD", "NZD", "SGD"].into_iter().map(Into::into).collect();
    assert_eq!((code, question.parameter.as_str(), values), (Code::FailedPrecondition, "from", expected));
    assert_eq!(question.candidates[0].label, "US Dollar");
}

#[tokio::test]
async fn an_unknown_currency_is_not_found_and_names_the_nearest() {
    let (code, details) = convert(1.0, "Eurro", "yen", "").await.unwrap_err();
    let error = details.tool_error.unwrap();
    assert_eq!((code, error.category(), error.retryable), (Code::NotFound, Category::NotFound, Some(true)));
    let candidates: Vec<String> = serde_json::from_str(&error.details["candidates"]).unwrap();
    assert_eq!(candidates[0], "Euro");
    assert_eq!(error.field_violations[0].path, "from");
}

#[tokio::test]
async fn a_day_outside_the_data_is_not_found_and_tells_the_range() {
    for (from, date, first, last) in [
        ("USD", "1998-12-31", "1999-01-04", "2026-10-30"),
        ("USD", "2026-10-31", "1999-01-04", "2026-10-30"),
        ("EEK", "2020-01-02", "1999-01-04", "2010-12-31"),
    ] {
        let (code, details) = convert(1.0, from, "EUR", date).await.unwrap_err();
        let error = details.tool_error.unwrap();
        assert_eq!(
            (code, error.category(), error.retryable),
            (Code::NotFound, Category::NotFound, Some(false))
        );
        assert_eq!((&*error.details["first_date"], &*error.details["last_date"]), (first, last));
        assert!(error.message.contains(first) && error.message.contains(last), "{}", error.message);
    }
}

#[tokio::test]
async fn bad_input_is_an_input_error_that_names_its_field() {
    for (amount, from, to, date, field) in [
        (1.0, "EUR", "JPY", "2020-13-01", "date"),
        (1.0, "EUR", "JPY", "next week", "date"),
        (f64::NAN, "EUR", "JPY", "", "amount"),
        (f64::INFINITY, "EUR", "JPY", "", "amount"),
        (1e16, "EUR", "JPY", "", "amount"),
        (1.0, "", "JPY", "", "from"),
        (1.0, "EUR", "  ", "", "to"),
    ] {
        let (code, details) = convert(amount, from, to, date).await.unwrap_err();
        let error = details.tool_error.unwrap();
        assert_eq!((code, error.category()), (Code::InvalidArgument, Category::InputError));
        assert_eq!(error.field_violations[0].path, field);
    }
}

#[tokio::test]
async fn amounts_of_any_sign_and_size_within_the_bounds_are_converted() {
    for amount in [0.0, -12.5, 1e-9, 1e15] {
        assert_eq!(convert(amount, "EUR", "IDR", "").await.unwrap().amount, amount * 20275.17);
    }
}

#[tokio::test]
async fn an_enormous_text_is_answered_within_the_bounds_of_a_status() {
    let (_, details) = convert(1.0, &"€uro ".repeat(20_000), "JPY", "").await.unwrap_err();
    assert!(details.tool_error.unwrap().message.len() < 300);
}

#[tokio::test]
async fn a_rate_without_from_is_the_euros() {
    let request = GetRateRequest { to: "USD".into(), date: "2020-01-02".into(), ..Default::default() };
    let answer = SERVICE.get_rate(Request::new(request)).await.unwrap().into_inner();
    assert_eq!((answer.rate, answer.from.as_str(), answer.date.as_str()), (1.1193, "EUR", "2020-01-02"));
    assert_eq!(answer.explanation, "1 EUR is 1.1193 USD at the ECB reference rate of 2020-01-02.");
}

#[tokio::test]
async fn the_list_has_every_currency_with_its_days() {
    let answer = SERVICE.list_currencies(Request::new(ListCurrenciesRequest {})).await.unwrap().into_inner();
    assert_eq!((answer.currencies.len(), answer.date.as_str()), (42, "2026-10-30"));
    assert_eq!(
        answer.explanation,
        "42 currencies have ECB reference rates; 30 of them still do on 2026-10-30."
    );
    let kroon = answer.currencies.iter().find(|one| one.code == "EEK").unwrap();
    assert_eq!((kroon.name.as_str(), kroon.last_date.as_str()), ("Estonian Kroon", "2010-12-31"));
}

#[test]
fn the_hints_know_every_code_and_every_noun() {
    let proto = include_str!("../proto/currency.proto");
    for line in include_str!("../data/names.tsv").lines() {
        let [code, kind, text, _] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        assert!(proto.contains(&format!("\"{code}\"")), "{code}");
        assert!(kind != "noun" || proto.contains(&format!("\"{}\"", text.to_lowercase())), "{text}");
    }
}
