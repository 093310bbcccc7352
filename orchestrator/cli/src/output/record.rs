//! What happened, in words: intent, plan, steps, corrections, findings, errors, and the answer.

use std::fmt::Write as _;

use convoke_proto::v1::{
    Clarification, CoercionReport, DomainOutput, ExecutionPlan, IntentOutput, PlanReport, StepRecord,
    ToolError, Violation, domain_output, execution_event, step_record,
};
use convoke_schema::Value;

/// `Intent  units.CONVERT (97 %)`, or nothing where there is none.
pub(crate) fn intent(intent: Option<&IntentOutput>) -> String {
    match intent {
        Some(intent) if !intent.goal.is_empty() => {
            format!("Intent  {}.{} ({:.0} %)", intent.primary_domain, intent.goal, intent.confidence * 100.0)
        }
        _ => String::new(),
    }
}

/// The plan's steps, one line each, with their parameters and edges.
pub(crate) fn plan(plan: &ExecutionPlan) -> String {
    let steps = plan.steps.len();
    let mut text = format!(
        "Plan    {steps} step{}, {}, combined by {}",
        if steps == 1 { "" } else { "s" },
        plan.execution_mode().as_str_name(),
        plan.combine_mode().as_str_name()
    );
    for step in &plan.steps {
        let params = Value::from(step.params.clone().unwrap_or_default());
        let _ = write!(
            text,
            "\n  {}  {}  {}",
            step.id,
            qualified(&step.domain, &step.capability),
            params.to_text()
        );
        if !step.depends_on.is_empty() {
            let _ = write!(text, "  after {}", step.depends_on.join(", "));
        }
    }
    text
}

/// One event of an execution; nothing for what a person need not see.
pub(crate) fn event(kind: &execution_event::Kind) -> String {
    use execution_event::Kind;
    match kind {
        Kind::Started(started) => {
            let parts = [
                intent(started.intent.as_ref()),
                started.plan.as_ref().map(plan).unwrap_or_default(),
                started.plan_report.as_ref().map(findings).unwrap_or_default(),
            ];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Kind::StepStarted(step) => format!("Step {}  started", step.step_id),
        Kind::StepEnded(ended) => ended.step.as_ref().map(step).unwrap_or_default(),
        Kind::Progress(progress) => format!("Step {}  {}", progress.step_id, progress.message),
        Kind::Ended(_) => String::new(),
    }
}

/// How a step ended: its state, time and instance, then what was corrected, then what failed.
pub(crate) fn step(step: &StepRecord) -> String {
    let mut text = format!(
        "Step {}  {}  {}{}",
        step.step_id,
        qualified(&step.domain, &step.capability),
        step.state().as_str_name().to_lowercase(),
        step.elapsed.as_ref().map(elapsed).unwrap_or_default()
    );
    if let Some(attempt) = step.attempts.last() {
        let _ = write!(text, "  by {}", attempt.instance);
    }
    if step.attempts.len() > 1 {
        let _ = write!(text, ", attempt {}", step.attempts.len());
    }
    if let Some(report) = &step.coercion {
        text.push_str(&corrections(report));
    }
    let failed = step.state() != step_record::State::Succeeded;
    if let Some(reason) = step.output.as_ref().and_then(|output| output.error.as_ref()).filter(|_| failed) {
        let _ = write!(text, "\n  {}", indent(&error(reason)));
    }
    text
}

fn corrections(report: &CoercionReport) -> String {
    let mut text = String::new();
    for entry in &report.entries {
        let place = if entry.path.is_empty() { "the whole value" } else { &entry.path };
        let change = match (entry.before.as_str(), entry.after.as_str()) {
            ("", after) => format!("is {after}"),
            (before, "") => format!("{before} removed"),
            (before, after) => format!("{before} → {after}"),
        };
        let _ = write!(text, "\n  {place}: {change}  ({}", entry.rule().as_str_name());
        text.push_str(if entry.lossless { ")" } else { ", lossy)" });
    }
    text
}

/// The answer itself.
pub(crate) fn output(output: &DomainOutput) -> String {
    match output.status() {
        domain_output::Status::Success => success(output),
        domain_output::Status::Clarification => {
            output.clarification.as_ref().map_or_else(|| output.explanation.clone(), clarification)
        }
        domain_output::Status::Failure | domain_output::Status::Unspecified => {
            output.error.as_ref().map_or_else(|| "error: the execution failed".to_owned(), error)
        }
    }
}

fn success(output: &DomainOutput) -> String {
    let result = output.result.clone().map(|result| Value::from(result).to_text()).unwrap_or_default();
    match output.explanation.as_str() {
        "" => result,
        explanation => format!("{explanation}\n{result}"),
    }
}

/// A question with its candidates.
pub(crate) fn clarification(clarification: &Clarification) -> String {
    let mut text = clarification.question.clone();
    for candidate in &clarification.candidates {
        let value = candidate.value.clone().map(|value| Value::from(value).to_text()).unwrap_or_default();
        let _ = write!(text, "\n  {value}");
        for word in [&candidate.label, &candidate.description] {
            if !word.is_empty() && *word != value {
                let _ = write!(text, "  {word}");
            }
        }
    }
    text
}

/// What the check of a plan found, one line each; nothing where it found nothing.
pub(crate) fn findings(report: &PlanReport) -> String {
    let lines = report.findings.iter().map(|finding| {
        let mut line = format!(
            "{}  {}  {}  {}",
            finding.severity().as_str_name().to_lowercase(),
            finding.path,
            finding.rule().as_str_name(),
            finding.message
        );
        if !finding.suggestion.is_empty() {
            let _ = write!(line, "; did you mean {}?", finding.suggestion);
        }
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A typed error: what, where, and what to do.
pub(crate) fn error(error: &ToolError) -> String {
    let mut text = format!("error: {} ({}, {})", error.message, error.code, error.category().as_str_name());
    for violation in &error.field_violations {
        let _ = write!(text, "\n  {}", self::violation(violation));
    }
    if let Some(candidates) = error.details.get("candidates") {
        let _ = write!(text, "\n  nearest: {candidates}");
    }
    if !error.remediation_hint.is_empty() {
        let _ = write!(text, "\n  {}", error.remediation_hint);
    }
    text
}

fn violation(violation: &Violation) -> String {
    let place = if violation.path.is_empty() { "the whole value" } else { &violation.path };
    let mut text = format!("{place}: expected {}", violation.expected);
    if !violation.got.is_empty() {
        let _ = write!(text, ", got {}", violation.got);
    }
    let _ = write!(text, "  ({})", violation.rule().as_str_name());
    if !violation.suggestion.is_empty() {
        let _ = write!(text, "; did you mean {}?", violation.suggestion);
    }
    text
}

fn qualified(domain: &str, capability: &str) -> String {
    if domain.is_empty() { capability.to_owned() } else { format!("{domain}.{capability}") }
}

fn elapsed(duration: &prost_types::Duration) -> String {
    let millis = duration.seconds as f64 * 1e3 + f64::from(duration.nanos) / 1e6;
    format!(" in {millis:.1} ms")
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}
