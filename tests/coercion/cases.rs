//! The table of cases that the schema engine's own tests read, and the messages that it is about.

use std::path::PathBuf;

use convoke_schema::{Schema, Value};
use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use serde_json::Value as Json;

/// The file that holds the annotated service.
const SERVICE: &str = "echo.proto";
const MESSAGES: &str = "cases.proto";

/// One case: what comes, what it becomes, and what is said about that.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The full name of the message.
    pub(crate) message: String,
    /// JSON text, or what should be.
    pub(crate) input: Vec<u8>,
    /// JSON text.
    pub(crate) value: String,
    /// Path, rule, op, source, before, after and whether nothing was lost.
    pub(crate) entries: Vec<Entry>,
    /// Of each violation, the members that are compared.
    pub(crate) violations: Vec<Json>,
}

/// An entry of a report in the order of its fields, texts of values read as values.
pub(crate) type Entry = (String, String, String, String, Option<Value>, Option<Value>, bool);

/// All cases, and the types that they are about.
pub(crate) struct Table {
    pub(crate) cases: Vec<Case>,
    pub(crate) pool: DescriptorPool,
    /// The descriptors of the echo agent: a method for each message of the cases.
    pub(crate) descriptors: Vec<u8>,
}

/// JSON text as the value that it denotes: how a number is spelled is no difference.
pub(crate) fn denoted(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| Value::parse(text.as_bytes()).unwrap_or_else(|_| Value::from(text)))
}

/// The method, and so the capability, of a message: its name without the package.
pub(crate) fn method(message: &str) -> &str {
    message.rsplit('.').next().unwrap()
}

// === impl Table ===

impl Table {
    pub(crate) fn read() -> Self {
        let text = source("coercion.json");
        let file: Json = serde_json::from_str(&text).unwrap();
        let cases: Vec<Case> = file["cases"].as_array().unwrap().iter().map(Case::read).collect();
        let mut messages: Vec<&str> = cases.iter().map(|case| case.message.as_str()).collect();
        messages.sort_unstable();
        messages.dedup();
        let descriptors = compile(&service(&messages));
        let pool = DescriptorPool::decode(descriptors.as_slice()).unwrap();
        Self { cases, pool, descriptors }
    }

    pub(crate) fn schema(&self, case: &Case) -> Schema {
        Schema::compile(&self.pool.get_message_by_name(&case.message).unwrap()).unwrap()
    }
}

// === impl Case ===

impl Case {
    fn read(case: &Json) -> Self {
        let text = |name: &str| case.get(name).and_then(Json::as_str);
        let input = text("input").unwrap();
        let value = text("value")
            .map_or_else(|| generated(case, input, "text"), |value| generated(case, value, "value_text"));
        let message = text("message").unwrap();
        let package = if message.contains('.') { "" } else { "cases.v1." };
        Self {
            name: text("name").unwrap().to_owned(),
            message: format!("{package}{message}"),
            input: generated(case, input, "text").into_bytes(),
            value,
            entries: listed(case, "entries").iter().map(entry).collect(),
            violations: listed(case, "violations"),
        }
    }
}

/// A text with what is generated put in for each `@`.
fn generated(case: &Json, text: &str, part: &str) -> String {
    let Some(repeat) = case.get("repeat") else { return text.to_owned() };
    let part = repeat.get(part).unwrap_or(&repeat["text"]).as_str().unwrap();
    let parts: String = (0..count(repeat)).map(|index| part.replace('#', &index.to_string())).collect();
    text.replace('@', &parts)
}

/// The entries or violations of a case; one with a count stands for that many.
fn listed(case: &Json, name: &str) -> Vec<Json> {
    let items = case.get(name).and_then(Json::as_array).into_iter().flatten();
    items
        .flat_map(|item| {
            (0..count(item)).map(move |index| {
                if item.get("count").is_some() { numbered(item, index) } else { item.clone() }
            })
        })
        .collect()
}

fn numbered(item: &Json, index: usize) -> Json {
    let members = item.as_object().unwrap().iter().filter(|(name, _)| *name != "count");
    members
        .map(|(name, value)| {
            let text = value.as_str().map(|text| Json::from(text.replace('#', &index.to_string())));
            (name.clone(), text.unwrap_or_else(|| value.clone()))
        })
        .collect()
}

fn count(item: &Json) -> usize {
    item.get("count").map_or(1, |count| usize::try_from(count.as_u64().unwrap()).unwrap())
}

fn entry(entry: &Json) -> Entry {
    let text = |name: &str| entry.get(name).and_then(Json::as_str);
    let path = text("path").unwrap();
    (
        path.to_owned(),
        text("rule").unwrap().to_owned(),
        text("op").unwrap_or("SET").to_owned(),
        text("source").unwrap_or(path).to_owned(),
        denoted(text("before").unwrap_or_default()),
        denoted(text("after").unwrap_or_default()),
        entry.get("lossless").and_then(Json::as_bool).unwrap_or(true),
    )
}

/// A service whose every method takes a message of the cases and answers with one.
fn service(messages: &[&str]) -> String {
    let methods: String = messages
        .iter()
        .map(|message| {
            format!(
                "  rpc {}({message}) returns ({message}) {{\n    option (convoke.v1.capability) = \
                 {{ description: \"Echoes.\" effects: READ_ONLY }};\n  }}\n",
                method(message)
            )
        })
        .collect();
    // A well-known type can be the whole of a request as well.
    let known = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"];
    let imports: String =
        known.iter().map(|name| format!("import \"google/protobuf/{name}.proto\";\n")).collect();
    format!(
        "syntax = \"proto3\";\npackage echo.v1;\nimport \"convoke/v1/annotations.proto\";\nimport \"{MESSAGES}\";\n\
         {imports}\
         service Echo {{\n  option (convoke.v1.domain) = \
         {{ name: \"echo\" version: \"1.0.0\" description: \"Says what it heard.\" }};\n{methods}}}\n"
    )
}

fn compile(service: &str) -> Vec<u8> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Texts { service: service.to_owned() });
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file(SERVICE).unwrap();
    compiler.encode_file_descriptor_set()
}

struct Texts {
    service: String,
}

// === impl Texts ===

impl FileResolver for Texts {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let contract = convoke_proto::SOURCES.iter().find(|(known, _)| *known == name);
        match (name, contract) {
            (SERVICE, _) => File::from_source(name, &self.service),
            (MESSAGES, _) => File::from_source(name, &source(MESSAGES)),
            (_, Some((_, text))) => File::from_source(name, text),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn source(name: &str) -> String {
    let folder: PathBuf = convoke_tests::repository().join("tests/data");
    std::fs::read_to_string(folder.join(name)).unwrap()
}
