//! How etcd is called: one client, connected on first use; every call bounded in time; every failure an [`Error`].

use std::time::Duration;

use etcd_client::{Client, ConnectOptions, Error as EtcdError};
use tokio::time::timeout;
use tonic::Code;

use super::Shared;
use crate::Error;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that is dead without having been closed is found by pings; etcd allows one every 5 s.
const PING: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(5));

// === impl Shared ===

impl Shared {
    /// The client. Connecting to a member that is down succeeds; the first call then fails.
    pub(super) async fn client(&self) -> Result<Client, Error> {
        let options = ConnectOptions::new()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_keep_alive(PING.0, PING.1)
            .with_require_leader(true);
        let connect = || within("connect", Client::connect(&self.members, Some(options)));
        self.client.get_or_try_init(connect).await.cloned()
    }
}

/// Waits for a call to etcd, but not for ever.
pub(super) async fn within<T>(
    call: &str,
    answer: impl Future<Output = Result<T, EtcdError>>,
) -> Result<T, Error> {
    match timeout(CALL_TIMEOUT, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        // etcd's word for a request that is larger than it takes.
        Ok(Err(EtcdError::GRpcStatus(status))) if status.code() == Code::InvalidArgument => {
            Err(Error::Invalid { field: "registration", reason: status.message().to_owned() })
        }
        Ok(Err(error)) => Err(Error::unavailable(format!("etcd: {call}: {error}"), error)),
        Err(_) => Err(Error::timed_out(&format!("etcd: {call}"))),
    }
}
