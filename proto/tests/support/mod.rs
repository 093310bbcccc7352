//! Protos compiled in the test, as a team would write them.

use protox::{
    Compiler, Error,
    file::{ChainFileResolver, File, FileResolver, GoogleFileResolver},
};

struct Texts(Vec<(String, String)>);

impl FileResolver for Texts {
    fn open_file(&self, name: &str) -> Result<File, Error> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((name, text)) => File::from_source(name, text),
            None => Err(Error::file_not_found(name)),
        }
    }
}

/// The FileDescriptorSet of these files and all that they import, with options and source info.
pub(crate) fn compile(files: &[(&str, &str)]) -> Vec<u8> {
    let own = files.iter().chain(convoke_proto::SOURCES);
    let texts = Texts(own.map(|&(name, text)| (name.to_owned(), text.to_owned())).collect());
    let mut resolver = ChainFileResolver::new();
    resolver.add(texts);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(files.iter().map(|(name, _)| *name)).unwrap();
    compiler.encode_file_descriptor_set()
}

/// A file `units.proto` with these definitions, in package `units.v1`.
pub(crate) fn units(definitions: &str) -> Vec<u8> {
    let head = "syntax = \"proto3\"; package units.v1; import \"convoke/v1/annotations.proto\";";
    let imports = "import \"google/protobuf/timestamp.proto\"; import \"google/protobuf/duration.proto\";";
    compile(&[("units.proto", &format!("{head} {imports}\n{definitions}"))])
}
