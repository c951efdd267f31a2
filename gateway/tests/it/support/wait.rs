//! Waits: checks a condition until it holds, and fails after a timeout.

use std::time::Duration;

use tokio::time::Instant;

use super::TestApp;

/// The time between two checks.
pub const POLL_INTERVAL: Duration = Duration::from_millis(10);
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// Waits until the condition holds.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until_some(what, async || holds().await.then_some(())).await;
}

/// Waits until there is a value, and returns it.
pub async fn until_some<T>(what: &str, mut value: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(value) = value().await {
            return value;
        }
        assert!(
            Instant::now() < deadline,
            "after {} s still not: {what}",
            TIMEOUT.as_secs()
        );
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

impl TestApp {
    /// Waits until a query that counts returns this number.
    pub async fn until_count(&self, sql: &str, expected: i64) {
        until(&format!("{expected} by {sql}"), async || {
            self.count(sql).await == expected
        })
        .await;
    }

    /// Waits until the log has this number of events of the type.
    pub async fn until_events(&self, event_type: &str, expected: i64) {
        until(&format!("{expected} events {event_type}"), async || {
            self.count_events(event_type).await == expected
        })
        .await;
    }

    /// Waits until this number of the database's sessions wait for a lock.
    pub async fn until_sessions_wait_for_locks(&self, expected: i64) {
        let waiting = "SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'";
        self.until_count(waiting, expected).await;
    }
}
