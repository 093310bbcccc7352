//! Why a build fails, in words for whoever wrote the proto.

use std::{fmt, io, path::PathBuf};

use convoke_proto::v1::Violation;

/// What went wrong.
#[derive(Debug)]
pub enum Error {
    /// A proto is wrong, or was not found; with file, line and column where they are known.
    Proto(protox::Error),
    /// A registration with these annotations would be refused; every mistake in them.
    Annotations(Vec<Violation>),
    /// A file lies in none of the folders that were given.
    NotIncluded(PathBuf),
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
    /// `OUT_DIR` is not set: only cargo knows where generated code goes.
    NotABuildScript,
}

// === impl Error ===

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Its Debug is the one with the place: "greeter.proto:3:1: expected …".
            Error::Proto(error) => write!(out, "{error:?}"),
            Error::Annotations(violations) => {
                for (i, violation) in violations.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "\n" };
                    write!(out, "{separator}{}: expected {}", violation.path, violation.expected)?;
                    if !violation.got.is_empty() {
                        write!(out, ", got {}", violation.got)?;
                    }
                    if !violation.suggestion.is_empty() {
                        write!(out, " (did you mean {}?)", violation.suggestion)?;
                    }
                }
                Ok(())
            }
            Error::NotIncluded(path) => {
                write!(out, "{} lies in none of the include folders, or does not exist", path.display())
            }
            Error::Io(path, error) => write!(out, "{}: {error}", path.display()),
            Error::NotABuildScript => out.write_str("OUT_DIR is not set: call this from a build.rs"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Proto(error) => Some(error),
            Error::Io(_, error) => Some(error),
            Error::Annotations(_) | Error::NotIncluded(_) | Error::NotABuildScript => None,
        }
    }
}
