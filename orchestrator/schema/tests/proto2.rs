//! proto2 beside proto3: presence, required fields, closed enums, groups, and what an editions file is told.

#![cfg(test)]

mod support;

use convoke_schema::{DefectRule, Schema, Value, ViolationRule};
use prost_reflect::prost::Message as _;
use prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};

const PROTO: &str = r#"
syntax = "proto2";
package old.v1;
message Order {
  required string name = 1;
  optional int32 count = 2 [default = 5];
  repeated int32 days = 3;
  repeated int32 packed = 4 [packed = true];
  optional Grade grade = 5;
  repeated Grade grades = 6;
  map<string, Grade> by_name = 7;
}
enum Grade { GRADE_LOW = 3; GRADE_HIGH = 1; GRADE_TOP = 1; option allow_alias = true; }
message Grouped { repeated group Item = 1 { optional int32 size = 1; } }
"#;

fn schema() -> Schema {
    support::schema(&support::pool(PROTO), "old.v1.Order")
}

fn coerced(text: &str) -> (Value, Vec<(String, ViolationRule)>, usize) {
    let coerced = schema().coerce(Value::parse(text.as_bytes()).unwrap());
    let violations = coerced.report.violations().iter().map(|it| (it.path.clone(), it.rule())).collect();
    (coerced.value, violations, coerced.report.entries().len())
}

#[test]
fn required_is_required_and_a_default_of_protobufs_own_is_not_filled_in() {
    let (_, violations, _) = coerced("{}");
    assert_eq!(violations, [("name".to_owned(), ViolationRule::Missing)]);
    let (value, violations, entries) = coerced(r#"{"name": "x"}"#);
    assert_eq!((value.to_json().as_str(), violations.len(), entries), (r#"{"name":"x"}"#, 0, 0));
}

#[test]
fn every_single_field_tells_absence_from_zero() {
    let schema = schema();
    assert!(schema.fields().filter(|field| !field.is_list() && !field.is_map()).all(|it| it.has_presence()));
    let (value, ..) = coerced(r#"{"name": "", "count": 0}"#);
    let bytes = schema.encode(&value).unwrap();
    assert_eq!(&bytes[..], [10, 0, 16, 0]);
    assert_eq!(schema.decode(&bytes).unwrap().get("count"), Some(&Value::Int(0)));
    assert_eq!(schema.decode(&[10, 0]).unwrap().get("count"), None);
}

#[test]
fn lists_are_packed_only_where_they_say_so_and_read_either_way() {
    let schema = schema();
    let (value, ..) = coerced(r#"{"name": "", "days": [1, 2], "packed": [1, 2]}"#);
    assert_eq!(&schema.encode(&value).unwrap()[..], [10, 0, 24, 1, 24, 2, 34, 2, 1, 2]);
    let other = schema.decode(&[10, 0, 26, 2, 1, 2, 32, 1, 32, 2]).unwrap();
    assert_eq!((other.get("days"), other.get("packed")), (value.get("days"), value.get("packed")));
}

#[test]
fn a_closed_enum_passes_over_numbers_that_it_does_not_declare() {
    let schema = schema();
    let decoded = schema.decode(&[10, 0, 40, 9, 48, 9, 48, 1, 58, 5, 10, 1, b'a', 16, 9]).unwrap();
    assert_eq!(decoded.get("grade"), None);
    assert_eq!(decoded.get("grades").unwrap().to_json(), r#"["GRADE_HIGH"]"#);
    assert_eq!(decoded.get("by_name").unwrap().to_json(), "{}");
    let (_, violations, _) = coerced(r#"{"name": "x", "grade": 9}"#);
    assert_eq!(violations, [("grade".to_owned(), ViolationRule::UnknownEnumValue)]);
    // Of several names of one number the first declared is the name.
    let (value, ..) = coerced(r#"{"name": "x", "grade": "top"}"#);
    assert_eq!(value.get("grade").unwrap().to_json(), "\"GRADE_HIGH\"");
}

#[test]
fn an_open_enum_keeps_numbers_that_it_does_not_declare() {
    let schema =
        support::compile("enum E { A = 0; B = 1; } message M { E e = 1; repeated E es = 2; }").unwrap();
    let decoded = schema.decode(&[8, 9, 18, 2, 1, 9]).unwrap();
    assert_eq!(decoded.to_json(), r#"{"e":9,"es":["B",9]}"#);
    assert!(schema.validate(&decoded).is_empty());
    assert_eq!(&schema.encode(&decoded).unwrap()[..], [8, 9, 18, 2, 1, 9]);
}

#[test]
fn a_group_is_refused_by_name_saying_what_to_do() {
    let pool = support::pool(PROTO);
    let grouped = pool.get_message_by_name("old.v1.Grouped").unwrap();
    let defects = Schema::compile(&grouped).unwrap_err();
    assert_eq!((defects.len(), defects[0].rule), (1, DefectRule::Unsupported));
    assert_eq!(
        (defects[0].path.as_str(), defects[0].message.as_str()),
        ("old.v1.Grouped.item", "groups are not supported; declare a message and a field of it")
    );
}

#[test]
fn an_editions_file_is_refused_by_name_saying_what_to_do() {
    let file = FileDescriptorProto {
        name: Some("shop/order.proto".to_owned()),
        package: Some("shop.v1".to_owned()),
        syntax: Some("editions".to_owned()),
        ..FileDescriptorProto::default()
    };
    let set = FileDescriptorSet { file: vec![file] }.encode_to_vec();
    let violations = convoke_proto::descriptors::Descriptors::read(&set).unwrap_err();
    let told: Vec<String> = violations.iter().map(|it| format!("{}: {}", it.path, it.expected)).collect();
    assert!(told[0].contains("shop/order.proto"), "{told:?}");
    assert!(told[0].contains("write `syntax = \"proto3\";` in place of `edition`"), "{told:?}");
}
