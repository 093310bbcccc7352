//! An execution that runs on while nobody reads its events.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use convoke_proto::v1;
use futures::{Stream, StreamExt};
use tokio::sync::mpsc;

/// The events of an execution that a task of its own drives. Dropping it cancels the execution.
#[derive(Debug)]
pub struct Detached {
    events: mpsc::UnboundedReceiver<v1::ExecutionEvent>,
}

/// Drives an execution in a task of its own.
///
/// The queue between has room for every event of the execution: at most two a step and two more, with results that
/// [`Limits::max_result_bytes`](crate::Limits) bounds. So a slow reader neither slows the calls down nor lets their
/// timeouts pass unseen.
pub fn detach(events: impl Stream<Item = v1::ExecutionEvent> + Send + 'static) -> Detached {
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut events = pin!(events);
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                () = sender.closed() => None,
            };
            let Some(event) = event else { return };
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    Detached { events: receiver }
}

impl Stream for Detached {
    type Item = v1::ExecutionEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(cx)
    }
}
