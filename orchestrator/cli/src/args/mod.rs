//! The command line: what can be said, with examples. Meaning is given to it in [`crate::commands`].

mod schema;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use convoke_server::AgentEndpoints;

pub(crate) use schema::{Dialect, Schema, Source};

/// A gRPC service mesh for AI agents: a sentence in, typed calls to agents, an answer with its record out.
#[derive(Debug, Parser)]
#[command(name = "convoke", version, propagate_version = true, max_term_width = 110)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  convoke dev \"Convert 250 Euro to yen\"              a whole mesh in one process, one answer
  convoke dev                                        the same mesh, staying up on 127.0.0.1:7400
  convoke ask \"How many kilometres are 26.2 miles?\"  ask a mesh that runs
  convoke call convert_currency '{\"amount\": \"250\", \"from\": \"Euro\", \"to\": \"JPY\"}'
  convoke verify plan.json                           check a plan, call nothing

Exit codes:
  0  success
  1  every other failure
  2  usage, or the orchestrator refused what it was given (PARAMETERS_INVALID, PLAN_INVALID,
     CAPABILITY_NOT_FOUND, CAPABILITY_AMBIGUOUS); `verify` with an error; `schema coerce` with a
     violation, `schema check` with a problem
  3  clarification: the mesh asks back

Environment:
  CONVOKE_ADDR      the mesh that commands talk to (default 127.0.0.1:7400)
  CONVOKE_LISTEN    where `serve` listens
  CONVOKE_REGISTRY  where agents register (`serve --registry`)
  CONVOKE_LOG       log filter, e.g. `info` or `convoke_dispatch=debug` (to standard error)";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Dev(Dev),
    Serve(Serve),
    Ask(Ask),
    Plan(Plan),
    Verify(PlanFile),
    Run(Run),
    Call(Call),
    Agents(Agents),
    Capabilities(Capabilities),
    #[command(subcommand)]
    Schema(Schema),
}

/// Run orchestrator, registry and the bundled agents in one process; answer SENTENCE, or stay up.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke dev \"Convert 250 Euro to yen\"
  convoke dev --json \"Convert 250 Euro to yen\"   prints the AskResponse
  convoke dev                                    stays up; Ctrl-C ends it")]
pub(crate) struct Dev {
    /// What to ask; without it the mesh stays up until Ctrl-C.
    pub(crate) sentence: Option<String>,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Run the orchestrator alone, until SIGTERM or Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke serve
  convoke serve --listen 127.0.0.1:7500
  convoke serve --registry etcd://127.0.0.1:2379 --namespace staging")]
pub(crate) struct Serve {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "CONVOKE_LISTEN", default_value = "127.0.0.1:7400", value_name = "HOST:PORT")]
    pub(crate) listen: SocketAddr,
    /// Where instances are kept: `memory`, or `etcd://host:port[,host:port…]`.
    #[arg(long, env = "CONVOKE_REGISTRY", default_value = "memory", value_name = "URL")]
    pub(crate) registry: String,
    /// The part of the registry that this mesh lives in.
    #[arg(long, env = "CONVOKE_NAMESPACE", default_value = "default")]
    pub(crate) namespace: String,
    /// The name of this orchestrator, the first half of its execution ids [default: a random one].
    #[arg(long, env = "CONVOKE_ID")]
    pub(crate) id: Option<String>,
    /// Which addresses agents may register: `loopback`, or `any`.
    #[arg(long, env = "CONVOKE_AGENT_ENDPOINTS", default_value = "loopback", value_parser = agent_endpoints)]
    pub(crate) agent_endpoints: AgentEndpoints,
    /// Ask back when a sentence is understood with less confidence than this, 0 to 1 [default: as measured].
    #[arg(long, env = "CONVOKE_CONFIDENCE_THRESHOLD", value_name = "SHARE")]
    pub(crate) confidence_threshold: Option<f64>,
    /// Listen on an address that other machines reach, without TLS and without authentication.
    #[arg(long)]
    pub(crate) insecure_listen: bool,
}

/// Ask the mesh in a sentence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke ask \"How many kilometres are 26.2 miles?\"
  convoke ask --json \"Convert 250 Euro to yen\" --to 127.0.0.1:7500
  convoke ask --embedded \"Convert 250 Euro to yen\"")]
pub(crate) struct Ask {
    /// What you want, in your own words.
    pub(crate) sentence: String,
    /// How numbers and dates read, as a BCP 47 tag, e.g. `de`.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) locale: String,
    /// Passed to the agents with every call.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) timeout: Timeout,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Show the plan that a sentence becomes; nothing is called.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke plan \"Convert 250 Euro to yen\"
  convoke plan --json \"Convert 250 Euro to yen\" | jq .plan > plan.json")]
pub(crate) struct Plan {
    /// What you want, in your own words.
    pub(crate) sentence: String,
    /// How numbers and dates read, as a BCP 47 tag, e.g. `de`.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) locale: String,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Type-check a plan against what the mesh can do; nothing is called.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke verify plan.json
  convoke plan --json \"Convert 250 Euro to yen\" | jq .plan | convoke verify -")]
pub(crate) struct PlanFile {
    /// A plan as JSON; `-` reads standard input.
    #[arg(value_name = "PLAN.json")]
    pub(crate) plan: PathBuf,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Check a plan and run it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke run plan.json
  convoke run --embedded --json plan.json")]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) file: PlanFile,
    #[command(flatten)]
    pub(crate) timeout: Timeout,
}

/// Call one capability with parameters; each is coerced to the type that the agent declares.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke call convert_currency '{\"amount\": \"250\", \"from\": \"Euro\", \"to\": \"JPY\"}'
  convoke call currency.list_currencies
  echo '{\"from\": \"EUR\", \"to\": \"JPY\"}' | convoke call --embedded get_rate -")]
pub(crate) struct Call {
    /// The capability; with its domain where the name alone is not unique.
    #[arg(value_name = "[DOMAIN.]CAPABILITY")]
    pub(crate) capability: String,
    /// The parameters as a JSON object; `-` reads standard input.
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) parameters: String,
    #[command(flatten)]
    pub(crate) timeout: Timeout,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// List the agents that are registered.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  convoke agents\n  convoke agents --domain currency --json")]
pub(crate) struct Agents {
    /// Only the agents of this domain.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) domain: String,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// List what the mesh can do; with NAME, one capability with its schemas.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  convoke capabilities
  convoke capabilities convert_currency --json")]
pub(crate) struct Capabilities {
    /// One capability.
    #[arg(value_name = "[DOMAIN.]NAME")]
    pub(crate) name: Option<String>,
    /// Only the capabilities of this domain.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) domain: String,
    #[command(flatten)]
    pub(crate) mesh: Mesh,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Which mesh a command talks to.
#[derive(Debug, Args)]
pub(crate) struct Mesh {
    /// Address of a running mesh [default: CONVOKE_ADDR, else 127.0.0.1:7400].
    #[arg(long, value_name = "ADDR", conflicts_with = "embedded")]
    pub(crate) to: Option<String>,
    /// Start the mesh of `dev` in this process for this one command.
    #[arg(long)]
    pub(crate) embedded: bool,
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Format {
    /// Print the RPC's response message as one JSON document, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How long the caller waits.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Timeout {
    /// Give up after this many seconds, e.g. `2.5`; the mesh stops the work then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

impl Timeout {
    /// As a request carries it.
    pub(crate) fn as_proto(self) -> Option<prost_types::Duration> {
        self.timeout.and_then(|timeout| timeout.try_into().ok())
    }
}

fn agent_endpoints(text: &str) -> Result<AgentEndpoints, String> {
    match text {
        "loopback" => Ok(AgentEndpoints::Loopback),
        "any" => Ok(AgentEndpoints::Any),
        _ => Err("`loopback` or `any` is expected".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "a number of seconds is expected, e.g. 2.5".to_owned())?;
    match Duration::try_from_secs_f64(value) {
        Ok(duration) if !duration.is_zero() && value <= 86_400.0 => Ok(duration),
        _ => Err("between 0 (exclusive) and 86400 seconds".to_owned()),
    }
}
