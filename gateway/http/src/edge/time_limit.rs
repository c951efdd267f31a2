//! The time by which a request must be answered completely. The server gives each request the configured limit. Routes
//! that take longer (a large export, a stream of events) extend or lift it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time limit of one request. The server puts it into the request's extensions.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    started: Instant,
    deadline: Arc<Mutex<Option<Instant>>>,
}

impl TimeLimit {
    pub fn new(started: Instant, limit: Duration) -> Self {
        Self {
            started,
            deadline: Arc::new(Mutex::new(Some(started + limit))),
        }
    }

    /// `None` if the limit is lifted.
    pub fn deadline(&self) -> Option<Instant> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Extends the limit, counted from the start of the request. A limit is never shortened.
    pub fn extend_to(&self, limit: Duration) {
        let mut deadline = self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        *deadline = deadline.map(|deadline| deadline.max(self.started + limit));
    }

    /// For an answer that stays open, such as server-sent events.
    pub fn lift(&self) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
