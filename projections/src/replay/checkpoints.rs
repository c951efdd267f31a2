//! Compares the checkpoints of the read models with the log.

use deadpool_postgres::Pool;
use ledger_store::Shard;

use super::finding::Reporter;
use crate::{Error, Model, freshness};

pub(super) async fn report(pool: &Pool, to: &mut Reporter<'_>) -> Result<(), Error> {
    to.of(None);
    let shards = freshness::lag(&**pool.get().await?).await?;
    for shard in Shard::all() {
        let lag = shards.iter().find(|lag| lag.shard == shard.number());
        let head = lag.map_or(0, |lag| lag.head);
        for model in Model::ALL {
            let at = lag.and_then(|lag| lag.models.iter().find(|at| at.model == model));
            let position = at.map(|at| at.position);
            to.checkpoint(format_args!("{model} of shard {shard}"), position, head);
        }
    }
    Ok(())
}
