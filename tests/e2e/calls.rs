//! One capability called with parameters that somebody wrote by hand.

use convoke_tests::convoke;

use crate::values::{at, close, list, newest_rate, number, text};

#[tokio::test]
async fn a_number_written_as_text_is_mended_on_the_record() {
    let parameters = r#"{"amount":"250","from":"Euro","to":"JPY"}"#;
    let answer = convoke(&["call", "--embedded", "convert_currency", parameters, "--json"]).await.exits(0);

    assert_eq!(text(&answer, "/output/status"), "SUCCESS");
    close(number(&answer, "/output/result/amount"), 250.0 * newest_rate("JPY").1);
    let entries = list(&answer, "/step/coercion/entries");
    let amount = entries.iter().find(|entry| entry["path"] == "amount").expect("an entry for amount");
    assert_eq!(amount["rule"], "TEXT_TO_NUMBER");
    assert_eq!(amount["op"], "SET");
    assert_eq!(amount["before"], "\"250\"");
    assert_eq!(amount["after"], "250");
    assert_eq!(amount["lossless"], true);
}

#[tokio::test]
async fn a_word_for_a_number_is_refused_before_any_call() {
    let parameters = r#"{"amount":"lots","from":"Euro","to":"JPY"}"#;
    let answer = convoke(&["call", "--embedded", "convert_currency", parameters, "--json"]).await.exits(2);

    assert_eq!(text(&answer, "/output/status"), "FAILURE");
    assert_eq!(text(&answer, "/output/error/code"), "PARAMETERS_INVALID");
    assert_eq!(text(&answer, "/output/error/category"), "INPUT_ERROR");
    assert_eq!(text(&answer, "/output/error/outcome"), "NOT_STARTED");
    let violation = at(&answer, "/output/error/field_violations/0");
    assert_eq!(violation["path"], "amount");
    assert!(text(violation, "/expected").contains("number"));
    assert_eq!(violation["got"], "\"lots\"");
    assert_eq!(list(&answer, "/step/attempts").len(), 0);
}

#[tokio::test]
async fn every_mistake_is_reported_at_once() {
    let parameters = r#"{"amout": true, "from": ["Euro"]}"#;
    let answer = convoke(&["call", "--embedded", "convert_currency", parameters, "--json"]).await.exits(2);

    let violations = list(&answer, "/output/error/field_violations");
    let rules: Vec<_> = violations.iter().map(|violation| (&violation["path"], &violation["rule"])).collect();
    for expected in ["UNKNOWN_FIELD", "WRONG_TYPE", "MISSING"] {
        assert!(rules.iter().any(|(_, rule)| *rule == expected), "no {expected} in {rules:?}");
    }
    let misspelt =
        violations.iter().find(|violation| violation["rule"] == "UNKNOWN_FIELD").expect("found above");
    assert_eq!(misspelt["suggestion"], "amount");
}

#[tokio::test]
async fn an_unknown_capability_is_refused_with_the_nearest_names() {
    let answer = convoke(&["call", "--embedded", "convert_curency", "{}", "--json"]).await.exits(2);

    assert_eq!(text(&answer, "/error/code"), "CAPABILITY_NOT_FOUND");
    assert!(text(&answer, "/error/details/candidates").contains("convert_currency"));
}

#[tokio::test]
async fn a_domain_may_stand_before_the_capability() {
    let answer =
        convoke(&["call", "--embedded", "currency.get_rate", r#"{"from":"EUR","to":"JPY"}"#, "--json"]).await;

    close(number(&answer.exits(0), "/output/result/rate"), newest_rate("JPY").1);
}

#[tokio::test]
async fn what_a_struct_cannot_carry_is_refused_and_not_lost() {
    let twice =
        convoke(&["call", "--embedded", "get_rate", r#"{"from":"EUR","from":"USD","to":"JPY"}"#, "--json"])
            .await;
    assert_eq!(text(&twice.exits(2), "/error/field_violations/0/rule"), "DUPLICATE_FIELD");

    let broken = convoke(&["call", "--embedded", "get_rate", "{\"from\": }", "--json"]).await;
    assert_eq!(text(&broken.exits(2), "/error/field_violations/0/rule"), "INVALID_JSON");

    let list = convoke(&["call", "--embedded", "get_rate", "[]", "--json"]).await;
    assert_eq!(text(&list.exits(2), "/error/field_violations/0/rule"), "WRONG_TYPE");
}

#[tokio::test]
async fn a_reference_is_text_in_the_parameters_of_a_call() {
    let parameters = r#"{"amount": 1, "from": "${1.result.amount}", "to": "JPY"}"#;
    let answer = convoke(&["call", "--embedded", "convert_currency", parameters, "--json"]).await.exits(1);

    assert_eq!(text(&answer, "/output/error/category"), "NOT_FOUND");
    assert!(text(&answer, "/output/error/message").contains("${1.result.amount}"));
}
