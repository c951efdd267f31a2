//! Decisions of staff on companies: the approval of a change, the second person's answer to a requested approval, and the
//! requester's withdrawal of it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::Panel;
use gateway_identity::access::StaffCapability;
use gateway_identity::audience::Audience;
use gateway_identity::notify::companies::{approval_answered, approval_requested, company_decided};
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::companies::{
    CompanyRecord, Decider, DecisionRecord, RequestedDecision, decide, decision_in_force, decision_pending,
    decision_to_answer,
};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use super::bodies::decision::BusinessDecision;
use super::bodies::detail::BusinessDetail;
use super::forms::BusinessDecisionAnswer;
use super::refusals::answered;
use super::staff::read_detail;
use super::{DecisionId, editor};
use crate::AppState;
use crate::edge::{Ids, PanelUrl};
use crate::problem::Result;
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, OptionalForm};
use crate::shared::two_people::check_first_person;

const REQUESTER_ACCESS_ENDED: &str =
    "Quem pediu esta aprovação não pode mais decidir sobre empresas. Rejeite o pedido e aprove de novo.";

/// Confirm the requested approval of a company
///
/// By another person than the one who requested it. The company is then approved, and the sales that were held are
/// released.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/decisions/{decision_id}/approve", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 403, description = "The caller requested the approval"),
        (status = 409, description = "The request is answered, documents are missing, or its requester may decide no more or does not count as another person"),
    )
)]
pub(crate) async fn confirm_business_approval(
    State(state): State<AppState>,
    PanelUrl(panel_url): PanelUrl,
    Ids(id, DecisionId(decision)): Ids<BusinessId, DecisionId>,
    change: Change<StaffCaller, OptionalForm<BusinessDecisionAnswer>>,
) -> Result<Response> {
    let answer = change
        .run(StatusCode::OK, async |work, form| {
            let by = work.caller.id;
            let pending = decision_to_answer(&**work, id, decision).await?;
            let requester = pending.check_other_user(by, "confirmar")?;
            let first = StaffCaller {
                id: requester,
                allowed: StaffCapability::DecideOnCompanies.roles(),
            };
            check_first_person(&**work, first, by, REQUESTER_ACCESS_ENDED).await?;
            let requester = decider(&**work, requester).await?;
            let confirmed = pending.confirm(&**work, editor(work), requester, by, form.reason);
            let record = confirmed.await?;
            let emails = approval_answered(&**work, &panel_url, by, &record).await?;
            work.send(emails).await?;
            tell_company(work, &record).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await?;
    release_holds(&state, id).await;
    Ok(answer)
}

/// Reject the requested approval of a company
///
/// By another person than the one who requested it. The company stays as it is.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/decisions/{decision_id}/reject", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 403, description = "The caller requested the approval"),
        (status = 409, description = "The request is answered"),
    )
)]
pub(crate) async fn reject_business_approval(
    PanelUrl(panel_url): PanelUrl,
    Ids(id, DecisionId(decision)): Ids<BusinessId, DecisionId>,
    change: Change<StaffCaller, Form<BusinessDecisionAnswer>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let by = work.caller.id;
            let pending = decision_to_answer(&**work, id, decision).await?;
            let rejected = pending.reject(&**work, editor(work), by, form.reason).await?;
            let emails = approval_answered(&**work, &panel_url, by, &rejected).await?;
            work.send(emails).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
}

/// Withdraw the requested approval of a company
///
/// By the user who requested it.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/decisions/{decision_id}/withdraw", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 403, description = "Another user requested the approval"),
        (status = 409, description = "The request is answered"),
    )
)]
pub(crate) async fn withdraw_business_approval(
    Ids(id, DecisionId(decision)): Ids<BusinessId, DecisionId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let pending = decision_to_answer(&**work, id, decision).await?;
            pending.withdraw(&**work, editor(work), work.caller.id).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
}

/// Decides on the company that the caller has locked, and e-mails whom the decision concerns. `None` if the company
/// already has this approval.
pub(super) async fn decide_on(
    work: &mut Work<StaffCaller>,
    panel_url: &str,
    company: &CompanyRecord,
    requested: RequestedDecision,
) -> Result<Option<DecisionRecord>> {
    let by = work.caller.id;
    let decider = decider(&**work, by).await?;
    let decided = decide(&**work, editor(work), company, decider, requested).await;
    let decided = answered(&**work, decided).await?;
    match &decided {
        Some(record) if record.is_in_force() => tell_company(work, record).await?,
        Some(record) => {
            let emails = approval_requested(&**work, panel_url, by, record).await?;
            work.send(emails).await?;
        }
        None => {}
    }
    Ok(decided)
}

async fn tell_company(work: &mut Work<StaffCaller>, record: &DecisionRecord) -> Result<()> {
    let sellers_url = work.state.config.hosts.url(Panel::Seller);
    let emails = company_decided(&**work, &sellers_url, work.caller.id, record).await?;
    work.send(emails).await
}

/// The user with the power that their roles give them now. The user's row stays locked.
async fn decider(client: &impl GenericClient, user: UserId) -> Result<Decider> {
    Ok(Decider {
        user,
        approves_without_documents: StaffCaller::approver(user).lock_and_is_allowed(client).await?,
    })
}

/// The job `release of holds` also releases them, so a failure here only delays the release and is logged.
pub(super) async fn release_holds(state: &AppState, company: BusinessId) {
    if let Err(error) = state.hold_release().release(company).await {
        tracing::warn!(error = %ledger_store::Causes(&error), %company, "the holds of an approved company wait for the job");
    }
}

/// The decision in force and the approval that waits for a second person, for screens of staff.
pub(super) async fn decisions_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<(Option<BusinessDecision>, Option<BusinessDecision>)> {
    let taken = decision_in_force(client, company).await?;
    let pending = decision_pending(client, company).await?;
    let users: Vec<UserId> = [&taken, &pending]
        .into_iter()
        .flatten()
        .flat_map(|record| [record.decided_by, record.answered_by])
        .flatten()
        .collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let body = |record: DecisionRecord| BusinessDecision::of(record, &names);
    Ok((taken.map(body), pending.map(body)))
}
