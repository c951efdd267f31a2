//! Staff actions on an exception: retry it, assign the notice to a company, or close it with a reason.

use ledger_domain::BusinessId;
use ledger_domain::ids::{RefundId, UserId};
use serde_json::json;
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::audit::{Actor, Change, record};
use crate::buyers::names_buyer_of_sale;
use crate::companies::companies_by_id;
use crate::effects::refunds;
use crate::error::PlatformError;
use crate::exceptions::{ExceptionRecord, ExceptionResolution, ExceptionStatus, queue, work};
use crate::providers::mask_card_numbers;

/// The requested action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Retry,
    /// The company that a notice belongs to.
    Assign(BusinessId),
    /// The reason, without card numbers.
    Close(String),
}

/// A longer reason of a close is an error.
const REASON_CHARACTERS_MAX: usize = 500;

impl Action {
    /// The close with a reason that a user typed. The error is for the user.
    pub fn close(reason: &str) -> Result<Self, String> {
        let reason = reason.trim();
        match reason.chars().count() {
            0 => Err("Informe o motivo.".to_owned()),
            count if count > REASON_CHARACTERS_MAX => Err(format!(
                "O motivo deve ter até {REASON_CHARACTERS_MAX} caracteres."
            )),
            _ if reason.chars().any(char::is_control) => {
                Err("Escreva o motivo em uma linha, sem tabulações nem caracteres de controle.".to_owned())
            }
            _ => Ok(Self::Close(mask_card_numbers(reason).into_owned())),
        }
    }

    /// Whether the notice is tried at once.
    const fn tries_again(&self) -> bool {
        matches!(self, Self::Retry | Self::Assign(_))
    }

    const fn name(&self) -> &'static str {
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
    #[error("no company has this id")]
    UnknownCompany,
    /// The reason of a close cannot be erased later.
    #[error("the reason names the buyer")]
    NamesBuyer,
    #[error(transparent)]
    Platform(#[from] PlatformError),
}

impl From<tokio_postgres::Error> for ActionError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Platform(error.into())
    }
}

/// Takes the action in the caller's transaction, with its entry in the audit log. `before` is the exception as it was
/// just read. Returns whether `try_now` is to be called after the commit.
pub async fn act(
    client: &impl GenericClient,
    before: &ExceptionRecord,
    action: &Action,
    staff: UserId,
) -> Result<bool, ActionError> {
    let acted = match action {
        Action::Retry if before.by_hand => return Err(ActionError::CanOnlyBeClosed),
        Action::Retry => retry(client, before, staff).await?,
        Action::Assign(company) if companies_by_id(client, &[*company]).await?.is_empty() => {
            return Err(ActionError::UnknownCompany);
        }
        Action::Assign(company) if before.assignable => {
            queue::assign(client, before.id, *company, staff).await?
        }
        Action::Assign(_) if before.refund_id.is_some() => return Err(ActionError::RefundHasItsCompany),
        Action::Assign(_) => return Err(ActionError::NotANotice),
        Action::Close(reason) => {
            if let Some(sale) = before.sale_id
                && names_buyer_of_sale(client, sale, reason).await?
            {
                return Err(ActionError::NamesBuyer);
            }
            queue::close(client, before.id, reason, staff).await?
        }
    };
    if !acted || before.status != ExceptionStatus::Waiting {
        return Err(ActionError::Ended);
    }
    let change = Change {
        action: action.name(),
        subject: "exception",
        subject_id: &before.id.to_string(),
        before: Some(json!({
            "status": before.status, "reason": before.reason, "business_id": before.business_id,
        })),
        after: Some(match action {
            Action::Retry => json!({}),
            Action::Assign(company) => json!({ "assigned_to": company }),
            Action::Close(reason) => json!({ "status": ExceptionStatus::Closed, "resolution": reason }),
        }),
    };
    record(client, Actor::Admin(staff), change).await?;
    Ok(before.assignable && action.tries_again())
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
            "UPDATE exception SET status = 'resolved', resolution = $3, handled_by = $2, ended_at = now()
              WHERE refund_id = $1 AND status = 'waiting'",
            &[
                (&refund_id.uuid(), Type::UUID),
                (&staff.uuid(), Type::UUID),
                (&ExceptionResolution::AskedAgain.as_str(), Type::TEXT),
            ],
        )
        .await?;
    Ok(resolved == 1 && refunds::request_again(client, refund_id).await?)
}
