//! What each keyword of JSON Schema is to a conversion.

/// The part that a keyword plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It asks something of the value.
    Asks,
    /// Words for the reader.
    Says,
    /// It leads elsewhere, or holds what others lead to.
    Leads,
    /// It would ask something that cannot be checked.
    Refused,
    /// No keyword of the drafts that are served.
    Unknown,
}

/// Keywords whose value is one schema.
pub(super) const ONE: [&str; 8] =
    ["not", "if", "then", "else", "contains", "additionalProperties", "propertyNames", "items"];
/// Keywords whose value is a list of schemas.
pub(super) const LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose value maps names to schemas.
pub(super) const MAP: [&str; 3] = ["properties", "patternProperties", "dependentSchemas"];
/// Keywords that only ask something of objects.
pub(super) const OBJECT: [&str; 10] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
];
/// Keywords that only ask something of lists.
pub(super) const ARRAY: [&str; 9] = [
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
];

pub(super) fn part(name: &str) -> Part {
    match name {
        "type"
        | "enum"
        | "const"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else"
        | "minimum"
        | "maximum"
        | "exclusiveMinimum"
        | "exclusiveMaximum"
        | "multipleOf"
        | "minLength"
        | "maxLength"
        | "pattern"
        | "unevaluatedProperties"
        | "unevaluatedItems" => Part::Asks,
        name if OBJECT.contains(&name) || ARRAY.contains(&name) => Part::Asks,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly"
        | "format" | "contentEncoding" | "contentMediaType" | "contentSchema" | "$comment" | "$schema" => {
            Part::Says
        }
        "$ref" | "allOf" | "$defs" | "definitions" | "$id" | "$anchor" => Part::Leads,
        "$dynamicRef" | "$recursiveRef" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary" => {
            Part::Refused
        }
        _ => Part::Unknown,
    }
}
