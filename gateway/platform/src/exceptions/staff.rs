//! What staff do about an exception: have it tried again, say whose notice it is, or end it with a reason.

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use thiserror::Error;

use super::list::ExceptionRecord;
use super::{queue, refunds, work};
use crate::error::PlatformError;

/// What staff ask for.
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

/// Why an action is not taken.
#[derive(Debug, Error)]
pub enum ActionError {
    #[error("a refund belongs to the company that made the sale")]
    RefundHasItsCompany,
    #[error("only a notice can be assigned")]
    NotANotice,
    #[error("the exception waits no more")]
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
    transaction: &Transaction<'_>,
    before: &ExceptionRecord,
    action: &Action,
    staff: UserId,
) -> Result<(), ActionError> {
    let acted = match action {
        Action::Retry => retry(transaction, before, staff).await?,
        Action::Assign(business_id) if before.assignable => {
            queue::assign(transaction, before.id, *business_id, staff).await?
        }
        Action::Assign(_) if before.refund_id.is_some() => return Err(ActionError::RefundHasItsCompany),
        Action::Assign(_) => return Err(ActionError::NotANotice),
        Action::Close(reason) => queue::close(transaction, before.id, reason, staff).await?,
    };
    if acted && before.status == "waiting" {
        Ok(())
    } else {
        Err(ActionError::Ended)
    }
}

/// A notice is tried after the commit; a refund or a row of work goes back to its own queue.
async fn retry(
    transaction: &Transaction<'_>,
    before: &ExceptionRecord,
    staff: UserId,
) -> Result<bool, PlatformError> {
    match (before.refund_id, before.work) {
        (Some(refund_id), _) => Ok(refunds::ask_again(&**transaction, refund_id, staff).await?),
        (None, Some((work, id))) => work::resume(&**transaction, work, id, staff).await,
        (None, None) => Ok(true),
    }
}
