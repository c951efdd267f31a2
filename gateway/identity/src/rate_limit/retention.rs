//! The job that deletes full buckets, which hold no information.

use deadpool_postgres::{Pool, PoolError};
use thiserror::Error;

/// The most buckets of one statement, so that none is locked for long.
const BATCH_MAX: i64 = 10_000;
/// The most batches of a run. The rest is left for the next run.
const BATCHES_MAX: u32 = 100;

#[derive(Debug, Error)]
pub enum RetentionError {
    #[error("no connection to the database")]
    Pool(#[from] PoolError),
    #[error("the database failed")]
    Database(#[from] tokio_postgres::Error),
}

/// Returns the number of deleted buckets. A bucket that a call has locked is left out: it is about to be less than full,
/// and two statements that wait for each other's rows would end in a deadlock.
pub async fn delete_full_buckets(pool: &Pool) -> Result<u64, RetentionError> {
    let mut deleted = 0;
    for _ in 0..BATCHES_MAX {
        let client = pool.get().await?;
        let batch = client
            .execute(
                "DELETE FROM rate_limit_bucket WHERE key IN (
                     SELECT key FROM rate_limit_bucket WHERE full_at <= clock_timestamp()
                      LIMIT $1 FOR UPDATE SKIP LOCKED)",
                &[&BATCH_MAX],
            )
            .await?;
        deleted += batch;
        if batch == 0 {
            break;
        }
    }
    Ok(deleted)
}
