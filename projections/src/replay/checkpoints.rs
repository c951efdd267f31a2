//! Checkpoints against the log: a model that says it has read more than there is would pass over what comes next, and
//! one without a row is fed by nobody.

use deadpool_postgres::Pool;
use ledger_store::Shard;

use super::finding::{Reporter, Subject};
use crate::{Error, Model, freshness};

pub(super) async fn report(pool: &Pool, to: &mut Reporter<'_>) -> Result<(), Error> {
    let shards = freshness::lag(&**pool.get().await?).await?;
    for shard in Shard::all() {
        let lag = shards.iter().find(|lag| lag.shard == shard.number());
        for model in Model::ALL {
            let key = format!("{model} of shard {shard}");
            let at = lag.and_then(|lag| lag.models.iter().find(|at| at.model == model));
            match (lag, at) {
                (Some(lag), Some(at)) if at.position > lag.head => to.finding(
                    Subject::Checkpoint,
                    key,
                    format_args!("at most {}, where the log ends", lag.head),
                    at.position,
                ),
                (Some(_), Some(_)) => {}
                (None, _) | (_, None) => to.finding(Subject::Checkpoint, key, "a row", "no row"),
            }
        }
    }
    Ok(())
}
