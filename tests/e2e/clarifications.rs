//! When the mesh asks back instead of guessing.

use convoke_tests::convoke;
use serde_json::Value;

use crate::values::{list, text};

#[tokio::test]
async fn what_nobody_can_do_gets_candidates_and_no_plan() {
    for sentence in ["write me a poem", "Convert 5"] {
        let answer = convoke(&["dev", "--json", sentence]).await.exits(3);
        assert_eq!(text(&answer, "/output/status"), "CLARIFICATION", "{sentence}");
        assert!(!list(&answer, "/output/clarification/candidates").is_empty(), "{sentence}");
        assert!(answer.pointer("/plan").is_none(), "{sentence}");
        assert!(list(&answer, "/steps").is_empty(), "{sentence}");
    }
}

#[tokio::test]
async fn an_ambiguous_word_is_the_agents_own_question() {
    let answer = convoke(&["dev", "--json", "Convert 100 dollars to yen"]).await.exits(3);

    assert_eq!(text(&answer, "/output/status"), "CLARIFICATION");
    assert_eq!(text(&answer, "/output/clarification/parameter"), "from");
    assert_eq!(text(&answer, "/output/clarification/token"), "");
    let candidates: Vec<&Value> = list(&answer, "/output/clarification/candidates")
        .iter()
        .map(|candidate| &candidate["value"])
        .collect();
    for code in ["USD", "AUD", "CAD"] {
        assert!(candidates.iter().any(|value| *value == code), "no {code} in {candidates:?}");
    }
    assert_eq!(list(&answer, "/steps").len(), 1);
}

#[tokio::test]
async fn a_person_reads_the_question_and_its_candidates() {
    let answer = convoke(&["dev", "Convert 100 dollars to yen"]).await;

    assert_eq!(answer.code, 3, "{answer:#?}");
    assert!(answer.stdout.contains("USD") && answer.stdout.contains("CAD"), "{answer:#?}");
}
