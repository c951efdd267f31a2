//! The decisions on requested adjustments: a second person approves or rejects, the requester withdraws.
//!
//! A yes is committed before the ledger is asked. So two people who say yes at once decide once, and after a crash in
//! between the job asks the ledger again.

use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::requests::{
    AdjustmentRequestStatus, Decision, EXPIRED_REASON, RequestRecord, request_decide, request_locked,
};
use super::{AdjustmentRefusal, Result, SUBJECT};
use crate::audit::{Actor, Change, record};
use crate::plans::changes::Verdict;

/// The pending request, locked until the end of the transaction. `None`: its time has ended, and it expired now.
pub async fn request_to_decide(
    client: &impl GenericClient,
    id: Uuid,
    now: Instant,
) -> Result<Option<RequestRecord>> {
    let request = request_locked(client, id)
        .await?
        .ok_or(AdjustmentRefusal::NotFound)?;
    match request.status {
        AdjustmentRequestStatus::Pending if request.expires_at() <= now => {
            expire(client, &request, now).await?;
            Ok(None)
        }
        AdjustmentRequestStatus::Pending => Ok(Some(request)),
        ended => Err(AdjustmentRefusal::Ended(ended).into()),
    }
}

impl RequestRecord {
    /// Another person than the requester approves and rejects, and the requester withdraws. The user counts, and not the
    /// roles: a requester who has other roles by now is still the same person.
    pub fn check_decider(&self, user: UserId, verdict: Verdict) -> Result<(), AdjustmentRefusal> {
        let is_own = self.requested_by == user;
        match verdict {
            Verdict::Withdraw if !is_own => Err(AdjustmentRefusal::RequestOfOther),
            Verdict::Approve | Verdict::Reject if is_own => Err(AdjustmentRefusal::OwnRequest(verdict)),
            Verdict::Approve | Verdict::Reject | Verdict::Withdraw => Ok(()),
        }
    }
}

/// Stores the decision of a person.
pub async fn decide(
    client: &impl GenericClient,
    request: &RequestRecord,
    verdict: Verdict,
    (by, at): (UserId, Instant),
    reason: Option<String>,
) -> Result<(), Error> {
    let decision = Decision {
        status: match verdict {
            Verdict::Approve => AdjustmentRequestStatus::Approved,
            Verdict::Reject => AdjustmentRequestStatus::Rejected,
            Verdict::Withdraw => AdjustmentRequestStatus::Withdrawn,
        },
        by: Some(by),
        at,
        reason,
    };
    store(client, Actor::Admin(by), request, verdict.action(), &decision).await
}

/// Ends a request that nobody decided in time. It must be locked.
pub(super) async fn expire(
    client: &impl GenericClient,
    request: &RequestRecord,
    at: Instant,
) -> Result<(), Error> {
    let decision = Decision {
        status: AdjustmentRequestStatus::Expired,
        by: None,
        at,
        reason: Some(EXPIRED_REASON.to_owned()),
    };
    store(client, Actor::System, request, "expire", &decision).await
}

async fn store(
    client: &impl GenericClient,
    actor: Actor,
    request: &RequestRecord,
    action: &str,
    decision: &Decision,
) -> Result<(), Error> {
    request_decide(client, request.id, decision).await?;
    let entry = Change {
        action,
        subject: SUBJECT,
        subject_id: &request.id.to_string(),
        before: Some(json!({ "status": AdjustmentRequestStatus::Pending })),
        after: Some(json!({ "status": decision.status, "reason": decision.reason })),
    };
    record(client, actor, entry).await
}
