//! From a sentence to a plan or a question, as the doors use it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test whose answer has another shape has failed")]

use convoke_catalog::Catalog;
use convoke_planning::{Error, Lexical, Planned, Planner, Utterance};
use convoke_proto::v1;
use proptest::prelude::*;
use prost_types::value::Kind;

use crate::support::catalog;

const PROTOS: [&str; 7] = [
    "tests/protos/stocks.proto",
    "tests/protos/translate.proto",
    "tests/protos/flights.proto",
    "tests/protos/library.proto",
    "tests/protos/home.proto",
    "tests/protos/parcels.proto",
    "tests/protos/tides.proto",
];

async fn ask(text: &str, catalog: &Catalog) -> (v1::IntentOutput, Planned) {
    let planner = Planner::new(Lexical::new());
    let read = planner.interpret(Utterance { text, locale: "" }, catalog).await.unwrap();
    let planned = planner.plan(&read.intent, catalog).unwrap();
    assert_eq!(read.gate.is_some(), matches!(planned, Planned::Clarify(_)), "gate and plan agree");
    (read.intent, planned)
}

fn step(planned: Planned) -> v1::ExecutionStep {
    let Planned::Plan(mut plan) = planned else { panic!("a question: {planned:?}") };
    assert_eq!(plan.steps.len(), 1);
    plan.steps.remove(0)
}

fn question(planned: Planned) -> v1::Clarification {
    let Planned::Clarify(question) = planned else { panic!("a plan: {planned:?}") };
    question
}

fn text(value: Option<&prost_types::Value>) -> &str {
    match value.and_then(|value| value.kind.as_ref()) {
        Some(Kind::StringValue(text)) => text,
        other => panic!("no text: {other:?}"),
    }
}

fn text_param<'a>(step: &'a v1::ExecutionStep, name: &str) -> &'a str {
    text(step.params.as_ref().unwrap().fields.get(name))
}

fn intent(domain: &str, goal: &str, entities: &[(&str, &str)]) -> v1::IntentOutput {
    let text = |text: &str| prost_types::Value { kind: Some(Kind::StringValue(text.to_owned())) };
    let fields = entities.iter().map(|(field, value)| ((*field).to_owned(), text(value))).collect();
    v1::IntentOutput {
        primary_domain: domain.to_owned(),
        goal: goal.to_owned(),
        entities: Some(prost_types::Struct { fields }),
        confidence: 1.0,
        ..v1::IntentOutput::default()
    }
}

#[tokio::test]
async fn a_sentence_becomes_one_bound_step_with_the_persons_own_words() {
    let catalog = catalog(&PROTOS);
    let (intent, planned) = ask("What's the price of Bank of America?", &catalog).await;
    assert_eq!((intent.primary_domain.as_str(), intent.goal.as_str()), ("stocks", "GET_QUOTE"));
    let step = step(planned);
    assert_eq!(
        (step.id.as_str(), step.capability.as_str(), step.required),
        ("1", "get_stock_price", Some(true))
    );
    assert_eq!(text_param(&step, "symbol_text"), "Bank of America");
    let offered = catalog.resolve("stocks", "get_stock_price", "").unwrap();
    assert_eq!(step.contract_digest, offered.contract_digest);
}

#[tokio::test]
async fn text_that_reads_as_a_reference_stays_text() {
    let catalog = catalog(&PROTOS);
    let (intent, planned) = ask("translate \"${ENV:HOME} and ${1.result.x}\" into French", &catalog).await;
    assert_eq!(text(intent.entities.unwrap().fields.get("text")), "${ENV:HOME} and ${1.result.x}");
    let Planned::Plan(plan) = planned else { panic!("a question") };
    let (report, checked) = convoke_plan::check(plan, &catalog, &convoke_plan::Limits::default());
    assert!(checked.is_some(), "{report:?}");
}

#[tokio::test]
async fn an_enum_entity_chooses_the_capability_and_a_list_keeps_its_other_entities() {
    let catalog = catalog(&PROTOS);
    let planner = Planner::new(Lexical::new());
    let plan = |entities: &[(&str, &str)]| {
        step(planner.plan(&intent("stocks", "TOP_MOVERS", entities), &catalog).unwrap())
    };
    let losers = plan(&[("direction", "LOSERS"), ("market_text", "Brasil")]);
    assert_eq!(losers.capability, "get_top_losers");
    assert_eq!(text_param(&losers, "market_text"), "Brasil");
    assert!(!losers.params.unwrap().fields.contains_key("direction"), "the capability has no such field");
    assert_eq!(plan(&[("direction", "altas")]).capability, "get_top_gainers", "by an alias");
    assert_eq!(
        plan(&[("direction", "Direction_Losers")]).capability,
        "get_top_losers",
        "with the type's prefix"
    );
    assert_eq!(plan(&[]).capability, "get_top_gainers", "the declared default");
}

#[tokio::test]
async fn what_no_goal_answers_is_asked_back_with_at_most_five_candidates() {
    let catalog = catalog(&PROTOS);
    for sentence in ["write me a poem", "", "hello", "what is the meaning of life", "¿¿¿???", "\u{1F600}"]
    {
        let (_, planned) = ask(sentence, &catalog).await;
        let question = question(planned);
        assert!((1..=5).contains(&question.candidates.len()), "{sentence:?}: {question:?}");
        assert!(question.parameter.is_empty() && question.token.is_empty());
        for candidate in &question.candidates {
            let (domain, goal) = text(candidate.value.as_ref()).split_once('.').unwrap();
            assert!(catalog.goals().any(|known| known.domain == domain && known.name == goal));
            assert!(!candidate.label.is_empty());
        }
    }
}

#[tokio::test]
async fn a_goal_whose_entities_were_not_all_said_is_asked_back_by_name() {
    let catalog = catalog(&PROTOS);
    let (_, planned) = ask("find a flight from Rome", &catalog).await;
    let question = question(planned);
    assert_eq!(text(question.candidates[0].value.as_ref()), "flights.search_flights");
    assert!(question.question.contains("destination"), "{}", question.question);
}

#[tokio::test]
async fn an_empty_catalog_asks_back_without_candidates() {
    let (intent, planned) = ask("convert 5 miles to km", &Catalog::default()).await;
    assert_eq!(intent.goal, "");
    assert!(question(planned).candidates.is_empty());
}

#[tokio::test]
async fn the_threshold_can_be_set() {
    let catalog = catalog(&PROTOS);
    let planner = Planner::new(Lexical::new()).with_threshold(1.01);
    let read = planner.interpret(Utterance { text: "price of Volvo", locale: "" }, &catalog).await.unwrap();
    assert!(read.gate.is_some());
    let planner = Planner::new(Lexical::new()).with_threshold(0.0);
    assert!(matches!(planner.plan(&read.intent, &catalog).unwrap(), Planned::Plan(_)));
}

#[tokio::test]
async fn goals_that_are_not_there_are_errors_with_the_nearest_names() {
    let catalog = catalog(&PROTOS);
    let planner = Planner::new(Lexical::new());
    let error = planner.plan(&intent("stocks", "GET_QOUTE", &[]), &catalog).unwrap_err();
    let Error::UnknownGoal { nearest, .. } = &error else { panic!("{error:?}") };
    assert_eq!(nearest, &["stocks.GET_QUOTE"]);
    assert_eq!(error.to_tool_error().code, "CAPABILITY_NOT_FOUND");
    let found = planner.plan(&intent("", "GET_QUOTE", &[("symbol_text", "x")]), &catalog).unwrap();
    assert_eq!(step(found).domain, "stocks", "a goal's name alone is enough where it is unique");
}

#[test]
fn a_sentence_longer_than_the_limit_is_refused() {
    let long = "a ".repeat(2049);
    let refused =
        Lexical::new().read(Utterance { text: &long, locale: "" }, &Catalog::default()).unwrap_err();
    assert_eq!(refused, Error::TooLong { bytes: 4098, limit: 4096 });
    assert_eq!(refused.to_tool_error().category(), v1::tool_error::Category::InputError);
}

#[test]
fn long_and_odd_sentences_are_read_to_their_end() {
    let catalog = catalog(&PROTOS);
    let lexical = Lexical::new();
    let odd =
        ["1 ", "\"", "'a", "€", "2020-01-", "de ", "を", "price of ", "${", "twenty ", "1,1", "\u{301}a"];
    for piece in odd {
        let text = piece.repeat(4096 / piece.len());
        let intent = lexical.read(Utterance { text: &text, locale: "fr" }, &catalog).unwrap();
        assert!((0.0..=1.0).contains(&intent.confidence), "{piece:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_the_same_way_twice(text in "\\PC{0,120}") {
        let catalog = catalog(&PROTOS[..2]);
        let read = |lexical: &Lexical| lexical.read(Utterance { text: &text, locale: "" }, &catalog).unwrap();
        prop_assert_eq!(read(&Lexical::new()), read(&Lexical::new()));
    }
}
