//! The type of what a reference brings: its path, followed through the producer's output message.

use std::sync::OnceLock;

use convoke_proto::v1::plan_report::Rule;
use convoke_schema::{Field, Kind, Schema};

use crate::{Reference, Root, Segment};

/// What stands at a place of an answer.
#[derive(Debug, Clone)]
pub(crate) enum Produced {
    /// A declared type.
    Field(Field),
    /// Something inside a Struct: anything.
    Untyped,
}

/// Why a path leads nowhere.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) rule: Rule,
    pub(crate) message: String,
    pub(crate) suggestion: String,
}

// === impl Produced ===

impl Produced {
    /// Plain text, as templates make it.
    pub(crate) fn text() -> Self {
        frame(Root::Explanation)
    }

    pub(crate) fn type_text(&self) -> String {
        match self {
            Self::Field(field) => field.type_text(),
            Self::Untyped => "something without a declared type".to_owned(),
        }
    }

    fn inside(self, segment: &Segment, so_far: &str) -> Result<Self, Lost> {
        let Self::Field(field) = self else { return Ok(self) };
        match segment {
            Segment::Index(_) if field.is_list() => Ok(field.element().map_or(Self::Untyped, Self::Field)),
            Segment::Key(_) if field.is_map() => Ok(field.element().map_or(Self::Untyped, Self::Field)),
            Segment::Index(_) if !field.is_map() && matches!(field.kind(), Kind::Value | Kind::ListValue) => {
                Ok(Self::Untyped)
            }
            Segment::Index(_) => Err(Lost::bad(format!("{so_far} is {} and no list", field.type_text()))),
            Segment::Key(_) if field.is_list() => {
                Err(Lost::bad(format!("{so_far} is a list: a place like [0] comes before a field")))
            }
            Segment::Key(_) if matches!(field.kind(), Kind::Struct | Kind::Value | Kind::Any) => {
                Ok(Self::Untyped)
            }
            Segment::Key(name) => match field.message() {
                Some(message) => named(&message, name, so_far),
                None => {
                    Err(Lost::unknown(format!("{so_far} is {} and has no fields", field.type_text()), ""))
                }
            },
        }
    }
}

// === impl Lost ===

impl Lost {
    fn bad(message: String) -> Self {
        Self { rule: Rule::BadReference, message, suggestion: String::new() }
    }

    fn unknown(message: String, suggestion: &str) -> Self {
        Self { rule: Rule::UnknownField, message, suggestion: suggestion.to_owned() }
    }
}

/// Follows a reference into the output of the capability that answers it.
pub(crate) fn find(reference: &Reference, output: &Schema) -> Result<Produced, Lost> {
    let mut place = match reference.root {
        Root::Result => Produced::Field(output.as_field()),
        root => frame(root),
    };
    let mut so_far = format!("{}.{}", reference.step, reference.root);
    for segment in &reference.path {
        place = place.inside(segment, &so_far)?;
        so_far.push_str(&segment.to_string());
    }
    Ok(place)
}

fn named(message: &Schema, name: &str, so_far: &str) -> Result<Produced, Lost> {
    if let Some(field) = message.field(name) {
        return Ok(Produced::Field(field));
    }
    let nearest = message.nearest_field(name).unwrap_or_default();
    let fields: Vec<String> = message.fields().map(|field| field.name().to_owned()).collect();
    let text = format!("{so_far} has no field {name:?}; it has {}", listed(&fields));
    Err(Lost::unknown(text, nearest))
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    match names.get(..SHOWN) {
        Some(first) if names.len() > SHOWN => {
            format!("{} and {} more", first.join(", "), names.len() - SHOWN)
        }
        _ if names.is_empty() => "none".to_owned(),
        _ => names.join(", "),
    }
}

/// What every answer has around its result, as the contract declares it. A status reads as text.
fn frame(root: Root) -> Produced {
    static FRAME: OnceLock<Option<Schema>> = OnceLock::new();
    let compiled = FRAME.get_or_init(|| {
        let answer = convoke_proto::descriptor_pool().get_message_by_name("convoke.v1.DomainOutput")?;
        Schema::compile(&answer).ok()
    });
    let declared = if root == Root::Status { Root::Explanation } else { root };
    let field = compiled.as_ref().and_then(|answer| answer.field(declared.as_str()));
    field.map_or(Produced::Untyped, Produced::Field)
}
