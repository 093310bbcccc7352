//! Fits an error, a report or a question into so many bytes. Long texts are clipped first, then the last entries of
//! lists go, and what is left says what is missing.

use prost::Message;

use crate::v1::{
    Clarification, PlanReport, ToolError,
    plan_report::{Finding, Rule, Severity},
};

/// Room that the note on what was left out takes.
const NOTE: usize = 160;

/// The key in `details` under which a trimmed error says what is missing.
const TRIMMED: &str = "trimmed";

/// At most `most` bytes of `text`, cut between characters; a cut text ends with `…`.
pub(super) fn clip(text: &str, most: usize) -> String {
    const ELLIPSIS: char = '…';
    if text.len() <= most {
        return text.to_owned();
    }
    let mut clipped = text[..text.floor_char_boundary(most.saturating_sub(ELLIPSIS.len_utf8()))].to_owned();
    clipped.push(ELLIPSIS);
    clipped
}

/// `error` in at most `most` bytes.
pub(super) fn trim_error(error: &ToolError, most: usize) -> ToolError {
    let mut error = error.clone();
    if error.encoded_len() <= most {
        return error;
    }
    clip_all([(&mut error.message, 256), (&mut error.remediation_hint, 256), (&mut error.code, 64)]);
    for violation in &mut error.field_violations {
        let text = [(&mut violation.path, 128), (&mut violation.expected, 200), (&mut violation.got, 100)];
        clip_all(text);
        clip_all([(&mut violation.suggestion, 100)]);
    }
    let left = most.saturating_sub(NOTE);
    let mut missing = Vec::new();
    while error.encoded_len() > left
        && let Some(largest) =
            error.details.iter().max_by_key(|(_, text)| text.len()).map(|(key, _)| key.clone())
    {
        error.details.remove(&largest);
        missing.push(clip(&largest, 32));
    }
    let violations = error.field_violations.len();
    while error.encoded_len() > left && error.field_violations.pop().is_some() {}
    let dropped = violations - error.field_violations.len();
    if dropped > 0 {
        missing.insert(0, format!("{dropped} of {violations} field violations"));
    }
    let note = if missing.is_empty() { "long texts".to_owned() } else { missing.join(", ") };
    error.details.insert(TRIMMED.to_owned(), clip(&note, 128));
    error
}

/// `report` in at most `most` bytes. Findings come worst first or in the plan's order: the last ones go.
pub(super) fn trim_report(report: &PlanReport, most: usize) -> PlanReport {
    let mut report = report.clone();
    if report.encoded_len() <= most {
        return report;
    }
    for finding in &mut report.findings {
        clip_all([(&mut finding.message, 256), (&mut finding.suggestion, 128), (&mut finding.path, 128)]);
        clip_all([(&mut finding.step_id, 64)]);
    }
    let findings = report.findings.len();
    let left = most.saturating_sub(NOTE);
    while report.encoded_len() > left && report.findings.pop().is_some() {}
    let dropped = findings - report.findings.len();
    let message = if dropped > 0 {
        format!("{dropped} of {findings} findings do not fit into a status: Verify answers with all of them")
    } else {
        "long texts do not fit into a status: Verify answers with all of them".to_owned()
    };
    report.findings.push(Finding {
        severity: Severity::Note.into(),
        rule: Rule::LimitExceeded.into(),
        message,
        ..Finding::default()
    });
    report
}

/// `question` in at most `most` bytes.
pub(super) fn trim_clarification(question: &Clarification, most: usize) -> Clarification {
    let mut question = question.clone();
    if question.encoded_len() <= most {
        return question;
    }
    clip_all([(&mut question.question, 256), (&mut question.parameter, 128), (&mut question.token, 256)]);
    for candidate in &mut question.candidates {
        clip_all([(&mut candidate.label, 64), (&mut candidate.description, 128)]);
    }
    let candidates = question.candidates.len();
    let left = most.saturating_sub(NOTE);
    while question.encoded_len() > left && question.candidates.pop().is_some() {}
    let dropped = candidates - question.candidates.len();
    if dropped > 0 {
        question.question.push_str(&format!(" ({dropped} more candidates do not fit in here)"));
    }
    question
}

fn clip_all<const N: usize>(texts: [(&mut String, usize); N]) {
    for (text, most) in texts {
        if text.len() > most {
            *text = clip(text, most);
        }
    }
}
