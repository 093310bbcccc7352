//! An agent's descriptors as they come over the network, and as the mesh keeps them.
//!
//! ```text
//! bytes ─split─► files, each as it came ─checked, pruned, sorted─► bytes again, a digest, a DescriptorPool
//! ```
//!
//! Whoever sends them may be hostile, or a reflection service that sends a file before its imports. What is kept is
//! normalised, so that the same service has the same digest however it was read: only files that annotated services
//! reach, imports first, and the files of `convoke.v1` and `google.protobuf` replaced by our own copies of them.
//! Each file's bytes stay what they were, since custom options would be lost in decoding.
//!
//! It does not read the annotations (see [`crate::manifest`]), and it does not fetch anything.

mod file;
mod order;
mod wire;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use bytes::Bytes;
use prost::Message;
use prost_reflect::DescriptorPool;
use prost_types::FileDescriptorProto;

use crate::{
    digest,
    v1::{Manifest, Violation, violation::Rule},
};

/// Most bytes of a FileDescriptorSet: 4 MiB.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Most files of a FileDescriptorSet.
const MAX_FILES: usize = 1000;

/// The contract's files and all of `google/protobuf`, without source info.
const CANONICAL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/canonical.binpb"));

/// Descriptors that were checked and normalised. A clone is a reference count.
#[derive(Clone, Debug)]
pub struct Descriptors {
    bytes: Bytes,
    digest: String,
    given_digest: String,
    pool: DescriptorPool,
    annotated: bool,
}

// === impl Descriptors ===

impl Descriptors {
    /// Reads a `FileDescriptorSet`, at most [`MAX_BYTES`]. Files that no annotated service reaches are left out; where
    /// no service is annotated, all stay.
    ///
    /// # Errors
    /// Every mistake that was found; the path of each names the file.
    pub fn read(raw: &[u8]) -> Result<Self, Vec<Violation>> {
        Self::read_keeping(raw, |file| wire::is_annotated(&file.raw))
    }

    /// The same for a manifest that came ready-made: what its methods reach stays, annotated or not.
    ///
    /// # Errors
    /// As [`Descriptors::read`].
    pub fn read_for(raw: &[u8], manifest: &Manifest) -> Result<Self, Vec<Violation>> {
        let services: BTreeSet<&str> = manifest.capabilities.iter().map(|c| service_of(&c.method)).collect();
        Self::read_keeping(raw, |file| {
            let package = file.proto.package();
            file.proto.service.iter().any(|service| {
                let name = service.name();
                services.contains(
                    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }.as_str(),
                )
            })
        })
    }

    /// The same with every file that was given, and all of `convoke.v1` and `google.protobuf`: for whoever asks about
    /// types, whether a service takes them or not.
    ///
    /// # Errors
    /// As [`Descriptors::read`].
    pub fn read_all(raw: &[u8]) -> Result<Self, Vec<Violation>> {
        let sources = sources(raw)?;
        let roots = sources.keys().cloned().collect();
        Self::of(&sources, &roots, raw)
    }

    /// The normalised set, encoded. Its SHA-256 is the digest.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Lower-case hexadecimal SHA-256 of the bytes.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The digest of the bytes as they came, which whoever sent them may have computed.
    pub fn given_digest(&self) -> &str {
        &self.given_digest
    }

    /// The types and services, options included.
    pub fn pool(&self) -> &DescriptorPool {
        &self.pool
    }

    /// Whether a service, or a method of one, carries an option of the contract.
    pub fn is_annotated(&self) -> bool {
        self.annotated
    }

    fn read_keeping(raw: &[u8], is_root: impl Fn(&Source) -> bool) -> Result<Self, Vec<Violation>> {
        let sources = sources(raw)?;
        let given = || sources.iter().filter(|(_, source)| !source.canonical);
        let mut roots: BTreeSet<String> =
            given().filter(|(_, source)| is_root(source)).map(|(name, _)| name.clone()).collect();
        if roots.is_empty() {
            roots = given().map(|(name, _)| name.clone()).collect();
        }
        // Files by the names of ours count for nothing: what is kept would be a set without files.
        if roots.is_empty() {
            let missing = Mistake::missing("at least one proto file of the service's own".to_owned());
            return Err(violations(vec![(String::new(), missing)]));
        }
        Self::of(&sources, &roots, raw)
    }

    fn of(
        sources: &BTreeMap<String, Source>,
        roots: &BTreeSet<String>,
        raw: &[u8],
    ) -> Result<Self, Vec<Violation>> {
        let order = order::sorted(sources, roots).map_err(violations)?;
        check(order.iter().filter_map(|name| sources.get(name)))?;
        let bytes = wire::join(order.iter().filter_map(|name| sources.get(name)).map(|source| &*source.raw));
        let pool = DescriptorPool::decode(bytes.as_slice()).map_err(|error| {
            violations(vec![(
                error.file().unwrap_or_default().to_owned(),
                Mistake::format(error.to_string()),
            )])
        })?;
        let digest = digest::sha256_hex(&bytes);
        let annotated =
            order.iter().filter_map(|name| sources.get(name)).any(|source| wire::is_annotated(&source.raw));
        Ok(Self { bytes: bytes.into(), digest, given_digest: digest::sha256_hex(raw), pool, annotated })
    }
}

/// The service of a method's path: `units.v1.Units` of `/units.v1.Units/ConvertUnits`.
pub(crate) fn service_of(path: &str) -> &str {
    path.strip_prefix('/').and_then(|path| path.rsplit_once('/')).map_or("", |(service, _)| service)
}

/// A file of the set, or one of our own that stands in for it.
#[derive(Clone)]
struct Source {
    raw: Bytes,
    proto: FileDescriptorProto,
    canonical: bool,
}

// === impl Source ===

impl Source {
    fn imports(&self) -> Vec<&str> {
        self.proto.dependency.iter().map(String::as_str).collect()
    }
}

/// All files that may be reached, by name: the given ones and ours. What they say is not checked yet: a file that
/// nothing reaches (one in another syntax, say) does no harm.
fn sources(raw: &[u8]) -> Result<BTreeMap<String, Source>, Vec<Violation>> {
    let whole = |mistake| violations(vec![(String::new(), mistake)]);
    if raw.len() > MAX_BYTES {
        return Err(whole(Mistake::too_large(format!("at most {MAX_BYTES} bytes of descriptors"))));
    }
    let files = wire::split(raw).map_err(whole)?;
    if files.len() > MAX_FILES {
        return Err(whole(Mistake::too_large(format!("at most {MAX_FILES} files"))));
    }
    if files.is_empty() {
        return Err(whole(Mistake::missing("at least one proto file".to_owned())));
    }
    let mut sources = canonical().clone();
    let mut budget = wire::Budget::default();
    let mut mistakes = Vec::new();
    for file in files {
        let name = wire::name(file).map_err(whole)?;
        match sources.get(&name) {
            Some(known) if known.canonical || known.raw == file => {}
            Some(_) => {
                mistakes.push((name, Mistake::duplicate("one file of this name, not two that differ")))
            }
            None => match file::read(file, &mut budget) {
                Ok(proto) => {
                    let raw = Bytes::copy_from_slice(file);
                    sources.insert(name, Source { raw, proto, canonical: false });
                }
                Err(mistake) => mistakes.push((name, mistake)),
            },
        }
    }
    if mistakes.is_empty() { Ok(sources) } else { Err(violations(mistakes)) }
}

/// Checks the files that are kept.
fn check<'a>(files: impl Iterator<Item = &'a Source>) -> Result<(), Vec<Violation>> {
    let mistakes: Vec<_> = files
        .filter(|source| !source.canonical)
        .filter_map(|source| {
            file::check(&source.proto).err().map(|mistake| (source.proto.name().to_owned(), mistake))
        })
        .collect();
    if mistakes.is_empty() { Ok(()) } else { Err(violations(mistakes)) }
}

/// Our own copies.
fn canonical() -> &'static BTreeMap<String, Source> {
    static FILES: OnceLock<BTreeMap<String, Source>> = OnceLock::new();
    FILES.get_or_init(|| {
        let files = wire::split(CANONICAL).unwrap_or_default().into_iter();
        files
            .filter_map(|raw| {
                let proto = FileDescriptorProto::decode(raw).ok()?;
                let source = Source { raw: Bytes::from_static(raw), proto, canonical: true };
                Some((source.proto.name().to_owned(), source))
            })
            .collect()
    })
}

/// What is wrong with a file, before it is known where the file stands.
#[derive(Clone, Debug, PartialEq)]
struct Mistake {
    rule: Rule,
    expected: String,
}

// === impl Mistake ===

impl Mistake {
    fn format(expected: impl Into<String>) -> Self {
        Self { rule: Rule::BadFormat, expected: expected.into() }
    }

    fn missing(expected: String) -> Self {
        Self { rule: Rule::Missing, expected }
    }

    fn duplicate(expected: &str) -> Self {
        Self { rule: Rule::NotUnique, expected: expected.to_owned() }
    }

    fn too_large(expected: String) -> Self {
        Self { rule: Rule::TooLarge, expected }
    }

    fn too_deep(expected: String) -> Self {
        Self { rule: Rule::TooDeep, expected }
    }
}

fn violations(mistakes: Vec<(String, Mistake)>) -> Vec<Violation> {
    mistakes
        .into_iter()
        .map(|(path, mistake)| Violation {
            path: if path.is_empty() { "descriptors".to_owned() } else { path },
            rule: mistake.rule.into(),
            expected: mistake.expected,
            ..Violation::default()
        })
        .collect()
}
