//! The daily job that signs the state of the log, one tree head for each shard with new events, and the state of the
//! chains of rows outside the log, one head for all of them.
//!
//! Any number of processes can run it: a head is one row, and the table's key lets only one of them create it.

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::{CheckpointKeys, Live, NoCheckpointKey};
use ledger_domain::calendar::business_date;
use ledger_store::Shard;
use ledger_store::audit::checkpoint::{self, CheckpointError};
use ledger_store::audit::row_head::RowHead;
use ledger_store::tree_head::{self, SignError, TreeHead};
use razao_verify::note::{Checkpoint, Note};
use thiserror::Error;
use tokio_postgres::error::SqlState;

use crate::error::PlatformError;
use crate::row_chains::heads;

#[derive(Debug, Error)]
pub enum TreeHeadError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Rows(#[from] PlatformError),
    #[error(transparent)]
    Key(#[from] NoCheckpointKey),
}

#[derive(Clone)]
pub struct TreeHeads {
    pub pool: Pool,
    pub keys: Live<CheckpointKeys>,
    /// The ledger's name in its first checkpoint.
    pub name: String,
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
            match tree_head::make(&**client, shard, self.keys.get().signing()?, now).await {
                Ok(head) => made.extend(head),
                // Another process made the head first.
                Err(SignError::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(made)
    }

    /// Makes a checkpoint of each tree head that has none.
    pub async fn make_checkpoints(&self) -> Result<Vec<Note>, TreeHeadError> {
        let client = self.pool.get().await?;
        let mut made = vec![];
        for shard in Shard::all() {
            match checkpoint::make(&**client, shard, &self.name, self.keys.get().signing()?).await {
                Ok(note) => made.extend(note),
                // Another process made it first.
                Err(CheckpointError::Database(error))
                    if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(made)
    }

    /// Signs the chains of rows, if they have no head of today and something was sealed since the last one.
    pub async fn sign_rows(&self) -> Result<Option<RowHead>, TreeHeadError> {
        let now = self.clock.now();
        let latest = heads::latest(&**self.pool.get().await?).await?;
        if latest.is_some_and(|head| business_date(head.made_at) >= business_date(now)) {
            return Ok(None);
        }
        match heads::sign(&self.pool, self.keys.get().signing()?, now).await {
            Err(PlatformError::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                Ok(None)
            }
            signed => Ok(signed?),
        }
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), TreeHeadError> {
        for head in self.run().await? {
            // Logs are usually stored elsewhere, so the hash in them is another copy that proves a rewrite.
            tracing::info!(
                shard = %head.shard, number = head.number, position = head.position,
                hash = hex::encode(head.hash()), "a tree head was signed"
            );
        }
        for note in self.make_checkpoints().await? {
            let Checkpoint { origin, events, .. } = &note.checkpoint;
            tracing::info!(
                origin,
                size = events.size,
                root = hex::encode(events.root),
                "a checkpoint of the log was signed"
            );
        }
        if let Some(head) = self.sign_rows().await? {
            tracing::info!(
                number = head.number,
                position = head.position,
                hash = hex::encode(head.hash()),
                "a head over the chains of rows was signed"
            );
        }
        Ok(())
    }
}
