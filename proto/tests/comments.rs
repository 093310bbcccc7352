//! Every element of the contract says what it means.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::collections::BTreeMap;

use convoke_proto::{FILE_DESCRIPTOR_SET, SOURCES};
use prost::Message;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};

/// Elements by their path in the file, each with its name.
type Elements = Vec<(Vec<i32>, String)>;

fn below(path: &[i32], field: i32, index: usize) -> Vec<i32> {
    [path, &[field, i32::try_from(index).unwrap()]].concat()
}

fn enum_elements(declared: &EnumDescriptorProto, path: &[i32], elements: &mut Elements) {
    elements.push((path.to_vec(), declared.name().to_owned()));
    for (i, value) in declared.value.iter().enumerate() {
        elements.push((below(path, 2, i), format!("{}.{}", declared.name(), value.name())));
    }
}

fn message_elements(message: &DescriptorProto, path: &[i32], elements: &mut Elements) {
    if message.options.as_ref().is_some_and(|options| options.map_entry()) {
        return;
    }
    elements.push((path.to_vec(), message.name().to_owned()));
    for (i, field) in message.field.iter().enumerate() {
        elements.push((below(path, 2, i), format!("{}.{}", message.name(), field.name())));
    }
    let synthetic = |oneof: usize| {
        let member =
            |field: &&prost_types::FieldDescriptorProto| field.oneof_index == i32::try_from(oneof).ok();
        message.field.iter().filter(member).any(|field| field.proto3_optional())
    };
    for (i, oneof) in message.oneof_decl.iter().enumerate().filter(|&(i, _)| !synthetic(i)) {
        elements.push((below(path, 8, i), format!("{}.{}", message.name(), oneof.name())));
    }
    for (i, nested) in message.nested_type.iter().enumerate() {
        message_elements(nested, &below(path, 3, i), elements);
    }
    for (i, declared) in message.enum_type.iter().enumerate() {
        enum_elements(declared, &below(path, 4, i), elements);
    }
}

fn elements(file: &FileDescriptorProto) -> Elements {
    let mut elements = Vec::new();
    for (i, message) in file.message_type.iter().enumerate() {
        message_elements(message, &[4, i32::try_from(i).unwrap()], &mut elements);
    }
    for (i, declared) in file.enum_type.iter().enumerate() {
        enum_elements(declared, &below(&[], 5, i), &mut elements);
    }
    for (i, service) in file.service.iter().enumerate() {
        let path = below(&[], 6, i);
        elements.push((path.clone(), service.name().to_owned()));
        for (j, method) in service.method.iter().enumerate() {
            elements.push((below(&path, 2, j), format!("{}.{}", service.name(), method.name())));
        }
    }
    for (i, extension) in file.extension.iter().enumerate() {
        elements.push((below(&[], 7, i), extension.name().to_owned()));
    }
    elements
}

fn contract() -> Vec<FileDescriptorProto> {
    let files = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap().file;
    files.into_iter().filter(|file| file.package() == "convoke.v1").collect()
}

#[test]
fn every_element_of_the_contract_has_a_comment() {
    let mut silent = Vec::new();
    let mut seen = 0;
    for file in contract() {
        let locations = file.source_code_info.as_ref().unwrap().location.iter();
        let comments: BTreeMap<&[i32], String> = locations
            .map(|at| (at.path.as_slice(), format!("{}{}", at.leading_comments(), at.trailing_comments())))
            .collect();
        for (path, name) in elements(&file) {
            seen += 1;
            if comments.get(path.as_slice()).is_none_or(|comment| comment.trim().is_empty()) {
                silent.push(format!("{}: {name}", file.name()));
            }
        }
    }
    assert!(seen > 400, "{seen} elements");
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn the_sources_are_the_files_of_the_descriptors() {
    let mut files: Vec<String> = contract().into_iter().map(|file| file.name().to_owned()).collect();
    files.sort_unstable();
    let sources: Vec<&str> = SOURCES.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, sources);
}

/// A team's stock protoc has `google/protobuf` and nothing else, and an agent imports `annotations.proto` alone.
#[test]
fn files_import_only_each_other_and_google_protobuf() {
    for file in contract() {
        for import in &file.dependency {
            let allowed = import.starts_with("google/protobuf/") || import.starts_with("convoke/v1/");
            assert!(allowed, "{} imports {import}", file.name());
            let alone = file.name() == "convoke/v1/annotations.proto";
            assert!(!alone || import.starts_with("google/protobuf/"), "annotations.proto imports {import}");
        }
    }
}

/// The numbers that stand in every agent's descriptors.
#[test]
fn the_option_numbers_are_the_published_ones() {
    let files = contract();
    let extensions = files.iter().flat_map(|file| &file.extension);
    let numbers: Vec<(&str, &str, i32)> = extensions.map(|e| (e.extendee(), e.name(), e.number())).collect();
    assert_eq!(
        numbers,
        [
            (".google.protobuf.ServiceOptions", "domain", 72310),
            (".google.protobuf.MethodOptions", "capability", 72310),
            (".google.protobuf.MethodOptions", "goal", 72311),
            (".google.protobuf.MessageOptions", "message", 72310),
            (".google.protobuf.FieldOptions", "field", 72310),
            (".google.protobuf.EnumValueOptions", "enum_value", 72310),
        ]
    );
}
