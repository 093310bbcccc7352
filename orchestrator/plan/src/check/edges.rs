//! The edges of a plan: `depends_on` and references, and whether they may be there.

use std::collections::HashMap;

use convoke_proto::v1::ExecutionPlan;
use convoke_proto::v1::execution_plan::ExecutionMode;
use convoke_proto::v1::plan_report::Rule;

use super::findings::{At, Findings};
use super::frame::Frame;
use super::graph::{self, Edge, Waits};
use super::is_required;
use super::params::Params;

/// How many ids of a cycle are printed.
const SHOWN: usize = 20;

/// What each step waits for. Edges to steps that do not exist are findings and nothing else.
pub(crate) fn read(
    plan: &ExecutionPlan,
    frame: &Frame,
    params: &[Params],
    findings: &mut Findings,
) -> Vec<Waits> {
    let steps = plan.steps.iter().enumerate().zip(params);
    let waits: Vec<Waits> = steps
        .map(|((position, step), params)| {
            let mut edges = Vec::new();
            for (place, id) in step.depends_on.iter().enumerate() {
                let path = format!("steps[{position}].depends_on[{place}]");
                match frame.ids.get(id) {
                    Some(&producer) => edges.push(Edge { producer, path, survives: false, declared: true }),
                    None => unknown(At::step(position, &step.id, &path), id, &frame.ids, findings),
                }
            }
            for (reference, path) in &params.references {
                match frame.ids.get(&*reference.step) {
                    Some(&producer) => edges.push(Edge {
                        producer,
                        path: path.clone(),
                        survives: reference.survives_failure(),
                        declared: false,
                    }),
                    None => {
                        unknown(At::step(position, &step.id, path), &reference.step, &frame.ids, findings)
                    }
                }
            }
            Waits { edges }
        })
        .collect();
    match frame.mode {
        ExecutionMode::Parallel => misplaced(plan, &waits, findings),
        ExecutionMode::Sequential => against_the_order(plan, &waits, findings),
        ExecutionMode::Dag | ExecutionMode::Unspecified => cycles(plan, &waits, findings),
    }
    frail(plan, &waits, findings);
    waits
}

fn unknown(at: At<'_>, id: &str, ids: &HashMap<String, usize>, findings: &mut Findings) {
    if findings.full() {
        return findings.error(at, Rule::UnknownStep, "");
    }
    let shown: String = id.chars().take(64).collect();
    let mut known: Vec<&str> = ids.keys().map(String::as_str).collect();
    known.sort_unstable();
    let nearest = convoke_schema::nearest(&shown, known.into_iter());
    let suggestion = nearest.first().copied().unwrap_or_default().to_owned();
    findings.suggest(at, Rule::UnknownStep, format!("the plan has no step {shown:?}"), suggestion);
}

/// A PARALLEL plan has no edges.
fn misplaced(plan: &ExecutionPlan, waits: &[Waits], findings: &mut Findings) {
    for (position, edge) in edges(waits) {
        let message = format!(
            "in a PARALLEL plan no step waits for another, and this one waits for {:?}; DAG allows it",
            id(plan, edge.producer)
        );
        findings.error(At::step(position, id(plan, position), &edge.path), Rule::MisplacedEdge, message);
    }
}

/// In a SEQUENTIAL plan every step waits for the one before it: an edge to a later step closes a cycle.
fn against_the_order(plan: &ExecutionPlan, waits: &[Waits], findings: &mut Findings) {
    for (position, edge) in edges(waits).filter(|(position, edge)| edge.producer >= *position) {
        let back = (position..=edge.producer).rev();
        let way: Vec<usize> = std::iter::once(position).chain(back).take(SHOWN + 1).collect();
        let message = if edge.producer == position {
            format!("the step waits for itself: {}", printed(plan, &way))
        } else {
            format!(
                "a SEQUENTIAL plan runs in its order, and this waits for a later step: {}",
                printed(plan, &way)
            )
        };
        findings.error(At::step(position, id(plan, position), &edge.path), Rule::Cycle, message);
    }
}

fn cycles(plan: &ExecutionPlan, waits: &[Waits], findings: &mut Findings) {
    let graph: Vec<Vec<usize>> = waits.iter().map(Waits::producers).collect();
    for way in graph::cycles(&graph) {
        let (Some(&first), Some(&second)) = (way.first(), way.get(1)) else { continue };
        let because =
            waits.get(first).and_then(|waits| waits.edges.iter().find(|edge| edge.producer == second));
        let path = because.map(|edge| edge.path.as_str()).unwrap_or_default();
        let message = if first == second {
            format!("the step waits for itself: {}", printed(plan, &way))
        } else {
            format!("these steps wait for each other: {}", printed(plan, &way))
        };
        findings.error(At::step(first, id(plan, first), path), Rule::Cycle, message);
    }
}

/// A required step that cannot do without an optional one makes it required.
fn frail(plan: &ExecutionPlan, waits: &[Waits], findings: &mut Findings) {
    for (position, edge) in edges(waits).filter(|(_, edge)| !edge.survives && !edge.declared) {
        let required = |at: usize| plan.steps.get(at).is_some_and(is_required);
        if required(position) && !required(edge.producer) {
            let message = format!(
                "step {:?} is optional, and this required step fails with it; a default (`?? …`) would stand in",
                id(plan, edge.producer)
            );
            findings.warning(At::step(position, id(plan, position), &edge.path), Rule::BadReference, message);
        }
    }
}

fn edges(waits: &[Waits]) -> impl Iterator<Item = (usize, &Edge)> {
    waits
        .iter()
        .enumerate()
        .flat_map(|(position, waits)| waits.edges.iter().map(move |edge| (position, edge)))
}

fn id(plan: &ExecutionPlan, position: usize) -> &str {
    plan.steps.get(position).map(|step| step.id.as_str()).unwrap_or_default()
}

fn printed(plan: &ExecutionPlan, way: &[usize]) -> String {
    let mut ids: Vec<&str> = way.iter().take(SHOWN).map(|position| id(plan, *position)).collect();
    if way.len() > SHOWN {
        ids.push("…");
    }
    ids.join(" → ")
}
