//! `json_schema` of the options, read once, and the two flags that say how a message is written in another's terms.

use super::defect;
use crate::defect::{Defect, DefectRule};
use crate::graph::{Graph, Shape};
use crate::rule::Rule;
use convoke_proto::v1::FieldSpec;

/// The rule of a field or message; none where there is no text, or a defect.
pub(super) fn rule(path: &str, text: &str, defects: &mut Vec<Defect>) -> Option<Box<Rule>> {
    if text.is_empty() {
        return None;
    }
    match Rule::read(text) {
        Ok(rule) => Some(Box::new(rule)),
        Err(message) => {
            defects.push(defect(path, DefectRule::BadValue, format!("json_schema: {message}")));
            None
        }
    }
}

/// Reads the rules of all fields: once their other constraints are read, whose own texts need not meet them.
pub(super) fn compile(graph: &mut Graph, defects: &mut Vec<Defect>) {
    for field in graph.messages.iter_mut().flat_map(|message| &mut message.fields) {
        field.rule = rule(field.descriptor.full_name(), &field.spec.json_schema, defects);
    }
}

/// Whether the flags are where they mean something.
pub(super) fn flags(path: &str, spec: &FieldSpec, shape: Shape, defects: &mut Vec<Defect>) {
    if spec.json_spread && !matches!(shape, Shape::Map(_)) {
        defects.push(defect(path, DefectRule::NotApplicable, "json_spread is for maps only"));
    }
    if spec.json_null && spec.required {
        let message = "json_null writes absence, which a required field does not have";
        defects.push(defect(path, DefectRule::Contradiction, message));
    }
}
