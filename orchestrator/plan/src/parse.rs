//! A plan file: JSON text, read as leniently as any parameter is and against the same kind of schema.

use std::sync::OnceLock;

use convoke_proto::v1::violation::Rule;
use convoke_proto::v1::{CoercionReport, ExecutionPlan, Violation};
use convoke_schema::{Defect, Schema, Value};
use prost::Message;

/// Reads a plan file through the schema of `ExecutionPlan` itself: `"execution_mode": "dag"`, `"id": 1` and
/// `"depends_on": [1]` are mended, unknown keys are refused with the nearest name, integers in `params` keep every digit.
///
/// # Errors
/// What could not be mended, each with its place; text that is no JSON is one violation.
pub fn parse(text: &[u8]) -> Result<ExecutionPlan, CoercionReport> {
    let schema = schema().map_err(|defects| {
        refused(
            defects.iter().map(|defect| violation(&defect.path, Rule::Constraint, &defect.message)).collect(),
        )
    })?;
    let value = Value::parse(text).map_err(|error| refused(vec![error.into()]))?;
    let coerced = schema.coerce(value);
    if !coerced.report.is_ok() {
        return Err(coerced.report.into_proto());
    }
    let encoded = schema.encode(&coerced.value).map_err(|error| error.to_string());
    let plan = encoded.and_then(|bytes| ExecutionPlan::decode(bytes).map_err(|error| error.to_string()));
    plan.map_err(|error| refused(vec![violation("", Rule::WrongType, &format!("a plan; {error}"))]))
}

/// The schema of a plan; it is compiled once, from what is built into the program.
fn schema() -> Result<&'static Schema, &'static [Defect]> {
    static SCHEMA: OnceLock<Result<Schema, Vec<Defect>>> = OnceLock::new();
    let compiled = SCHEMA.get_or_init(|| {
        match convoke_proto::descriptor_pool().get_message_by_name("convoke.v1.ExecutionPlan") {
            Some(descriptor) => Schema::compile(&descriptor),
            None => Err(Vec::new()),
        }
    });
    compiled.as_ref().map_err(Vec::as_slice)
}

fn refused(violations: Vec<Violation>) -> CoercionReport {
    CoercionReport { entries: Vec::new(), violations }
}

fn violation(path: &str, rule: Rule, expected: &str) -> Violation {
    Violation {
        path: path.to_owned(),
        rule: rule.into(),
        expected: expected.to_owned(),
        ..Default::default()
    }
}
