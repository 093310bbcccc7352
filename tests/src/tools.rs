//! Where the programs and files of a test are.

use std::path::{Path, PathBuf};

/// The checkout.
pub fn repository() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// A program of this workspace, built beside the test that runs.
///
/// # Panics
/// Where it has not been built.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let folder = test.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    existing(folder.join(name), "run `cargo build --workspace` first")
}

/// A program that `tests/run` installs: `etcd`, `etcdctl`, `grpcurl`.
///
/// # Panics
/// Where it has not been installed.
pub fn tool(name: &str) -> PathBuf {
    existing(repository().join("target/tools/bin").join(name), "run `tests/tools/install` first")
}

/// The Python environment that `tests/run` prepares: stock gRPC packages and pytest.
///
/// # Panics
/// Where it has not been prepared.
pub fn python_environment() -> PathBuf {
    existing(repository().join("target/tools/venv"), "run `tests/run` first")
}

/// A plan under `tests/plans/`.
///
/// # Panics
/// Where there is none of that name.
pub fn plan(name: &str) -> String {
    let path = existing(repository().join("tests/plans").join(name), "no such plan");
    path.to_string_lossy().into_owned()
}

fn existing(path: PathBuf, mend: &str) -> PathBuf {
    assert!(path.exists(), "{} is not there: {mend}", path.display());
    path
}
