//! Names that protobuf takes, as near as may be to those that came.

use hashbrown::HashSet;

/// `[A-Za-z_][A-Za-z0-9_]*`
pub(super) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Identifiers joined by dots.
pub(super) fn is_full_name(name: &str) -> bool {
    name.len() <= 512 && name.split('.').all(is_identifier)
}

/// The names of fields, in the order of the properties: identifiers stay, the others become some.
pub(super) fn field_names<'a>(properties: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut taken: HashSet<String> =
        properties.clone().filter(|name| is_identifier(name)).map(str::to_owned).collect();
    properties
        .map(|name| if is_identifier(name) { name.to_owned() } else { unique(&field(name), &mut taken) })
        .collect()
}

/// An identifier for what is none: every other character becomes an underscore.
fn field(name: &str) -> String {
    let mut out: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if out.bytes().all(|byte| byte == b'_') {
        "field".clone_into(&mut out);
    }
    if out.starts_with(|first: char| first.is_ascii_digit()) {
        out.insert(0, '_');
    }
    out.truncate(128);
    out
}

/// `CreateIssue` for `create-issue`.
pub(super) fn type_name(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut out = String::new();
    for word in words {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        out.push_str(&first.to_ascii_uppercase());
        out.push_str(rest);
    }
    if !out.starts_with(|first: char| first.is_ascii_alphabetic()) {
        out.insert_str(0, "Type");
    }
    out.truncate(64);
    out
}

/// The name, with a number behind it where it is taken; taken from then on.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut count = 1_usize;
    while !taken.insert(candidate.clone()) {
        count += 1;
        candidate = format!("{name}_{count}");
    }
    candidate
}
