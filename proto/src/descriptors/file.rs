//! One file of a set: decoded, and checked for what `prost-reflect` takes for granted.

use std::collections::BTreeSet;

use prost::Message;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

use super::{Mistake, wire::Budget};

/// The longest full name of a message, field, enum, value, service or method.
const MAX_FULL_NAME: usize = 512;

/// Most reserved and extension ranges of one message or enum.
const MAX_RANGES: usize = 256;

/// Packages that the contract and protobuf itself own; nobody else may define types in them.
const OWNED: [&str; 2] = ["google.protobuf", "convoke.v1"];

/// Decodes a file, within the budget.
pub(super) fn read(raw: &[u8], budget: &mut Budget) -> Result<FileDescriptorProto, Mistake> {
    budget.admit(raw)?;
    FileDescriptorProto::decode(raw).map_err(|error| Mistake::format(format!("a proto file: {error}")))
}

/// Checks a file. What is left unchecked here (types that resolve, numbers that are legal and unique), the pool
/// checks.
pub(super) fn check(file: &FileDescriptorProto) -> Result<(), Mistake> {
    // The pool panics on anything else.
    if !matches!(file.syntax(), "" | "proto2" | "proto3") {
        let expected = match file.syntax() {
            "editions" => "syntax proto2 or proto3: editions are not supported; write `syntax = \"proto3\";` in place of `edition`"
                .to_owned(),
            other => format!("syntax proto2 or proto3, not {other:?}"),
        };
        return Err(Mistake::format(expected));
    }
    if OWNED.contains(&file.package()) {
        return Err(Mistake::format(format!(
            "no package {0} of its own: import the files of {0} under their own names, such as \
             convoke/v1/annotations.proto",
            file.package()
        )));
    }
    check_names(file)
}

fn check_names(file: &FileDescriptorProto) -> Result<(), Mistake> {
    let package = file.package();
    if !package.is_empty() {
        for part in package.split('.') {
            identifier("", part)?;
        }
    }
    for message in &file.message_type {
        check_message(package, message)?;
    }
    for declared in &file.enum_type {
        check_enum(package, declared)?;
    }
    for extension in &file.extension {
        check_field(package, extension)?;
    }
    for service in &file.service {
        let scope = identifier(package, service.name())?;
        for method in &service.method {
            identifier(&scope, method.name())?;
        }
    }
    Ok(())
}

fn check_message(scope: &str, message: &DescriptorProto) -> Result<(), Mistake> {
    let scope = identifier(scope, message.name())?;
    for field in message.field.iter().chain(&message.extension) {
        check_field(&scope, field)?;
    }
    for oneof in &message.oneof_decl {
        identifier(&scope, oneof.name())?;
    }
    let ranges = message.reserved_range.iter().map(|range| (range.start(), range.end()));
    let extensions = message.extension_range.iter().map(|range| (range.start(), range.end()));
    check_ranges(&scope, ranges.chain(extensions), message.field.iter().map(FieldDescriptorProto::number))?;
    if message.options.as_ref().is_some_and(prost_types::MessageOptions::map_entry) && !is_map_entry(message)
    {
        return Err(Mistake::format(format!("{scope} marked as a map's entry, with the two fields of one")));
    }
    for nested in &message.nested_type {
        check_message(&scope, nested)?;
    }
    message.enum_type.iter().try_for_each(|declared| check_enum(&scope, declared))
}

fn check_field(scope: &str, field: &FieldDescriptorProto) -> Result<(), Mistake> {
    let full_name = identifier(scope, field.name())?;
    if field.r#type == Some(Type::Bytes.into()) && !is_escaped(field.default_value()) {
        return Err(Mistake::format(format!("{full_name} with a default whose escapes are those of C")));
    }
    Ok(())
}

/// Whether each backslash begins an escape: the pool's own reader panics on `\777` and on `\x` before a long character.
fn is_escaped(default: &str) -> bool {
    let mut rest = default.as_bytes();
    while let Some(at) = rest.iter().position(|&c| c == b'\\') {
        rest = match &rest[at + 1..] {
            [b'x' | b'X', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', rest @ ..] => rest,
            [b'4'..=b'7', b'0'..=b'7', b'0'..=b'7', ..] => return false,
            [b'0'..=b'7', rest @ ..] => rest,
            [b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'?' | b'\'' | b'"', rest @ ..] => rest,
            _ => return false,
        };
    }
    true
}

fn check_enum(scope: &str, declared: &EnumDescriptorProto) -> Result<(), Mistake> {
    let full_name = identifier(scope, declared.name())?;
    for value in &declared.value {
        identifier(scope, value.name())?;
    }
    if declared.value.is_empty() {
        return Err(Mistake::format(format!("{full_name} with at least one value")));
    }
    // An enum's ranges include their ends.
    let ranges = declared.reserved_range.iter().map(|range| (range.start(), range.end().saturating_add(1)));
    check_ranges(&full_name, ranges, declared.value.iter().map(prost_types::EnumValueDescriptorProto::number))
}

/// The pool compares each number with each range and words each clash.
fn check_ranges(
    scope: &str,
    ranges: impl Iterator<Item = (i32, i32)>,
    numbers: impl Iterator<Item = i32>,
) -> Result<(), Mistake> {
    let ranges: Vec<(i32, i32)> = ranges.collect();
    if ranges.len() > MAX_RANGES {
        return Err(Mistake::too_large(format!("{scope} with at most {MAX_RANGES} ranges")));
    }
    let numbers: BTreeSet<i32> = numbers.collect();
    let clash = ranges.iter().find_map(
        |&(start, end)| {
            if start < end { numbers.range(start..end).next() } else { None }
        },
    );
    match clash {
        Some(number) => Err(Mistake::format(format!("{scope} without use of its reserved number {number}"))),
        None => Ok(()),
    }
}

fn is_map_entry(message: &DescriptorProto) -> bool {
    let [key, value] = message.field.as_slice() else { return false };
    let shaped = |field: &FieldDescriptorProto, name, number| {
        field.name() == name && field.number() == number && field.label() == Label::Optional
    };
    let unfit = [Type::Double, Type::Float, Type::Bytes, Type::Message, Type::Group, Type::Enum];
    let key_type = key.r#type.and_then(|number| Type::try_from(number).ok());
    shaped(key, "key", 1)
        && shaped(value, "value", 2)
        && key_type.is_some_and(|kind| !unfit.contains(&kind))
        && value.r#type != Some(Type::Group.into())
}

/// The full name, once the name is a protobuf identifier and the whole is not too long.
fn identifier(scope: &str, name: &str) -> Result<String, Mistake> {
    let mut bytes = name.bytes();
    let plain = bytes.next().is_some_and(|c| c.is_ascii_alphabetic() || c == b'_')
        && bytes.all(|c| c.is_ascii_alphanumeric() || c == b'_');
    if !plain {
        let shown: String = name.chars().take(40).collect();
        return Err(Mistake::format(format!("an identifier as a name within {scope:?}, not {shown:?}")));
    }
    let full_name = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
    if full_name.len() > MAX_FULL_NAME {
        return Err(Mistake::too_large(format!("full names of at most {MAX_FULL_NAME} bytes")));
    }
    Ok(full_name)
}

#[cfg(test)]
mod tests {
    use super::is_escaped;

    #[test]
    fn escapes_are_those_of_c() {
        for good in ["", "plain é", r#"\n\\\""#, r"\0", r"\7x", r"\377", r"\xfF0", r"\12\x00"] {
            assert!(is_escaped(good), "{good}");
        }
        for bad in ["\\", r"\777", r"\400", r"\x", r"\x1", r"\xé", r"\q", "\\n\\"] {
            assert!(!is_escaped(bad), "{bad}");
        }
    }
}
