//! The `build.rs` of an agent in Rust:
//!
//! ```text
//! fn main() {
//!     convoke_build::compile("proto/greeter.proto");
//! }
//! ```
//!
//! ```text
//! proto/greeter.proto ─protox─► descriptors ─► annotations checked ─► greeter.v1.rs: messages, client, server,
//!                                                                     FILE_DESCRIPTOR_SET
//! ```
//!
//! No protoc is needed, and no copy of the contract: `convoke/v1/*.proto` and `google/protobuf/*.proto` are built in.
//! What is wrong with the proto (its syntax, or an annotation that the mesh would refuse when the agent registers)
//! fails the build with its place. The generated code names the crates `prost`, `tonic` and `tonic_prost`.
//!
//! It does not generate anything of its own beside [`FILE_DESCRIPTOR_SET`](generate): the handler implements tonic's
//! server trait.

mod error;
mod resolver;

use std::{
    collections::BTreeSet,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
};

use convoke_proto::{descriptors::Descriptors, manifest};
use protox::Compiler;
use tonic_prost_build::Config;

pub use error::Error;

/// Compiles one proto file; its own folder is where its imports are looked for.
///
/// A mistake ends the build script: cargo prints it and the build fails.
pub fn compile(proto: impl AsRef<Path>) {
    let proto = proto.as_ref();
    compile_all(&[proto], &[proto.parent().unwrap_or(Path::new("."))]);
}

/// Compiles several proto files; imports are looked for in `includes`, in order. A file must lie in one of them.
///
/// A mistake ends the build script: cargo prints it and the build fails.
pub fn compile_all<P: AsRef<Path>, I: AsRef<Path>>(protos: &[P], includes: &[I]) {
    let generated = match env::var_os("OUT_DIR") {
        Some(out) => generate(protos, includes, Path::new(&out)),
        None => Err(Error::NotABuildScript),
    };
    match generated {
        Ok(read) => read.iter().for_each(|path| tell("rerun-if-changed", &path.display().to_string())),
        Err(error) => {
            error.to_string().lines().for_each(|line| tell("error", line));
            std::process::exit(1);
        }
    }
}

/// What [`compile_all`] does, for a program that wants the error: generates into the folder `out` one file for each
/// package, named after it (`greeter.v1.rs`), and returns the files that were read.
///
/// Each generated file ends with `pub const FILE_DESCRIPTOR_SET: &[u8]`: the files and all that they import, encoded,
/// with options and source info.
///
/// # Errors
/// What is wrong with the protos, or a file that cannot be read or written.
pub fn generate<P: AsRef<Path>, I: AsRef<Path>>(
    protos: &[P],
    includes: &[I],
    out: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let mut compiler = Compiler::with_file_resolver(resolver::resolver(includes));
    compiler.include_imports(true).include_source_info(true);
    for proto in protos {
        let name = resolver::name(proto.as_ref(), includes)?;
        compiler.open_file(name).map_err(Error::Proto)?;
    }
    let set = compiler.encode_file_descriptor_set();
    check_annotations(&set)?;

    let decoded = compiler.file_descriptor_set();
    let own: BTreeSet<&str> =
        compiler.files().filter(|file| !file.is_import()).map(|file| file.name()).collect();
    let own = decoded.file.iter().filter(|file| own.contains(file.name()));
    let packages: BTreeSet<String> = own.map(|file| file.package().to_owned()).collect();

    let mut config = Config::new();
    config.enable_type_names().bytes(["."]).btree_map(["."]);
    config.extern_path(".convoke.v1", "::convoke_sdk::v1");
    tonic_prost_build::configure()
        .out_dir(out)
        .compile_fds_with_config(decoded, config)
        .map_err(|error| Error::Io(out.to_owned(), error))?;
    for package in packages {
        append_descriptors(&package, &set, out)?;
    }
    let read = compiler.files().filter_map(|file| file.path());
    Ok(read.filter(|path| path.is_file()).map(Path::to_owned).collect())
}

/// What a registration would refuse is better known now. A file without annotations is nobody's agent.
fn check_annotations(set: &[u8]) -> Result<(), Error> {
    let descriptors = Descriptors::read(set).map_err(Error::Annotations)?;
    if descriptors.is_annotated() {
        manifest::read(&descriptors).map_err(Error::Annotations)?;
    }
    Ok(())
}

fn append_descriptors(package: &str, set: &[u8], out: &Path) -> Result<(), Error> {
    // As prost names the file of a package.
    let stem = if package.is_empty() { "_" } else { package };
    let binary = out.join(format!("{stem}.binpb"));
    fs::write(&binary, set).map_err(|error| Error::Io(binary.clone(), error))?;

    let source = out.join(format!("{stem}.rs"));
    let constant = format!(
        "\n/// The files of this package and all that they import, with options and source info.\n\
         pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!({binary:?});\n"
    );
    let append =
        || fs::OpenOptions::new().create(true).append(true).open(&source)?.write_all(constant.as_bytes());
    append().map_err(|error| Error::Io(source.clone(), error))
}

/// A line to cargo, which reads a build script's stdout.
#[expect(clippy::print_stdout, reason = "how a build script speaks to cargo")]
fn tell(key: &str, value: &str) {
    println!("cargo::{key}={value}");
}
