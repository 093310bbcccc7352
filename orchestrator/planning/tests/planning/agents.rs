//! The bundled agents, told apart by their own protos alone.

use convoke_planning::Lexical;

use crate::support::{cases, catalog, read};

const CURRENCY: &str = "../../agents/currency/proto/currency.proto";
const UNITS: &str = "../../agents/units/proto/units.proto";

#[test]
fn a_sentence_goes_to_the_agent_that_knows_its_words() {
    let catalog = catalog(&[CURRENCY, UNITS]);
    let lexical = Lexical::new();
    for case in cases("agents.tsv") {
        let got = read(&lexical, &catalog, &case.text, &case.locale);
        let answered = got.confidence >= Lexical::THRESHOLD;
        match case.goal {
            None => assert!(!answered, "{:?} was answered: {:?}", case.text, got.intent),
            Some(_) => assert!(answered && got.is(&case), "{:?}: {:?}", case.text, got.intent),
        }
    }
}

#[test]
fn what_an_agent_lists_speaks_against_words_that_it_does_not() {
    let lexical = Lexical::new();
    let got = read(&lexical, &catalog(&[CURRENCY]), "Convert 5 miles to kilometres", "");
    assert!(got.confidence < Lexical::THRESHOLD, "{:?}", got.intent);
    let got = read(&lexical, &catalog(&[UNITS]), "Convert 250 Euro to yen", "");
    assert!(got.confidence < Lexical::THRESHOLD, "{:?}", got.intent);
}

#[test]
fn what_cannot_be_answered_names_the_nearest_goals() {
    let catalog = catalog(&[CURRENCY, UNITS]);
    let got = read(&Lexical::new(), &catalog, "Convert 5", "");
    let named: Vec<&str> = got.intent.alternatives.iter().map(|other| other.domain.as_str()).collect();
    assert!(got.goal == "units.convert_units" || got.goal == "currency.convert_currency", "{}", got.goal);
    assert!(named.contains(&"units") || named.contains(&"currency"));
}

#[test]
fn the_smallest_agent_s_sentence_fills_both_of_its_slots() {
    let catalog = catalog(&["../../sdk/rust/examples/greeter/proto/greeter.proto"]);
    for (text, name, language) in [
        ("Say hello to Ada in French", "Ada", "FRENCH"),
        ("say hello to ada in deutsch", "ada", "GERMAN"),
        ("Greet Grace Hopper in Japanese", "Grace Hopper", "JAPANESE"),
        ("say hello to Ada", "Ada", ""),
    ] {
        let got = read(&Lexical::new(), &catalog, text, "en");
        assert!(got.confidence >= Lexical::THRESHOLD, "{text}: {:?}", got.intent);
        assert_eq!(
            (got.entity("name").as_str(), got.entity("language").as_str()),
            (name, language),
            "{text}"
        );
    }
}
