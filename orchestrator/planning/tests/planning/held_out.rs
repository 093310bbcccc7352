//! How the lexical adapter does on sentences that stand in no hint.
//!
//! `held_out.tsv` was looked at while the adapter took shape (the hints in `protos/` were not touched for it), and
//! the threshold is chosen on it; `blind.tsv` was written afterwards (its head says what came of it). Both hold sentences in several languages
//! about seven domains, one of them without a single hint, and sentences that no goal answers.

#![allow(clippy::print_stdout, reason = "the figures are what the measurement is for")]

use convoke_planning::Lexical;

use crate::support::{Case, cases, catalog, read};

const DOMAINS: [&str; 7] = ["stocks", "translate", "flights", "library", "home", "parcels", "tides"];

/// What came of a set of sentences.
#[derive(Debug, Default)]
struct Measured {
    /// Sentences that a goal answers.
    asked: u32,
    /// Of these, with the right goal ranked first.
    goal: u32,
    /// Of these, at or above the threshold.
    answered: u32,
    /// Of those answered, with the right goal and every entity that the data names.
    right: u32,
    /// Sentences that no goal answers.
    outside: u32,
    /// Of these, at or above the threshold.
    outside_answered: u32,
}

fn measure(file: &str) -> Measured {
    let protos: Vec<String> = DOMAINS.iter().map(|domain| format!("tests/protos/{domain}.proto")).collect();
    let catalog = catalog(&protos.iter().map(String::as_str).collect::<Vec<_>>());
    let lexical = Lexical::new();
    let mut measured = Measured::default();
    for case in cases(file) {
        let Case { goal, locale, text, .. } = &case;
        let got = read(&lexical, &catalog, text, locale);
        let answered = got.confidence >= Lexical::THRESHOLD;
        match goal {
            None => {
                measured.outside += 1;
                measured.outside_answered += u32::from(answered);
                if answered {
                    println!("outside, answered {:.2}: {text:?} {}", got.confidence, got.goal);
                }
            }
            Some(goal) => {
                measured.asked += 1;
                measured.goal += u32::from(got.goal == *goal);
                measured.answered += u32::from(answered);
                measured.right += u32::from(answered && got.is(&case));
                if !answered || !got.is(&case) {
                    println!("{goal} {:.2}: {text:?} {} {:?}", got.confidence, got.goal, got.intent.entities);
                }
            }
        }
    }
    println!("{file}: {measured:?}");
    measured
}

/// `part` of `whole` is at least `percent` of it.
fn at_least(percent: u32, part: u32, whole: u32) -> bool {
    part * 100 >= whole * percent
}

#[test]
fn paraphrases_in_several_languages_find_their_goal_and_entities() {
    let measured = measure("held_out.tsv");
    assert!(measured.asked >= 100 && measured.outside >= 25);
    assert!(at_least(95, measured.goal, measured.asked), "{measured:?}");
    assert!(at_least(93, measured.answered, measured.asked), "{measured:?}");
    assert!(at_least(95, measured.right, measured.answered), "{measured:?}");
    assert!(!at_least(5, measured.outside_answered, measured.outside), "{measured:?}");
}

#[test]
fn sentences_written_afterwards_fare_about_as_well() {
    let measured = measure("blind.tsv");
    assert!(at_least(90, measured.goal, measured.asked), "{measured:?}");
    assert!(at_least(85, measured.answered, measured.asked), "{measured:?}");
    assert!(at_least(95, measured.right, measured.answered), "{measured:?}");
    assert!(!at_least(7, measured.outside_answered, measured.outside), "{measured:?}");
}
