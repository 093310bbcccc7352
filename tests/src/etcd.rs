//! A real etcd, alone in a cluster of one.

use std::net::TcpListener;

use tempfile::TempDir;
use tokio::process::Command;

use crate::command::Output;
use crate::process::Process;
use crate::tools::tool;

/// A running etcd.
#[derive(Debug)]
pub struct Etcd {
    client: String,
    _data: TempDir,
    _process: Process,
}

// === impl Etcd ===

impl Etcd {
    /// Starts one on free ports and awaits that it serves.
    ///
    /// # Panics
    /// Where it does not.
    pub async fn start() -> Self {
        let data = tempfile::tempdir().expect("a temporary folder can be made");
        let (client, peer) = (format!("127.0.0.1:{}", free_port()), format!("127.0.0.1:{}", free_port()));
        let mut command = Command::new(tool("etcd"));
        command
            .arg("--data-dir")
            .arg(data.path())
            .args(["--listen-client-urls", &format!("http://{client}")])
            .args(["--advertise-client-urls", &format!("http://{client}")])
            .args(["--listen-peer-urls", &format!("http://{peer}")])
            .args(["--initial-advertise-peer-urls", &format!("http://{peer}")])
            .args(["--initial-cluster", &format!("default=http://{peer}")])
            .args(["--heartbeat-interval", "10", "--election-timeout", "50"])
            .arg("--unsafe-no-fsync")
            .args(["--log-outputs", "stdout"]);
        let mut process = Process::start("etcd", &mut command);
        process.line_after("ready to serve client requests").await;
        Self { client, _data: data, _process: process }
    }

    /// What `--registry` and `CONVOKE_REGISTRY` say to use it.
    pub fn registry(&self) -> String {
        format!("etcd://{}", self.client)
    }

    /// Where its metrics are served.
    pub fn address(&self) -> &str {
        &self.client
    }

    /// Runs `etcdctl` against it.
    pub async fn ctl(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(tool("etcdctl"));
        Output::of(command.args(["--endpoints", &self.client]).args(arguments), "").await
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port exists");
    listener.local_addr().expect("a bound socket has an address").port()
}
