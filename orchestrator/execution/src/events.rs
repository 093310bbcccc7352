//! The events of one execution: numbered without gaps, stamped, queued until they are read.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::SystemTime;

use convoke_proto::v1;
use convoke_proto::v1::execution_event::Kind;

/// Events in the order in which they happened. The sequence counts from 1.
pub(crate) struct Events {
    execution_id: Arc<str>,
    clock: fn() -> SystemTime,
    sequence: u64,
    queue: VecDeque<v1::ExecutionEvent>,
}

impl Events {
    pub(crate) fn new(execution_id: Arc<str>, clock: fn() -> SystemTime) -> Self {
        Self { execution_id, clock, sequence: 0, queue: VecDeque::new() }
    }

    pub(crate) fn push(&mut self, kind: Kind) {
        self.sequence = self.sequence.saturating_add(1);
        self.queue.push_back(v1::ExecutionEvent {
            execution_id: self.execution_id.to_string(),
            sequence: self.sequence,
            time: Some((self.clock)().into()),
            kind: Some(kind),
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<v1::ExecutionEvent> {
        self.queue.pop_front()
    }
}
