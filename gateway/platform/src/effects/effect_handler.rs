//! The interface of an effect handler: a name for its checkpoint, the event types that it acts on, and the rows that it
//! writes.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use ledger_store::LogEvent;
use ledger_store::archive::ArchiveError;
use ledger_store::log::LogError;

/// A decoded event, as effect handlers get it.
#[derive(Debug, Clone)]
pub struct FollowedEvent {
    pub event_id: EventId,
    pub business_id: BusinessId,
    pub recorded_at: Instant,
    /// The position in the company's shard.
    pub position: i64,
    pub event: Arc<BusinessEvent>,
}

#[async_trait]
pub trait EffectHandler: Send + Sync + 'static {
    /// The name in `effect_checkpoint`. A migration adds its rows.
    fn name(&self) -> &'static str;

    /// The event types that the handler gets. A relevant type must be listed before any writer emits it, because events
    /// of other types are skipped unread.
    fn event_types(&self) -> &'static [&'static str];

    /// Writes the rows that the event requires, in the transaction that moves the checkpoint. It must change nothing
    /// else: the transaction may fail, and the event is then handled again. An event that was handled before must change
    /// nothing: someone may have set the checkpoint back.
    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), EffectFailure>;

    /// Called after events were handled and committed: wakes the worker.
    fn committed(&self);
}

/// Why an event could not be applied.
#[derive(Debug)]
pub enum EffectFailure {
    /// The event cannot be applied. The handler stops before it.
    Poison(String),
    /// The database failed. A later try may succeed.
    Failed(tokio_postgres::Error),
    /// A file of old events could not be read. A later try may succeed.
    Archive(ArchiveError),
}

impl From<LogError> for EffectFailure {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Database(error) => error.into(),
            LogError::Archive(error) => Self::Archive(error),
            unreadable => Self::Poison(unreadable.to_string()),
        }
    }
}

impl From<tokio_postgres::Error> for EffectFailure {
    /// SQLSTATE classes 22 (data) and 23 (constraints) are faults of the rows.
    fn from(error: tokio_postgres::Error) -> Self {
        let about_rows = error
            .code()
            .is_some_and(|code| code.code().starts_with("22") || code.code().starts_with("23"));
        match error.as_db_error() {
            Some(refusal) if about_rows => {
                Self::Poison(format!("refused by the database: {}", refusal.message()))
            }
            _ => Self::Failed(error),
        }
    }
}

impl FollowedEvent {
    pub(super) fn of(recorded: &LogEvent) -> Result<Self, EffectFailure> {
        Ok(Self {
            event_id: recorded.event_id,
            business_id: recorded.business_id,
            recorded_at: recorded.recorded_at,
            position: recorded.position,
            event: recorded.event.clone().map_err(EffectFailure::Poison)?,
        })
    }
}
