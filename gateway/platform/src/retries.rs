//! Staff and operators have work tried now that waits for its next try. A row becomes due, and the worker's next claim
//! takes it, within a second: so what may have been sent is looked up first, and a row that a worker attempts is left
//! to it.

use gateway_environment::config::PayoutProvider;
use gateway_outbox::{Retry, retry_all, retry_one};
use ledger_domain::sale::Provider;
use serde_json::json;
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::audit::{Actor, Change, record};
use crate::outboxes::Work;

/// Why nothing is tried now.
#[derive(Debug, Error)]
pub enum RetryError {
    #[error("there is no such row")]
    NoSuchRow,
    #[error("it has ended")]
    Ended(Work),
    #[error(
        "it is being tried at this moment, or its process died then: it is due again after the longest call"
    )]
    InHand(Work),
    /// Its content is restored or mended there first, and its exception ends with the retry.
    #[error("it cannot be read: staff retry it in the exceptions queue")]
    Parked(Work),
    #[error("{0} have no provider of this name")]
    UnknownProvider(&'static str),
    #[error(transparent)]
    Database(#[from] Error),
}

/// Has one row tried now, in the caller's transaction. Returns how many rows became due: none if it was due already.
pub async fn retry_row(
    client: &impl GenericClient,
    actor: Actor,
    work: Work,
    id: Uuid,
) -> Result<u64, RetryError> {
    let waited = match retry_one(client, work.table(), id).await? {
        Retry::Due(waited) => waited,
        Retry::WasDue => return Ok(0),
        Retry::NoSuchRow => return Err(RetryError::NoSuchRow),
        Retry::Ended => return Err(RetryError::Ended(work)),
        Retry::InHand => return Err(RetryError::InHand(work)),
        Retry::Parked => return Err(RetryError::Parked(work)),
    };
    let change = Change {
        action: "retry",
        subject: work.table().name,
        subject_id: &id.to_string(),
        before: Some(json!({
            "status": waited.status, "tries": waited.tries, "last_error": waited.last_error,
            "next_try_at": waited.next_try_at,
        })),
        after: Some(json!({})),
    };
    record(client, actor, change).await?;
    Ok(1)
}

/// Has all rows of this kind tried now whose last try failed, or those of one provider, in the caller's transaction.
/// Returns how many became due.
pub async fn retry_failed(
    client: &impl GenericClient,
    actor: Actor,
    work: Work,
    provider: Option<&str>,
) -> Result<u64, RetryError> {
    let table = work.table();
    let due = match provider {
        None => retry_all(client, table, "true", &[]).await?,
        Some(name) => {
            let unknown = RetryError::UnknownProvider(work.plural());
            match work {
                Work::Payout => {
                    let provider = PayoutProvider::named(name).ok_or(unknown)?.as_str();
                    retry_all(client, table, "provider = $1", &[(&provider, Type::TEXT)]).await?
                }
                Work::Refund | Work::OrderAttempt => {
                    let provider = Provider::from_slug(name).map_err(|_| unknown)?;
                    let number = i16::from(provider.number());
                    retry_all(client, table, "provider = $1", &[(&number, Type::INT2)]).await?
                }
                Work::Email => return Err(unknown),
            }
        }
    };
    if due > 0 {
        let change = Change {
            action: "retry",
            subject: table.name,
            subject_id: provider.unwrap_or("all"),
            before: None,
            after: Some(json!({ "due": due })),
        };
        record(client, actor, change).await?;
    }
    Ok(due)
}
