//! The job that verifies what was recorded since its last run, so that a change of the latest events is found within
//! seconds and not by the next `audit verify`.
//!
//! Several processes may run it: each shard's row is locked while its events are read.

use deadpool_postgres::Pool;
use ledger_store::Shard;
use ledger_store::audit::Finding;
use ledger_store::log::{LogError, shard_positions};
use ledger_store::verify::{last, recent};
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

#[derive(Debug, Error)]
pub enum RecentAuditError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Log(#[from] LogError),
}

#[derive(Clone)]
pub struct RecentAudit {
    pub pool: Pool,
}

/// Events of a page, and pages of a shard in one run. A log that was never verified in the background is caught up with
/// without taking the database from others.
const PAGE: i64 = 500;
const PAGES: usize = 10;

impl RecentAudit {
    /// One run.
    pub async fn tick(&self) -> Result<(), RecentAuditError> {
        for shard in Shard::all() {
            for _ in 0..PAGES {
                if !self.page(shard).await? {
                    break;
                }
            }
        }
        let client = self.pool.get().await?;
        let sql = "SELECT sum(findings)::bigint FROM public.audit_progress";
        let findings: i64 = client.query_typed_one(sql, &[]).await?.get(0);
        last::record(&**client, last::Part::Recent, findings.unsigned_abs()).await;
        Ok(())
    }

    /// Verifies a page of the shard; false if there is nothing new, or another process does it.
    async fn page(&self, shard: Shard) -> Result<bool, RecentAuditError> {
        let mut connection = self.pool.get().await?;
        let transaction = connection.transaction().await?;
        let progress = transaction
            .query_typed_opt(
                "SELECT position FROM public.audit_progress WHERE shard = $1 FOR UPDATE SKIP LOCKED",
                &[(&shard.sql(), Type::INT2)],
            )
            .await?;
        let Some(after) = progress.map(|row| row.get::<_, i64>(0)) else {
            return Ok(false);
        };
        let mut findings = 0_i64;
        let mut report = |finding: &Finding| {
            findings += 1;
            tracing::error!(code = "audit_finding", %finding, "the log was changed or is damaged");
        };
        let position = recent::run(&*transaction, shard, after, PAGE, &mut report).await?;
        if position == after {
            return Ok(false);
        }
        transaction
            .execute_typed(
                "UPDATE public.audit_progress \
                    SET position = $2, findings = findings + $3, verified_at = clock_timestamp() WHERE shard = $1",
                &[
                    (&shard.sql(), Type::INT2),
                    (&position, Type::INT8),
                    (&findings, Type::INT8),
                ],
            )
            .await?;
        transaction.commit().await?;
        Ok(position == after + PAGE)
    }
}

/// The recorded events that were not verified in the background yet.
pub async fn events_behind(client: &impl GenericClient) -> Result<i64, tokio_postgres::Error> {
    let sql = "SELECT sum(position)::bigint FROM public.audit_progress";
    // Read first: what is recorded meanwhile is not verified yet.
    let verified: i64 = client.query_typed_one(sql, &[]).await?.get(0);
    let recorded = shard_positions(client).await?;
    Ok(Shard::all().map(|shard| recorded.get(shard)).sum::<i64>() - verified)
}
