//! Verifies the log: chains, digests, columns, claims, keys, positions, heads and tree heads.
//!
//! Shards are verified beside each other. Each event is read once, in the order of positions, in pages, so that no
//! snapshot is held and the writer can run meanwhile. Events that are recorded during the verification may be left to
//! the next one. But if a head moved, the new events of its business are read too.
//!
//! Claims and keys have their own tables. Whether these agree with the events shows by sums (`tally`); only where the
//! sums differ, each row is looked up to name it (`unique`).

pub mod last;
mod pages;
mod positions;
pub mod recent;
mod shard;
mod tally;
mod trees;
mod unique;

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;

use deadpool_postgres::{Object, Pool, PoolError};
use ed25519_dalek::VerifyingKey;
use futures::{StreamExt, TryStreamExt, join, stream};
use ledger_domain::BusinessId;
use thiserror::Error;
use tokio::sync::mpsc;

use super::export::Heads;
use super::finding::Finding;
use crate::archive::hold_log;
use crate::layout;
use crate::log::{self, LogError};
use crate::position::Shard;
use crate::supervisor::spawn_once;
use shard::Verification;
use tally::{Tally, TallyKeys};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub events: u64,
    pub businesses: u64,
    pub tree_heads: u64,
    pub findings: u64,
}

/// How far the verification has got.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Events read so far, in all shards.
    pub events: u64,
    /// Events that were recorded when the verification began.
    pub recorded: u64,
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the verification of shard {shard} panicked")]
    Panicked { shard: Shard },
}

/// Rows in a page of what is not an event.
const PAGE: i64 = 10_000;

/// Shards that are verified or replayed at the same time. While one waits for the database, others use the processors.
pub fn shards_at_a_time() -> usize {
    2 * std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// What a shard's task tells of its work.
struct News {
    findings: Vec<Finding>,
    events: u64,
}

/// What the verification of a shard leaves for the comparison with the claims of all shards.
struct VerifiedShard {
    shard: Shard,
    businesses: u64,
    tree_heads: u64,
    /// The sequence of the last event that was read of each business.
    last: HashMap<BusinessId, i64>,
    claims: Tally,
}

struct Trusted {
    keys: Vec<VerifyingKey>,
    /// Copies of heads that were kept outside of the database.
    outside: Heads,
    tally_keys: TallyKeys,
}

/// Verifies every shard. `keys` are the public keys that may have signed tree heads; `outside` are copies that were kept
/// outside of the database. Findings come in no order.
pub async fn run(
    pool: &Pool,
    keys: &[VerifyingKey],
    outside: Heads,
    report: &mut (impl FnMut(&Finding) + Send),
    progress: &mut (impl FnMut(Progress) + Send),
) -> Result<Summary, VerifyError> {
    // This session ends with the audit, and with it the promise that no events leave the database meanwhile.
    let holder = Object::take(pool.get().await?);
    hold_log(&*holder).await?;
    let recorded = log::shard_positions(&*holder).await?;
    let recorded = Shard::all()
        .map(|shard| recorded.get(shard).cast_unsigned())
        .sum();
    let trusted = Arc::new(Trusted {
        keys: keys.to_vec(),
        outside,
        tally_keys: TallyKeys::default(),
    });
    let mut summary = Summary::default();
    let (sender, mut receiver) = mpsc::channel(64);
    let verify_all = async {
        let shards = verify_shards(pool, &trusted, &sender).await?;
        unique::check_claims(pool, &trusted.tally_keys, &shards, &sender).await?;
        drop(sender);
        Ok(shards)
    };
    let listen = async {
        while let Some(News { findings, events }) = receiver.recv().await {
            findings.iter().for_each(&mut *report);
            summary.findings += findings.len() as u64;
            summary.events += events;
            progress(Progress {
                events: summary.events,
                recorded,
            });
        }
    };
    let (shards, ()) = join!(verify_all, listen);
    let shards: Result<Vec<VerifiedShard>, VerifyError> = shards;
    for shard in shards? {
        summary.businesses += shard.businesses;
        summary.tree_heads += shard.tree_heads;
    }
    last::record(&*holder, last::Part::Log, summary.findings).await;
    Ok(summary)
}

async fn verify_shards(
    pool: &Pool,
    trusted: &Arc<Trusted>,
    news: &mpsc::Sender<News>,
) -> Result<Vec<VerifiedShard>, VerifyError> {
    stream::iter(Shard::all())
        .map(|shard| {
            let work = verify_shard(pool.clone(), shard, Arc::clone(trusted), news.clone());
            let task = spawn_once("verification of a shard", work);
            async move {
                let ended = task.await.ok().flatten();
                ended.ok_or(VerifyError::Panicked { shard })?
            }
        })
        .buffer_unordered(shards_at_a_time())
        .try_collect()
        .await
}

async fn verify_shard(
    pool: Pool,
    shard: Shard,
    trusted: Arc<Trusted>,
    news: mpsc::Sender<News>,
) -> Result<VerifiedShard, VerifyError> {
    let client = pool.get().await?;
    layout::enter(&**client, shard).await?;
    let verified = Verification::new(&**client, shard).run(&trusted, &news).await;
    layout::leave(&**client).await?;
    Ok(verified?)
}
