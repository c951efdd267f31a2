//! The follower of an effect handler: the handler as a consumer of the log.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use ledger_store::follower::{
    self, ApplyError, CheckpointTable, Consumer, Feed, FollowerOptions, Following, Lag, Rejected, Window,
};
use ledger_store::log::LogError;
use ledger_store::{Recorded, Shard, Supervisor};
use thiserror::Error;
use tokio_postgres::GenericClient;

use super::effect_handler::{EffectFailure, EffectHandler, FollowedEvent};

pub(super) const CHECKPOINTS: CheckpointTable = CheckpointTable {
    table: "effect_checkpoint",
    name_column: "effect",
};

/// Their names in the table.
const HANDLERS: [&str; 3] = ["orders", "payouts", "refunds"];

/// Positions of the log. Most events are not of the handler's types, so a large window takes little time.
const WINDOW: i64 = 20_000;
/// The pause after a catch-up. In it events gather into a larger window, and the database serves the writer.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Debug, Error)]
pub enum FollowError {
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// An effect handler that has stopped in a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedEffectHandler {
    pub effect_handler: String,
    pub shard: Shard,
    /// The position of the event that it cannot apply.
    pub position: i64,
}

/// The handlers that are stopped, one item for each handler and shard.
pub async fn stopped_handlers(
    client: &impl GenericClient,
) -> Result<Vec<StoppedEffectHandler>, tokio_postgres::Error> {
    let stopped = CHECKPOINTS.stopped(client).await?;
    let stopped = stopped
        .into_iter()
        .map(|(effect_handler, shard, stop)| StoppedEffectHandler {
            effect_handler,
            shard,
            position: stop.position,
        });
    Ok(stopped.collect())
}

/// How far each handler has followed each shard.
pub async fn handlers_lag(client: &impl GenericClient) -> Result<Vec<Lag>, tokio_postgres::Error> {
    CHECKPOINTS.lag(client, &HANDLERS).await
}

/// Keeps an effect handler up to date with the log.
pub fn follow_log(
    pool: Pool,
    recorded: &Recorded,
    effect_handler: Arc<dyn EffectHandler>,
    supervisor: &Supervisor,
) -> Following {
    let options = FollowerOptions {
        window: WINDOW,
        pause_min: PAUSE,
        pause_max: PAUSE,
        supervisor: supervisor.clone(),
        ..FollowerOptions::default()
    };
    let name = format!("effects of {}", effect_handler.name());
    let effect = Effect {
        names: [effect_handler.name()],
        effect_handler,
    };
    follower::follow(&name, pool, effect, Feed(recorded.clone()), options)
}

struct Effect {
    effect_handler: Arc<dyn EffectHandler>,
    names: [&'static str; 1],
}

#[async_trait]
impl Consumer for Effect {
    type Error = FollowError;

    fn checkpoints(&self) -> CheckpointTable {
        CHECKPOINTS
    }

    fn names(&self) -> &[&'static str] {
        &self.names
    }

    fn event_types(&self) -> Option<&'static [&'static str]> {
        Some(self.effect_handler.event_types())
    }

    /// A statement must not hold its snapshot for longer: it would slow down the writer's frequently updated rows.
    fn transaction_settings(&self) -> &'static str {
        "SET LOCAL statement_timeout = '5s'"
    }

    async fn apply(
        &self,
        tx: &Transaction<'_>,
        names: &[&'static str],
        window: &Window,
    ) -> Result<(), ApplyError<FollowError>> {
        for stored in &window.events {
            let handled = match FollowedEvent::of(stored) {
                Ok(followed) => self.effect_handler.handle(tx, &followed).await,
                Err(failure) => Err(failure),
            };
            handled.map_err(|failure| match failure {
                EffectFailure::Poison(reason) => ApplyError::Rejected(Rejected {
                    names: names.to_vec(),
                    at: Some((stored.shard, stored.position)),
                    reason,
                }),
                EffectFailure::Failed(error) => error.into(),
                EffectFailure::Archive(error) => ApplyError::Failed(LogError::from(error).into()),
            })?;
        }
        Ok(())
    }

    fn committed(&self, window: &Window) {
        if !window.events.is_empty() {
            self.effect_handler.committed();
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a metric is a float, and no lag reaches 2^53"
    )]
    fn publish_lag(&self, lag: &[Lag]) {
        let events: i64 = lag.iter().map(|lag| lag.events().max(0)).sum();
        let stopped = lag.iter().filter(|lag| lag.stopped.is_some()).count();
        let effect = self.effect_handler.name();
        metrics::gauge!("razao_effects_lag_events", "effect" => effect).set(events as f64);
        metrics::gauge!("razao_effects_stopped_shards", "effect" => effect).set(stopped as f64);
    }

    fn log_stop(&self, shard: Shard, position: i64, rejected: &Rejected) {
        tracing::error!(
            code = "effect_stopped", effect = self.effect_handler.name(), %shard, position, reason = rejected.reason,
            "an effect handler stopped at an event that it cannot apply"
        );
    }
}
