//! What a reactor is: a name for its checkpoint, the types of events that it acts on, and the rows that it writes.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use ledger_store::StoredEvent;

/// An event as reactors take it.
#[derive(Debug, Clone)]
pub struct FollowedEvent {
    pub event_id: EventId,
    pub business_id: BusinessId,
    pub recorded_at: Instant,
    pub event: BusinessEvent,
}

#[async_trait]
pub trait EffectHandler: Send + Sync + 'static {
    /// As in `reactor_checkpoint`, whose rows a migration adds.
    fn name(&self) -> &'static str;

    /// Those that it is shown. A type that matters to it is listed here before any writer emits it, because what is not
    /// listed is passed over unread.
    fn event_types(&self) -> &'static [&'static str];

    /// Writes the event's work within the transaction that moves the checkpoint. Nothing else may happen here: the
    /// transaction may yet fail, and the event then comes again.
    async fn handle(&self, tx: &Transaction<'_>, followed: &FollowedEvent) -> Result<(), Setback>;

    /// Work has been committed: whoever does it may be woken.
    fn committed(&self);
}

/// Why an event could not be taken now.
#[derive(Debug)]
pub enum Setback {
    /// It is about the event, which will not be taken the next time either: the reactor stops before it.
    Poison(String),
    /// It is about the database, and passes.
    Failed(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for Setback {
    /// Classes 22 (data) and 23 (constraints) are about the rows.
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
    pub(super) fn decode(stored: &StoredEvent) -> Result<Self, Setback> {
        let event = stored
            .decode()
            .map_err(|error| Setback::Poison(error.to_string()))?;
        Ok(Self {
            event_id: stored.event_id,
            business_id: stored.business_id,
            recorded_at: stored.recorded_at,
            event,
        })
    }
}
