//! Compiles protos at run time, with our own and Google's files built in, and applies entries as a reader would.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod dialects;

use convoke_schema::{Entry, Limits, Name, Object, Schema, Value};
use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

struct Texts<'a>(Vec<(&'a str, &'a str)>);

impl FileResolver for Texts<'_> {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}

/// The pool of one file's text, options and comments included.
pub(crate) fn pool(source: &'static str) -> DescriptorPool {
    pool_with(source, &[])
}

/// The same, with more files that it may import.
pub(crate) fn pool_with(source: &'static str, files: &[(&'static str, &'static str)]) -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    let mut texts = vec![("test.proto", source)];
    texts.extend(files);
    texts.extend(convoke_proto::SOURCES.iter().copied());
    resolver.add(Texts(texts));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_source_info(true).include_imports(true).open_file("test.proto").unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
}

/// One message of a pool.
pub(crate) fn schema(pool: &DescriptorPool, message: &str) -> Schema {
    let descriptor = pool.get_message_by_name(message).unwrap();
    Schema::compile_with(&descriptor, &Limits::default()).unwrap_or_else(|defects| panic!("{defects:?}"))
}

/// The only message `M` of a text that is wrapped into a file.
pub(crate) fn compile(body: &str) -> Result<Schema, Vec<convoke_schema::Defect>> {
    let source = format!(
        "syntax = \"proto3\"; package t; import \"convoke/v1/annotations.proto\"; \
         import \"google/protobuf/timestamp.proto\"; import \"google/protobuf/duration.proto\"; \
         import \"google/protobuf/struct.proto\"; import \"google/protobuf/any.proto\"; \
         import \"google/protobuf/wrappers.proto\"; import \"google/protobuf/empty.proto\"; \
         import \"google/protobuf/field_mask.proto\";\n\n{body}"
    );
    let pool = pool(Box::leak(source.into_boxed_str()));
    Schema::compile(&pool.get_message_by_name("t.M").unwrap())
}

enum Step {
    Name(String),
    Index(usize),
}

fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("[\"") {
            let mut end = 0;
            let bytes = inner.as_bytes();
            while bytes[end] != b'"' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let quoted = Value::parse(format!("\"{}\"", &inner[..end]).as_bytes()).unwrap();
            steps.push(Step::Name(quoted.as_str().unwrap().to_owned()));
            rest = &inner[end + 2..];
        } else if let Some(inner) = rest.strip_prefix('[') {
            let end = inner.find(']').unwrap();
            steps.push(Step::Index(inner[..end].parse().unwrap()));
            rest = &inner[end + 1..];
        } else {
            rest = rest.strip_prefix('.').unwrap_or(rest);
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(Step::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    steps
}

fn descend<'v>(mut value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    for step in steps {
        value = match (step, value) {
            (Step::Name(name), Value::Object(object)) => object.get_mut(name).unwrap(),
            (Step::Index(index), Value::List(list)) => &mut list[*index],
            (_, other) => panic!("{other:?}"),
        };
    }
    value
}

fn object<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Object {
    match descend(value, steps) {
        Value::Object(object) => object,
        other => panic!("{other:?}"),
    }
}

fn name(step: &Step) -> &str {
    match step {
        Step::Name(name) => name,
        Step::Index(_) => panic!("an index where a name is expected"),
    }
}

/// Applies one entry: what anybody can do who has the input and the report alone.
pub(crate) fn apply(value: &mut Value, entry: &Entry<'_>) {
    let (path, source) = (steps(entry.path), steps(entry.source));
    let parsed = || Value::parse(entry.after.as_bytes()).unwrap();
    match entry.op.as_str_name() {
        "SET" | "WRAP" => *descend(value, &path) = parsed(),
        "INSERT" => {
            let (last, parents) = path.split_last().unwrap();
            object(value, parents).push(Name::from(name(last)), parsed());
        }
        "REMOVE" => {
            let (last, parents) = path.split_last().unwrap();
            let members = object(value, parents);
            let came = source.last().map_or(name(last), name);
            members.remove(came).unwrap();
        }
        "RENAME" => {
            let (last, parents) = path.split_last().unwrap();
            let members = object(value, parents);
            let before = Value::parse(entry.before.as_bytes()).unwrap();
            let came = before.as_str().unwrap();
            let renamed: Vec<(Name, Value)> = std::mem::take(members)
                .into_iter()
                .map(
                    |(key, value)| if *key == *came { (Name::from(name(last)), value) } else { (key, value) },
                )
                .collect();
            *members = Object::from(renamed);
        }
        other => panic!("{other}"),
    }
}
