//! Many outputs become one: LAST, REPORT, MERGE.
//!
//! | mode | `result` | `explanation` | `metadata` |
//! |---|---|---|---|
//! | LAST | the last required step's | that step's | that step's |
//! | REPORT | `steps[] {id, capability, status, explanation, result}`, every step | the steps' own, a line each | none |
//! | MERGE | `{output_key: result}` of the steps that succeeded | the steps' own, a line each | none |
//!
//! The combined confidence is the least of the required steps'. A plan without a required step answers, with LAST, by
//! the last step that succeeded. A failure is a failure: its output has the error and, with REPORT alone, the report
//! of what was done before it.

use convoke_plan::CheckedStep;
use convoke_proto::v1::DomainOutput;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::execution_plan::CombineMode;
use convoke_proto::v1::step_record::State;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};

/// How a step ended, as far as the combined output needs it.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) state: State,
    /// The output, where [`keeps`] says that it is needed.
    pub(crate) output: Option<DomainOutput>,
    /// The output's confidence.
    pub(crate) confidence: f64,
}

/// Whether the output of a step that succeeded is needed once more when the plan has ended.
pub(crate) fn keeps(mode: CombineMode, steps: &[CheckedStep], step: usize) -> bool {
    match mode {
        CombineMode::Report | CombineMode::Merge => true,
        CombineMode::Last | CombineMode::Unspecified => match last_required(steps) {
            Some(last) => step == last,
            None => true,
        },
    }
}

/// The output of a plan whose required steps all succeeded.
pub(crate) fn succeeded(mode: CombineMode, steps: &[CheckedStep], outcomes: &mut [Outcome]) -> DomainOutput {
    let confidence = least_confidence(steps, outcomes);
    let output = match mode {
        CombineMode::Report => report(steps, outcomes),
        CombineMode::Merge => merge(steps, outcomes),
        CombineMode::Last | CombineMode::Unspecified => last(steps, outcomes),
    };
    match output.status() {
        Status::Success => DomainOutput { confidence, ..output },
        Status::Failure | Status::Clarification | Status::Unspecified => output,
    }
}

/// The output of a plan that ended with `ending`: a failure, a clarification, a cancellation.
pub(crate) fn ended(
    mode: CombineMode,
    ending: DomainOutput,
    steps: &[CheckedStep],
    outcomes: &mut [Outcome],
) -> DomainOutput {
    match mode {
        CombineMode::Report => DomainOutput { result: report(steps, outcomes).result, ..ending },
        CombineMode::Last | CombineMode::Merge | CombineMode::Unspecified => ending,
    }
}

fn last_required(steps: &[CheckedStep]) -> Option<usize> {
    steps.iter().rposition(|step| step.required)
}

/// With no required step, the last that succeeded; with none of those, the last that says why.
fn last(steps: &[CheckedStep], outcomes: &mut [Outcome]) -> DomainOutput {
    let place = last_required(steps)
        .or_else(|| outcomes.iter().rposition(|outcome| outcome.state == State::Succeeded))
        .or_else(|| outcomes.iter().rposition(|outcome| outcome.output.is_some()));
    place
        .and_then(|place| outcomes.get_mut(place))
        .and_then(|outcome| outcome.output.take())
        .unwrap_or_default()
}

fn report(steps: &[CheckedStep], outcomes: &mut [Outcome]) -> DomainOutput {
    let explanation = explanations(outcomes);
    let entries = steps.iter().zip(outcomes).map(|(step, outcome)| {
        let output = outcome.output.take().unwrap_or_default();
        let status = match outcome.state {
            State::Skipped | State::Cancelled => outcome.state.as_str_name(),
            _ => output.status().as_str_name(),
        };
        object([
            ("id", text(step.id.to_string())),
            ("capability", text(step.capability.name.clone())),
            ("status", text(status.to_owned())),
            ("explanation", text(output.explanation)),
            ("result", output.result.map_or(Kind::NullValue(0), Kind::StructValue)),
        ])
    });
    let values = entries.map(|entry| Value { kind: Some(Kind::StructValue(entry)) }).collect();
    success(object([("steps", Kind::ListValue(ListValue { values }))]), explanation)
}

fn merge(steps: &[CheckedStep], outcomes: &mut [Outcome]) -> DomainOutput {
    let explanation = explanations(outcomes);
    let fields = steps.iter().zip(outcomes).filter(|(_, outcome)| outcome.state == State::Succeeded);
    let fields = fields.map(|(step, outcome)| {
        let result = outcome.output.take().and_then(|output| output.result).unwrap_or_default();
        (step.output_key.to_string(), Value { kind: Some(Kind::StructValue(result)) })
    });
    success(Struct { fields: fields.collect() }, explanation)
}

fn success(result: Struct, explanation: String) -> DomainOutput {
    DomainOutput {
        status: Status::Success.into(),
        result: Some(result),
        explanation,
        ..DomainOutput::default()
    }
}

fn explanations(outcomes: &[Outcome]) -> String {
    let outputs = outcomes.iter().filter_map(|outcome| outcome.output.as_ref());
    let lines = outputs.map(|output| output.explanation.as_str()).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn least_confidence(steps: &[CheckedStep], outcomes: &[Outcome]) -> f64 {
    let required = steps.iter().zip(outcomes).filter(|(step, _)| step.required);
    required.map(|(_, outcome)| outcome.confidence).fold(1.0, f64::min)
}

fn object<const N: usize>(fields: [(&str, Kind); N]) -> Struct {
    let fields = fields.into_iter().map(|(name, kind)| (name.to_owned(), Value { kind: Some(kind) }));
    Struct { fields: fields.collect() }
}

fn text(text: String) -> Kind {
    Kind::StringValue(text)
}
