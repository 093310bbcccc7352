//! `convoke schema assignable`: whether one field's values may be given to another.

use std::io::{self, Write as _};

use anyhow::anyhow;
use convoke_schema::{Field, Limits};

use super::source::Source;
use super::unusable::Unusable;
use crate::exit::{Ending, Exit};

pub(super) fn run(source: &Source, producer: &str, consumer: &str) -> Ending {
    let producer = field(source, "--producer", producer)?;
    let consumer = field(source, "--consumer", consumer)?;
    let verdict = convoke_schema::assignable(&producer, &consumer).to_verdict();
    writeln!(io::stdout().lock(), "{}", verdict.to_json())?;
    Ok(Exit::Success)
}

/// The field that `MSG.FIELD` names.
fn field(source: &Source, flag: &str, path: &str) -> Result<Field, Unusable> {
    let usage = |message: String| Unusable::Usage(anyhow!("{flag}: {message}"));
    let (message, name) = path.rsplit_once('.').ok_or_else(|| {
        usage(format!("a message and its field are expected, as in trip.v1.Trip.days, not {path}"))
    })?;
    let schema = source.schema(Some(message), &Limits::default()).map_err(|unusable| match unusable {
        Unusable::Usage(error) => usage(error.to_string()),
        broken => broken,
    })?;
    schema.field(name).ok_or_else(|| {
        usage(match schema.nearest_field(name) {
            Some(known) => format!("{message} has no field {name}; did you mean {known}?"),
            None => {
                let known: Vec<_> = schema.fields().map(|field| field.name().to_owned()).collect();
                format!("{message} has no field {name}, only {}", known.join(", "))
            }
        })
    })
}
