//! What both doors have to say about one case.

use bytes::Bytes;
use convoke_proto::error;
use convoke_proto::v1::domain_output::Status;
use convoke_proto::v1::plan_report::{Finding, Rule};
use convoke_proto::v1::violation::Rule as Violated;
use convoke_proto::v1::{CoercionReport, PlanReport, Violation};
use convoke_schema::{Schema, Value};
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use prost_types::Struct;
use serde_json::{Value as Json, json};

use crate::cases::{Case, Entry, denoted};
use crate::mesh::Called;

/// How many findings a report lists; the rest is counted in one more.
const MOST_FINDINGS: usize = 200;
/// How much of a text a finding tells.
const MOST_TOLD: usize = 500;

/// What the other implementation of protobuf JSON does not read, and why: there, the engine alone is believed.
const UNREAD: [(&str, &str); 5] = [
    ("3.4028235e38", "it takes the greatest float for an infinity"),
    ("3.4028235e+38", "it takes the greatest float for an infinity, with a plus too"),
    ("{\"detail\":{}}", "it wants a type in an Any that holds nothing"),
    (
        "x/google.protobuf.Empty",
        "it wants `value` for an Empty in an Any, which results leave out as others do",
    ),
    ("x/google.protobuf.Any", "it wants `value` twice in an Any within an Any"),
];

/// The engine's report on the value as it arrives, and the value as JSON text.
#[derive(Default)]
pub(crate) struct Expectation {
    pub(crate) report: CoercionReport,
    pub(crate) value: String,
    bytes: Bytes,
    result: Struct,
}

// === impl Expectation ===

impl Expectation {
    pub(crate) fn of(schema: &Schema, arrived: Value) -> Result<Self, String> {
        let coerced = schema.coerce(arrived);
        let (value, report) = match coerced.into_result() {
            Ok((value, report)) => (value, report.into_proto()),
            Err(report) => return Ok(Self { report: report.into_proto(), ..Self::default() }),
        };
        let bytes = schema.encode(&value).map_err(|error| error.to_string())?;
        let result = schema.to_struct(&schema.decode(&bytes).map_err(|error| error.to_string())?);
        Ok(Self { report, value: schema.to_json(&value), bytes, result })
    }

    /// Whether a call went as expected: its record, its answer, and what the agent heard of it.
    pub(crate) fn answered(
        &self,
        called: &Called,
        heard: Option<Bytes>,
        message: &MessageDescriptor,
    ) -> Result<(), String> {
        same("the record", &called.report, &self.report)?;
        let output = &called.output;
        if !self.report.violations.is_empty() {
            let failure = output.error.clone().unwrap_or_default();
            same("the status", &output.status(), &Status::Failure)?;
            same("the code", &failure.code.as_str(), &error::PARAMETERS_INVALID)?;
            same("what is told", &failure.field_violations, &self.report.violations)?;
            return same("what the agent heard", &heard, &None);
        }
        same("the status", &output.status(), &Status::Success)?;
        let bytes = heard.ok_or("the agent heard nothing")?;
        let result = output.result.clone().unwrap_or_default();
        if UNREAD.iter().any(|(text, _)| self.value.contains(text)) {
            same("what the agent heard", &bytes, &self.bytes)?;
            return same("the result", &result, &self.result);
        }
        let expected = read(message, &self.value)?;
        let decoded = DynamicMessage::decode(message.clone(), bytes).map_err(|error| error.to_string())?;
        same("what the agent heard", &shown(&decoded)?, &shown(&expected)?)?;
        let result = Value::from(result).to_json();
        same("the result", &shown(&read(message, &result)?)?, &shown(&expected)?)
    }

    /// Whether the check of a plan found just that.
    pub(crate) fn found(&self, report: &PlanReport) -> Result<(), String> {
        let all: Vec<_> = self.report.violations.iter().map(finding).collect();
        let told: Vec<_> = report.findings.iter().map(parts).collect();
        let listed = all.len().min(MOST_FINDINGS);
        same("the findings", &told.get(..listed), &all.get(..listed))?;
        let rest: Vec<_> = report.findings.iter().skip(listed).map(Finding::rule).collect();
        let more = if all.len() > listed { vec![Rule::LimitExceeded] } else { Vec::new() };
        same("the findings that are left out", &rest, &more)
    }
}

/// Whether a report says what the table says, and where not.
pub(crate) fn as_in_the_table(case: &Case, report: &CoercionReport) -> Result<(), String> {
    let entries: Vec<Entry> = report
        .entries
        .iter()
        .map(|it| {
            let (rule, op) = (it.rule().as_str_name().to_owned(), it.op().as_str_name().to_owned());
            let (before, after) = (denoted(&it.before), denoted(&it.after));
            (it.path.clone(), rule, op, it.source.clone(), before, after, it.lossless)
        })
        .collect();
    // Beside a violation, the table may pass over what else was changed.
    if case.violations.is_empty() || !case.entries.is_empty() {
        same("the entries", &entries, &case.entries)?;
    }
    let told: Vec<Json> = report
        .violations
        .iter()
        .map(|it| json!({"path": it.path, "rule": it.rule().as_str_name(), "got": it.got, "suggestion": it.suggestion}))
        .collect();
    same("the number of violations", &told.len(), &case.violations.len())?;
    for (told, expected) in told.iter().zip(&case.violations) {
        for (name, expected) in expected.as_object().into_iter().flatten() {
            same(name, &told[name], expected)?;
        }
    }
    Ok(())
}

/// Protobuf JSON by another implementation than ours.
fn read(message: &MessageDescriptor, text: &str) -> Result<DynamicMessage, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    DynamicMessage::deserialize(message.clone(), &mut reader).map_err(|error| format!("{error}: {text}"))
}

fn shown(message: &DynamicMessage) -> Result<Json, String> {
    let options = SerializeOptions::new().skip_default_fields(false);
    let serializer = serde_json::value::Serializer;
    message.serialize_with_options(serializer, &options).map_err(|error| error.to_string())
}

type Told = (String, Rule, String, String);

fn parts(finding: &Finding) -> Told {
    (finding.path.clone(), finding.rule(), finding.message.clone(), finding.suggestion.clone())
}

fn finding(violation: &Violation) -> Told {
    let dot = if violation.path.is_empty() || violation.path.starts_with('[') { "" } else { "." };
    let rule = match violation.rule() {
        Violated::UnknownField => Rule::UnknownField,
        Violated::Missing => Rule::MissingParameter,
        _ => Rule::BadLiteral,
    };
    let got = if violation.got.is_empty() { String::new() } else { format!(", got {}", violation.got) };
    let path = told(&format!("steps[0].params{dot}{}", violation.path));
    (path, rule, told(&format!("expected {}{got}", violation.expected)), told(&violation.suggestion))
}

fn told(text: &str) -> String {
    if text.chars().count() <= MOST_TOLD {
        return text.to_owned();
    }
    text.chars().take(MOST_TOLD).chain(['…']).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, expected: &T) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    let cut = |text: String| text.chars().take(2000).collect::<String>();
    let (got, expected) = (cut(format!("{got:?}")), cut(format!("{expected:?}")));
    Err(format!("{what}\n  got      {got}\n  expected {expected}"))
}
