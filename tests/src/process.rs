//! A process of its own: started, read line by line, signalled, and ended with the value that holds it.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::sync::watch;
use tokio::time::timeout;

/// How long anything that a test awaits may take before the test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running process. It is killed when this value is dropped.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    log: watch::Receiver<String>,
}

// === impl Process ===

impl Process {
    /// Starts `command`, its standard output to be read by the test, its standard error kept for a failure's message.
    ///
    /// # Panics
    /// Where the program cannot be started.
    pub fn start(name: &str, command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{name} does not start: {error}"));
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let (writer, log) = watch::channel(String::new());
        tokio::spawn(keep(child.stderr.take().expect("stderr is piped"), writer));
        Self { name: name.to_owned(), child, stdout, log }
    }

    /// Awaits a line of standard output that holds `text`, and returns what follows it there.
    ///
    /// # Panics
    /// Where the process ends, or says nothing of the kind in time.
    pub async fn line_after(&mut self, text: &str) -> String {
        let found = timeout(PATIENCE, async {
            while let Ok(Some(line)) = self.stdout.next_line().await {
                if let Some((_, rest)) = line.split_once(text) {
                    return Some(rest.trim().to_owned());
                }
            }
            None
        });
        match found.await {
            Ok(Some(rest)) => rest,
            Ok(None) => panic!("{} ended before it said {text:?}:\n{}", self.name, self.log()),
            Err(_) => panic!("{} does not say {text:?}:\n{}", self.name, self.log()),
        }
    }

    /// Asks the process to end, as an operator does.
    pub fn terminate(&self) {
        self.signal(Signal::SIGTERM);
    }

    /// Ends the process at once, as a crash does, and awaits its end.
    ///
    /// # Panics
    /// Where it is still there after [`PATIENCE`].
    pub async fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.ended().await;
    }

    /// Awaits the end of the process.
    ///
    /// # Panics
    /// Where it is still there after [`PATIENCE`].
    pub async fn ended(&mut self) -> ExitStatus {
        match timeout(PATIENCE, self.child.wait()).await {
            Ok(status) => status.expect("a child can be waited for"),
            Err(_) => panic!("{} does not end:\n{}", self.name, self.log()),
        }
    }

    /// What it wrote to standard error until now.
    pub fn log(&self) -> String {
        self.log.borrow().clone()
    }

    /// Awaits that standard error holds `text`, and returns the line.
    ///
    /// # Panics
    /// Where the process ends, or says nothing of the kind in time.
    pub async fn logged(&self, text: &str) -> String {
        let mut log = self.log.clone();
        let found = timeout(PATIENCE, log.wait_for(|log| log.contains(text)));
        match found.await {
            Ok(Ok(log)) => log.lines().find(|line| line.contains(text)).unwrap_or_default().to_owned(),
            _ => panic!("{} does not log {text:?}:\n{}", self.name, self.log()),
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(id) = self.child.id().and_then(|id| i32::try_from(id).ok()) {
            kill(Pid::from_raw(id), signal).expect("a running child can be signalled");
        }
    }
}

async fn keep(stderr: ChildStderr, log: watch::Sender<String>) {
    let mut lines = lines(stderr);
    while let Ok(Some(line)) = lines.next_line().await {
        log.send_modify(|log| {
            log.push_str(&line);
            log.push('\n');
        });
    }
}

fn lines<R: AsyncRead>(reader: R) -> Lines<BufReader<R>> {
    BufReader::new(reader).lines()
}
