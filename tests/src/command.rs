//! Commands that run to their end, and what they printed.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::process::PATIENCE;
use crate::tools::{program, repository, tool};

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

/// Runs the Python that `tests/run` prepares, with `arguments`, in folder `within`.
pub async fn python(within: &std::path::Path, arguments: &[&str]) -> Output {
    let python = repository().join("target/tools/venv/bin/python");
    assert!(python.exists(), "{} is not there: run `tests/run` first", python.display());
    Output::of(Command::new(python).current_dir(within).args(arguments), "").await
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
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON document ({error}): {self:#?}"))
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
