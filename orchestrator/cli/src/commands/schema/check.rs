//! `convoke schema check`: what is wrong with declarations, and which rules in them nobody enforces.

use std::collections::HashSet;
use std::io::{self, Write as _};

use convoke_schema::{Note, NoteKind, Schema};
use prost_reflect::MessageDescriptor;
use serde_json::{Value, json};

use super::problem::Problem;
use super::source::Source;
use crate::exit::{Ending, Exit};

pub(super) fn run(source: &Source, message: Option<&str>) -> Ending {
    let messages = match message {
        Some(name) => vec![source.message(Some(name))?],
        None => source.messages(),
    };
    // A default that its own schema refuses is wrong. How else the message differs from a JSON Schema is told beside.
    let (wrong, told): (Vec<&Note>, Vec<&Note>) =
        source.notes().iter().partition(|note| note.kind == NoteKind::BadValue);
    for note in told {
        writeln!(io::stderr(), "note: {}", Problem::from(note))?;
    }
    let mut all: Vec<Problem> = wrong.into_iter().map(Problem::from).collect();
    all.extend(problems(&messages));
    print(&all)
}

/// Prints the problems; the exit says whether there are any.
pub(super) fn print(problems: &[Problem]) -> Ending {
    let list: Vec<Value> = problems.iter().map(Problem::to_json).collect();
    writeln!(io::stdout().lock(), "{:#}", json!({ "problems": list }))?;
    Ok(if problems.is_empty() { Exit::Success } else { Exit::Refused })
}

/// Each problem once, though several messages may hold the one that has it.
fn problems(messages: &[MessageDescriptor]) -> Vec<Problem> {
    let mut seen = HashSet::new();
    let mut problems = Vec::new();
    for message in messages {
        for problem in Schema::check(message).into_iter().map(Problem::from) {
            if seen.insert((problem.path.clone(), problem.rule.clone(), problem.message.clone())) {
                problems.push(problem);
            }
        }
    }
    problems
}
