//! The times by which a request's body must have arrived, and by which it must be answered completely. The server gives
//! each request the configured limits. Routes that take longer (a large upload or export, a stream of events) extend or
//! lift them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time limit of one request. The server puts it into the request's extensions.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    started: Instant,
    body: Arc<Mutex<Instant>>,
    deadline: Arc<Mutex<Option<Instant>>>,
}

impl TimeLimit {
    /// `body`: of the request's body. `limit`: of the answer.
    pub fn new(started: Instant, body: Duration, limit: Duration) -> Self {
        Self {
            started,
            body: Arc::new(Mutex::new(started + body)),
            deadline: Arc::new(Mutex::new(Some(started + limit))),
        }
    }

    pub fn body_deadline(&self) -> Instant {
        *self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Extends both limits, for a body that takes long to arrive.
    pub fn extend_upload_to(&self, limit: Duration) {
        let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        *body = (*body).max(self.started + limit);
        self.extend_to(limit);
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
