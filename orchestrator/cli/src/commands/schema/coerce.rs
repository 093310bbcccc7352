//! `convoke schema coerce`: JSON lines in, JSON lines out, one line held at a time.

use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};

use convoke_proto::json::render;
use convoke_proto::v1::{CoercionReport, Violation, violation};
use convoke_schema::{JsonError, Schema, Value};
use serde_json::json;

use crate::exit::{Ending, Exit};

/// The longest line that is read: far above what a door takes in one message.
const MAX_LINE: usize = 64 << 20;

/// How a line of output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Value and report; the value in proto names.
    Typed,
    /// Value and report; the value in the terms of the JSON Schema that the message was made from.
    Original,
    /// The value over several lines, its violations as comments.
    Inline,
    /// The same as a JSON string, so that each line of input has one of output.
    InlineText,
}

pub(super) fn run(schema: &Schema, form: Form) -> Ending {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    let mut exit = Exit::Success;
    let mut number = 0;
    while read_line(&mut input, &mut line)? {
        number += 1;
        let (value, report) = coerce_line(schema, &line, number);
        if !report.violations.is_empty() {
            exit = Exit::Refused;
        }
        write(&mut output, schema, &value, &report, form)?;
        // A writer that waits for each answer gets it; one that sends many lines pays one write for many.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(exit)
}

fn write(
    output: &mut impl io::Write,
    schema: &Schema,
    value: &Value,
    report: &CoercionReport,
    form: Form,
) -> io::Result<()> {
    let text = match form {
        Form::Inline | Form::InlineText => {
            let text = convoke_schema::render_inline(&schema.redacted(value), &report.violations);
            return match form {
                Form::InlineText => writeln!(output, "{}", json!({ "text": text })),
                _ => writeln!(output, "{text}"),
            };
        }
        Form::Typed | Form::Original if !report.violations.is_empty() => "null".to_owned(),
        Form::Typed => schema.to_json(value),
        Form::Original => schema.to_original(value).to_json(),
    };
    let report = render("convoke.v1.CoercionReport", report);
    writeln!(output, "{{\"value\":{text},\"report\":{report}}}")
}

/// What is no JSON has a report too, which names the line of the whole input: `number`, from 1.
fn coerce_line(schema: &Schema, line: &[u8], number: usize) -> (Value, CoercionReport) {
    if line.len() > MAX_LINE {
        return refused(Violation {
            rule: violation::Rule::TooLarge.into(),
            expected: "a line of at most 64 MiB".to_owned(),
            ..Violation::default()
        });
    }
    match Value::parse(line) {
        Ok(value) => {
            let coerced = schema.coerce(value);
            (coerced.value, coerced.report.into_proto())
        }
        Err(error) => refused(JsonError { line: number, ..error }.into()),
    }
}

fn refused(violation: Violation) -> (Value, CoercionReport) {
    let report = CoercionReport { violations: vec![violation], ..CoercionReport::default() };
    (Value::Null, report)
}

/// Reads one line without its end; false at the end of input. A line that is too long is cut one byte above the limit
/// and the rest of it passed over, so that it is refused and not held in memory.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = MAX_LINE as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > MAX_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}
