//! Proto files, compiled in this process: no protoc is needed.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};

use super::problem::Problem;
use super::unusable::Unusable;

/// Compiles `files`; the pool holds them and all that they import. Beside it, the names under which they are in it.
pub(super) fn compile(
    files: &[PathBuf],
    include: &[PathBuf],
) -> Result<(DescriptorPool, Vec<String>), Unusable> {
    let folders = folders(files, include);
    let names = names(files, &folders)?;
    let mut resolver = ChainFileResolver::new();
    for folder in folders {
        resolver.add(Folder(IncludeFileResolver::new(folder.clone()), folder));
    }
    resolver.add(BuiltIn);
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_source_info(true).include_imports(true);
    for name in &names {
        compiler.open_file(name).map_err(|error| Unusable::Broken(vec![malformed(name, &error)]))?;
    }
    // The encoded set keeps custom options; the decoded one drops them.
    let set = compiler.encode_file_descriptor_set();
    let pool = DescriptorPool::decode(set.as_slice()).map_err(|error| Unusable::Usage(error.into()))?;
    Ok((pool, names))
}

/// Where imports are found: the folders that were named, and the own folder of each file that lies in none of them.
fn folders(files: &[PathBuf], include: &[PathBuf]) -> Vec<PathBuf> {
    let mut own: Vec<PathBuf> = Vec::new();
    for file in files {
        if include.iter().any(|folder| within(file, folder).is_some()) {
            continue;
        }
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !own.iter().any(|known| known == folder) {
            own.push(folder.to_owned());
        }
    }
    // Of two folders, one in the other, the outer one comes first: imports are written from there.
    own.sort_by_key(|folder| folder.components().count());
    include.iter().cloned().chain(own).collect()
}

/// The name under which each file is imported: its path within the folder that it is found in.
fn names(files: &[PathBuf], folders: &[PathBuf]) -> Result<Vec<String>, Unusable> {
    let mut names: Vec<String> = Vec::new();
    for file in files {
        if let Err(error) = std::fs::metadata(file) {
            return Err(Unusable::Usage(anyhow!("--proto: {}: {error}", file.display())));
        }
        let Some(name) = folders.iter().find_map(|folder| within(file, folder)) else {
            return Err(Unusable::Usage(anyhow!("--proto: {} is in no --include folder", file.display())));
        };
        let name = name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let name = name.join("/");
        if names.contains(&name) {
            let message = "two files would be imported as {name}; say where imports start with --include";
            return Err(Unusable::Usage(anyhow!("--proto: {}", message.replace("{name}", &name))));
        }
        names.push(name);
    }
    Ok(names)
}

/// The path of `file` from `folder` on, where it lies in it: by the words as given, else by where both really are.
fn within(file: &Path, folder: &Path) -> Option<PathBuf> {
    if let Ok(path) = file.strip_prefix(folder) {
        return Some(path.to_owned());
    }
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    file.strip_prefix(folder).ok().map(Path::to_owned)
}

fn malformed(name: &str, error: &protox::Error) -> Problem {
    let path = error.file().unwrap_or(name).to_owned();
    // The resolver's own error: the file that it names may be an imported one.
    if let Some((file, EDITIONS)) = error.to_string().split_once(": ") {
        return Problem {
            path: file.to_owned(),
            rule: "UNSUPPORTED".to_owned(),
            message: EDITIONS.to_owned(),
        };
    }
    // Its Debug is for people: it has line and column.
    Problem { path, rule: "MALFORMED".to_owned(), message: format!("{error:?}") }
}

/// One folder that imports are found in.
struct Folder(IncludeFileResolver, PathBuf);

// === impl Folder ===

impl FileResolver for Folder {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        self.0.resolve_path(path)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        self.0.open_file(name).map_err(|error| {
            let text =
                if error.is_parse() { std::fs::read_to_string(self.1.join(name)) } else { return error };
            match text {
                Ok(text) if has_edition(&text) => protox::Error::new(Edition(name.to_owned())),
                _ => error,
            }
        })
    }
}

const EDITIONS: &str = "editions are not supported; write `syntax = \"proto3\";` for the line `edition = …;`";

/// A file of an edition, which nothing here reads.
#[derive(Debug, thiserror::Error)]
#[error("{0}: {EDITIONS}")]
struct Edition(String);

/// Whether the first statement is `edition`.
fn has_edition(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        rest = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            break;
        };
        rest = rest.trim_start();
    }
    rest.strip_prefix("edition").is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The files that every proto may import: Google's and ours.
struct BuiltIn;

// === impl BuiltIn ===

impl FileResolver for BuiltIn {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match convoke_proto::SOURCES.iter().find(|(known, _)| *known == name) {
            Some((known, text)) => File::from_source(known, text),
            None => GoogleFileResolver::new().open_file(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::has_edition;

    #[test]
    fn an_edition_is_seen_behind_comments() {
        for text in ["edition = \"2023\";", "// a\n/* b\n */ edition=\"2024\";", "\u{feff}\n edition ="] {
            assert!(has_edition(text), "{text}");
        }
        for text in ["", "syntax = \"proto3\";", "// edition = \"2023\";", "editions = 1", "/* edition = "] {
            assert!(!has_edition(text), "{text}");
        }
    }
}
