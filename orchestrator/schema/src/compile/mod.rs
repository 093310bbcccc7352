//! A message descriptor and all that it reaches, compiled once.
//!
//! ```text
//! descriptors ──types──▶ graph ──rules──▶ constraints read by each field's own row ──defaults──▶ checked defaults
//! ```
//!
//! Each stage reads the graph that the one before it left; every mistake of every stage is collected.

mod buf_validate;
mod defaults;
mod enums;
mod field;
mod json_schema;
mod options;
mod rules;
mod satisfiable;
mod types;
mod well_known;

use crate::defect::{Defect, DefectRule};
use crate::graph::Graph;
use crate::limits::Limits;
use prost_reflect::MessageDescriptor;

pub(crate) use self::defaults::example;

/// Compiles a message; it is message 0 of the graph.
pub(crate) fn compile(message: &MessageDescriptor, limits: &Limits) -> Result<Graph, Vec<Defect>> {
    let (graph, defects) = read(message, limits);
    if defects.is_empty() { Ok(graph) } else { Err(defects) }
}

/// Everything that is wrong with a message, and after it what nobody enforces.
pub(crate) fn check(message: &MessageDescriptor) -> Vec<Defect> {
    let (graph, mut defects) = read(message, &Limits::default());
    defects.extend(graph.not_enforced);
    defects
}

/// The graph is of use only where there is no defect.
fn read(message: &MessageDescriptor, limits: &Limits) -> (Graph, Vec<Defect>) {
    let mut defects = Vec::new();
    let mut options = options::Options::new(message.parent_pool());
    let mut graph = types::collect(message, &mut options, *limits, &mut defects);
    rules::compile(&mut graph, &mut defects);
    buf_validate::compile(&mut graph, &mut options, &mut defects);
    json_schema::compile(&mut graph, &mut defects);
    satisfiable::check(&graph, &mut defects);
    // A default can be judged only by types and constraints that are sound themselves.
    if defects.is_empty() {
        defaults::compile(&mut graph, &mut defects);
    } else {
        defaults::check_sound(&graph, &mut defects);
    }
    (graph, defects)
}

fn defect(path: &str, rule: DefectRule, message: impl Into<String>) -> Defect {
    Defect { path: path.to_owned(), rule, message: message.into() }
}
