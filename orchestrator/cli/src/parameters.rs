//! The parameters of a call, from JSON text to the Struct that travels.
//!
//! A Struct has one value per name and doubles for numbers. What it cannot carry is refused here, before it is lost;
//! integers that a double would round travel as decimal strings, which the coercion of a 64-bit field takes back.

use std::io::Read as _;

use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{ToolError, Violation, violation::Rule};
use convoke_schema::Value;
use prost_types::Struct;

use crate::exit::Failure;

/// The largest parameters that are read: what a door takes in one message.
const MAX_SIZE: u64 = 4 << 20;

/// Reads `text`, or standard input where it is `-`.
pub(crate) fn read(text: &str) -> Result<Struct, Failure> {
    if text != "-" {
        return parse(text.as_bytes()).map_err(refused);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    parse(&bytes).map_err(refused)
}

fn parse(text: &[u8]) -> Result<Struct, Vec<Violation>> {
    if text.len() as u64 > MAX_SIZE {
        return Err(vec![violation("", Rule::TooLarge, "at most 4 MiB of JSON")]);
    }
    let value = Value::parse(text).map_err(|error| vec![error.into()])?;
    if value.as_object().is_none() {
        return Err(vec![violation("", Rule::WrongType, "a JSON object with a member for each parameter")]);
    }
    let mut duplicates = Vec::new();
    find_duplicates(&value, &mut String::new(), &mut duplicates);
    if duplicates.is_empty() { Ok(value.to_struct()) } else { Err(duplicates) }
}

/// Recursion is bounded: a text that nests deeper than 128 does not parse.
fn find_duplicates(value: &Value, path: &mut String, found: &mut Vec<Violation>) {
    let length = path.len();
    if let Some(object) = value.as_object() {
        let mut names: Vec<&str> = object.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let mut twice: Vec<&str> =
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.dedup();
        for name in twice {
            let place = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            found.push(violation(&place, Rule::DuplicateField, "one value for this name"));
        }
        for (name, member) in object.iter() {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name.as_str());
            find_duplicates(member, path, found);
            path.truncate(length);
        }
    }
    for (index, element) in value.as_list().unwrap_or_default().iter().enumerate() {
        path.push_str(&format!("[{index}]"));
        find_duplicates(element, path, found);
        path.truncate(length);
    }
}

fn violation(path: &str, rule: Rule, expected: &str) -> Violation {
    Violation {
        path: path.to_owned(),
        rule: rule.into(),
        expected: expected.to_owned(),
        ..Violation::default()
    }
}

fn refused(field_violations: Vec<Violation>) -> Failure {
    Failure::tool(ToolError {
        code: "PARAMETERS_INVALID".to_owned(),
        message: "the parameters are not a JSON object that can be sent".to_owned(),
        category: Category::InputError.into(),
        outcome: Outcome::NotStarted.into(),
        field_violations,
        ..ToolError::default()
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_name_given_twice_is_refused_at_its_place() {
        let found = parse(br#"{"a": [{"b": 1, "c": 2, "b": 3}], "d": 1, "d": 1}"#).unwrap_err();
        let paths: Vec<_> = found.iter().map(|violation| violation.path.as_str()).collect();
        assert_eq!(paths, ["d", "a[0].b"]);
    }

    #[test]
    fn integers_that_a_double_would_round_travel_as_text() {
        use prost_types::value::Kind;
        let parsed = parse(br#"{"id": 9007199254740993, "n": 5}"#).unwrap();
        assert_eq!(parsed.fields["id"].kind, Some(Kind::StringValue("9007199254740993".to_owned())));
        assert_eq!(parsed.fields["n"].kind, Some(Kind::NumberValue(5.0)));
    }
}
