//! Where imports come from: the contract first, so that an old copy beside the agent cannot win, then protobuf's own
//! files, then the folders that were given.

use std::path::Path;

use convoke_proto::SOURCES;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};

use crate::Error;

pub(crate) fn resolver<I: AsRef<Path>>(includes: &[I]) -> ChainFileResolver {
    let mut chain = ChainFileResolver::new();
    chain.add(Contract);
    chain.add(GoogleFileResolver::new());
    for include in includes {
        chain.add(IncludeFileResolver::new(include.as_ref().to_owned()));
    }
    chain
}

/// The name under which a file is imported: its path below the first include folder that holds it.
pub(crate) fn name<I: AsRef<Path>>(proto: &Path, includes: &[I]) -> Result<String, Error> {
    let resolvers = includes.iter().map(|include| IncludeFileResolver::new(include.as_ref().to_owned()));
    let mut names = resolvers.filter_map(|resolver| resolver.resolve_path(proto));
    match names.next() {
        Some(name) if proto.is_file() => Ok(name),
        _ => Err(Error::NotIncluded(proto.to_owned())),
    }
}

/// `convoke/v1/*.proto`.
struct Contract;

impl FileResolver for Contract {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match SOURCES.iter().find(|(known, _)| *known == name) {
            Some((name, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}
