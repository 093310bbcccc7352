//! Commands that run to their end, and what they printed.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::process::PATIENCE;
use crate::tools::{program, python_environment, repository, tool};

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Output {
    /// The exit code; -1 where a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs `convoke` with `arguments`.
pub async fn convoke(arguments: &[&str]) -> Output {
    Output::of(convoke_command().args(arguments), "").await
}

/// Runs `grpcurl -plaintext` with `arguments`.
pub async fn grpcurl(arguments: &[&str]) -> Output {
    Output::of(Command::new(tool("grpcurl")).arg("-plaintext").args(arguments), "").await
}

/// Runs Python with `arguments` in folder `within`.
pub async fn python(within: &Path, arguments: &[&str]) -> Output {
    let program = python_environment().join("bin/python");
    Output::of(Command::new(program).current_dir(within).args(arguments), "").await
}

/// Python stubs of the contract and of `others`, made by the stock compiler in a temporary folder.
///
/// # Panics
/// Where it refuses.
pub async fn python_stubs(others: &[&Path]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (proto, out) = (repository().join("proto"), folder.path().to_string_lossy().into_owned());
    let mut arguments =
        vec!["-m".to_owned(), "grpc_tools.protoc".to_owned(), format!("-I{}", proto.display())];
    arguments.extend(
        others.iter().filter_map(|file| file.parent()).map(|folder| format!("-I{}", folder.display())),
    );
    arguments.extend([format!("--python_out={out}"), format!("--grpc_python_out={out}")]);
    let contract = std::fs::read_dir(proto.join("convoke/v1")).expect("the contract can be listed");
    let files =
        contract.map(|file| file.expect("a file").path()).chain(others.iter().map(|file| (*file).to_owned()));
    arguments.extend(files.map(|file| file.to_string_lossy().into_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let made = python(folder.path(), &arguments).await;
    assert_eq!(made.code, 0, "{made:#?}");
    folder
}

/// The binary `convoke`, with nothing of this shell's own mesh in its environment.
pub(crate) fn convoke_command() -> Command {
    let mut command = Command::new(program("convoke"));
    for name in ["CONVOKE_ADDR", "CONVOKE_LISTEN", "CONVOKE_REGISTRY", "CONVOKE_LOG", "CONVOKE_NAMESPACE"] {
        command.env_remove(name);
    }
    command
}

// === impl Output ===

impl Output {
    /// Runs `convoke` with `arguments` and `input` on its standard input.
    pub async fn of_convoke_reading(input: &str, arguments: &[&str]) -> Self {
        Self::of(convoke_command().args(arguments), input).await
    }

    pub(crate) async fn of(command: &mut Command, input: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let input = input.to_owned();
        // A command that reads nothing closes its end: that is no failure of the test.
        tokio::spawn(async move { stdin.write_all(input.as_bytes()).await });
        let output = timeout(PATIENCE, child.wait_with_output())
            .await
            .unwrap_or_else(|_| panic!("{command:?} does not end"))
            .expect("a child's output can be read");
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Standard output as one JSON document.
    ///
    /// # Panics
    /// Where it is anything else.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON document ({error}): {self:#?}"))
    }

    /// Asserts the exit code and returns standard output as JSON.
    ///
    /// # Panics
    /// Where either is otherwise.
    #[track_caller]
    pub fn exits(&self, code: i32) -> Value {
        assert_eq!(self.code, code, "{self:#?}");
        self.json()
    }
}
