//! `convoke schema describe`: what a message takes.

use std::io::{self, Write as _};

use convoke_schema::{Description, Schema};
use serde_json::json;

use crate::args::Dialect;
use crate::exit::{Ending, Exit};

pub(super) fn run(schema: &Schema, dialect: Dialect, json: bool) -> Ending {
    let dialect = match dialect {
        Dialect::Plain => convoke_schema::Dialect::Plain,
        Dialect::Strict => convoke_schema::Dialect::Strict,
        Dialect::Text => convoke_schema::Dialect::Text,
    };
    let mut out = io::stdout().lock();
    match schema.describe_as(dialect) {
        Description::Text(lines) if json => writeln!(out, "{}", json!({ "text": lines }))?,
        Description::Text(lines) => out.write_all(lines.as_bytes())?,
        described => writeln!(out, "{described:#}")?,
    }
    Ok(Exit::Success)
}
