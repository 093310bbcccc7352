//! Where types come from, and the message among them that is meant.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use convoke_proto::descriptors::Descriptors;
use convoke_schema::{Converted, Limits, Note, Schema};
use convoke_server::reflection;
use prost_reflect::{DescriptorPool, MessageDescriptor};

use super::problem::Problem;
use super::protos;
use super::unusable::Unusable;
use crate::args;

/// Files that nobody means when they ask about their own types.
const LIBRARIES: [&str; 3] = ["google/protobuf/", "convoke/v1/", "buf/validate/"];
/// How large a descriptor set or a JSON Schema may be, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// What some editors begin a file of UTF-8 with.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// How many messages an error names.
const NAMED: usize = 10;

/// Types that were read.
pub(super) struct Source {
    pool: DescriptorPool,
    /// Names of the files that were asked about, as against those that they import.
    files: Vec<String>,
    /// The message that a JSON Schema was made into; the source is about it alone.
    converted: Option<Converted>,
}

// === impl Source ===

impl Source {
    /// Reads the types from where the arguments say. A JSON Schema's message gets the name that is asked for.
    pub(super) async fn load(args: args::Source, message: Option<&str>) -> Result<Self, Unusable> {
        if let Some(address) = &args.from {
            let raw = reflection::read_from(address).await.map_err(|error| match error {
                reflection::ReadError::Unusable(violation) => {
                    Unusable::Usage(anyhow!("--from {address}: {}", Problem::from(*violation).message))
                }
                error @ reflection::ReadError::NotServed => {
                    Unusable::Usage(anyhow!("--from {address}: {error}; use --proto or --descriptor-set"))
                }
                error @ reflection::ReadError::Unavailable(_) => {
                    Unusable::Usage(anyhow!("--from {address}: {error}"))
                }
            })?;
            return Self::of_descriptors(&raw);
        }
        let name = message.map(str::to_owned);
        let work = move || match (args.descriptor_set, args.json_schema) {
            (Some(file), _) => Self::of_descriptors(&read("--descriptor-set", &file)?),
            (None, Some(file)) => {
                let name = name.unwrap_or_else(|| name_of(&file));
                Self::of_json_schema(&read("--json-schema", &file)?, &file, &name)
            }
            (None, None) => {
                let (pool, files) = protos::compile(&args.proto, &args.include)?;
                Ok(Self { pool, files, converted: None })
            }
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| Unusable::Usage(error.into()))?
    }

    fn of_descriptors(raw: &[u8]) -> Result<Self, Unusable> {
        let descriptors = Descriptors::read_all(raw).map_err(broken)?;
        let pool = descriptors.pool().clone();
        let own = |name: &str| !LIBRARIES.iter().any(|library| name.starts_with(library));
        let files = pool.files().map(|file| file.name().to_owned()).filter(|name| own(name)).collect();
        Ok(Self { pool, files, converted: None })
    }

    fn of_json_schema(raw: &[u8], file: &Path, name: &str) -> Result<Self, Unusable> {
        let raw = raw.strip_prefix(BYTE_ORDER_MARK).unwrap_or(raw);
        let schema = serde_json::from_slice(raw).map_err(|error| {
            let (path, rule) = (file.display().to_string(), "MALFORMED".to_owned());
            Unusable::Broken(vec![Problem { path, rule, message: format!("this is no JSON: {error}") }])
        })?;
        let converted = convoke_schema::from_json_schema(&schema, name)
            .map_err(|defects| Unusable::Broken(defects.into_iter().map(Problem::from).collect()))?;
        let pool = converted.descriptor.parent_pool().clone();
        Ok(Self { pool, files: Vec::new(), converted: Some(converted) })
    }

    /// What a JSON Schema's message says otherwise than the JSON Schema did.
    pub(super) fn notes(&self) -> &[Note] {
        self.converted.as_ref().map_or(&[], |converted| &converted.notes)
    }

    /// Whether coerced values are to be written in the terms of a JSON Schema.
    pub(super) fn is_json_schema(&self) -> bool {
        self.converted.is_some()
    }

    /// The messages that were asked about, in the order of their files, each before those that it declares.
    pub(super) fn messages(&self) -> Vec<MessageDescriptor> {
        let mut messages: Vec<_> = self.converted.iter().map(|it| it.descriptor.clone()).collect();
        for file in self.files.iter().filter_map(|name| self.pool.get_file_by_name(name)) {
            let mut waiting: Vec<MessageDescriptor> = file.messages().collect();
            waiting.reverse();
            while let Some(message) = waiting.pop() {
                let declared: Vec<_> =
                    message.child_messages().filter(|child| !child.is_map_entry()).collect();
                waiting.extend(declared.into_iter().rev());
                messages.push(message);
            }
        }
        messages
    }

    /// The compiled message of that name; without a name, of the only one that there is.
    pub(super) fn schema(&self, name: Option<&str>, limits: &Limits) -> Result<Schema, Unusable> {
        let message = self.message(name)?;
        Schema::compile_with(&message, limits)
            .map_err(|defects| Unusable::Broken(defects.into_iter().map(Problem::from).collect()))
    }

    /// The message of that name; without a name, the only one that there is.
    pub(super) fn message(&self, name: Option<&str>) -> Result<MessageDescriptor, Unusable> {
        match name {
            Some(name) => self.find(name).map_err(Unusable::Usage),
            None => self.only().map_err(Unusable::Usage),
        }
    }

    fn only(&self) -> anyhow::Result<MessageDescriptor> {
        let mut messages = self.messages();
        messages.retain(|message| message.parent_message().is_none());
        let names: Vec<_> = messages.iter().take(NAMED).map(|it| it.full_name().to_owned()).collect();
        match (messages.pop(), messages.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(anyhow!("no message is declared there")),
            (Some(_), more) => {
                let rest = (more + 1).saturating_sub(NAMED);
                let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
                Err(anyhow!("--message: say which message is meant: {}{rest}", names.join(", ")))
            }
        }
    }

    fn find(&self, name: &str) -> anyhow::Result<MessageDescriptor> {
        let name = name.trim_start_matches('.');
        self.pool.get_message_by_name(name).ok_or_else(|| {
            let all: Vec<_> =
                self.pool.all_messages().map(|message| message.full_name().to_owned()).collect();
            let near = convoke_schema::nearest(name, all.iter().map(String::as_str));
            let own_name = name.rsplit('.').next();
            let same_end =
                all.iter().map(String::as_str).filter(|known| known.rsplit('.').next() == own_name);
            match near.into_iter().chain(same_end).next() {
                Some(known) => anyhow!("there is no message {name}; did you mean {known}?"),
                None => anyhow!("there is no message {name} among what was read"),
            }
        })
    }
}

/// `create_issue` of `tools/create-issue.json`.
fn name_of(file: &Path) -> String {
    let stem = file.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = stem.chars().map(plain).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { format!("schema_{name}") }
}

/// Reads a file, which may be a pipe without an end, as far as it may go.
fn read(flag: &str, file: &Path) -> Result<Vec<u8>, Unusable> {
    let named = || format!("{flag}: {}", file.display());
    let mut raw = Vec::new();
    let read = File::open(file).and_then(|open| open.take(MAX_FILE + 1).read_to_end(&mut raw));
    match read.with_context(named).map_err(Unusable::Usage)? {
        length if length as u64 > MAX_FILE => {
            Err(Unusable::Usage(anyhow!("{} is larger than {} MiB", named(), MAX_FILE >> 20)))
        }
        _ => Ok(raw),
    }
}

fn broken(violations: Vec<convoke_proto::v1::Violation>) -> Unusable {
    Unusable::Broken(violations.into_iter().map(Problem::from).collect())
}
