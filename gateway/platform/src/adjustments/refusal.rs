//! Why an adjustment is not made, requested or decided.

use ledger_domain::business::Refusal;
use thiserror::Error;

use super::requests::AdjustmentRequestStatus;
use crate::commands::CommandFailure;
use crate::error::{DatabaseCause, PlatformError};
use crate::plans::changes::Verdict;
use crate::plans::refusal::PlanError;

#[derive(Debug, Error)]
pub enum AdjustmentError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Platform(#[from] PlatformError),
    #[error(transparent)]
    Plans(#[from] PlanError),
    #[error("the plans of a request cannot be read: {0}")]
    Form(#[from] serde_json::Error),
    #[error("the read models could not be awaited: {0}")]
    ReadModels(#[from] projections::Error),
    /// The ledger did not take the adjustment. It is tried again.
    #[error(transparent)]
    Command(#[from] CommandFailure),
    #[error("refused: {0:?}")]
    Refused(AdjustmentRefusal),
}

pub type Result<T, E = AdjustmentError> = std::result::Result<T, E>;

/// What the user may correct, or has to ask somebody else for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdjustmentRefusal {
    NotFound,
    /// The key was used with another body.
    KeyReused,
    /// The company has a pending request for its plans already.
    PlansPending,
    /// The ledger would refuse the adjustment.
    Ledger(Refusal),
    /// The request has this status.
    Ended(AdjustmentRequestStatus),
    /// A second person approves or rejects.
    OwnRequest(Verdict),
    /// Only the requester withdraws a request.
    RequestOfOther,
}

impl From<AdjustmentRefusal> for AdjustmentError {
    fn from(refusal: AdjustmentRefusal) -> Self {
        Self::Refused(refusal)
    }
}
