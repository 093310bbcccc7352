//! Goal → capability, by the manifest alone.
//!
//! The first entity, in field order, that is an enum whose values choose capabilities decides: by the value that
//! was said, else by the field's declared default. Without one the goal's own capability is it. Deterministic; no
//! text is read.

use std::sync::Arc;

use convoke_catalog::{Catalog, Goal};
use convoke_proto::v1;
use convoke_schema::{Field, Value, nearest};
use prost_types::{Struct, value::Kind};

use crate::{
    Error,
    lexical::{manifest::enum_prefix, source::words_of_name},
};

/// The capability that an intent's goal leads to, and its parameters: the entities, without the one that chose the
/// capability where that has no such field.
///
/// # Errors
/// [`Error::UnknownGoal`], [`Error::AmbiguousGoal`] or [`Error::NoCapability`].
pub fn resolve(intent: &v1::IntentOutput, catalog: &Catalog) -> Result<v1::ExecutionIntent, Error> {
    let goal = find(intent, catalog)?;
    let mut parameters = intent.entities.clone().unwrap_or_default();
    let chosen = goal.entities.fields().find_map(|field| choose(&field, &parameters));
    let (capability, by) = match chosen {
        Some((capability, field)) => (capability, Some(field)),
        None => (goal.capability.clone(), None),
    };
    let Ok(offered) = catalog.resolve(&goal.domain, &capability, "") else {
        return Err(Error::NoCapability { goal: full_name(goal), capability });
    };
    if let Some(field) = by.filter(|field| offered.input.field(field).is_none()) {
        parameters.fields.remove(&field);
    }
    Ok(v1::ExecutionIntent {
        domain: goal.domain.clone(),
        capability,
        parameters: Some(parameters),
        confidence: intent.confidence,
        original_query: intent.original_query.clone(),
    })
}

fn full_name(goal: &Goal) -> String {
    format!("{}.{}", goal.domain, goal.name)
}

fn find<'a>(intent: &v1::IntentOutput, catalog: &'a Catalog) -> Result<&'a Arc<Goal>, Error> {
    let (domain, name) = (intent.primary_domain.as_str(), intent.goal.as_str());
    let meant = |goal: &&Arc<Goal>| goal.name == name && (domain.is_empty() || goal.domain == domain);
    let mut found = catalog.goals().filter(meant);
    match (found.next(), found.next()) {
        (Some(goal), None) => Ok(goal),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(found);
            let candidates = all.map(|goal| full_name(goal)).collect();
            Err(Error::AmbiguousGoal { goal: name.to_owned(), candidates })
        }
        (None, _) => {
            let names: Vec<String> = catalog.goals().map(|goal| full_name(goal)).collect();
            let goal = if domain.is_empty() { name.to_owned() } else { format!("{domain}.{name}") };
            let near = nearest(&goal, names.iter().map(String::as_str)).into_iter().map(str::to_owned);
            Err(Error::UnknownGoal { nearest: near.collect(), goal })
        }
    }
}

/// The capability that an entity chooses, and the entity.
fn choose(field: &Field, entities: &Struct) -> Option<(String, String)> {
    if !field.enum_values().any(|value| !value.capabilities().is_empty()) {
        return None;
    }
    let said = match entities.fields.get(field.name()).and_then(|value| value.kind.as_ref()) {
        Some(Kind::StringValue(text)) => named(field, text)?,
        Some(Kind::NullValue(_)) | None => default(field)?,
        Some(_) => return None,
    };
    let value = field.enum_values().find(|value| value.name() == said)?;
    // A value with several capabilities does not get past registration; the first would be as good as any.
    value.capabilities().first().map(|capability| (capability.clone(), field.name().to_owned()))
}

/// The value that a text names: by its name in any style, with or without the type's prefix, or by an alias.
fn named(field: &Field, text: &str) -> Option<String> {
    let prefix = enum_prefix(field);
    let bare = |name: &str| {
        let words = words_of_name(name);
        words.strip_prefix(&prefix).map(str::to_owned).unwrap_or(words)
    };
    let wanted = bare(text);
    let exact = field.enum_values().find(|value| value.name() == text);
    let same = |name: &str| bare(name) == wanted;
    exact
        .or_else(|| {
            field
                .enum_values()
                .find(|value| same(value.name()) || value.aliases().iter().any(|alias| same(alias)))
        })
        .map(|value| value.name().to_owned())
}

fn default(field: &Field) -> Option<String> {
    match field.default_value()? {
        Value::Enum(value) => {
            let number = value.number;
            field.enum_values().find(|known| known.number() == number).map(|known| known.name().to_owned())
        }
        _ => None,
    }
}
