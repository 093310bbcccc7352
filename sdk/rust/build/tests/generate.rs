//! What a build script of an agent gets for its proto, or hears about it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::{fs, path::Path};

use convoke_build::{Error, generate};
use tempfile::TempDir;

const GREETER: &str = r#"
    syntax = "proto3";
    package greeter.v1;
    import "convoke/v1/annotations.proto";
    message Name { string name = 1; }
    message Greeting { string text = 1; }
    service Greeter {
      option (convoke.v1.domain) = { name: "greeter" version: "0.1.0" };
      rpc Greet(Name) returns (Greeting) { option (convoke.v1.capability) = { effects: READ_ONLY }; }
    }"#;

fn compile(files: &[(&str, &str)]) -> (TempDir, Result<Vec<std::path::PathBuf>, Error>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let first = folder.path().join(files[0].0);
    let generated = generate(&[&first], &[folder.path()], folder.path());
    (folder, generated)
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn refused(files: &[(&str, &str)]) -> String {
    compile(files).1.unwrap_err().to_string()
}

#[test]
fn an_annotated_proto_becomes_messages_a_server_and_descriptors_with_options() {
    let (folder, generated) = compile(&[("greeter.proto", GREETER)]);
    assert_eq!(generated.unwrap(), [folder.path().join("greeter.proto")]);
    let code = read(&folder, "greeter.v1.rs");
    for part in [
        "pub struct Name",
        "pub mod greeter_server",
        "pub mod greeter_client",
        "pub const FILE_DESCRIPTOR_SET",
    ] {
        assert!(code.contains(part), "{part} is missing");
    }
    let set = fs::read(folder.path().join("greeter.v1.binpb")).unwrap();
    let descriptors = convoke_proto::descriptors::Descriptors::read(&set).unwrap();
    let manifest = convoke_proto::manifest::read(&descriptors).unwrap();
    assert_eq!(manifest.capabilities[0].name, "greet");
}

#[test]
fn generating_again_gives_the_same_code() {
    let (folder, _) = compile(&[("greeter.proto", GREETER)]);
    let once = read(&folder, "greeter.v1.rs");
    generate(&[folder.path().join("greeter.proto")], &[folder.path()], folder.path()).unwrap();
    assert_eq!(once, read(&folder, "greeter.v1.rs"));
}

#[test]
fn imports_are_found_beside_the_file_and_are_watched() {
    let importing = "syntax = \"proto3\"; package a; import \"deep/b.proto\"; message A { b.B b = 1; }";
    let imported = "syntax = \"proto3\"; package b; message B {}";
    let (folder, generated) = compile(&[("a.proto", importing), ("deep/b.proto", imported)]);
    assert_eq!(generated.unwrap().len(), 2);
    assert!(folder.path().join("b.rs").is_file());
}

#[test]
fn a_stale_copy_of_the_contract_does_not_win() {
    let stale = "syntax = \"proto3\"; package convoke.v1;";
    assert!(compile(&[("greeter.proto", GREETER), ("convoke/v1/annotations.proto", stale)]).1.is_ok());
}

#[test]
fn a_mistake_in_the_syntax_is_told_with_file_line_and_column() {
    let text = GREETER.replace("string name = 1;", "string name;");
    assert!(refused(&[("greeter.proto", &text)]).starts_with("greeter.proto:5:"), "{text}");
}

#[test]
fn every_annotation_that_the_mesh_would_refuse_is_told_by_method_and_option() {
    let text = GREETER
        .replace("effects: READ_ONLY", "name: \"Greet!\" requires_approval: true")
        .replace("0.1.0", "one");
    let told = refused(&[("greeter.proto", &text)]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].starts_with("Greeter(domain).version: expected a semantic version"), "{told}");
    assert!(
        lines[2].starts_with("Greeter.Greet(capability).requires_approval: expected NOT_SERVED"),
        "{told}"
    );
}

#[test]
fn a_proto_without_annotations_compiles_too() {
    let plain = "syntax = \"proto3\"; package plain; message A {} service S { rpc M(A) returns (A); }";
    assert!(compile(&[("plain.proto", plain)]).1.is_ok());
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let error = generate(&["nowhere/a.proto"], &["nowhere"], Path::new(".")).unwrap_err();
    assert!(error.to_string().contains("nowhere/a.proto"), "{error}");
}
