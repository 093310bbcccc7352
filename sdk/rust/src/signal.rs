//! The signals that end a process.

/// SIGTERM and SIGINT; Ctrl-C where there are no signals.
pub(crate) struct Signals {
    #[cfg(unix)]
    streams: Vec<tokio::signal::unix::Signal>,
}

// === impl Signals ===

#[cfg(unix)]
impl Signals {
    /// From now on the signals come here. One that can't be taken over keeps ending the process at once.
    pub(crate) fn install() -> Self {
        use tokio::signal::unix::{SignalKind, signal};

        let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
        Self { streams: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let arrived = self.streams.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if arrived { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

#[cfg(not(unix))]
impl Signals {
    /// From now on Ctrl-C comes here.
    pub(crate) fn install() -> Self {
        Self {}
    }

    /// The next Ctrl-C.
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
