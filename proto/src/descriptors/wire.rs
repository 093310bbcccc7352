//! The bytes of a FileDescriptorSet, looked at before anything is decoded.
//!
//! prost has no place for custom options, so each file is kept as the slice that it came in. And two bytes on the
//! wire can become hundreds in memory, so what will be decoded is counted first.

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::Mistake;

/// Most names, types, options and other parts of definitions in a set; a field of a message has about four.
const MAX_DEFINITIONS: usize = 100_000;

/// Most places in a set that source info describes.
const MAX_LOCATIONS: usize = 200_000;

/// How deep messages may be nested in messages.
const MAX_NESTING: usize = 32;

/// The extension numbers of `convoke.v1.domain` and `convoke.v1.capability`, and of `convoke.v1.goal`.
const ANNOTATIONS: std::ops::RangeInclusive<u32> = 72310..=72311;

/// Numbers of the fields of `descriptor.proto` that this module asks for by name.
mod number {
    pub(super) const SET_FILE: u32 = 1;
    pub(super) const FILE_NAME: u32 = 1;
    pub(super) const FILE_SERVICE: u32 = 6;
    pub(super) const SERVICE_METHOD: u32 = 2;
    pub(super) const SERVICE_OPTIONS: u32 = 3;
    pub(super) const METHOD_OPTIONS: u32 = 4;
    pub(super) const UNINTERPRETED_OPTION: u32 = 999;
}

/// The length-delimited fields of one message, in order. Others are skipped.
struct Fields<'a> {
    left: &'a [u8],
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, &'a [u8]), Mistake>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.left.is_empty() {
            match self.step() {
                Some(Some(field)) => return Some(Ok(field)),
                Some(None) => {}
                None => {
                    self.left = &[];
                    return Some(Err(Mistake::format("bytes that are a FileDescriptorSet")));
                }
            }
        }
        None
    }
}

impl<'a> Fields<'a> {
    /// The next field, or `Some(None)` where that one was skipped; `None` where the bytes are no message.
    fn step(&mut self) -> Option<Option<(u32, &'a [u8])>> {
        let (number, wire_type) = decode_key(&mut self.left).ok()?;
        if wire_type != WireType::LengthDelimited {
            skip_field(wire_type, number, &mut self.left, DecodeContext::default()).ok()?;
            return Some(None);
        }
        let length = usize::try_from(decode_varint(&mut self.left).ok()?).ok()?;
        let (value, rest) = self.left.split_at_checked(length)?;
        self.left = rest;
        Some(Some((number, value)))
    }
}

fn fields(message: &[u8]) -> Fields<'_> {
    Fields { left: message }
}

/// The files of a set, each as it came.
pub(super) fn split(set: &[u8]) -> Result<Vec<&[u8]>, Mistake> {
    let mut files = Vec::new();
    for field in fields(set) {
        let (number, file) = field?;
        if number == number::SET_FILE {
            files.push(file);
        }
    }
    Ok(files)
}

/// The set of these files.
pub(super) fn join<'a>(files: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut set = Vec::new();
    for file in files {
        prost::encoding::encode_key(number::SET_FILE, WireType::LengthDelimited, &mut set);
        prost::encoding::encode_varint(file.len() as u64, &mut set);
        set.extend_from_slice(file);
    }
    set
}

/// The name of a file; empty where it has none.
pub(super) fn name(file: &[u8]) -> Result<String, Mistake> {
    let mut name = &[][..];
    for field in fields(file) {
        if let (number::FILE_NAME, text) = field? {
            name = text;
        }
    }
    String::from_utf8(name.to_vec()).map_err(|_| Mistake::format("a file name in UTF-8"))
}

/// Whether a service of this file, or a method of one, carries an annotation of ours.
pub(super) fn is_annotated(file: &[u8]) -> bool {
    let within = |message, number| {
        fields(message).filter_map(Result::ok).filter(move |&(n, _)| n == number).map(|(_, value)| value)
    };
    let ours =
        |options| fields(options).filter_map(Result::ok).any(|(number, _)| ANNOTATIONS.contains(&number));
    within(file, number::FILE_SERVICE).any(|service| {
        within(service, number::SERVICE_OPTIONS).any(ours)
            || within(service, number::SERVICE_METHOD)
                .any(|method| within(method, number::METHOD_OPTIONS).any(ours))
    })
}

/// What a nested message is; decides which of its fields are messages again.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    File,
    Message,
    Field,
    Enum,
    EnumValue,
    Service,
    Method,
    Oneof,
    ExtensionRange,
    Options,
    SourceInfo,
    Location,
    /// Text, packed numbers and whatever else holds no definitions.
    Leaf,
}

impl Kind {
    fn of_field(self, number: u32) -> Kind {
        use Kind::{
            Enum, EnumValue, ExtensionRange, Field, File, Leaf, Location, Message, Method, Oneof, Options,
            Service, SourceInfo,
        };
        match (self, number) {
            (File, 4) | (Message, 3) => Message,
            (File, 5) | (Message, 4) => Enum,
            (File, 6) => Service,
            (File, 7) | (Message, 2 | 6) => Field,
            (File, 9) => SourceInfo,
            (Message, 5) => ExtensionRange,
            (Message, 8) => Oneof,
            (Enum, 2) => EnumValue,
            (Service, 2) => Method,
            (SourceInfo, 1) => Location,
            (File | Field, 8)
            | (Message, 7)
            | (Enum | EnumValue | Service | ExtensionRange, 3)
            | (Method, 4)
            | (Oneof, 2) => Options,
            _ => Leaf,
        }
    }
}

/// What decoding a file would bring into memory, bounded.
#[derive(Default)]
pub(super) struct Budget {
    definitions: usize,
    locations: usize,
}

impl Budget {
    /// Counts a file. Refuses one that is no FileDescriptorProto, defines too much, nests too deep, or holds options
    /// that its compiler left uninterpreted.
    pub(super) fn admit(&mut self, file: &[u8]) -> Result<(), Mistake> {
        self.walk(file, Kind::File, 0)
    }

    fn walk(&mut self, message: &[u8], kind: Kind, depth: usize) -> Result<(), Mistake> {
        if depth > MAX_NESTING {
            return Err(Mistake::too_deep(format!("messages nested at most {MAX_NESTING} deep")));
        }
        for field in fields(message) {
            let (number, value) = field?;
            if kind == Kind::Options && number == number::UNINTERPRETED_OPTION {
                return Err(Mistake::format("options that the compiler has interpreted"));
            }
            self.count(kind)?;
            let child = kind.of_field(number);
            if child != Kind::Leaf {
                self.walk(value, child, depth + usize::from(child == Kind::Message))?;
            }
        }
        Ok(())
    }

    fn count(&mut self, kind: Kind) -> Result<(), Mistake> {
        let (counted, most, what) = match kind {
            Kind::SourceInfo | Kind::Location => {
                (&mut self.locations, MAX_LOCATIONS, "places in source info")
            }
            _ => (&mut self.definitions, MAX_DEFINITIONS, "parts of definitions"),
        };
        *counted += 1;
        if *counted > most {
            return Err(Mistake::too_large(format!("at most {most} {what}")));
        }
        Ok(())
    }
}
