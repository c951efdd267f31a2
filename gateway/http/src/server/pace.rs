//! Until when a connection may stay as it is. The stream and the service tell what happens; the connection's task asks
//! for the deadline and closes what is overdue.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gateway_environment::config::HttpLimits;
use tokio::time::Instant;

use crate::edge::time_limit::TimeLimit;

#[derive(Debug)]
pub struct Pace {
    pub limits: HttpLimits,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    deadline: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Between two requests, or before the first.
    Idle,
    /// A part of a request's header has arrived.
    Header,
    /// The service watches its time by itself, so that it can answer what is late.
    Serving,
    /// The answer is on its way.
    Answering,
    /// Its last piece was handed over, and may still wait for a client that reads slowly.
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

impl Pace {
    pub fn new(limits: HttpLimits) -> Self {
        Self {
            limits,
            state: Mutex::new(State {
                phase: Phase::Idle,
                deadline: Some(Instant::now() + limits.idle),
            }),
        }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.state().deadline
    }

    pub fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Some bytes came. Those of a body and of a request behind another one are no news.
    pub fn received(&self) {
        if self.phase() == Phase::Idle {
            self.enter(Phase::Header, Some(Instant::now() + self.limits.header));
        }
    }

    pub fn serving(&self) {
        self.enter(Phase::Serving, None);
    }

    /// The answer's head is ready. What is answered late has a moment left to be sent.
    pub fn answering(&self, limit: &TimeLimit) {
        let least = Instant::now() + self.limits.header;
        let deadline = limit.deadline().map(|deadline| deadline.max(least));
        self.enter(Phase::Answering, deadline);
    }

    pub fn handed_over(&self) {
        self.state().phase = Phase::Sending;
    }

    /// Nothing waits to be written.
    pub fn flushed(&self) {
        if self.phase() == Phase::Sending {
            self.enter(Phase::Idle, Some(Instant::now() + self.limits.idle));
        }
    }

    /// The server stops: half a request is not waited for. Hyper closes idle connections and ends answers by itself.
    pub fn stop(&self) {
        let mut state = self.state();
        if state.phase == Phase::Header {
            state.deadline = Some(Instant::now());
        }
    }

    fn enter(&self, phase: Phase, deadline: Option<Instant>) {
        let mut state = self.state();
        state.phase = phase;
        state.deadline = deadline;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
