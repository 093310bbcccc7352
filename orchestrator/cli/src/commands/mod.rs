//! One file per command, or per group of commands that answer alike. Each reaches the mesh, calls one RPC, prints the
//! answer and says how it ended.

mod agents;
mod ask;
mod call;
mod capabilities;
mod dev;
mod plan;
mod plan_file;
mod schema;
mod serve;

use anyhow::anyhow;

use crate::args::{Arguments, Command};
use crate::exit::{Ending, Exit, Failure};
use crate::output::{self, Printer};

/// Runs the command that the arguments name.
pub(crate) async fn run(arguments: Arguments) -> Exit {
    let json = asks_for_json(&arguments.command);
    let default_filter = if matches!(arguments.command, Command::Serve(_)) { "info" } else { "warn" };
    let ending = match crate::logs::start(default_filter) {
        Ok(()) => dispatch(arguments.command, Printer::new(json)).await,
        Err(error) => Err(Failure::Usage(error)),
    };
    match ending {
        Ok(exit) => exit,
        Err(failure) => {
            output::failure(&Printer::new(json), &failure);
            failure.exit()
        }
    }
}

/// Answers to arguments that name no command: help, or what is wrong with them.
pub(crate) fn unread(arguments: &clap::Error) -> Exit {
    // Nothing can be told to a caller that closed its end.
    let _ = arguments.print();
    if !arguments.use_stderr() {
        return Exit::Success;
    }
    let mut said = std::env::args_os().skip(1).take_while(|argument| argument != "--");
    if said.any(|argument| argument == "--json") {
        let rendered = arguments.to_string();
        // Usage and hints come after a blank line.
        let mistake: Vec<_> = rendered.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let mistake = mistake.join(" ");
        let mistake = mistake.trim_start_matches("error: ");
        output::failure(&Printer::new(true), &Failure::Usage(anyhow!("{mistake}")));
    }
    Exit::Refused
}

async fn dispatch(command: Command, printer: Printer) -> Ending {
    match command {
        Command::Dev(args) => dev::run(args, &printer).await,
        Command::Serve(args) => serve::run(args, &printer).await,
        Command::Ask(args) => ask::run(args, &printer).await,
        Command::Plan(args) => plan::run(args, &printer).await,
        Command::Verify(args) => plan_file::verify(args, &printer).await,
        Command::Run(args) => plan_file::run(args, &printer).await,
        Command::Call(args) => call::run(args, &printer).await,
        Command::Agents(args) => agents::run(args, &printer).await,
        Command::Capabilities(args) => capabilities::run(args, &printer).await,
        Command::Schema(args) => schema::run(args).await,
    }
}

fn asks_for_json(command: &Command) -> bool {
    match command {
        Command::Dev(args) => args.format.json,
        Command::Ask(args) => args.format.json,
        Command::Plan(args) => args.format.json,
        Command::Verify(args) => args.format.json,
        Command::Run(args) => args.file.format.json,
        Command::Call(args) => args.format.json,
        Command::Agents(args) => args.format.json,
        Command::Capabilities(args) => args.format.json,
        Command::Schema(command) => command.json(),
        Command::Serve(_) => false,
    }
}
