//! How far read models are behind the log, and which effect handlers stopped: for staff's home page and their list of
//! followers.

use std::collections::BTreeMap;

use gateway_platform::effects::{StoppedEffectHandler, stopped_handlers};
use projections::{ShardLag, lag};
use tokio_postgres::Client;

use super::bodies::{FollowerRow, StoppedAt};
use crate::problem::Result;

/// A row for each read model, and one for each effect handler that stopped.
pub(crate) async fn followers(db: &Client) -> Result<Vec<FollowerRow>> {
    Ok(rows_of(&lag(db).await?, stopped_handlers(db).await?))
}

fn rows_of(shards: &[ShardLag], effects: Vec<StoppedEffectHandler>) -> Vec<FollowerRow> {
    let mut model_rows: BTreeMap<&str, FollowerRow> = BTreeMap::new();
    for shard in shards {
        for at in &shard.models {
            let name = at.model.as_str();
            let row = model_rows.entry(name).or_insert_with(|| FollowerRow {
                name: name.to_owned(),
                lag_events: Some(0),
                stopped: vec![],
            });
            row.lag_events = row.lag_events.max(Some(shard.log_end - at.position));
            row.stopped.extend(at.stopped.as_ref().map(|stop| StoppedAt {
                shard: shard.shard,
                position: stop.position,
            }));
        }
    }
    let mut handler_rows: BTreeMap<String, FollowerRow> = BTreeMap::new();
    for handler in effects {
        let row = handler_rows
            .entry(handler.effect_handler.clone())
            .or_insert_with(|| FollowerRow {
                name: handler.effect_handler,
                lag_events: None,
                stopped: vec![],
            });
        row.stopped.push(StoppedAt {
            shard: handler.shard.number(),
            position: handler.position,
        });
    }
    model_rows
        .into_values()
        .chain(handler_rows.into_values())
        .collect()
}
