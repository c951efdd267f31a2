//! Proofs for outsiders (docs/proof-format.md), and what the panels say of the checks of the ledger.

use deadpool_postgres::{Object, Pool};
use ed25519_dalek::VerifyingKey;
use ledger_domain::calendar::{Date, days_after, start_of};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::Shard;
use ledger_store::audit::prove::{ProveError, Prover, Range, snapshot};
use razao_verify::note::Note;
use razao_verify::proof::Proof;
use thiserror::Error;
use tokio_postgres::Client;

#[derive(Debug, Error)]
pub enum ProofError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Prove(#[from] ProveError),
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
