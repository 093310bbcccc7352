//! A sentence through the whole mesh and back.

use convoke_tests::{Agent, Mesh, convoke};

use crate::values::{close, list, newest_rate, number, text};

#[tokio::test]
async fn dev_answers_a_sentence_with_the_shipped_rate_and_the_record_of_what_happened() {
    let answer = convoke(&["dev", "--json", "Convert 250 Euro to yen"]).await.exits(0);

    let (date, rate) = newest_rate("JPY");
    assert_eq!(text(&answer, "/output/status"), "SUCCESS");
    assert_eq!(text(&answer, "/output/result/date"), date);
    close(number(&answer, "/output/result/rate"), rate);
    close(number(&answer, "/output/result/amount"), 250.0 * rate);
    assert_eq!(text(&answer, "/intent/primary_domain"), "currency");
    assert_eq!(text(&answer, "/intent/original_query"), "Convert 250 Euro to yen");
    assert_eq!(text(&answer, "/plan/steps/0/capability"), "convert_currency");
    assert!(text(&answer, "/plan/steps/0/contract_digest").starts_with("sha256:"));
    assert_eq!(list(&answer, "/plan_report/findings").len(), 0);
    assert_eq!(text(&answer, "/steps/0/state"), "SUCCEEDED");
    assert_eq!(text(&answer, "/steps/0/attempts/0/code"), "OK");
    assert!(!text(&answer, "/execution_id").is_empty());
}

#[tokio::test]
async fn a_person_reads_the_plan_each_step_and_the_answer() {
    let answer = convoke(&["dev", "Convert 250 Euro to yen"]).await;

    assert_eq!(answer.code, 0, "{answer:#?}");
    let (date, _) = newest_rate("JPY");
    for expected in ["Plan", "currency.convert_currency", "succeeded", &date, "EUR", "JPY"] {
        assert!(answer.stdout.contains(expected), "no {expected:?} in {answer:#?}");
    }
}

#[tokio::test]
async fn two_domains_that_share_a_verb_are_told_apart_by_their_own_protos() {
    let mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    let _units = Agent::units(&mesh.registry());
    mesh.sees("currency").await;
    mesh.sees("units").await;

    let money = mesh.convoke(&["ask", "--json", "Convert 250 Euro to yen"]).await.exits(0);
    assert_eq!(text(&money, "/steps/0/domain"), "currency");

    let distance = mesh.convoke(&["ask", "--json", "Convert 5 miles to kilometres"]).await.exits(0);
    assert_eq!(text(&distance, "/steps/0/domain"), "units");
    // A mile is 1609.344 m.
    close(number(&distance, "/output/result/value"), 8.04672);
    assert!(distance.pointer("/output/error").is_none());
}
