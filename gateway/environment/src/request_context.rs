//! The context of the request that a task answers: its id, the client's address and the business clock. It is
//! task-local, so that functions such as those of the audit log need no parameter for it.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use tokio::task::futures::TaskLocalFuture;

use crate::clock::BusinessClock;

tokio::task_local! {
    static CURRENT: RequestContext;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestContext {
    pub id: String,
    /// The client's address, as the trusted proxies report it.
    pub address: Option<IpAddr>,
    /// Dates the rows that the request writes.
    pub clock: BusinessClock,
}

/// The context of this task's scope. Outside of a scope it has no id and no address, and the machine's clock.
pub fn current() -> RequestContext {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

/// The time by the clock of the current context.
pub fn now() -> DateTime<Utc> {
    current().clock.now()
}

impl RequestContext {
    /// Runs the future within this context.
    pub fn scope<F: Future>(self, answering: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self, answering)
    }

    /// Calls the function within this context.
    pub fn sync_scope<T>(self, answer: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, answer)
    }
}
