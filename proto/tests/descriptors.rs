//! Descriptors as they come over the network: in any order, incomplete, hostile.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod support;

use convoke_proto::{
    descriptors::{Descriptors, MAX_BYTES},
    manifest,
    v1::{Violation, violation::Rule},
};
use prost::Message;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    MessageOptions, SourceCodeInfo, descriptor_proto::ReservedRange, field_descriptor_proto,
    source_code_info::Location,
};
use support::{compile, units};

const AGENT: &str = r#"
    import "units.proto";
    message In { units.v1.Unit unit = 1; map<string, int32> counts = 2; google.protobuf.Timestamp at = 3; }
    service Converter {
      option (convoke.v1.domain) = { name: "units" };
      // Converts.
      rpc Convert(In) returns (In) { option (convoke.v1.capability) = {}; }
    }"#;

/// An agent of two files, and a third that nothing of it needs.
fn agent() -> Vec<u8> {
    let head = "syntax = \"proto3\"; package conv.v1; import \"convoke/v1/annotations.proto\";";
    let agent = format!("{head} import \"google/protobuf/timestamp.proto\"; {AGENT}");
    let unit = "syntax = \"proto3\"; package units.v1; message Unit { string name = 1; }";
    let stranger = "syntax = \"proto3\"; package other.v1; message Other {} service Others { rpc O(Other) returns (Other); }";
    compile(&[("agent.proto", &agent), ("units.proto", unit), ("other.proto", stranger)])
}

/// The files of a set as they stand in the bytes.
fn split(set: &[u8]) -> Vec<Vec<u8>> {
    #[derive(Clone, PartialEq, Message)]
    struct Raw {
        #[prost(bytes = "vec", repeated, tag = "1")]
        file: Vec<Vec<u8>>,
    }
    Raw::decode(set).unwrap().file
}

fn join(files: &[Vec<u8>]) -> Vec<u8> {
    let mut set = Vec::new();
    for file in files {
        prost::encoding::bytes::encode(1, file, &mut set);
    }
    set
}

fn file_name(file: &[u8]) -> String {
    FileDescriptorProto::decode(file).unwrap().name().to_owned()
}

fn names(descriptors: &Descriptors) -> Vec<String> {
    split(descriptors.bytes()).iter().map(|file| file_name(file)).collect()
}

/// The one mistake of a set of one file.
fn refused(file: FileDescriptorProto) -> Violation {
    let set = FileDescriptorSet { file: vec![file] }.encode_to_vec();
    let mut violations = Descriptors::read(&set).unwrap_err();
    assert_eq!(violations.len(), 1, "{violations:?}");
    violations.remove(0)
}

fn file() -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some("a.proto".to_owned()),
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    }
}

fn message(name: &str) -> DescriptorProto {
    DescriptorProto { name: Some(name.to_owned()), ..DescriptorProto::default() }
}

#[test]
fn only_what_annotated_services_reach_is_kept_imports_first() {
    let descriptors = Descriptors::read(&agent()).unwrap();
    assert_eq!(
        names(&descriptors),
        [
            "google/protobuf/descriptor.proto",
            "google/protobuf/duration.proto",
            "google/protobuf/struct.proto",
            "convoke/v1/annotations.proto",
            "google/protobuf/timestamp.proto",
            "units.proto",
            "agent.proto",
        ]
    );
    assert!(descriptors.pool().get_message_by_name("conv.v1.In").is_some());
}

#[test]
fn the_order_in_which_files_come_does_not_change_the_digest() {
    let files = split(&agent());
    let mut backwards = files.clone();
    backwards.reverse();
    let (one, other) =
        (Descriptors::read(&join(&files)).unwrap(), Descriptors::read(&join(&backwards)).unwrap());
    assert_eq!(one.bytes(), other.bytes());
    assert_eq!(one.digest(), other.digest());
    assert_ne!(one.given_digest(), other.given_digest());
}

#[test]
fn reading_what_was_kept_changes_nothing() {
    let once = Descriptors::read(&agent()).unwrap();
    let twice = Descriptors::read(once.bytes()).unwrap();
    assert_eq!((once.digest(), twice.given_digest()), (twice.digest(), once.digest()));
}

#[test]
fn options_and_comments_survive() {
    let manifest = manifest::read(&Descriptors::read(&agent()).unwrap()).unwrap();
    assert_eq!(manifest.capabilities[0].name, "convert");
    assert_eq!(manifest.capabilities[0].description, "Converts.");
}

#[test]
fn files_of_ours_and_of_google_need_not_be_sent() {
    let own: Vec<_> = split(&agent()).into_iter().filter(|file| !file_name(file).contains('/')).collect();
    assert_eq!(own.len(), 3);
    assert_eq!(
        Descriptors::read(&join(&own)).unwrap().digest(),
        Descriptors::read(&agent()).unwrap().digest()
    );
}

#[test]
fn a_forged_copy_of_our_own_files_is_replaced() {
    let mut files = split(&agent());
    let ours = files.iter().position(|file| file_name(file) == "convoke/v1/annotations.proto").unwrap();
    let forged = FileDescriptorProto { name: Some("convoke/v1/annotations.proto".to_owned()), ..file() };
    files[ours] = forged.encode_to_vec();
    assert_eq!(
        Descriptors::read(&join(&files)).unwrap().digest(),
        Descriptors::read(&agent()).unwrap().digest()
    );
}

#[test]
fn nobody_else_defines_types_in_our_packages() {
    for package in ["google.protobuf", "convoke.v1"] {
        let violation = refused(FileDescriptorProto { package: Some(package.to_owned()), ..file() });
        assert_eq!(violation.path, "a.proto");
        assert!(violation.expected.contains("under their own names"), "{}", violation.expected);
    }
}

#[test]
fn a_missing_import_is_named() {
    let files: Vec<_> = split(&agent()).into_iter().filter(|file| file_name(file) != "units.proto").collect();
    let violations = Descriptors::read(&join(&files)).unwrap_err();
    assert_eq!((violations[0].path.as_str(), violations[0].rule()), ("agent.proto", Rule::Missing));
    assert!(violations[0].expected.contains("units.proto"), "{}", violations[0].expected);
}

#[test]
fn a_ring_of_imports_is_named_whatever_its_length() {
    let importing = |name: String, import: String| FileDescriptorProto {
        name: Some(name),
        dependency: vec![import],
        ..file()
    };
    let ring = |length: usize| {
        let files = (0..length).map(|i| importing(format!("{i}"), format!("{}", (i + 1) % length)));
        Descriptors::read(&FileDescriptorSet { file: files.collect() }.encode_to_vec()).unwrap_err()
    };
    let violations = ring(3);
    assert_eq!(violations[0].expected, "no ring of imports: 0 → 1 → 2 → 0");
    assert_eq!(ring(1).len(), 1);
    assert_eq!(ring(1000)[0].rule(), Rule::BadFormat);
}

#[test]
fn one_name_is_one_file() {
    let mut files = split(&agent());
    files.push(files.last().unwrap().clone());
    assert!(Descriptors::read(&join(&files)).is_ok(), "the same file twice is one");
    files.push(FileDescriptorProto { name: Some("units.proto".to_owned()), ..file() }.encode_to_vec());
    let violations = Descriptors::read(&join(&files)).unwrap_err();
    assert_eq!((violations[0].path.as_str(), violations[0].rule()), ("units.proto", Rule::NotUnique));
}

#[test]
fn editions_and_unknown_syntaxes_are_refused_by_name() {
    let editions = refused(FileDescriptorProto { syntax: Some("editions".to_owned()), ..file() });
    assert!(editions.expected.contains("editions are not supported"), "{}", editions.expected);
    let unknown = refused(FileDescriptorProto { syntax: Some("proto4".to_owned()), ..file() });
    assert!(unknown.expected.contains("proto4"), "{}", unknown.expected);
}

#[test]
fn an_editions_file_that_the_agent_does_not_need_does_no_harm() {
    let mut files = split(&agent());
    let editions = Some("editions".to_owned());
    files.push(
        FileDescriptorProto { name: Some("new.proto".to_owned()), syntax: editions, ..file() }
            .encode_to_vec(),
    );
    assert!(Descriptors::read(&join(&files)).is_ok());
}

#[test]
fn proto2_is_read() {
    let text = "syntax = \"proto2\"; package p; message A { required string b = 1; optional int32 c = 2 [default = 7]; }";
    let descriptors = Descriptors::read(&compile(&[("p.proto", text)])).unwrap();
    assert!(descriptors.pool().get_message_by_name("p.A").unwrap().get_field(1).unwrap().is_required());
}

#[test]
fn what_is_no_descriptor_set_is_refused() {
    for (bytes, rule) in [
        (vec![], Rule::Missing),
        (vec![0xff; 40], Rule::BadFormat),
        (b"hello, I am an agent".to_vec(), Rule::BadFormat),
        (vec![0; MAX_BYTES + 1], Rule::TooLarge),
        (vec![0x0a, 0x7f, 1, 2], Rule::BadFormat),
    ] {
        let violations = Descriptors::read(&bytes).unwrap_err();
        assert_eq!((violations[0].path.as_str(), violations[0].rule()), ("descriptors", rule));
    }
}

#[test]
fn types_that_do_not_resolve_are_refused() {
    let mut broken = message("A");
    broken.field.push(FieldDescriptorProto {
        name: Some("b".to_owned()),
        number: Some(1),
        type_name: Some(".nowhere.B".to_owned()),
        ..FieldDescriptorProto::default()
    });
    let violation = refused(FileDescriptorProto { message_type: vec![broken], ..file() });
    assert!(violation.expected.contains("nowhere.B"), "{}", violation.expected);
}

#[test]
fn names_that_are_no_identifiers_are_refused() {
    for name in ["", "../x", "A B", "1A", "A.B"] {
        assert_eq!(
            refused(FileDescriptorProto { message_type: vec![message(name)], ..file() }).rule(),
            Rule::BadFormat
        );
    }
    let long = refused(FileDescriptorProto { message_type: vec![message(&"x".repeat(513))], ..file() });
    assert_eq!(long.rule(), Rule::TooLarge);
}

#[test]
fn a_set_of_nothing_but_our_own_names_is_no_set() {
    let ours = FileDescriptorProto { name: Some("google/protobuf/wrappers.proto".to_owned()), ..file() };
    assert!(refused(ours).expected.contains("of the service's own"));
}

#[test]
fn a_forged_map_entry_an_empty_enum_and_a_reserved_number_are_refused() {
    let options = Some(MessageOptions { map_entry: Some(true), ..MessageOptions::default() });
    let entry = DescriptorProto { options, ..message("AEntry") };
    assert!(
        refused(FileDescriptorProto { message_type: vec![entry], ..file() }).expected.contains("map's entry")
    );

    let empty = EnumDescriptorProto { name: Some("E".to_owned()), ..EnumDescriptorProto::default() };
    assert!(refused(FileDescriptorProto { enum_type: vec![empty], ..file() }).expected.contains("one value"));

    let field = FieldDescriptorProto { name: Some("b".to_owned()), number: Some(5), ..Default::default() };
    let range = ReservedRange { start: Some(1), end: Some(9) };
    let clash = DescriptorProto { field: vec![field], reserved_range: vec![range], ..message("A") };
    assert!(
        refused(FileDescriptorProto { message_type: vec![clash], ..file() }).expected.contains("number 5")
    );
}

#[test]
fn a_default_that_the_pool_cannot_unescape_is_refused() {
    for default in ["\\777", "\\x\u{e9}"] {
        let field = FieldDescriptorProto {
            name: Some("b".to_owned()),
            number: Some(1),
            r#type: Some(field_descriptor_proto::Type::Bytes.into()),
            default_value: Some(default.to_owned()),
            ..FieldDescriptorProto::default()
        };
        let broken = DescriptorProto { field: vec![field], ..message("A") };
        let proto2 = Some("proto2".to_owned());
        let violation = refused(FileDescriptorProto { message_type: vec![broken], syntax: proto2, ..file() });
        assert!(violation.expected.contains("A.b with a default"), "{}", violation.expected);
    }
}

#[test]
fn what_would_swell_in_memory_is_refused_before_it_is_decoded() {
    let many = FileDescriptorProto { message_type: vec![DescriptorProto::default(); 100_001], ..file() };
    assert_eq!(refused(many).rule(), Rule::TooLarge);

    let location = vec![Location::default(); 200_001];
    let places = FileDescriptorProto { source_code_info: Some(SourceCodeInfo { location }), ..file() };
    assert_eq!(refused(places).rule(), Rule::TooLarge);

    let deep =
        (0..60).fold(message("A"), |inner, _| DescriptorProto { nested_type: vec![inner], ..message("A") });
    assert_eq!(refused(FileDescriptorProto { message_type: vec![deep], ..file() }).rule(), Rule::TooDeep);

    let files = (0..1001).map(|i| FileDescriptorProto { name: Some(i.to_string()), ..file() }).collect();
    let violations = Descriptors::read(&FileDescriptorSet { file: files }.encode_to_vec()).unwrap_err();
    assert_eq!(violations[0].rule(), Rule::TooLarge);
}

/// Walks everything that a schema compiler would touch.
fn use_up(descriptors: &Descriptors) {
    let _ = manifest::read(descriptors);
    for message in descriptors.pool().all_messages() {
        let _ = (message.options(), message.oneofs().count());
        for field in message.fields() {
            let _ = (field.default_value(), field.options(), field.containing_oneof(), field.is_packed());
        }
        if message.is_map_entry() {
            let _ = (message.map_entry_key_field(), message.map_entry_value_field());
        }
    }
    for declared in descriptors.pool().all_enums() {
        let _ = declared.default_value();
        for value in declared.values() {
            let _ = value.options();
        }
    }
}

/// Sets of every shape that agents have, broken at random: fixed seeds, so a failure repeats.
#[test]
fn broken_bytes_never_panic() {
    let proto2 = "syntax = \"proto2\"; package p; message A { optional group G = 1 { optional bytes b = 2 [default = \"\\001\"]; }
        extensions 100 to 200; oneof o { int32 x = 3; } reserved 7 to 9; enum E { Z = 1; } optional E e = 4 [default = Z]; }
        extend A { optional string s = 100 [default = \"t\"]; }";
    let annotated = units(
        "message In { map<string, In> m = 1; repeated float f = 2 [(convoke.v1.field) = { required: true }];
           optional string s = 3; oneof o { int64 a = 4; In b = 5; } google.protobuf.Duration d = 6; }
         service S { option (convoke.v1.domain) = { name: \"s\" };
           rpc M(In) returns (In) { option (convoke.v1.capability) = { name: \"m\" };
             option (convoke.v1.goal) = { name: \"G\" intent_hints: { examples: \"a {s}\" } }; } }",
    );
    let sets = [agent(), annotated, compile(&[("p.proto", proto2)])];
    let mut random = fastrand::Rng::with_seed(7);
    for set in sets {
        // Without the files of ours and Google's, which are replaced anyway.
        let files: Vec<_> = split(&set).into_iter().filter(|file| !file_name(file).contains('/')).collect();
        let set = join(&files);
        for _ in 0..400 {
            let mut broken = set.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..broken.len());
                broken[at] = if random.bool() { random.u8(..) } else { broken[at] ^ (1 << random.u8(..8)) };
            }
            if random.u8(..10) == 0 {
                broken.truncate(random.usize(..broken.len()));
            }
            if let Ok(descriptors) = Descriptors::read(&broken) {
                use_up(&descriptors);
            }
        }
    }
}
