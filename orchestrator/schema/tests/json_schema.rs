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
        for tool in server["tools"].as_array().unwrap() {
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
    let schema = in_json_schema(schema.clone());
    jsonschema::options().should_validate_formats(false).build(&schema).unwrap()
}

/// OpenAPI's `nullable` in the words of JSON Schema, for a judge that does not know it.
fn in_json_schema(mut schema: Json) -> Json {
    if schema["nullable"] == json!(true) && schema["type"].is_string() {
        schema["type"] = json!([schema["type"], "null"]);
    }
    match &mut schema {
        Json::Object(members) => members.values_mut().for_each(|it| *it = in_json_schema(it.take())),
        Json::Array(list) => list.iter_mut().for_each(|it| *it = in_json_schema(it.take())),
        _ => {}
    }
    schema
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

    /// Says what became of the value.
    fn agrees_on(&self, value: &Json) -> Fate {
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
        match (coerced.report.is_ok(), valid) {
            (true, true) => Fate::Taken,
            (true, false) => Fate::Mended,
            (false, true) => Fate::Narrowed,
            (false, false) => Fate::Refused,
        }
    }
}

/// What becomes of a value, by what its schema says of it and by what the message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Valid, and taken.
    Taken,
    /// Not valid, and mended.
    Mended,
    /// Not valid, and refused.
    Refused,
    /// Valid, and refused: the message knows fewer names, as its notes say.
    Narrowed,
}

/// What was tried: nothing is left out uncounted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Inputs and outputs.
    schemas: usize,
    /// Schemas that no value meets, which are refused.
    contradictory: Vec<String>,
    /// Schemas that come with example values.
    with_examples: usize,
    examples: Examples,
}

/// The values that come with the schemas.
#[derive(Debug, Default, PartialEq, Eq)]
struct Examples {
    taken: usize,
    mended: Vec<String>,
    refused: Vec<String>,
    narrowed: Vec<String>,
}

// === impl Fate ===

impl Fate {
    const fn is_let_through(self) -> bool {
        matches!(self, Self::Taken | Self::Mended)
    }
}

// === impl Examples ===

impl Examples {
    fn count(&mut self, tool: &str, fate: Fate) {
        let names = match fate {
            Fate::Taken => {
                self.taken += 1;
                return;
            }
            Fate::Mended => &mut self.mended,
            Fate::Refused => &mut self.refused,
            Fate::Narrowed => &mut self.narrowed,
        };
        names.push(tool.to_owned());
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

fn agree(text: &str) -> Tally {
    let mut tally = Tally::default();
    for tool in &tools(text) {
        tally.schemas += 1;
        if contradicts_itself(tool) {
            tally.contradictory.push(tool.name.clone());
            continue;
        }
        let pair = Pair::of(tool);
        tally.with_examples += usize::from(!tool.examples.is_empty());
        tool.examples.iter().for_each(|example| tally.examples.count(&tool.name, pair.agrees_on(example)));
        let samples = (0..SAMPLES).map(|seed| values::Maker::new(&tool.input, seed).make());
        let passed = samples.filter(|value| pair.agrees_on(value).is_let_through()).count();
        assert!(passed > 10, "{}: only {passed} samples were let through", tool.name);
    }
    tally
}

#[test]
fn tools_of_published_mcp_servers_admit_what_their_schemas_do() {
    // 89 tools, 25 of them with an output.
    let tried = Tally { schemas: 114, ..Tally::default() };
    assert_eq!(agree(include_str!("data/tools/mcp.json")), tried);
}

#[test]
fn functions_of_a_published_benchmark_admit_what_their_schemas_do() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let tried = Tally {
        schemas: 60,
        // It lists words as the values of a list that it requires: its example is not tried.
        contradictory: names(&["extract_parameters_v1"]),
        with_examples: 59,
        examples: Examples {
            taken: 57,
            // Its own schemas refuse them: a word that is not listed, parameters that are required and not there.
            refused: names(&["cmd_controller.execute", "record"]),
            ..Examples::default()
        },
    };
    assert_eq!(agree(include_str!("data/tools/bfcl.json")), tried);
}

#[test]
fn every_construct_admits_what_json_schema_says() {
    let tried = Tally { schemas: 25, ..Tally::default() };
    assert_eq!(agree(include_str!("data/tools/shapes.json")), tried);
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
            let value = values::Maker::new(&tool.input, seed).make();
            passed += u32::from(pair.agrees_on(&value).is_let_through());
        }
    }
    assert!(passed > 4_000, "only {passed} samples were let through");
}
