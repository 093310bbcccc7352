//! Schemas of real tools, and of every construct, become messages that admit and refuse what the schemas do.
//!
//! Values are made from each schema, most of them with something put wrong. The `jsonschema` crate says what the
//! schema makes of a value; the engine has to agree, and what it lets through has to be valid for the tool.

#![cfg(test)]

#[path = "support/schemas.rs"]
mod schemas;
#[path = "support/values.rs"]
mod values;

use convoke_schema::{Converted, DefectRule, NoteKind, Rule, Schema, Value, ViolationRule, from_json_schema};
use jsonschema::Validator;
use serde_json::{Value as Json, json};

const SAMPLES: u64 = 300;

struct Tool {
    name: String,
    input: Json,
    examples: Vec<Json>,
}

fn tools(text: &str) -> Vec<Tool> {
    let servers: Vec<Json> = serde_json::from_str(text).unwrap();
    let mut tools = Vec::new();
    for server in &servers {
        assert!(server["source"].is_string() && server["license"].is_string());
        for tool in server["tools"].as_array().unwrap().iter().filter(|tool| tool["openapi"] != json!(true)) {
            let examples = tool["examples"].as_array().cloned().unwrap_or_default();
            let name = tool["name"].as_str().unwrap().to_owned();
            for (suffix, schema) in [("", &tool["inputSchema"]), (" (output)", &tool["outputSchema"])] {
                if schema.is_object() {
                    let examples = if suffix.is_empty() { examples.clone() } else { Vec::new() };
                    tools.push(Tool { name: format!("{name}{suffix}"), input: schema.clone(), examples });
                }
            }
        }
    }
    tools
}

fn validator(schema: &Json) -> Validator {
    jsonschema::options().should_validate_formats(false).build(schema).unwrap()
}

/// A tool and everything made of it.
struct Pair {
    name: String,
    original: Validator,
    converted: Converted,
    schema: Schema,
    /// None where a rule about other names is said in words.
    described: Option<Validator>,
}

impl Pair {
    fn of(tool: &Tool) -> Self {
        let converted = from_json_schema(&tool.input, "tools.v1.Parameters")
            .unwrap_or_else(|defects| panic!("{}: {defects:?}", tool.name));
        let schema = Schema::compile(&converted.descriptor).unwrap();
        let description = schema.describe();
        let in_words = description.to_string().contains("under the names of its JSON");
        let described = (!in_words).then(|| validator(&description));
        Self { name: tool.name.clone(), original: validator(&tool.input), converted, schema, described }
    }

    fn noted(&self, kind: NoteKind) -> bool {
        self.converted.notes.iter().any(|note| note.kind == kind)
    }

    /// Says whether the value was let through.
    fn agrees_on(&self, value: &Json) -> bool {
        let valid = self.original.is_valid(value);
        let coerced = self.schema.coerce(Value::parse(value.to_string().as_bytes()).unwrap());
        let context = || format!("{}: {value}\n{:?}", self.name, coerced.report);
        let untouched = coerced.report.entries().all(|entry| entry.rule == Rule::DefaultFilled);
        if coerced.report.is_ok() {
            let back: Json =
                serde_json::from_str(&self.schema.to_original(&coerced.value).to_json()).unwrap();
            // A default stands in for what is missing, null for what has to be there and may be null.
            let filled = coerced.report.entries().any(|entry| entry.rule == Rule::DefaultFilled)
                || self.noted(NoteKind::NullIsAbsent);
            assert!(self.original.is_valid(&back), "let through: {back}\n{}", context());
            assert!(!valid || keeps(&back, value), "became {back}\n{}", context());
            assert!(valid || !untouched || filled, "not valid, and nothing was mended\n{}", context());
            assert!(self.schema.validate(&coerced.value).is_empty(), "{}", context());
            let bytes = self.schema.encode(&coerced.value).unwrap();
            self.schema.decode(&bytes).unwrap();
        } else {
            let narrowed = self.noted(NoteKind::Narrowed)
                && coerced.report.violations().iter().all(|it| it.rule() == ViolationRule::UnknownField);
            assert!(!valid || narrowed, "refused\n{}", context());
        }
        if let Some(described) = self.described.as_ref().filter(|_| !self.noted(NoteKind::Renamed)) {
            let admitted = described.is_valid(value);
            let passes = coerced.report.is_ok() && untouched;
            assert_eq!(admitted, passes, "described as {}\n{}", self.schema.describe(), context());
        }
        coerced.report.is_ok()
    }
}

/// Whether everything that a value says is still there; null and absence are one.
fn keeps(now: &Json, before: &Json) -> bool {
    match (now, before) {
        (Json::Object(now), Json::Object(before)) => before
            .iter()
            .all(|(name, value)| value.is_null() || now.get(name).is_some_and(|now| keeps(now, value))),
        (Json::Array(now), Json::Array(before)) => {
            now.len() == before.len() && now.iter().zip(before).all(|(now, before)| keeps(now, before))
        }
        (Json::Number(now), Json::Number(before)) => now.as_f64() == before.as_f64(),
        (now, before) => now == before,
    }
}

/// A schema that no value meets is refused, and says where; nothing else is.
fn contradicts_itself(tool: &Tool) -> bool {
    let Err(defects) = from_json_schema(&tool.input, "tools.v1.Parameters") else { return false };
    assert!(defects.iter().all(|it| it.rule == DefectRule::Contradiction), "{}: {defects:?}", tool.name);
    let original = validator(&tool.input);
    assert!((0..SAMPLES).all(|seed| !original.is_valid(&values::Maker::new(&tool.input, seed).make())));
    true
}

fn agree(text: &str, least: usize) {
    let tools = tools(text);
    assert!(tools.len() >= least, "{}", tools.len());
    for tool in &tools {
        if contradicts_itself(tool) {
            continue;
        }
        let pair = Pair::of(tool);
        for example in &tool.examples {
            pair.agrees_on(example);
        }
        let mut passed = 0;
        for seed in 0..SAMPLES {
            let value = values::Maker::new(&tool.input, seed).make();
            passed += u32::from(pair.agrees_on(&value));
        }
        assert!(passed > 10, "{}: only {passed} samples were let through", tool.name);
    }
}

#[test]
fn tools_of_published_mcp_servers_admit_what_their_schemas_do() {
    agree(include_str!("data/tools/mcp.json"), 80);
}

#[test]
fn functions_of_a_published_benchmark_admit_what_their_schemas_do() {
    agree(include_str!("data/tools/bfcl.json"), 60);
}

#[test]
fn every_construct_admits_what_json_schema_says() {
    agree(include_str!("data/tools/shapes.json"), 20);
}

#[test]
fn schemas_made_at_random_admit_what_json_schema_says() {
    let mut passed = 0;
    for seed in 0..600 {
        let input = schemas::Maker::new(seed).make();
        let tool = Tool { name: format!("{input}"), input, examples: Vec::new() };
        if let Err(defects) = from_json_schema(&tool.input, "t.M") {
            let circular =
                tool.input.pointer("/$defs/d").is_some_and(|it| it.to_string().contains("#/$defs/d"));
            assert!(circular || contradicts_itself(&tool), "{defects:?}");
            continue;
        }
        let pair = Pair::of(&tool);
        for seed in 0..40 {
            passed += u32::from(pair.agrees_on(&values::Maker::new(&tool.input, seed).make()));
        }
    }
    assert!(passed > 4_000, "only {passed} samples were let through");
}
