//! What a team wrote about a message or field: the option's description wins, then the comment in the file.

use crate::graph::{FieldType, MessageType};
use prost_reflect::prost_types::{FileDescriptorProto, source_code_info::Location};
use std::collections::HashMap;

/// The comments on the fields of one message, found in one pass over its file.
pub(super) struct Comments<'a>(HashMap<&'a [i32], &'a Location>);

// === impl Comments ===

impl<'a> Comments<'a> {
    pub(super) fn of(message: &'a MessageType) -> Self {
        let path = message.descriptor.path();
        let locations = locations(message.descriptor.parent_file_descriptor_proto());
        let own = locations.filter(|location| location.path.starts_with(path));
        Self(own.map(|location| (location.path.as_slice(), location)).collect())
    }

    /// The description of one of the message's fields.
    pub(super) fn text(&self, field: &FieldType) -> String {
        if !field.spec.description.is_empty() {
            return field.spec.description.clone();
        }
        self.0.get(field.descriptor.path()).map(|location| comment(location)).unwrap_or_default()
    }
}

/// The description of a message.
pub(crate) fn message_text(message: &MessageType) -> String {
    if !message.description.is_empty() {
        return message.description.clone();
    }
    find(message.descriptor.parent_file_descriptor_proto(), message.descriptor.path())
}

/// The description of a field.
pub(crate) fn field_text(field: &FieldType) -> String {
    if !field.spec.description.is_empty() {
        return field.spec.description.clone();
    }
    find(field.descriptor.parent_message().parent_file_descriptor_proto(), field.descriptor.path())
}

/// The comment at a path of any descriptor.
pub(super) fn find(file: &FileDescriptorProto, path: &[i32]) -> String {
    locations(file).find(|location| location.path == path).map(comment).unwrap_or_default()
}

fn locations(file: &FileDescriptorProto) -> impl Iterator<Item = &Location> {
    file.source_code_info.iter().flat_map(|info| &info.location)
}

/// The comment before an element, else the one behind it, in one line.
fn comment(location: &Location) -> String {
    let text = match location.leading_comments() {
        "" => location.trailing_comments(),
        leading => leading,
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
