//! The daily job that signs the state of the log: one tree head for each shard with new events.
//!
//! Any number of processes can run it: a head is one row, and the table's key lets only one of them create it.

use std::time::Duration;

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Secret;
use ledger_domain::calendar::business_date;
use ledger_store::supervisor::Supervised;
use ledger_store::tree_head::{self, SignError, TreeHead};
use ledger_store::{Shard, Supervisor};
use thiserror::Error;
use tokio_postgres::error::SqlState;

const RUN_INTERVAL: Duration = Duration::from_secs(3_600);

#[derive(Debug, Error)]
pub enum TreeHeadError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Sign(#[from] SignError),
}

#[derive(Clone)]
pub struct TreeHeads {
    pub pool: Pool,
    pub key: Secret<[u8; 32]>,
    pub clock: BusinessClock,
}

impl TreeHeads {
    /// Signs each shard that has no head of today, if it has new events.
    pub async fn run(&self) -> Result<Vec<TreeHead>, TreeHeadError> {
        let client = self.pool.get().await?;
        let now = self.clock.now();
        let mut made = vec![];
        for shard in Shard::all() {
            let latest = tree_head::latest(&**client, shard).await?;
            if latest.is_some_and(|head| business_date(head.made_at) >= business_date(now)) {
                continue;
            }
            match tree_head::make(&**client, shard, self.key.reveal(), now).await {
                Ok(head) => made.extend(head),
                // Another process made the head first.
                Err(SignError::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(made)
    }

    /// Runs at once, and then every hour.
    pub fn start(self, supervisor: &Supervisor) -> TreeHeadJob {
        let task = supervisor.every("daily tree heads", RUN_INTERVAL, move || {
            let heads = self.clone();
            async move {
                for head in heads.run().await? {
                    // Logs are usually stored elsewhere, so the hash in them is another copy that proves a rewrite.
                    tracing::info!(
                        shard = %head.shard, number = head.number, position = head.position,
                        hash = hex::encode(head.hash()), "a tree head was signed"
                    );
                }
                Ok::<_, TreeHeadError>(())
            }
        });
        TreeHeadJob { _task: task }
    }
}

/// The job of one process. Dropping it ends the job.
pub struct TreeHeadJob {
    _task: Supervised,
}
