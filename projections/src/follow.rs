//! Folds one window of the log into the rows of the models at one position. Every follower repeats this step.
//!
//! Rows and checkpoint move in one transaction, under a lock on the checkpoint's row, so that each event counts once.

use deadpool_postgres::{Client, Transaction};
use ledger_store::{Shard, log};
use tokio_postgres::error::SqlState;

use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::model::Fold;
use crate::{Error, Model, checkpoint};

/// The number of events in one transaction: large enough to share its cost, small enough to be short.
pub(crate) const WINDOW: i64 = 500;

#[derive(Debug)]
pub(crate) enum Step {
    /// This number of events was folded.
    Folded(usize),
    /// There was nothing new, or another process holds the checkpoint.
    Idle,
    /// An event could not be taken, and nothing was written.
    Refused(Refused),
}

/// The models that could not take an event. The position is known if the fold refused it, but not if the rows did.
#[derive(Debug)]
pub(crate) struct Refused {
    pub models: Vec<Model>,
    pub position: Option<i64>,
    pub poison: Poison,
}

#[derive(Debug)]
pub(crate) enum FoldFailure {
    Refused(Refused),
    Failed(Error),
}

impl<Cause: Into<Error>> From<Cause> for FoldFailure {
    fn from(cause: Cause) -> Self {
        Self::Failed(cause.into())
    }
}

/// Folds the events after `position` into the models, in a transaction.
pub(crate) async fn follow(
    client: &mut Client,
    shard: Shard,
    position: i64,
    models: &[Model],
    limit: i64,
) -> Result<Step, Error> {
    let tx = client.transaction().await?;
    // A generic plan from empty tables would read them from end to end after they have grown.
    tx.batch_execute("SET LOCAL plan_cache_mode = force_custom_plan")
        .await?;
    let models = checkpoint::lock(&tx, shard, position, models).await?;
    if models.is_empty() {
        return Ok(Step::Idle);
    }
    match fold_window(&tx, shard, position, &models, limit).await {
        Ok(0) => Ok(Step::Idle),
        Ok(events) => {
            tx.commit().await?;
            Ok(Step::Folded(events))
        }
        Err(FoldFailure::Refused(refused)) => Ok(Step::Refused(refused)),
        Err(FoldFailure::Failed(error)) => Err(error),
    }
}

/// The same within the caller's transaction, which holds the lock. Returns the number of events folded.
pub(crate) async fn fold_window(
    tx: &Transaction<'_>,
    shard: Shard,
    position: i64,
    models: &[Model],
    limit: i64,
) -> Result<usize, FoldFailure> {
    let stored = log::window(&**tx, shard, position, limit).await?;
    let Some(last) = stored.last() else { return Ok(0) };
    let mut events = Vec::with_capacity(stored.len());
    for event in &stored {
        events.push(DecodedEvent::decode(event).map_err(|poison| {
            FoldFailure::Refused(Refused {
                models: models.to_vec(),
                position: Some(event.position),
                poison,
            })
        })?);
    }
    for model in models {
        let mut fold = Fold::load(*model, tx, &events).await?;
        for event in &events {
            fold.fold(event).map_err(|poison| {
                FoldFailure::Refused(Refused {
                    models: vec![*model],
                    position: Some(event.position),
                    poison,
                })
            })?;
        }
        fold.write(tx)
            .await
            .map_err(|error| refused_by_rows(*model, error))?;
    }
    checkpoint::advance(tx, shard, last.position, models).await?;
    Ok(stored.len())
}

/// Classes 22 (data) and 23 (constraints) are faults of the rows. Any other error is a fault of the database and
/// temporary.
fn refused_by_rows(model: Model, error: tokio_postgres::Error) -> FoldFailure {
    let about_rows = error
        .code()
        .map(SqlState::code)
        .is_some_and(|code| code.starts_with("22") || code.starts_with("23"));
    if about_rows {
        let reason = error
            .as_db_error()
            .map_or_else(|| error.to_string(), |refusal| refusal.message().to_owned());
        FoldFailure::Refused(Refused {
            models: vec![model],
            position: None,
            poison: Poison::Refused(reason),
        })
    } else {
        FoldFailure::Failed(error.into())
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for model in &self.models {
            write!(f, "{model} ")?;
        }
        match self.position {
            Some(position) => write!(f, "at position {position}: {}", self.poison),
            None => write!(f, "within a window: {}", self.poison),
        }
    }
}
