//! Is an instance well? Its own `grpc.health.v1` says, watched over one connection per instance.
//!
//! | what is seen | verdict |
//! |---|---|
//! | SERVING; no health service, or none that knows the empty name | healthy |
//! | NOT_SERVING, UNKNOWN | unhealthy |
//! | the connection is refused or breaks | unhealthy until it stands again |
//!
//! An instance counts as healthy until something else is seen. The verdict steers new calls away; it removes nobody:
//! that is the lease's business.

use std::collections::HashMap;
use std::time::Duration;

use convoke_proto::v1::{self, instance::State};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::Instant;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// How many instances are watched; the others count as healthy, and calls find out.
const MAX_WATCHED: usize = 1024;
/// Words that wait to be heard.
const QUEUE: usize = 256;
/// A message of the health protocol is two bytes long.
const MAX_MESSAGE: usize = 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(2);
/// How often an instance without a health service is asked again, which shows whether it still answers.
const RECHECK: Duration = Duration::from_secs(5);

/// What the watch of one instance has to say.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) id: String,
    pub(super) incarnation: u64,
    /// Why it is not well.
    pub(super) unhealthy: Option<String>,
}

/// The watches of all instances.
pub(super) struct Health {
    watched: HashMap<String, Watched>,
    words: mpsc::Receiver<Word>,
    speaker: mpsc::Sender<Word>,
}

struct Watched {
    incarnation: u64,
    endpoint: String,
    task: AbortHandle,
}

// === impl Health ===

impl Health {
    pub(super) fn new() -> Self {
        let (speaker, words) = mpsc::channel(QUEUE);
        Self { watched: HashMap::new(), words, speaker }
    }

    /// The next word about any instance.
    pub(super) async fn next(&mut self) -> Word {
        match self.words.recv().await {
            Some(word) => word,
            // `speaker` is held here, so the channel stays open.
            None => std::future::pending().await,
        }
    }

    /// Watches an instance, unless this incarnation of it is watched already. One that drains gets no new call whatever
    /// it says, and waits for its last stream to end: it is let go.
    pub(super) fn follow(&mut self, instance: &v1::Instance) {
        if instance.state() == State::Draining {
            return self.forget(&instance.id);
        }
        let v1::Instance { id, incarnation, endpoint, .. } = instance;
        let same = |known: &Watched| known.incarnation == *incarnation && known.endpoint == *endpoint;
        if self.watched.get(id).is_some_and(same) {
            return;
        }
        self.forget(id);
        if self.watched.len() >= MAX_WATCHED {
            tracing::warn!(id, watched = MAX_WATCHED, "health is not watched, there are too many instances");
            return;
        }
        let Ok(dialled) = Endpoint::from_shared(endpoint.clone()) else { return };
        let speaker = Speaker { id: id.clone(), incarnation: *incarnation, words: self.speaker.clone() };
        let task = tokio::spawn(watch(dialled, speaker)).abort_handle();
        let watched = Watched { incarnation: *incarnation, endpoint: endpoint.clone(), task };
        self.watched.insert(id.clone(), watched);
    }

    /// Ends the watch of an instance.
    pub(super) fn forget(&mut self, id: &str) {
        self.watched.remove(id);
    }

    /// The incarnation that is watched.
    pub(super) fn incarnation(&self, id: &str) -> Option<u64> {
        self.watched.get(id).map(|watched| watched.incarnation)
    }
}

// === impl Watched ===

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Where one watch says what it sees; what it said before is not said again.
struct Speaker {
    id: String,
    incarnation: u64,
    words: mpsc::Sender<Word>,
}

// === impl Speaker ===

impl Speaker {
    async fn say(&self, unhealthy: Option<&str>, last: &mut Option<String>) {
        if last.as_deref() == unhealthy {
            return;
        }
        *last = unhealthy.map(str::to_owned);
        let word = Word { id: self.id.clone(), incarnation: self.incarnation, unhealthy: last.clone() };
        // Nobody hears the last words of a server that ends.
        let _ = self.words.send(word).await;
    }
}

/// Why the health of an instance is not followed any more.
enum Ended {
    /// There is no health service: the instance answers, and that is all there is to know.
    NotServed,
    /// The connection broke, or the stream ended.
    Broken,
}

async fn watch(endpoint: Endpoint, speaker: Speaker) {
    let endpoint = endpoint.connect_timeout(CONNECT_TIMEOUT).tcp_nodelay(true);
    let mut last = None;
    let mut retry = FIRST_RETRY;
    loop {
        if let Ok(channel) = endpoint.connect().await {
            let since = Instant::now();
            while let Ended::NotServed = follow(&channel, &speaker, &mut last).await {
                tokio::time::sleep(RECHECK).await;
            }
            // What stood for a while and was closed may be back at once, and is not ill before that was tried.
            if since.elapsed() > LAST_RETRY {
                retry = FIRST_RETRY;
                continue;
            }
        }
        speaker.say(Some("it cannot be connected to"), &mut last).await;
        tokio::time::sleep(jittered(retry)).await;
        retry = (retry * 2).min(LAST_RETRY);
    }
}

/// Follows one stream to its end.
async fn follow(channel: &Channel, speaker: &Speaker, last: &mut Option<String>) -> Ended {
    let mut client = HealthClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE);
    let mut stream = match client.watch(HealthCheckRequest::default()).await {
        Ok(response) => response.into_inner(),
        Err(status) => return unwatched(&status, speaker, last).await,
    };
    loop {
        let status = match stream.message().await {
            Ok(Some(message)) => message.status(),
            Ok(None) => return Ended::Broken,
            Err(status) => return unwatched(&status, speaker, last).await,
        };
        let unhealthy = match status {
            ServingStatus::Serving | ServingStatus::ServiceUnknown => None,
            ServingStatus::NotServing => Some("it says NOT_SERVING"),
            ServingStatus::Unknown => Some("it says UNKNOWN"),
        };
        speaker.say(unhealthy, last).await;
    }
}

/// A server that knows no such method or no such name answers, which is what counts.
async fn unwatched(status: &tonic::Status, speaker: &Speaker, last: &mut Option<String>) -> Ended {
    match status.code() {
        Code::Unimplemented | Code::NotFound => {
            speaker.say(None, last).await;
            Ended::NotServed
        }
        _ => Ended::Broken,
    }
}

/// Between a half and the whole: many watches that broke at once don't all come back at once.
fn jittered(time: Duration) -> Duration {
    time.mul_f64(0.5 + fastrand::f64() / 2.0)
}
