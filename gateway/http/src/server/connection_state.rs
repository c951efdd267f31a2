//! The phase of a connection and its deadline. The stream and the service report each phase. The connection's task
//! reads the deadline and closes the connection when it is overdue.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gateway_environment::config::HttpLimits;
use tokio::time::Instant;

use crate::edge::time_limit::TimeLimit;

#[derive(Debug)]
pub struct ConnectionState {
    pub limits: HttpLimits,
    current: Mutex<Current>,
}

#[derive(Debug, Clone, Copy)]
struct Current {
    phase: Phase,
    /// `None` while the request is served, and for an answer whose limit is lifted.
    deadline: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Between two requests, or before the first.
    Idle,
    /// Part of a request's header has arrived.
    Header,
    /// The service watches the request's time limit itself, so that it can answer a late request.
    Serving,
    /// The handler has begun the answer, and hyper takes its body.
    Answering,
    /// Hyper has the complete answer, but a slow client may not have read it yet. The deadline of the answer stays.
    Sending,
}

impl Phase {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Header => "header",
            Self::Serving => "serving",
            Self::Answering => "answering",
            Self::Sending => "sending",
        }
    }
}

impl ConnectionState {
    pub fn new(limits: HttpLimits) -> Self {
        Self {
            limits,
            current: Mutex::new(Current {
                phase: Phase::Idle,
                deadline: Some(Instant::now() + limits.idle),
            }),
        }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.current().deadline
    }

    pub fn phase(&self) -> Phase {
        self.current().phase
    }

    /// Bytes arrived. Only the first bytes of a header change the phase.
    pub fn received(&self) {
        if self.phase() == Phase::Idle {
            self.enter(Phase::Header, Some(Instant::now() + self.limits.header));
        }
    }

    pub fn serving(&self) {
        self.enter(Phase::Serving, None);
    }

    /// The answer's head is ready. A late answer still gets the time of the header's limit to be sent.
    pub fn answering(&self, limit: &TimeLimit) {
        let least = Instant::now() + self.limits.header;
        let deadline = limit.deadline().map(|deadline| deadline.max(least));
        self.enter(Phase::Answering, deadline);
    }

    /// Hyper has the complete answer.
    pub fn handed_over(&self) {
        self.current().phase = Phase::Sending;
    }

    /// No bytes wait to be written.
    pub fn flushed(&self) {
        if self.phase() == Phase::Sending {
            self.enter(Phase::Idle, Some(Instant::now() + self.limits.idle));
        }
    }

    /// The server stops. A partial request header is not awaited. Hyper itself closes idle connections and finishes
    /// answers.
    pub fn stop(&self) {
        let mut current = self.current();
        if current.phase == Phase::Header {
            current.deadline = Some(Instant::now());
        }
    }

    fn enter(&self, phase: Phase, deadline: Option<Instant>) {
        let mut current = self.current();
        current.phase = phase;
        current.deadline = deadline;
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
