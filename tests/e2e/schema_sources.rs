//! `convoke schema` over every source of types: files, a descriptor set, a JSON Schema, a server.

use std::path::{Path, PathBuf};

use convoke_tests::{Agent, Mesh, Output, convoke, repository};
use serde_json::{Value, json};
use tempfile::TempDir;

const STOP: &str = r#"
syntax = "proto3";
package stop.v1;
import "buf/validate/validate.proto";

message Stop {
  string name = 1 [(buf.validate.field).string.min_len = 2];
  int64 id = 2;
  string comment = 3 [(buf.validate.field).cel = { id: "stop.polite", expression: "true" }];
}
"#;

const TOOL: &str = r#"{
  "type": "object",
  "properties": { "per-page": { "type": "integer", "minimum": 1 }, "labels": { "type": "array", "items": { "type": "string" } } },
  "required": ["per-page"]
}"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }
    folder
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn rules() -> PathBuf {
    repository().join("tests/data/proto")
}

/// `convoke schema VERB` over the stop's file.
async fn over_stop(folder: &TempDir, verb: &[&str], input: &str) -> Output {
    let (proto, own) = (text(&folder.path().join("stop.proto")), text(folder.path()));
    let rules = text(&rules());
    let mut arguments = vec!["schema"];
    arguments.extend(verb);
    arguments.extend(["--proto", &proto, "--include", &own, "--include", &rules]);
    Output::of_convoke_reading(input, &arguments).await
}

#[tokio::test]
async fn the_only_message_needs_no_name_and_its_rules_count() {
    let folder = folder(&[("stop.proto", STOP)]);

    let output = over_stop(&folder, &["coerce"], "{\"name\": \"a\"}\n{\"Name\": \"ab\"}\n").await;

    assert_eq!(output.code, 2, "{output:#?}");
    let lines: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["report"]["violations"][0]["rule"], "MIN_LENGTH");
    assert_eq!(lines[1]["value"], json!({ "name": "ab" }));
}

#[tokio::test]
async fn a_file_in_no_named_folder_is_found_in_its_own() {
    let folder = folder(&[("stop.proto", STOP)]);
    let (proto, rules) = (text(&folder.path().join("stop.proto")), text(&rules()));

    let arguments = ["schema", "coerce", "--proto", &proto, "--include", &rules];
    let output = Output::of_convoke_reading("{\"name\": \"ab\"}\n", &arguments).await;

    assert_eq!(output.code, 0, "{output:#?}");
}

#[tokio::test]
async fn files_that_import_one_another_may_be_named_in_any_order() {
    let outer = "syntax = \"proto3\"; package trip.v1; import \"parts/leg.proto\"; message Trip { parts.v1.Leg leg = 1; }";
    let inner = "syntax = \"proto3\"; package parts.v1; message Leg { int32 stops = 1; }";
    let folder = folder(&[("trip.proto", outer), ("parts/leg.proto", inner)]);
    let (trip, leg) = (text(&folder.path().join("trip.proto")), text(&folder.path().join("parts/leg.proto")));

    for files in [[&leg, &trip], [&trip, &leg]] {
        let arguments = ["schema", "coerce", "--proto", files[0], files[1], "--message", "trip.v1.Trip"];
        let output = Output::of_convoke_reading("{\"leg\": {\"stops\": 2}}\n", &arguments).await;

        assert_eq!(output.code, 0, "{output:#?}");
    }
}

#[tokio::test]
async fn check_lists_a_rule_that_is_not_enforced() {
    let folder = folder(&[("stop.proto", STOP)]);

    let checked = over_stop(&folder, &["check"], "").await.exits(2);

    let problems = checked["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert_eq!(problems[0]["path"], "stop.v1.Stop.comment");
    assert_eq!(problems[0]["rule"], "NOT_ENFORCED");
    assert!(problems[0]["message"].to_string().contains("stop.polite"), "{problems:#?}");
}

#[tokio::test]
async fn check_lists_what_is_wrong_beside_what_is_not_enforced() {
    let broken = STOP.replace("int64 id = 2;", "int64 id = 2 [(buf.validate.field).int64 = {gt: 5, lt: 5}];");
    let folder = folder(&[("stop.proto", &broken)]);

    let checked = over_stop(&folder, &["check"], "").await.exits(2);

    let problems = checked["problems"].as_array().expect("a list");
    let told: Vec<_> = problems.iter().map(|it| (it["path"].as_str(), it["rule"].as_str())).collect();
    let expected = [("stop.v1.Stop.id", "CONTRADICTION"), ("stop.v1.Stop.comment", "NOT_ENFORCED")];
    assert_eq!(told, expected.map(|(path, rule)| (Some(path), Some(rule))));
}

#[tokio::test]
async fn check_of_sound_messages_is_empty_and_a_broken_one_names_its_field() {
    let sound = "syntax = \"proto3\"; package a.v1; message A { int32 x = 1; message B { A a = 1; } }";
    let broken = "syntax = \"proto3\"; package b.v1; import \"convoke/v1/annotations.proto\";\
                  message Good { Bad bad = 1; }\
                  message Bad { int32 x = 1 [(convoke.v1.field) = { minimum: \"2\", maximum: \"1\" }]; }";
    let folder = folder(&[("a.proto", sound), ("b.proto", broken)]);
    let (a, b) = (text(&folder.path().join("a.proto")), text(&folder.path().join("b.proto")));

    let checked = convoke(&["schema", "check", "--proto", &a]).await.exits(0);
    assert_eq!(checked, json!({ "problems": [] }));

    let checked = convoke(&["schema", "check", "--proto", &a, &b]).await.exits(2);
    let problems = checked["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 1, "each problem once: {problems:#?}");
    assert_eq!(problems[0]["path"], "b.v1.Bad.x");
    assert_eq!(problems[0]["rule"], "CONTRADICTION");

    let alone = ["schema", "check", "--proto", &a, &b, "--message", "a.v1.A"];
    convoke(&alone).await.exits(0);
}

#[tokio::test]
async fn a_file_that_does_not_compile_is_a_problem_with_its_line() {
    let folder = folder(&[("bad.proto", "syntax = \"proto3\";\nmessage A {\n  int32 = 1;\n}\n")]);
    let bad = text(&folder.path().join("bad.proto"));

    let checked = convoke(&["schema", "check", "--proto", &bad]).await.exits(2);

    assert_eq!(checked["problems"][0]["path"], "bad.proto");
    assert_eq!(checked["problems"][0]["rule"], "MALFORMED");
    assert!(checked["problems"][0]["message"].to_string().contains("3:"), "{checked:#}");
}

#[tokio::test]
async fn an_editions_file_is_refused_by_name_wherever_it_is() {
    let edition = "// new\nedition = \"2023\";\npackage e;\nmessage E { string a = 1; }\n";
    let importing = "syntax = \"proto3\"; import \"e.proto\"; message A { e.E e = 1; }";
    let folder = folder(&[("e.proto", edition), ("a.proto", importing)]);
    let a = text(&folder.path().join("a.proto"));

    let checked = convoke(&["schema", "check", "--proto", &a]).await.exits(2);
    assert_eq!(checked["problems"][0]["path"], "e.proto");
    assert_eq!(checked["problems"][0]["rule"], "UNSUPPORTED");

    let described = convoke(&["schema", "describe", "--proto", &a]).await;
    assert_eq!(described.code, 2);
    assert!(described.stderr.contains("e.proto") && described.stderr.contains("proto3"), "{described:#?}");

    let mut set = prost_types::FileDescriptorSet::default();
    set.file.push(prost_types::FileDescriptorProto {
        name: Some("new.proto".to_owned()),
        syntax: Some("editions".to_owned()),
        ..Default::default()
    });
    let binary = folder.path().join("set.binpb");
    std::fs::write(&binary, prost::Message::encode_to_vec(&set)).expect("it can be written");
    let checked = convoke(&["schema", "check", "--descriptor-set", &text(&binary)]).await.exits(2);
    assert_eq!(checked["problems"][0]["path"], "new.proto");
    assert!(checked["problems"][0]["message"].to_string().contains("editions"), "{checked:#}");
}

#[tokio::test]
async fn a_descriptor_set_says_what_its_files_say() {
    let folder = folder(&[("stop.proto", STOP)]);
    let mut compiler = protox::Compiler::new([folder.path(), &rules()]).expect("folders");
    compiler.include_imports(true).open_file("stop.proto").expect("it compiles");
    let set = folder.path().join("stop.binpb");
    std::fs::write(&set, compiler.encode_file_descriptor_set()).expect("it can be written");
    let set = text(&set);

    let one = convoke(&["schema", "describe", "--descriptor-set", &set]).await.exits(0);
    let other = over_stop(&folder, &["describe"], "").await.exits(0);

    assert_eq!(one, other);
    convoke(&["schema", "check", "--descriptor-set", &set]).await.exits(2);
}

#[tokio::test]
async fn a_json_schema_is_coerced_to_in_its_own_names() {
    let folder = folder(&[("create-issue.json", TOOL)]);
    let tool = text(&folder.path().join("create-issue.json"));

    let arguments = ["schema", "coerce", "--json-schema", &tool];
    let output = Output::of_convoke_reading("{\"per-page\": \"5\", \"labels\": \"bug\"}\n", &arguments).await;

    let line = output.exits(0);
    assert_eq!(line["value"], json!({ "per-page": 5, "labels": ["bug"] }));
    assert_eq!(line["report"]["entries"].as_array().map(Vec::len), Some(2), "{line:#}");
    let checked = convoke(&["schema", "check", "--json-schema", &tool]).await;
    assert_eq!(checked.exits(0), json!({ "problems": [] }));
    assert!(
        checked.stderr.contains("NARROWED"),
        "undeclared members are refused, and that is told: {checked:#?}"
    );
    let lines = convoke(&["schema", "describe", "--format", "text", "--json-schema", &tool]).await;
    assert!(lines.stdout.contains("required"), "{lines:#?}");
}

#[tokio::test]
async fn a_json_schema_that_is_none_is_a_problem_by_its_files_name() {
    let folder =
        folder(&[("bad.json", "{\n  \"type\": \n}"), ("list.json", "[1]"), ("bom.json", "\u{feff}{}")]);
    let file = |name: &str| text(&folder.path().join(name));

    let checked = convoke(&["schema", "check", "--json-schema", &file("bad.json")]).await.exits(2);
    assert!(checked["problems"][0]["path"].to_string().contains("bad.json"), "{checked:#}");
    assert_eq!(checked["problems"][0]["rule"], "MALFORMED");
    assert!(checked["problems"][0]["message"].to_string().contains("line 3"), "{checked:#}");
    let described = convoke(&["schema", "describe", "--json-schema", &file("bad.json")]).await;
    assert_eq!(described.code, 2);
    assert!(described.stderr.contains("bad.json"), "{described:#?}");

    let checked = convoke(&["schema", "check", "--json-schema", &file("list.json")]).await.exits(2);
    assert_eq!(checked["problems"][0]["rule"], "MALFORMED");
    convoke(&["schema", "check", "--json-schema", &file("bom.json")]).await.exits(0);
}

#[tokio::test]
async fn a_file_without_an_end_is_refused() {
    for flag in ["--json-schema", "--descriptor-set"] {
        let refused = convoke(&["schema", "check", flag, "/dev/zero"]).await;
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("larger than 64 MiB"), "{refused:#?}");
    }
}

#[tokio::test]
async fn a_server_with_reflection_is_a_source() {
    let mesh = Mesh::serve().await;
    let _currency = Agent::currency(&mesh.registry());
    let endpoint = mesh.sees("currency").await.endpoint;

    let checked = convoke(&["schema", "check", "--from", &endpoint]).await.exits(0);
    assert_eq!(checked, json!({ "problems": [] }));
    let plan = ["schema", "describe", "--from", mesh.address(), "--message", "convoke.v1.ExecutionPlan"];
    let described = convoke(&plan).await.exits(0);
    assert!(described["properties"]["steps"].is_object(), "{described:#}");

    let nobody = convoke(&["schema", "check", "--from", "127.0.0.1:1"]).await;
    assert_eq!(nobody.code, 2);
    assert!(nobody.stderr.contains("--from 127.0.0.1:1"), "{nobody:#?}");
}

#[tokio::test]
async fn a_source_is_one_of_four_and_a_message_is_named_where_there_are_several() {
    let both = convoke(&["schema", "check", "--from", "127.0.0.1:1", "--json-schema", "x.json"]).await;
    assert_eq!(both.code, 2);
    let none = convoke(&["schema", "check"]).await;
    assert_eq!(none.code, 2);
    let missing = convoke(&["schema", "describe", "--proto", "nowhere/x.proto"]).await;
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nowhere/x.proto"), "{missing:#?}");

    let two = "syntax = \"proto3\"; package a.v1; message A {} message B {}";
    let folder = folder(&[("a.proto", two)]);
    let several = convoke(&["schema", "describe", "--proto", &text(&folder.path().join("a.proto"))]).await;
    assert_eq!(several.code, 2);
    assert!(several.stderr.contains("a.v1.A, a.v1.B"), "{several:#?}");
}

#[tokio::test]
async fn how_deep_a_value_may_nest_is_the_users_to_say() {
    const TREE: &str =
        "syntax = \"proto3\"; package tree.v1; message Node { Node child = 1; int32 leaf = 2; }";
    let folder = folder(&[("tree.proto", TREE)]);
    let proto = text(&folder.path().join("tree.proto"));
    // The root is the first level.
    let nested = |levels: usize| {
        format!("{}{{\"leaf\": 1}}{}\n", "{\"child\": ".repeat(levels - 1), "}".repeat(levels - 1))
    };

    for (depth, most) in [(None, 32), (Some("3"), 3), (Some("100"), 100)] {
        let mut arguments = vec!["schema", "coerce", "--proto", &proto];
        arguments.extend(depth.iter().flat_map(|depth| ["--max-depth", depth]));

        let input = format!("{}{}", nested(most), nested(most + 1));
        let output = Output::of_convoke_reading(&input, &arguments).await;

        assert_eq!(output.code, 2, "{output:#?}");
        let reports: Vec<Value> =
            output.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(reports[0]["report"]["violations"], json!([]));
        assert_eq!(reports[1]["report"]["violations"][0]["rule"], "TOO_DEEP");
    }

    let arguments = ["schema", "coerce", "--proto", &proto, "--max-depth", "101"];
    assert_eq!(Output::of_convoke_reading("", &arguments).await.code, 2);
}

#[tokio::test]
async fn a_server_without_reflection_is_told_from_one_that_is_no_grpc() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let bare = listener.local_addr().expect("an address").to_string();
    let routes = tonic::service::Routes::default().prepare();
    let serving = tokio::spawn(
        tonic::transport::Server::builder()
            .add_routes(routes)
            .serve_with_incoming(tonic::transport::server::TcpIncoming::from(listener)),
    );

    let refused = convoke(&["schema", "check", "--from", &bare]).await;

    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.contains("no reflection"), "{refused:#?}");
    assert!(refused.stderr.contains("--descriptor-set"), "{refused:#?}");
    serving.abort();

    let mute = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = mute.local_addr().expect("an address").to_string();
    let hanging_up = tokio::spawn(async move { while mute.accept().await.is_ok() {} });

    let refused = convoke(&["schema", "check", "--from", &address]).await;

    assert_eq!(refused.code, 2, "{refused:#?}");
    assert!(refused.stderr.contains(&address), "{refused:#?}");
    hanging_up.abort();
}
