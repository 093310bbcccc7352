//! The arguments of `convoke schema`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Work with the schema engine alone: no mesh, and no network but for --from.
#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    Coerce(Coerce),
    Describe(Describe),
    Assignable(Assignable),
    Check(Check),
}

/// Coerce JSON values, one per line on standard input, to a message; one line of result each.
#[derive(Debug, Args)]
#[command(after_help = "\
Each line of output is `{\"value\": …, \"report\": {\"entries\": […], \"violations\": […]}}`; the value is null where \
there is a violation, and the exit code is then 2.

Examples:
  echo '{\"Days\": \"[1, 2]\"}' | convoke schema coerce --proto trip.proto --message trip.v1.Trip
  convoke schema coerce --json-schema tool.json < calls.jsonl > coerced.jsonl
  echo '{\"days\": \"soon\"}' | convoke schema coerce --inline --from 127.0.0.1:50051 --message trip.v1.Trip")]
pub(crate) struct Coerce {
    #[command(flatten)]
    pub(crate) source: Source,
    #[arg(long, value_name = "NAME", help = MESSAGE)]
    pub(crate) message: Option<String>,
    /// Print each value with its violations as comments at their places, for a person or a model to read.
    #[arg(long)]
    pub(crate) inline: bool,
    /// How deep messages, and the objects and lists of a Struct, may nest, the root counted: 1 to 100.
    #[arg(long, value_name = "LEVELS", default_value_t = 32)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) max_depth: u8,
}

/// Print what a message takes: as JSON Schema, or as text for a prompt.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke schema describe --proto trip.proto --message trip.v1.Trip
  convoke schema describe --format strict --descriptor-set trip.binpb --message trip.v1.Trip
  convoke schema describe --format text --json-schema tool.json")]
pub(crate) struct Describe {
    #[command(flatten)]
    pub(crate) source: Source,
    #[arg(long, value_name = "NAME", help = MESSAGE)]
    pub(crate) message: Option<String>,
    /// In which form.
    #[arg(long, value_enum, default_value_t = Dialect::Plain)]
    pub(crate) format: Dialect,
}

/// How a message is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// JSON Schema 2020-12: what validates coerces without a change but defaults.
    Plain,
    /// JSON Schema as model providers' strict modes take it.
    Strict,
    /// One line for each field.
    Text,
}

/// Say whether the values of one field may be given to another: ALWAYS, SOMETIMES or NEVER.
#[derive(Debug, Args)]
#[command(after_help = "\
Prints `{\"verdict\": …, \"rule\": …, \"condition\": …, \"reason\": …}`. The exit code is 0 whatever the verdict.

Examples:
  convoke schema assignable --proto trip.proto --producer trip.v1.Stop.name --consumer trip.v1.Trip.days
  convoke schema assignable --proto rates.proto mail.proto --producer rates.v1.Rate.amount --consumer mail.v1.Mail.text")]
pub(crate) struct Assignable {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The field that gives the value, e.g. `trip.v1.Stop.name`.
    #[arg(long, value_name = "MSG.FIELD")]
    pub(crate) producer: String,
    /// The field that takes it.
    #[arg(long, value_name = "MSG.FIELD")]
    pub(crate) consumer: String,
}

/// Compile every message, or one, and list what is wrong or not enforced.
#[derive(Debug, Args)]
#[command(after_help = "\
Prints `{\"problems\": [{\"path\": …, \"rule\": …, \"message\": …}]}`; exit code 2 where there is a problem. A rule of \
`buf.validate` that the mesh does not enforce is a problem of rule NOT_ENFORCED: an agent that declares it is served \
nevertheless, and has to enforce it itself. Where a JSON Schema's message takes other values than the JSON Schema does, \
a note on standard error says so.

Examples:
  convoke schema check --proto proto/trip.proto proto/hotel.proto --include proto
  convoke schema check --from 127.0.0.1:50051
  convoke schema check --json-schema tool.json")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) source: Source,
    /// This message alone, and what it holds [default: every message].
    #[arg(long, value_name = "NAME")]
    pub(crate) message: Option<String>,
}

const MESSAGE: &str =
    "The message's full name, e.g. `trip.v1.Trip` [default: the only message that there is]";

/// Where the messages are declared.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Source {
    /// Proto files; `google/protobuf/*.proto` and `convoke/v1/*.proto` are built in.
    #[arg(long, value_name = "FILE", num_args = 1.., group = "source")]
    #[arg(required_unless_present_any = ["descriptor_set", "json_schema", "from"])]
    pub(crate) proto: Vec<PathBuf>,
    /// Where imports are found; a file in no such folder brings its own. May be repeated.
    #[arg(long, value_name = "DIR", requires = "proto")]
    pub(crate) include: Vec<PathBuf>,
    /// An encoded FileDescriptorSet, as `protoc -o FILE --include_imports` or `buf build -o FILE` writes it.
    #[arg(long, value_name = "FILE", group = "source")]
    pub(crate) descriptor_set: Option<PathBuf>,
    /// A JSON Schema (draft 7 or 2020-12) of an object, such as an MCP tool's `inputSchema`.
    #[arg(long, value_name = "FILE", group = "source")]
    pub(crate) json_schema: Option<PathBuf>,
    /// A server with reflection, e.g. `127.0.0.1:50051`.
    #[arg(long, value_name = "ADDR", group = "source")]
    pub(crate) from: Option<String>,
    /// Print everything as JSON: a failure as `{"error": …}`, --inline and --format text as `{"text": …}`.
    #[arg(long)]
    pub(crate) json: bool,
}

// === impl Schema ===

impl Schema {
    /// Whether everything is to be printed as JSON.
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Coerce(args) => args.source.json,
            Self::Describe(args) => args.source.json,
            Self::Assignable(args) => args.source.json,
            Self::Check(args) => args.source.json,
        }
    }
}
