//! The followers of the read models: the folds as a consumer of the log.

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use ledger_store::follower::{
    self, ApplyError, CheckpointTable, Consumer, Feed, FollowerOptions, Following, Lag, Log, Rejected, Window,
};
use ledger_store::{Recorded, Shard};
use tokio_postgres::error::SqlState;

use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model_groups::Fold;
use crate::{Error, ReadModelGroup};

pub(crate) const CHECKPOINTS: CheckpointTable = CheckpointTable {
    table: "projection_checkpoint",
    name_column: "model",
};

/// Starts the followers. `recorded` wakes them after writes of this process and hands them its events from memory.
/// Without it they poll the log.
pub fn follow_log(pool: Pool, recorded: Option<&Recorded>, options: FollowerOptions) -> Following {
    let name = "read models";
    match recorded {
        Some(recorded) => follower::follow(name, pool, ReadModels, Feed(recorded.clone()), options),
        None => follower::follow(name, pool, ReadModels, Log, options),
    }
}

/// The read models as a consumer. Its parts are the groups of read models; groups at the same position share a window.
pub(crate) struct ReadModels;

#[async_trait]
impl Consumer for ReadModels {
    type Error = Error;

    fn checkpoints(&self) -> CheckpointTable {
        CHECKPOINTS
    }

    fn names(&self) -> &[&'static str] {
        &ReadModelGroup::NAMES
    }

    /// A generic plan that was made while the tables were empty would scan them from end to end after they have grown.
    /// The commit does not wait for the disk. Rows and checkpoints are one transaction, so a crash of the server loses
    /// whole windows, which are then applied again.
    fn transaction_settings(&self) -> &'static str {
        "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL synchronous_commit = off"
    }

    async fn apply(
        &self,
        tx: &Transaction<'_>,
        names: &[&'static str],
        window: &Window,
    ) -> Result<(), ApplyError<Error>> {
        let mut events = Vec::with_capacity(window.events.len());
        for event in &window.events {
            let decoded = DecodedEvent::of(event);
            let at = Some((event.shard, event.position));
            events.push(decoded.map_err(|poison| rejected(names.to_vec(), at, &poison))?);
        }
        for model in names
            .iter()
            .filter_map(|name| name.parse::<ReadModelGroup>().ok())
        {
            fold(tx, model, &events).await?;
        }
        Ok(())
    }

    fn committed(&self, window: &Window) {
        metrics::counter!("razao_projection_events_total").increment(window.positions().unsigned_abs());
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a metric is a float, and no lag reaches 2^53"
    )]
    fn publish_lag(&self, lag: &[Lag]) {
        for model in ReadModelGroup::NAMES {
            let of_model = || lag.iter().filter(|lag| lag.name == model);
            let events: i64 = of_model().map(|lag| lag.events().max(0)).sum();
            let stopped = of_model().filter(|lag| lag.stopped.is_some()).count();
            metrics::gauge!("razao_projection_lag_events", "model" => model).set(events as f64);
            metrics::gauge!("razao_projection_stopped_shards", "model" => model).set(stopped as f64);
        }
    }

    fn log_stop(&self, shard: Shard, position: i64, rejected: &Rejected) {
        tracing::error!(
            %shard, position, reason = %rejected,
            "a read model stopped at an event that it cannot apply"
        );
    }
}

async fn fold(
    tx: &Transaction<'_>,
    model: ReadModelGroup,
    events: &[DecodedEvent],
) -> Result<(), ApplyError<Error>> {
    let loaded = Fold::load(model, tx, events).await;
    let mut fold = loaded.map_err(ApplyError::Failed)?;
    for event in events {
        fold.fold(event)
            .map_err(|poison| rejected(vec![model.as_str()], Some((event.shard, event.position)), &poison))?;
    }
    fold.write(tx).await.map_err(|error| error_of_write(model, error))
}

/// `at` is `None` if the poison event is not known.
fn rejected(names: Vec<&'static str>, at: Option<(Shard, i64)>, poison: &Poison) -> ApplyError<Error> {
    ApplyError::Rejected(Rejected {
        names,
        at,
        reason: poison.to_string(),
    })
}

/// SQLSTATE classes 22 (data) and 23 (constraints) are faults of the rows, so the window has a poison event. Any other
/// error is a failure of the database, and a later try may succeed.
fn error_of_write(model: ReadModelGroup, error: tokio_postgres::Error) -> ApplyError<Error> {
    let about_rows = error
        .code()
        .map(SqlState::code)
        .is_some_and(|code| code.starts_with("22") || code.starts_with("23"));
    if about_rows {
        let reason = error
            .as_db_error()
            .map_or_else(|| error.to_string(), |refusal| refusal.message().to_owned());
        rejected(vec![model.as_str()], None, &Poison::RejectedRows(reason))
    } else {
        error.into()
    }
}
