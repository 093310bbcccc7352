//! JSON Schemas made into messages, and values coerced to them, in the terms of the JSON Schema.

use convoke_schema::{Converted, Defect, Schema, Value, ViolationRule, from_json_schema};
use serde_json::{Value as Json, json};

pub(crate) fn converted(schema: &Json) -> Converted {
    from_json_schema(schema, "t.v1.M").unwrap_or_else(|defects| panic!("{defects:?}"))
}

pub(crate) fn compiled(schema: &Json) -> Schema {
    Schema::compile(&converted(schema).descriptor).unwrap()
}

pub(crate) fn refused(schema: &Json) -> Defect {
    from_json_schema(schema, "t.v1.M").unwrap_err().remove(0)
}

pub(crate) fn properties(properties: Json) -> Json {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

pub(crate) fn coerced(schema: &Schema, text: &str) -> Result<String, Vec<(ViolationRule, String)>> {
    let coerced = schema.coerce(Value::parse(text.as_bytes()).unwrap());
    if coerced.report.is_ok() {
        return Ok(schema.to_original(&coerced.value).to_json());
    }
    Err(coerced.report.violations().iter().map(|it| (it.rule(), it.path.clone())).collect())
}
