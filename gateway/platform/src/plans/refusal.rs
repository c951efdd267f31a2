//! Why a change of plans is not made.

use thiserror::Error;

use super::changes::{ChangedPlan, PlanChangeStatus, Verdict};
use crate::error::{DatabaseCause, PlatformError};
use crate::form_errors::FormErrors;
use ledger_domain::ids::UserId;

#[derive(Debug, Error)]
pub enum PlanError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Platform(#[from] PlatformError),
    #[error("last month's sales could not be read: {0}")]
    Sales(#[from] projections::Error),
    #[error("the form of a change cannot be written or read: {0}")]
    Form(#[from] serde_json::Error),
    #[error("refused: {0:?}")]
    Refused(PlanRefusal),
}

pub type Result<T, E = PlanError> = std::result::Result<T, E>;

/// The text of `PlanRefusal::CompanyDeleted`.
pub const COMPANY_DELETED: &str = "Esta empresa foi deletada.";

/// What the user may correct, or has to ask somebody else for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanRefusal {
    NotFound,
    /// Fields of the form.
    Invalid(FormErrors),
    /// The plan was changed since the revision that an edit started from.
    ChangedMeanwhile(ChangedSince),
    /// The plan was changed since the revision that a request started from.
    ChangedAfterRequest(ChangedSince),
    /// No version is scheduled.
    NothingScheduled,
    /// The scheduled version is the plan's first one.
    FirstVersion,
    /// The plan has a pending change, which this user requested. A second one would be approved for a plan that the
    /// first one changes.
    ChangePending(Option<UserId>),
    /// The form of a request is not valid any more.
    RequestInvalid(FormErrors),
    /// Another plan, with this description, became the default after the request. The approval would replace it, and
    /// the approver did not see that.
    DefaultChanged(Option<String>),
    /// The approval would change the plan in another way than the approver saw.
    OtherResult,
    /// The request has this status.
    Decided(PlanChangeStatus),
    /// A second person approves or rejects.
    OwnRequest(Verdict),
    /// Only the requester withdraws a request.
    RequestOfOther,
    CompanyDeleted,
}

/// A plan, and how many changes of it are meant, the latest ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedSince {
    pub plan: ChangedPlan,
    pub changes: u32,
}

impl ChangedSince {
    /// `None` if the plan still has the revision.
    fn of(plan: ChangedPlan, current: i32, seen: i32) -> Option<Self> {
        (current != seen).then(|| Self {
            plan,
            changes: current.saturating_sub(seen).max(1).unsigned_abs(),
        })
    }
}

/// An edit may start from an older revision only if it does not say which one it saw.
pub(super) fn check_revision(plan: ChangedPlan, current: i32, seen: Option<i32>) -> Result<()> {
    let changed = seen.and_then(|seen| ChangedSince::of(plan, current, seen));
    changed.map_or(Ok(()), |since| Err(PlanRefusal::ChangedMeanwhile(since).into()))
}

pub(super) fn check_revision_of_request(plan: ChangedPlan, current: i32, requested: i32) -> Result<()> {
    let changed = ChangedSince::of(plan, current, requested);
    changed.map_or(
        Ok(()),
        |since| Err(PlanRefusal::ChangedAfterRequest(since).into()),
    )
}

impl From<PlanRefusal> for PlanError {
    fn from(refusal: PlanRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<FormErrors> for PlanError {
    fn from(errors: FormErrors) -> Self {
        Self::Refused(PlanRefusal::Invalid(errors))
    }
}
