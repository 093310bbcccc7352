//! `convoke schema`: the schema engine alone, over types from wherever they are declared.
//!
//! ```text
//! --proto, --descriptor-set, --json-schema, --from ──source──▶ types ──▶ coerce | describe | assignable | check
//! ```
//!
//! Each command prints JSON on standard output; what cannot be used as a source is told on standard error, but for
//! `check`, where it is a problem among the others.

mod assignable;
mod check;
mod coerce;
mod describe;
mod problem;
mod protos;
mod source;
mod unusable;

use convoke_schema::Limits;
use source::Source;
use unusable::Unusable;

use crate::args;
use crate::exit::{Ending, Failure};

pub(crate) async fn run(command: args::Schema) -> Ending {
    match command {
        args::Schema::Coerce(args) => {
            let json = args.source.json;
            let source = Source::load(args.source, args.message.as_deref()).await?;
            let form = match (args.inline, source.is_json_schema()) {
                (true, _) if json => coerce::Form::InlineText,
                (true, _) => coerce::Form::Inline,
                (false, true) => coerce::Form::Original,
                (false, false) => coerce::Form::Typed,
            };
            let limits = Limits { max_depth: usize::from(args.max_depth), ..Limits::default() };
            blocking(move || coerce::run(&source.schema(args.message.as_deref(), &limits)?, form)).await
        }
        args::Schema::Describe(args) => {
            let json = args.source.json;
            let source = Source::load(args.source, args.message.as_deref()).await?;
            let limits = Limits::default();
            let schema = move || source.schema(args.message.as_deref(), &limits);
            blocking(move || describe::run(&schema()?, args.format, json)).await
        }
        args::Schema::Assignable(args) => {
            let source = Source::load(args.source, None).await?;
            blocking(move || assignable::run(&source, &args.producer, &args.consumer)).await
        }
        args::Schema::Check(args) => {
            let source = match Source::load(args.source, args.message.as_deref()).await {
                Err(Unusable::Broken(problems)) => return check::print(&problems),
                loaded => loaded?,
            };
            blocking(move || check::run(&source, args.message.as_deref())).await
        }
    }
}

/// Reads standard input and works on the processor alone.
async fn blocking(work: impl FnOnce() -> Ending + Send + 'static) -> Ending {
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::Other(error.into()))?
}
