//! Waits for the read models before a decision. A decision on read models that lack recorded events could be wrong
//! without showing it.

use std::time::Duration;

use deadpool_postgres::Pool;
use ledger_domain::BusinessId;
use ledger_store::{LedgerPosition, Shard, log};
use projections::{Freshness, ReadModelGroup, wait_for};

use crate::problem::{Problem, Result};

const WAIT_MAX: Duration = Duration::from_secs(5);

/// Waits until these read models have all events that the company has now. A 503 if they stay behind. The caller holds
/// no transaction, because a wait under a lock would block other users, and a wait for a connection the followers.
pub(crate) async fn wait_for_read_models(
    pool: &Pool,
    models: &[ReadModelGroup],
    business: BusinessId,
) -> Result<()> {
    match freshness_within(pool, models, business, WAIT_MAX).await? {
        Freshness::Fresh => Ok(()),
        Freshness::Stale => Err(Problem::unavailable()),
    }
}

/// The same as `wait_for_read_models`, for callers with an answer for read models that stay behind.
pub(crate) async fn freshness_within(
    pool: &Pool,
    models: &[ReadModelGroup],
    business: BusinessId,
    timeout: Duration,
) -> Result<Freshness> {
    let shard = Shard::of(business);
    let recorded = log::shard_positions(&**pool.get().await?).await?;
    let position = LedgerPosition::at(shard, recorded.get(shard));
    Ok(wait_for(pool, models, &position, timeout).await?)
}
