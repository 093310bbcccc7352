//! The files that came so far, each as its own bytes.

use std::collections::{BTreeMap, BTreeSet};

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;
use prost_types::FileDescriptorProto;

use super::{ReadError, too_large, unusable};

/// The field `file` of `FileDescriptorSet`, as a key on the wire: number 1, length-delimited.
const FILE_KEY: u8 = 0x0a;

/// Files by name. What is missing is known from what the others import.
pub(super) struct Files {
    files: BTreeMap<String, Vec<u8>>,
    imports: BTreeSet<String>,
    services: BTreeSet<String>,
    bytes: usize,
    max_bytes: usize,
    max_files: usize,
}

// === impl Files ===

impl Files {
    pub(super) fn new(max_bytes: usize, max_files: usize) -> Self {
        Self {
            files: BTreeMap::new(),
            imports: BTreeSet::new(),
            services: BTreeSet::new(),
            bytes: 0,
            max_bytes,
            max_files,
        }
    }

    /// Whether a file that came defines the service of this full name.
    pub(super) fn define(&self, service: &str) -> bool {
        self.services.contains(service)
    }

    /// What is imported and did not come. The files that everybody has are not asked for.
    pub(super) fn missing(&self) -> impl Iterator<Item = &str> {
        self.imports
            .iter()
            .map(String::as_str)
            .filter(|name| !self.files.contains_key(*name) && !is_built_in(name))
    }

    /// Takes what a server sent. A file that came before may come again, unchanged.
    pub(super) fn add(&mut self, sent: Vec<Vec<u8>>) -> Result<(), ReadError> {
        for raw in sent {
            let file = FileDescriptorProto::decode(raw.as_slice())
                .map_err(|_| unusable("descriptors", "a FileDescriptorProto", "bytes that are none"))?;
            let name = file.name().to_owned();
            match self.files.get(&name) {
                Some(known) if *known == raw => continue,
                Some(_) if is_built_in(&name) => continue,
                Some(_) => return Err(unusable(&name, "one file of this name", "two that differ")),
                None => self.keep(name, file, raw)?,
            }
        }
        Ok(())
    }

    fn keep(&mut self, name: String, file: FileDescriptorProto, raw: Vec<u8>) -> Result<(), ReadError> {
        self.bytes = self.bytes.saturating_add(raw.len());
        if self.files.len() >= self.max_files || self.bytes > self.max_bytes {
            return Err(too_large("files", self.files.len() + 1));
        }
        let package = file.package().to_owned();
        let full_name =
            |name: &str| if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        self.services.extend(file.service.iter().map(|service| full_name(service.name())));
        self.imports.extend(file.dependency);
        if self.imports.len() > self.max_files {
            return Err(too_large("imports", self.imports.len()));
        }
        self.files.insert(name, raw);
        Ok(())
    }

    /// All of them as one encoded `FileDescriptorSet`.
    pub(super) fn into_set(self) -> Bytes {
        let mut set = BytesMut::with_capacity(self.bytes + self.files.len() * 6);
        for raw in self.files.values() {
            set.put_u8(FILE_KEY);
            prost::encoding::encode_varint(raw.len() as u64, &mut set);
            set.put_slice(raw);
        }
        set.freeze()
    }
}

/// Files that the orchestrator has itself, and whose own copy counts.
fn is_built_in(name: &str) -> bool {
    name.starts_with("google/protobuf/") || name == "convoke/v1/annotations.proto"
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost_types::{FileDescriptorSet, ServiceDescriptorProto};

    fn file(name: &str, imports: &[&str]) -> Vec<u8> {
        FileDescriptorProto {
            name: Some(name.to_owned()),
            package: Some("p".to_owned()),
            dependency: imports.iter().map(|&import| import.to_owned()).collect(),
            service: vec![ServiceDescriptorProto { name: Some("S".to_owned()), ..Default::default() }],
            ..Default::default()
        }
        .encode_to_vec()
    }

    #[test]
    fn what_is_imported_is_missing_until_it_comes_in_any_order() {
        let mut files = Files::new(MAX, 10);
        files.add(vec![file("a.proto", &["b.proto", "google/protobuf/any.proto"])]).unwrap();
        assert_eq!(files.missing().collect::<Vec<_>>(), ["b.proto"]);
        assert!(files.define("p.S") && !files.define("S"));
        files
            .add(vec![file("b.proto", &[]), file("a.proto", &["b.proto", "google/protobuf/any.proto"])])
            .unwrap();
        assert_eq!(files.missing().count(), 0);
        let set = FileDescriptorSet::decode(files.into_set()).unwrap();
        assert_eq!(set.file.iter().map(|file| file.name()).collect::<Vec<_>>(), ["a.proto", "b.proto"]);
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let mut files = Files::new(MAX, 10);
        files.add(vec![file("a.proto", &[])]).unwrap();
        assert!(files.add(vec![file("a.proto", &["b.proto"])]).is_err());
    }

    #[test]
    fn bytes_and_files_are_bounded_and_garbage_is_refused() {
        assert!(Files::new(10, 10).add(vec![file("a.proto", &[])]).is_err());
        assert!(Files::new(MAX, 1).add(vec![file("a.proto", &[]), file("b.proto", &[])]).is_err());
        assert!(Files::new(MAX, 1).add(vec![vec![0xff, 0xff]]).is_err());
    }

    const MAX: usize = 1 << 20;
}
