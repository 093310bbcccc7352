//! `convoke schema`: the schema engine alone, over a proto file.

use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use convoke_proto::json;
use convoke_proto::v1::{CoercionReport, Violation, violation};
use convoke_schema::{JsonError, Schema, Value};
use prost_reflect::{DescriptorPool, MessageDescriptor};
use protox::file::{ChainFileResolver, File, FileResolver, IncludeFileResolver};

use crate::args;
use crate::exit::{Ending, Exit, Failure};

/// The longest line that is read: far above what a door takes in one message.
const MAX_LINE: usize = 64 << 20;

pub(crate) async fn run(command: args::Schema) -> Ending {
    let work = move || match command {
        args::Schema::Coerce(args) => coerce(&load(&args).map_err(Failure::Usage)?),
        args::Schema::Describe(args) => describe(&load(&args).map_err(Failure::Usage)?),
    };
    // Reads standard input and works on the processor alone.
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::Other(error.into()))?
}

fn describe(schema: &Schema) -> Ending {
    writeln!(io::stdout().lock(), "{:#}", schema.describe())?;
    Ok(Exit::Success)
}

fn coerce(schema: &Schema) -> Ending {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    let mut exit = Exit::Success;
    let mut number = 0;
    while read_line(&mut input, &mut line)? {
        number += 1;
        let (value, report) = coerce_line(schema, &line, number);
        if !report.violations.is_empty() {
            exit = Exit::Refused;
        }
        let report = json::render("convoke.v1.CoercionReport", &report);
        writeln!(output, "{{\"value\":{value},\"report\":{report}}}")?;
        // A writer that waits for each answer gets it; one that sends many lines pays one write for many.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(exit)
}

/// One line to its value, as JSON text, and its report. What is no JSON has a report too, which names the line of the
/// whole input: `number`, from 1.
fn coerce_line(schema: &Schema, line: &[u8], number: usize) -> (String, CoercionReport) {
    if line.len() > MAX_LINE {
        return refused(Violation {
            rule: violation::Rule::TooLarge.into(),
            expected: "a line of at most 64 MiB".to_owned(),
            ..Violation::default()
        });
    }
    match Value::parse(line) {
        Ok(value) => {
            let coerced = schema.coerce(value);
            let text =
                if coerced.report.is_ok() { schema.to_json(&coerced.value) } else { "null".to_owned() };
            (text, coerced.report.into_proto())
        }
        Err(error) => refused(JsonError { line: number, ..error }.into()),
    }
}

fn refused(violation: Violation) -> (String, CoercionReport) {
    let report = CoercionReport { violations: vec![violation], ..CoercionReport::default() };
    ("null".to_owned(), report)
}

/// Reads one line without its end; false at the end of input. A line that is too long is cut one byte above the limit
/// and the rest of it passed over, so that it is refused and not held in memory.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = MAX_LINE as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > MAX_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}

/// Compiles the proto file and, in it, the message.
fn load(args: &args::Message) -> anyhow::Result<Schema> {
    let pool = compile(&args.proto, &args.include)?;
    let message = find(&pool, &args.message)?;
    Schema::compile(&message).map_err(|defects| {
        let lines: Vec<_> = defects.iter().map(|defect| format!("\n  {defect}")).collect();
        anyhow!("{} cannot be used as a schema:{}", args.message, lines.concat())
    })
}

fn find(pool: &DescriptorPool, name: &str) -> anyhow::Result<MessageDescriptor> {
    let name = name.trim_start_matches('.');
    pool.get_message_by_name(name).ok_or_else(|| {
        let all: Vec<_> = pool.all_messages().map(|message| message.full_name().to_owned()).collect();
        let near = convoke_schema::nearest(name, all.iter().map(String::as_str));
        let same_end = all.iter().filter(|known| known.ends_with(&format!(".{name}"))).map(String::as_str);
        match near.into_iter().chain(same_end).next() {
            Some(known) => anyhow!("--message: there is no message {name}; did you mean {known}?"),
            None => anyhow!("--message: there is no message {name} in the file or what it imports"),
        }
    })
}

fn compile(proto: &Path, include: &[std::path::PathBuf]) -> anyhow::Result<DescriptorPool> {
    let folder = match proto.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folders = if include.is_empty() { vec![folder.to_owned()] } else { include.to_vec() };
    let mut resolver = ChainFileResolver::new();
    for folder in &folders {
        resolver.add(IncludeFileResolver::new(folder.clone()));
    }
    resolver.add(BuiltIn);
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_source_info(true).include_imports(true);
    let name = folders.iter().find_map(|folder| proto.strip_prefix(folder).ok()).unwrap_or(proto);
    compiler
        .open_file(name)
        .map_err(|error| anyhow!("{error:?}"))
        .with_context(|| format!("--proto: {} does not compile", proto.display()))?;
    // The encoded set keeps custom options; the decoded one drops them.
    let set = compiler.encode_file_descriptor_set();
    Ok(DescriptorPool::decode(set.as_slice())?)
}

/// The files that every proto may import: Google's and ours.
struct BuiltIn;

// === impl BuiltIn ===

impl FileResolver for BuiltIn {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match convoke_proto::SOURCES.iter().find(|(known, _)| *known == name) {
            Some((known, text)) => File::from_source(known, text),
            None => protox::file::GoogleFileResolver::new().open_file(name),
        }
    }
}
