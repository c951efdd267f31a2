//! Compares the checkpoints of the read models with the log.

use deadpool_postgres::Pool;
use ledger_store::Shard;

use crate::read_model::finding::Reporter;
use crate::{Error, ReadModelGroup, freshness};

pub(super) async fn report(pool: &Pool, reporter: &mut Reporter<'_>) -> Result<(), Error> {
    reporter.set_business(None);
    let shards = freshness::lag(&**pool.get().await?).await?;
    for shard in Shard::all() {
        let lag = shards.iter().find(|lag| lag.shard == shard.number());
        let log_end = lag.map_or(0, |lag| lag.log_end);
        for model in ReadModelGroup::ALL {
            let checkpoint =
                lag.and_then(|lag| lag.models.iter().find(|checkpoint| checkpoint.model == model));
            let position = checkpoint.map(|checkpoint| checkpoint.position);
            reporter.checkpoint(format_args!("{model} of shard {shard}"), position, log_end);
        }
    }
    Ok(())
}
