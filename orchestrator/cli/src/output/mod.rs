//! What a person or a program reads: standard output holds the answer, standard error what went wrong.
//!
//! [`Printer`] knows which of the two forms is wanted. JSON is the RPC's response message, one document, nothing else;
//! the human form is written by [`record`] (what happened) and [`table`] (lists).

pub(crate) mod record;
pub(crate) mod table;

use std::io::{self, Write as _};

use convoke_proto::json;
use convoke_proto::v1::{DomainOutput, ExecutionEvent, PlanReport, ToolError};
use serde_json::{Value, json};

use crate::exit::{Ending, Exit, Failure};

/// Prints in the form that the caller asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    json: bool,
}

// === impl Printer ===

impl Printer {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether the answer is one JSON document.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// One line, or several, for a person; flushed, so that a reader sees each thing as it happens.
    pub(crate) fn text(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", text.trim_end_matches('\n'))?;
        out.flush()
    }

    /// One event of an execution, for a person.
    pub(crate) fn event(&self, event: &ExecutionEvent) -> io::Result<()> {
        match event.kind.as_ref().map(record::event) {
            Some(text) if !text.is_empty() => self.text(&text),
            _ => Ok(()),
        }
    }

    /// The answer for a person, and the exit that it stands for.
    pub(crate) fn answer(&self, output: Option<&DomainOutput>) -> Ending {
        if let Some(output) = output {
            self.text(&record::output(output))?;
        }
        Ok(Exit::of_output(output))
    }

    /// A message of the contract as proto3 JSON: proto field names, fields at their default printed.
    pub(crate) fn message<M: prost::Message>(&self, full_name: &str, message: &M) -> io::Result<()> {
        self.document(&json::render(full_name, message))
    }

    /// One JSON document.
    pub(crate) fn document(&self, document: &Value) -> io::Result<()> {
        self.text(&format!("{document:#}"))
    }
}

/// Prints why there is no answer: as `{"error": …}` on standard output, or in words on standard error.
pub(crate) fn failure(printer: &Printer, failure: &Failure) {
    // Nothing can be told to a caller that closed its end.
    let _ = if printer.is_json() { print_json(printer, failure) } else { print_human(failure) };
}

fn print_json(printer: &Printer, failure: &Failure) -> io::Result<()> {
    let (error, plan_report) = match failure {
        Failure::Tool { error, plan_report } => ((**error).clone(), plan_report.as_ref()),
        Failure::Usage(error) => (local_error("USAGE", error, true), None),
        Failure::Other(error) => (local_error("CLIENT_FAILED", error, false), None),
        Failure::Closed => return Ok(()),
    };
    let mut document = json!({ "error": json::render("convoke.v1.ToolError", &error) });
    if let Some(report) = plan_report {
        document["plan_report"] = json::render("convoke.v1.PlanReport", report);
    }
    printer.document(&document)
}

fn print_human(failure: &Failure) -> io::Result<()> {
    let text = match failure {
        Failure::Tool { error, plan_report } => {
            let mut text = record::error(error);
            text.extend(plan_report.as_ref().map(findings_below));
            text
        }
        Failure::Usage(error) | Failure::Other(error) => format!("error: {error:#}"),
        Failure::Closed => return Ok(()),
    };
    writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'))
}

fn findings_below(report: &PlanReport) -> String {
    format!("\n{}", record::findings(report))
}

fn local_error(code: &str, error: &anyhow::Error, input: bool) -> ToolError {
    use convoke_proto::v1::tool_error::{Category, Outcome};
    let category = if input { Category::InputError } else { Category::ServiceError };
    ToolError {
        code: code.to_owned(),
        message: format!("{error:#}"),
        category: category.into(),
        retryable: Some(false),
        outcome: Outcome::NotStarted.into(),
        ..ToolError::default()
    }
}
