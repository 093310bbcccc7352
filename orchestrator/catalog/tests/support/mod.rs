//! Agents for tests: annotated proto text, compiled at run time, as changes for an index.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use bytes::Bytes;
use convoke_catalog::{Change, Index};
use convoke_proto::descriptors::Descriptors;
use convoke_proto::v1;
use convoke_proto::v1::instance::State;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

const RULES: &str = include_str!("../../../../tests/data/proto/buf/validate/validate.proto");

/// Our own proto files, the agent's, and the rules of `buf.validate`.
struct Sources<'a>(&'a str);

impl FileResolver for Sources<'_> {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let ours = || convoke_proto::SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let text = match name {
            "agent.proto" => Some(self.0),
            "buf/validate/validate.proto" => Some(RULES),
            _ => ours(),
        };
        File::from_source(name, text.ok_or_else(|| protox::Error::file_not_found(name))?)
    }
}

/// An encoded `FileDescriptorSet` with options and comments.
pub(crate) fn compile(proto: &str) -> Bytes {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Sources(Box::leak(proto.to_owned().into_boxed_str())));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    compiler.open_file("agent.proto").unwrap();
    compiler.encode_file_descriptor_set().into()
}

/// The descriptors and the manifest of an agent.
pub(crate) fn read(proto: &str) -> (Descriptors, v1::Manifest) {
    let descriptors = Descriptors::read(&compile(proto)).unwrap();
    let manifest = convoke_proto::manifest::read(&descriptors).unwrap();
    (descriptors, manifest)
}

/// The manifest as the registry would announce it.
pub(crate) fn manifest(digest: &str, proto: &str) -> Change {
    let (descriptors, manifest) = read(proto);
    Change::Manifest { digest: digest.to_owned(), manifest, descriptors: descriptors.bytes().clone() }
}

/// An instance as the registry would announce it.
pub(crate) fn instance(id: &str, domain: &str, manifest_digest: &str) -> v1::Instance {
    v1::Instance {
        id: id.to_owned(),
        incarnation: 1,
        domain: domain.to_owned(),
        endpoint: "http://127.0.0.1:1".to_owned(),
        manifest_digest: manifest_digest.to_owned(),
        state: State::Serving.into(),
        ..Default::default()
    }
}

/// An index with one healthy instance of each agent: `(domain, proto)`.
pub(crate) fn index(agents: &[(&str, &str)]) -> Index {
    let mut index = Index::new();
    for (domain, proto) in agents {
        let digest = format!("manifest-of-{domain}");
        index.apply(manifest(&digest, proto)).unwrap();
        index.apply(Change::Put(instance(&format!("{domain}-1"), domain, &digest))).unwrap();
    }
    index
}
