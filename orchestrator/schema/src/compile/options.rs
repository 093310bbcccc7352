//! The options of `convoke/v1/annotations.proto` on fields, messages and enum values, and beside them the bytes of
//! those of `buf.validate`.
//!
//! They are read off the file's own bytes, at the extension's number: an option that is not well formed is then a
//! defect of its element and nothing worse. A file's bytes are walked once, for both, and only when an element of it
//! has an option at all. A pool that does not know an extension has none of it.

use crate::wire::{Reader, WireType};
use convoke_proto::v1;
use hashbrown::HashMap;
use prost::Message;
use prost_reflect::{DescriptorPool, FileDescriptor};

/// The number of `(convoke.v1.field)`, `(convoke.v1.message)` and `(convoke.v1.enum_value)`.
const EXTENSION: u32 = 72_310;
/// The number of `(buf.validate.field)`, `(buf.validate.message)` and `(buf.validate.oneof)`.
const RULES: u32 = 1159;
/// How deep groups that nobody knows may nest.
const MAX_GROUPS: usize = 32;

/// Tags of `google/protobuf/descriptor.proto`: children of a parent, by the parent's kind.
const FILE: &[(u32, Part)] = &[(4, Part::Message), (5, Part::Enum)];
const MESSAGE: &[(u32, Part)] =
    &[(2, Part::Field), (3, Part::Message), (4, Part::Enum), (7, Part::Options), (8, Part::Oneof)];
const ONEOF: &[(u32, Part)] = &[(2, Part::Options)];
const FIELD: &[(u32, Part)] = &[(8, Part::Options)];
const ENUM: &[(u32, Part)] = &[(2, Part::EnumValue)];
const ENUM_VALUE: &[(u32, Part)] = &[(3, Part::Options)];

#[derive(Clone, Copy)]
enum Part {
    Message,
    Field,
    Enum,
    EnumValue,
    Oneof,
    Options,
}

/// The options of every file that was asked about.
pub(super) struct Options {
    annotated: bool,
    ruled: bool,
    files: HashMap<String, Found>,
}

/// What the options of a file's elements say, by the path of each element.
#[derive(Default)]
struct Found {
    own: Payloads,
    rules: Payloads,
}

pub(super) type Payloads = HashMap<Vec<i32>, Vec<u8>>;

// === impl Options ===

impl Options {
    pub(super) fn new(pool: &DescriptorPool) -> Self {
        let knows = |name| pool.get_extension_by_name(name).is_some();
        let (annotated, ruled) = (knows("convoke.v1.field"), knows("buf.validate.field"));
        Self { annotated, ruled, files: HashMap::new() }
    }

    pub(super) fn field(&mut self, file: &FileDescriptor, path: &[i32]) -> Result<v1::FieldSpec, String> {
        self.read(file, path)
    }

    pub(super) fn message(&mut self, file: &FileDescriptor, path: &[i32]) -> Result<v1::MessageSpec, String> {
        self.read(file, path)
    }

    pub(super) fn enum_value(
        &mut self,
        file: &FileDescriptor,
        path: &[i32],
    ) -> Result<v1::EnumValueSpec, String> {
        self.read(file, path)
    }

    /// Whether there may be rules of `buf.validate`.
    pub(super) fn is_ruled(&self) -> bool {
        self.ruled
    }

    /// The bytes of `buf.validate`'s options in a file.
    pub(super) fn rules(&mut self, file: &FileDescriptor) -> &Payloads {
        &self.found(file).rules
    }

    fn read<M: Message + Default>(&mut self, file: &FileDescriptor, path: &[i32]) -> Result<M, String> {
        if !self.annotated {
            return Ok(M::default());
        }
        match self.found(file).own.get(path) {
            Some(bytes) => M::decode(bytes.as_slice()).map_err(|error| error.to_string()),
            None => Ok(M::default()),
        }
    }

    fn found(&mut self, file: &FileDescriptor) -> &Found {
        self.files.entry_ref(file.name()).or_insert_with(|| {
            let mut found = Found::default();
            collect(&file.encode_to_vec(), FILE, &mut Vec::new(), &mut found);
            found
        })
    }
}

/// Walks one descriptor's bytes and files the extension's payload under the path of its element. What cannot be
/// walked is passed over: the pool, which read the same bytes, has judged it.
fn collect(bytes: &[u8], parts: &[(u32, Part)], path: &mut Vec<i32>, found: &mut Found) {
    let mut counts = [0_i32; 9];
    for (tag, body) in Fields(Reader(bytes)) {
        let Some((_, part)) = parts.iter().find(|(number, _)| *number == tag) else { continue };
        let children = match part {
            Part::Options => {
                extensions(body, path, found);
                continue;
            }
            Part::Message => MESSAGE,
            Part::Field => FIELD,
            Part::Enum => ENUM,
            Part::EnumValue => ENUM_VALUE,
            Part::Oneof => ONEOF,
        };
        let (Ok(step), Some(count)) =
            (i32::try_from(tag), usize::try_from(tag).ok().and_then(|tag| counts.get_mut(tag)))
        else {
            continue;
        };
        path.extend([step, *count]);
        *count = count.saturating_add(1);
        collect(body, children, path, found);
        path.truncate(path.len().saturating_sub(2));
    }
}

/// Several payloads of one message-typed option are one message after the other: protobuf merges them.
fn extensions(bytes: &[u8], path: &[i32], found: &mut Found) {
    for (tag, body) in Fields(Reader(bytes)) {
        let payloads = match tag {
            EXTENSION => &mut found.own,
            RULES => &mut found.rules,
            _ => continue,
        };
        payloads.entry(path.to_vec()).or_default().extend_from_slice(body);
    }
}

/// The length-delimited fields of a message; ends at the first byte that is no protobuf.
struct Fields<'a>(Reader<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.0.is_empty() {
            match self.0.key()? {
                (tag, WireType::Length) => return Some((tag, self.0.delimited()?)),
                (tag, other) => self.0.skip(other, tag, MAX_GROUPS)?,
            }
        }
        None
    }
}
