//! `google/protobuf/descriptor.proto`, as much of it as a converted schema needs, with our options in their places.
//!
//! The types of prost drop extensions; these carry `(convoke.v1.…)` at its number, and their bytes are read by the pool.

use convoke_proto::v1;
use prost::Message;

pub(super) const OPTIONAL: i32 = 1;
pub(super) const REPEATED: i32 = 3;

/// A file.
#[derive(Clone, PartialEq, Message)]
pub(super) struct File {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) package: String,
    #[prost(string, repeated, tag = "3")]
    pub(super) dependency: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    pub(super) message_type: Vec<MessageType>,
    #[prost(string, tag = "12")]
    pub(super) syntax: String,
}

/// A message.
#[derive(Clone, PartialEq, Message)]
pub(super) struct MessageType {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(super) field: Vec<FieldType>,
    #[prost(message, repeated, tag = "3")]
    pub(super) nested_type: Vec<MessageType>,
    #[prost(message, repeated, tag = "4")]
    pub(super) enum_type: Vec<EnumType>,
    #[prost(message, optional, tag = "7")]
    pub(super) options: Option<MessageOptions>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct MessageOptions {
    #[prost(bool, optional, tag = "7")]
    pub(super) map_entry: Option<bool>,
    #[prost(message, optional, tag = "72310")]
    pub(super) spec: Option<v1::MessageSpec>,
}

/// A field.
#[derive(Clone, PartialEq, Message)]
pub(super) struct FieldType {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int32, tag = "3")]
    pub(super) number: i32,
    #[prost(int32, tag = "4")]
    pub(super) label: i32,
    #[prost(int32, tag = "5")]
    pub(super) kind: i32,
    #[prost(string, optional, tag = "6")]
    pub(super) type_name: Option<String>,
    #[prost(message, optional, tag = "8")]
    pub(super) options: Option<FieldOptions>,
    #[prost(string, optional, tag = "10")]
    pub(super) json_name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FieldOptions {
    #[prost(bool, optional, tag = "3")]
    pub(super) deprecated: Option<bool>,
    #[prost(message, optional, tag = "72310")]
    pub(super) spec: Option<v1::FieldSpec>,
}

/// An enum.
#[derive(Clone, PartialEq, Message)]
pub(super) struct EnumType {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(super) value: Vec<EnumValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnumValue {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int32, tag = "2")]
    pub(super) number: i32,
    #[prost(message, optional, tag = "3")]
    pub(super) options: Option<EnumValueOptions>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnumValueOptions {
    #[prost(message, optional, tag = "72310")]
    pub(super) spec: Option<v1::EnumValueSpec>,
}
