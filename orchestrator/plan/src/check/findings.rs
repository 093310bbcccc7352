//! The report, while it is written.

use convoke_proto::v1::PlanReport;
use convoke_proto::v1::plan_report::{Finding, Rule, Severity};

/// Findings of one check, bounded in number.
#[derive(Debug)]
pub(crate) struct Findings {
    found: Vec<(usize, Finding)>,
    most: usize,
    left_out: usize,
    errors: bool,
}

/// Where a finding is: in a step, or in the plan as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) step: Option<(usize, &'a str)>,
    pub(crate) path: &'a str,
}

// === impl At ===

impl<'a> At<'a> {
    /// In the plan itself.
    pub(crate) fn plan(path: &'a str) -> Self {
        Self { step: None, path }
    }

    /// In the step with that position and id.
    pub(crate) fn step(position: usize, id: &'a str, path: &'a str) -> Self {
        Self { step: Some((position, id)), path }
    }
}

// === impl Findings ===

impl Findings {
    pub(crate) fn new(most: usize) -> Self {
        Self { found: Vec::new(), most, left_out: 0, errors: false }
    }

    pub(crate) fn error(&mut self, at: At<'_>, rule: Rule, message: impl Into<String>) {
        self.add(Severity::Error, at, rule, message.into(), String::new());
    }

    pub(crate) fn suggest(&mut self, at: At<'_>, rule: Rule, message: impl Into<String>, suggestion: String) {
        self.add(Severity::Error, at, rule, message.into(), suggestion);
    }

    pub(crate) fn warning(&mut self, at: At<'_>, rule: Rule, message: impl Into<String>) {
        self.add(Severity::Warning, at, rule, message.into(), String::new());
    }

    pub(crate) fn note(&mut self, at: At<'_>, rule: Rule, message: impl Into<String>) {
        self.add(Severity::Note, at, rule, message.into(), String::new());
    }

    /// Whether what comes next is only counted: then nothing has to be worked out for it.
    pub(crate) fn full(&self) -> bool {
        self.found.len() >= self.most
    }

    /// Whether the plan must not run.
    pub(crate) fn has_errors(&self) -> bool {
        self.errors
    }

    /// The report: what concerns the plan as a whole first, then step by step.
    pub(crate) fn into_report(mut self) -> PlanReport {
        self.found.sort_by_key(|(order, _)| *order);
        let mut findings: Vec<Finding> = self.found.into_iter().map(|(_, finding)| finding).collect();
        if self.left_out > 0 {
            findings.push(Finding {
                severity: if self.errors { Severity::Error } else { Severity::Note }.into(),
                rule: Rule::LimitExceeded.into(),
                message: format!("{} more findings are left out", self.left_out),
                ..Default::default()
            });
        }
        PlanReport { findings }
    }

    fn add(&mut self, severity: Severity, at: At<'_>, rule: Rule, message: String, suggestion: String) {
        self.errors |= severity == Severity::Error;
        if self.full() {
            self.left_out += 1;
            return;
        }
        let (order, step_id) = at.step.map_or((0, ""), |(position, id)| (position + 1, id));
        let finding = Finding {
            severity: severity.into(),
            step_id: shown(step_id),
            path: shown(at.path),
            rule: rule.into(),
            message: shown(&message),
            suggestion: shown(&suggestion),
        };
        self.found.push((order, finding));
    }
}

/// A text as a report tells it: ids, keys and values come from the plan, and may be as long as that.
fn shown(text: &str) -> String {
    const MOST: usize = 500;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
