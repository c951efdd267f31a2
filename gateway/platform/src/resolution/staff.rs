//! Staff actions on an exception: retry it, assign the notice to a company, or close it with a reason.

use ledger_domain::BusinessId;
use ledger_domain::ids::{RefundId, UserId};
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::effects::refunds;
use crate::error::PlatformError;
use crate::exceptions::{ExceptionRecord, queue, work};

/// The requested action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Retry,
    /// The company that a notice belongs to.
    Assign(BusinessId),
    /// The reason, without card numbers.
    Close(String),
}

impl Action {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Assign(_) => "assign",
            Self::Close(_) => "close",
        }
    }
}

/// Why an action is refused.
#[derive(Debug, Error)]
pub enum ActionError {
    #[error("a refund belongs to the company that made the sale")]
    RefundHasItsCompany,
    #[error("only a notice can be assigned")]
    NotANotice,
    /// An exception that staff resolve by hand has nothing to retry.
    #[error("staff settle it outside the platform and then close it")]
    CanOnlyBeClosed,
    #[error("the exception no longer waits")]
    Ended,
    #[error(transparent)]
    Platform(#[from] PlatformError),
}

impl From<tokio_postgres::Error> for ActionError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Platform(error.into())
    }
}

/// Takes the action in the caller's transaction. `before` is the exception as it was just read.
pub async fn act(
    client: &impl GenericClient,
    before: &ExceptionRecord,
    action: &Action,
    staff: UserId,
) -> Result<(), ActionError> {
    let acted = match action {
        Action::Retry if before.by_hand => return Err(ActionError::CanOnlyBeClosed),
        Action::Retry => retry(client, before, staff).await?,
        Action::Assign(business_id) if before.assignable => {
            queue::assign(client, before.id, *business_id, staff).await?
        }
        Action::Assign(_) if before.refund_id.is_some() => return Err(ActionError::RefundHasItsCompany),
        Action::Assign(_) => return Err(ActionError::NotANotice),
        Action::Close(reason) => queue::close(client, before.id, reason, staff).await?,
    };
    if acted && before.status == "waiting" {
        Ok(())
    } else {
        Err(ActionError::Ended)
    }
}

/// Retries an exception. A notice is tried after the commit; a refund or a row of work goes back to its queue.
async fn retry(
    client: &impl GenericClient,
    before: &ExceptionRecord,
    staff: UserId,
) -> Result<bool, PlatformError> {
    match (before.refund_id, before.work) {
        (Some(refund_id), _) => Ok(request_refund_again(client, refund_id, staff).await?),
        (None, Some((work, id))) => work::resume(client, work, id, staff).await,
        (None, None) => Ok(true),
    }
}

/// Requests the refund again, as a new request, in the caller's transaction. Returns false if it no longer waits.
async fn request_refund_again(
    client: &impl GenericClient,
    refund_id: RefundId,
    staff: UserId,
) -> Result<bool, tokio_postgres::Error> {
    let resolved = client
        .execute_typed(
            "UPDATE exception SET status = 'resolved', resolution = 'asked_again', handled_by = $2, ended_at = now()
              WHERE refund_id = $1 AND status = 'waiting'",
            &[(&refund_id.uuid(), Type::UUID), (&staff.uuid(), Type::UUID)],
        )
        .await?;
    Ok(resolved == 1 && refunds::request_again(client, refund_id).await?)
}
