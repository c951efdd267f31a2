//! Orders that wait for a provider that has been silent for a long time.

use super::TestApp;
use super::wait::until;

impl TestApp {
    /// Waits until this many rows of an outbox found that nothing listens at their provider, and gives them the pauses of
    /// a long outage. A row that is tried meanwhile gets a short one, so all get theirs again until none has another.
    pub async fn until_long_pauses(&self, table: &str, rows: i64) {
        let long_pauses = format!(
            "UPDATE {table} SET next_try_at = now() + interval '1 hour', paused_until = now() + interval '1 hour'
              WHERE awaits IS NOT NULL AND next_try_at = paused_until"
        );
        let waiting = format!(
            "SELECT count(*) FROM {table} WHERE last_error = 'unreachable'
                AND next_try_at = paused_until AND next_try_at > now() + interval '50 minutes'"
        );
        until(&format!("{rows} long pauses of {table}"), async || {
            self.execute(&long_pauses).await;
            self.count(&waiting).await == rows
        })
        .await;
    }
}
