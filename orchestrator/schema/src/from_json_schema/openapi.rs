//! What OpenAPI 3.0 writes otherwise than JSON Schema does, put into its words: tools are often made of such documents.
//!
//! | written | means |
//! |---|---|
//! | `type: T, nullable: true` | `type: [T, null]`; beside an enum null is in the enum as well |
//! | `minimum: N, exclusiveMinimum: true` | `exclusiveMinimum: N`, as in draft 4; so for the maximum |
//!
//! `nullable` without a `type` beside it asks nothing there and is left to the notes.

use super::keyword::{LIST, MAP, ONE};
use serde_json::{Map, Value as Json, json};

/// Whether an object writes anything so; it may be no schema.
pub(super) fn is_written_otherwise(object: &Map<String, Json>) -> bool {
    object.get("nullable").is_some_and(Json::is_boolean)
        || ["exclusiveMinimum", "exclusiveMaximum"]
            .into_iter()
            .any(|name| object.get(name).is_some_and(Json::is_boolean))
}

/// Rewrites a schema and those within it. The depth is bounded by the document's.
pub(super) fn rewrite(schema: &mut Json) {
    let Json::Object(schema) = schema else { return };
    if schema.get("nullable") == Some(&Json::Bool(true)) {
        nullable(schema);
    }
    exclusive(schema, "minimum", "exclusiveMinimum");
    exclusive(schema, "maximum", "exclusiveMaximum");
    for (name, value) in schema.iter_mut() {
        match (name.as_str(), value) {
            ("items", Json::Array(list)) => list.iter_mut().for_each(rewrite),
            (name, Json::Array(list)) if LIST.contains(&name) => list.iter_mut().for_each(rewrite),
            (name, Json::Object(members))
                if MAP.contains(&name) || ["$defs", "definitions", "dependencies"].contains(&name) =>
            {
                members.values_mut().for_each(rewrite);
            }
            (name, value) if ONE.contains(&name) || name == "additionalItems" => rewrite(value),
            _ => {}
        }
    }
}

fn nullable(schema: &mut Map<String, Json>) {
    let types = match schema.get("type") {
        Some(Json::String(name)) => vec![json!(name)],
        Some(Json::Array(names)) => names.clone(),
        _ => return,
    };
    schema.remove("nullable");
    let null = (!types.contains(&json!("null"))).then(|| json!("null"));
    schema.insert("type".to_owned(), types.into_iter().chain(null).collect());
}

/// Without a bound beside it there is nothing to exclude: such a one stays and is refused.
fn exclusive(schema: &mut Map<String, Json>, bound: &str, exclusive: &str) {
    let Some(Json::Bool(excluded)) = schema.get(exclusive) else { return };
    let excluded = *excluded;
    let Some(number) = schema.get(bound).filter(|bound| bound.is_number()).cloned() else { return };
    schema.remove(exclusive);
    if excluded {
        schema.remove(bound);
        schema.insert(exclusive.to_owned(), number);
    }
}
