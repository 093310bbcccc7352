//! A real etcd, as a process of its own.

#![allow(clippy::expect_used, reason = "a harness fails by panicking")]

use std::{
    env,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

use convoke_discovery::{Registry, Update, etcd::Etcd};
use etcd_client::Client;
use tempfile::TempDir;

/// One member that is a cluster. Dropping it kills it.
pub(crate) struct Process {
    client: SocketAddr,
    peer: SocketAddr,
    data: TempDir,
    child: Option<Child>,
}

// === impl Process ===

impl Process {
    /// Starts one, and waits until it answers.
    pub(crate) async fn start() -> Self {
        let mut process = Self::reserve();
        process.run().await;
        process
    }

    /// Chooses where one will be, without starting it.
    pub(crate) fn reserve() -> Self {
        // Held together, so that they differ.
        let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [client, peer] = ports.map(|port| port.local_addr().unwrap());
        Self { client, peer, data: tempfile::tempdir().unwrap(), child: None }
    }

    /// Starts it, or starts it again on the data it had, and waits until it answers.
    pub(crate) async fn run(&mut self) {
        self.spawn();
        let mut updates = self.registry().watch();
        super::next(&mut updates, |update| (update == Update::Synced).then_some(())).await;
    }

    pub(crate) fn spawn(&mut self) {
        let binary = env::var_os("CONVOKE_TEST_ETCD").expect(
            "this suite needs a real etcd: run `tests/run`, or `tests/tools/install` once and then with \
             CONVOKE_TEST_ETCD=$PWD/target/tools/bin/etcd",
        );
        let (client, peer) = (format!("http://{}", self.client), format!("http://{}", self.peer));
        let child = Command::new(binary)
            .args(["--data-dir".as_ref(), self.data.path().as_os_str()])
            .args(["--listen-client-urls", &client, "--advertise-client-urls", &client])
            .args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer])
            .args(["--initial-cluster", &format!("default={peer}")])
            .args(["--heartbeat-interval", "10", "--election-timeout", "50", "--unsafe-no-fsync"])
            .args(["--log-level", "fatal"])
            .stdin(Stdio::null())
            .spawn()
            .expect("CONVOKE_TEST_ETCD names an etcd that can be run");
        self.child = Some(child);
    }

    /// kill -9.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("etcd://{}", self.client)
    }

    /// Another process's view of the registry in it.
    pub(crate) fn registry(&self) -> Etcd {
        Etcd::new(&[self.client.to_string()], "default")
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect([self.client.to_string()], None).await.unwrap()
    }

    /// What etcd itself counts: `metric{labels}` and its value, for the metrics that start with `prefix`.
    pub(crate) fn metrics(&self, prefix: &str) -> Vec<(String, f64)> {
        let mut stream = TcpStream::connect(self.client).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.lines()
            .filter(|line| line.starts_with(prefix))
            .filter_map(|line| line.rsplit_once(' '))
            .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
            .filter(|(_, value)| *value > 0.0)
            .collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
