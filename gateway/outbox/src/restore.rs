//! A restore of the database to an earlier instant: it has forgotten which orders were sent since.

use tokio_postgres::{Error, GenericClient};

/// For so long after a restore, a row that says it was never sent may have been sent.
pub const LOOKED_UP_FIRST_DAYS: u32 = 30;

/// Notes that the database was restored just now.
pub async fn note_restore(client: &impl GenericClient) -> Result<(), Error> {
    client
        .execute_typed("INSERT INTO database_restore DEFAULT VALUES", &[])
        .await
        .map(drop)
}

/// The condition that a restore was noted lately.
pub(crate) fn was_restored_sql() -> String {
    format!(
        "EXISTS (SELECT FROM database_restore
                  WHERE restored_at > now() - interval '{LOOKED_UP_FIRST_DAYS} days')"
    )
}
