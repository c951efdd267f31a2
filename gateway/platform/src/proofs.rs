//! Proofs for outsiders (docs/proof-format.md), and what the panels say of the checks of the ledger.

use chrono::{DateTime, Utc};
use deadpool_postgres::{Object, Pool};
use ed25519_dalek::VerifyingKey;
use ledger_domain::calendar::{Date, days_after, start_of};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::Shard;
use ledger_store::audit::prove::{ProveError, Prover, Range, snapshot};
use ledger_store::log;
use ledger_store::tree_head::{key_id, signing_times};
use ledger_store::verify::last::{self, Part};
use razao_verify::note::Note;
use razao_verify::proof::Proof;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio_postgres::Client;

#[derive(Debug, Error)]
pub enum ProofError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Prove(#[from] ProveError),
    #[error("the company has {events} events, and a proof is made of up to {max} while it is waited for")]
    TooLarge { events: i64, max: i64 },
    #[error("{0} is not the origin of a shard's checkpoint")]
    Origin(String),
}

impl ProofError {
    /// There is no checkpoint that covers what was asked for, yet.
    pub const fn is_not_yet(&self) -> bool {
        matches!(
            self,
            Self::Prove(ProveError::NoCheckpoint(_) | ProveError::NothingRecorded)
        )
    }
}

/// Days in Brasília, the first and the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    pub from: Date,
    pub to: Date,
}

impl From<Days> for Range {
    fn from(days: Days) -> Self {
        Self {
            from: start_of(days.from).timestamp_micros(),
            to: start_of(days_after(days.to, 1)).timestamp_micros(),
        }
    }
}

/// Makes proofs at the last checkpoints.
#[derive(Clone)]
pub struct Proofs {
    pub pool: Pool,
    /// The ledger's public keys.
    pub keys: Vec<VerifyingKey>,
}

impl Proofs {
    /// The events of a sale.
    pub async fn sale(&self, business_id: BusinessId, sale_id: SaleId) -> Result<Proof, ProofError> {
        let mut connection = self.pool.get().await?;
        let snapshot = snapshot(client(&mut connection)).await?;
        let prover = Prover::at(&snapshot, Shard::of(business_id), None, &self.keys).await?;
        Ok(prover.sale(business_id, sale_id).await?)
    }

    /// All events of a company, with the figures of a period.
    pub async fn company(&self, business_id: BusinessId, days: Option<Days>) -> Result<Proof, ProofError> {
        let mut connection = self.pool.get().await?;
        let snapshot = snapshot(client(&mut connection)).await?;
        let prover = Prover::at(&snapshot, Shard::of(business_id), None, &self.keys).await?;
        Ok(prover.company(business_id, days.map(Range::from)).await?)
    }

    /// The same for somebody who waits for it: of a company of up to `events_max` events, one at a time, because all of
    /// its events are in memory.
    pub async fn small_company(
        &self,
        business_id: BusinessId,
        days: Option<Days>,
        events_max: i64,
    ) -> Result<Proof, ProofError> {
        static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);
        // It is never closed.
        let _slot = ONE_AT_A_TIME.acquire().await.ok();
        let head = log::head(&**self.pool.get().await?, business_id).await?;
        let events = head.map_or(0, |head| head.version);
        if events > events_max {
            return Err(ProofError::TooLarge {
                events,
                max: events_max,
            });
        }
        self.company(business_id, days).await
    }

    /// That the log has everything of an earlier checkpoint, unchanged.
    pub async fn growth(&self, earlier: &Note) -> Result<Proof, ProofError> {
        let origin = &earlier.checkpoint.origin;
        let number = origin
            .rsplit_once("/shard/")
            .and_then(|(_, number)| number.parse().ok());
        let shard = number
            .and_then(Shard::new)
            .ok_or_else(|| ProofError::Origin(origin.clone()))?;
        let mut connection = self.pool.get().await?;
        let snapshot = snapshot(client(&mut connection)).await?;
        let prover = Prover::at(&snapshot, shard, None, &self.keys).await?;
        Ok(prover.growth(earlier).await?)
    }
}

fn client(connection: &mut Object) -> &mut Client {
    connection
}

/// When a check of the whole ledger last ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    pub ended_at: DateTime<Utc>,
    pub findings: i64,
}

/// The last checks of the whole ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// `audit verify`; `None` until each of its parts has ended once.
    pub verified: Option<Check>,
    pub replayed: Option<Check>,
}

pub async fn checks(client: &Client) -> Result<Checks, tokio_postgres::Error> {
    let ended = last::last(client).await?;
    let of = |part: Part| ended.iter().find(|last| last.part == part);
    let verified = of(Part::Log).zip(of(Part::Rows)).map(|(log, rows)| Check {
        ended_at: log.ended_at.min(rows.ended_at),
        findings: log.findings + rows.findings,
    });
    let replayed = of(Part::Replay).map(|replay| Check {
        ended_at: replay.ended_at,
        findings: replay.findings,
    });
    Ok(Checks { verified, replayed })
}

/// A public key of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyInUse {
    /// Hexadecimal.
    pub public_key: String,
    /// When it first signed a head.
    pub from: Option<DateTime<Utc>>,
    /// When it last signed one; `None` if it is the one that signs now.
    pub to: Option<DateTime<Utc>>,
}

/// The known keys. The first one signs.
pub async fn keys_in_use(
    client: &Client,
    keys: &[VerifyingKey],
) -> Result<Vec<KeyInUse>, tokio_postgres::Error> {
    let signed = signing_times(client).await?;
    let in_use = keys.iter().enumerate().map(|(place, key)| {
        let times = signed.iter().find(|times| times.key_id == key_id(key));
        KeyInUse {
            public_key: hex::encode(key.as_bytes()),
            from: times.map(|times| times.first),
            to: times.filter(|_| place > 0).map(|times| times.last),
        }
    });
    Ok(in_use.collect())
}
