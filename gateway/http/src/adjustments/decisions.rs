//! The decisions on requested adjustments: a second person approves or rejects, the requester withdraws.

use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::adjustments::AdjustmentRefusal;
use gateway_platform::adjustments::decisions::{decide, request_to_decide};
use gateway_platform::adjustments::requests::{AdjustmentRequestStatus, RequestRecord, request_fetch};
use gateway_platform::plans::changes::Verdict;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::RequestId;
use super::bodies::{AdjustmentDecision, AdjustmentRequest, body};
use super::emails::email_requester;
use crate::edge::{Id, PanelUrl};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, ChangeBody, Changed};
use crate::shared::form::{Form, OptionalForm};
use crate::shared::two_people::check_first_person;

const REQUESTER_ACCESS_ENDED: &str =
    "Quem pediu este ajuste não pode mais fazer ajustes. Rejeite o pedido e peça de novo.";

/// Approve a requested adjustment
///
/// By another person than the one who requested it. The ledger then records the adjustment once. Its answer is the
/// status: recorded or refused. It is still approved if the ledger has not answered in time.
#[utoipa::path(
    post, path = "/admin/balance/adjustments/{id}/approve", tag = "balance",
    responses(
        (status = 200, body = AdjustmentRequest),
        (status = 403, description = "The caller requested the adjustment"),
        (status = 409, description = "The request is decided or expired, or its requester may make adjustments no more or does not count as another person"),
    )
)]
pub(crate) async fn approve_adjustment(
    PanelUrl(panel_url): PanelUrl,
    Id(RequestId(id)): Id<RequestId>,
    change: Change<StaffCaller, OptionalForm<AdjustmentDecision>>,
) -> Result<Response> {
    let decision = Decision {
        id,
        verdict: Verdict::Approve,
        panel_url: Some(&panel_url),
    };
    decision.make(change, |form| Ok(form.reason)).await
}

/// Reject a requested adjustment
///
/// By another person than the one who requested it. Nothing is recorded in the ledger.
#[utoipa::path(
    post, path = "/admin/balance/adjustments/{id}/reject", tag = "balance",
    responses(
        (status = 200, body = AdjustmentRequest),
        (status = 403, description = "The caller requested the adjustment"),
        (status = 409, description = "The request is decided or expired"),
    )
)]
pub(crate) async fn reject_adjustment(
    PanelUrl(panel_url): PanelUrl,
    Id(RequestId(id)): Id<RequestId>,
    change: Change<StaffCaller, Form<AdjustmentDecision>>,
) -> Result<Response> {
    let decision = Decision {
        id,
        verdict: Verdict::Reject,
        panel_url: Some(&panel_url),
    };
    let reason = |form: AdjustmentDecision| {
        form.reason
            .ok_or_else(|| Problem::field("reason", "Informe o motivo."))
    };
    decision.make(change, |form| reason(form).map(Some)).await
}

/// Withdraw a requested adjustment
///
/// By the user who requested it.
#[utoipa::path(
    post, path = "/admin/balance/adjustments/{id}/withdraw", tag = "balance",
    responses(
        (status = 200, body = AdjustmentRequest),
        (status = 403, description = "Another user requested the adjustment"),
        (status = 409, description = "The request is decided or expired"),
    )
)]
pub(crate) async fn withdraw_adjustment(
    Id(RequestId(id)): Id<RequestId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    let decision = Decision {
        id,
        verdict: Verdict::Withdraw,
        panel_url: None,
    };
    decision.make(change, |()| Ok(None)).await
}

struct Decision<'a> {
    id: Uuid,
    verdict: Verdict,
    /// The panel in the e-mail to the requester. `None`: no e-mail.
    panel_url: Option<&'a str>,
}

impl Decision<'_> {
    /// Stores the decision. An approval is recorded in the ledger once it is committed.
    async fn make<Body: ChangeBody>(
        self,
        change: Change<StaffCaller, Body>,
        reason: impl FnOnce(Body::Form) -> Result<Option<String>>,
    ) -> Result<Response> {
        change
            .run_then(
                async |work, form| {
                    let reason = reason(form)?;
                    let by = (work.caller.id, work.now());
                    let Some(request) = request_to_decide(&**work, self.id, by.1).await? else {
                        return Ok(Changed::recorded(None));
                    };
                    request.check_decider(work.caller.id, self.verdict)?;
                    if self.verdict == Verdict::Approve {
                        let requester = StaffCaller {
                            id: request.requested_by,
                            ..work.caller
                        };
                        check_first_person(&**work, requester, work.caller.id, REQUESTER_ACCESS_ENDED)
                            .await?;
                    }
                    decide(&**work, &request, self.verdict, by, reason).await?;
                    if let Some(panel_url) = self.panel_url {
                        email_requester(work, panel_url, &request).await?;
                    }
                    Ok(Changed::recorded(Some(fetch(&**work, self.id).await?)))
                },
                async |state, decided| {
                    // The expiry is committed too.
                    let decided =
                        decided.ok_or(AdjustmentRefusal::Ended(AdjustmentRequestStatus::Expired))?;
                    if self.verdict == Verdict::Approve {
                        // If it cannot be recorded now, the yes is stored, and the job goes on with it.
                        drop(state.adjustments().record(&decided).await);
                    }
                    let db = state.db().await?;
                    body(&*db, fetch(&*db, self.id).await?).await
                },
            )
            .await
    }
}

async fn fetch(client: &impl GenericClient, id: Uuid) -> Result<RequestRecord> {
    request_fetch(client, id).await?.ok_or_else(Problem::not_found)
}
