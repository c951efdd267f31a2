//! The changes of plans that wait for a second person: the list, and the decisions.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::changes::{
    Decision, PlanChangeFilter, PlanChangeRecord, PlanChangeStatus, Verdict,
};
use gateway_platform::plans::requests::{apply_requested, change_to_decide, decide};
use projections::SortOrder;
use tokio_postgres::Client;
use uuid::Uuid;

use super::bodies::changes::{PlanChange, PlanChangeDecision, PlanChangePage};
use super::emails::email_requester;
use super::pending::names_of;
use super::refusals::answered;
use super::spreadsheets::PLAN_CHANGES;
use crate::AppState;
use crate::edge::{Id, PanelUrl, query, uuid_param};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, OptionalForm};
use crate::shared::list::{FromRows, Listing};
use crate::shared::two_people::check_first_person;

const REQUESTER_ACCESS_ENDED: &str =
    "Quem pediu esta mudança não pode mais alterar planos. Rejeite o pedido e faça a mudança de novo.";

uuid_param!(ChangeId, "change", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0d");

/// List the requested changes of plans
///
/// By default, the latest request is the first. A spreadsheet has all changes that match the filter.
#[utoipa::path(get, path = "/admin/plans/changes", tag = "plans", responses((status = 200, body = PlanChangePage)))]
pub(crate) async fn list_plan_changes(list: Listing<PlanChangeFilter>) -> Result<Response> {
    list.respond::<PlanChange>(&PLAN_CHANGES).await
}

/// Approve the change of a plan
///
/// By another user than the one who requested it. The change is validated again: a start that has passed becomes
/// now.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/approve", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "The caller requested the change"),
        (status = 409, description = "The change is decided or outdated, or its requester may change plans no more or does not count as another person"),
    )
)]
pub(crate) async fn approve_plan_change(
    PanelUrl(panel_url): PanelUrl,
    Id(ChangeId(id)): Id<ChangeId>,
    change: Change<StaffCaller, OptionalForm<PlanChangeDecision>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let requested = requested(work, id, Verdict::Approve).await?;
            let requester = StaffCaller {
                id: requested.requested_by,
                ..work.caller
            };
            check_first_person(&**work, requester, work.caller.id, REQUESTER_ACCESS_ENDED).await?;
            let names = names_of(&**work, std::slice::from_ref(&requested)).await?;
            let requester = names.get(&requested.requested_by).map(String::as_str);
            let applied =
                apply_requested(&**work, work.state.clock, work.caller.id, &requested, requester).await;
            answered(&**work, applied).await?;
            let decided = decided(work, requested, Verdict::Approve, form.reason).await?;
            email_requester(work, &panel_url, &decided).await?;
            Ok(Changed::recorded(body_of(work, decided).await?))
        })
        .await
}

/// Reject the change of a plan
///
/// By another user than the one who requested it. The plan stays as it is.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/reject", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "The caller requested the change"),
        (status = 409, description = "The change is decided"),
    )
)]
pub(crate) async fn reject_plan_change(
    PanelUrl(panel_url): PanelUrl,
    Id(ChangeId(id)): Id<ChangeId>,
    change: Change<StaffCaller, Form<PlanChangeDecision>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            if form.reason.is_none() {
                return Err(Problem::field("reason", "Informe o motivo."));
            }
            let requested = requested(work, id, Verdict::Reject).await?;
            let decided = decided(work, requested, Verdict::Reject, form.reason).await?;
            email_requester(work, &panel_url, &decided).await?;
            Ok(Changed::recorded(body_of(work, decided).await?))
        })
        .await
}

/// Withdraw the change of a plan
///
/// By the user who requested it.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/withdraw", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "Another user requested the change"),
        (status = 409, description = "The change is decided"),
    )
)]
pub(crate) async fn withdraw_plan_change(
    Id(ChangeId(id)): Id<ChangeId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let requested = requested(work, id, Verdict::Withdraw).await?;
            let decided = decided(work, requested, Verdict::Withdraw, None).await?;
            Ok(Changed::recorded(body_of(work, decided).await?))
        })
        .await
}

query! {
    impl FromQuery for PlanChangeFilter {
        /// pending, approved, rejected or withdrawn. All if left out.
        #[example = "pending"]
        status: Option<PlanChangeStatus>,
        /// Order by the time of the request. The default is desc.
        order: SortOrder = SortOrder::Desc,
    } => Self { status, order }
}

/// The pending change, locked until the end of the transaction, if the caller may decide it so.
async fn requested(work: &Work<StaffCaller>, id: Uuid, verdict: Verdict) -> Result<PlanChangeRecord> {
    let requested = answered(&**work, change_to_decide(&**work, id).await).await?;
    requested.check_decider(work.caller.id, verdict)?;
    Ok(requested)
}

async fn decided(
    work: &Work<StaffCaller>,
    change: PlanChangeRecord,
    verdict: Verdict,
    reason: Option<String>,
) -> Result<PlanChangeRecord> {
    let decision = Decision {
        verdict,
        by: work.caller.id,
        at: work.now(),
        reason,
    };
    Ok(decide(&**work, change, decision).await?)
}

async fn body_of(work: &Work<StaffCaller>, decided: PlanChangeRecord) -> Result<PlanChange> {
    let names = names_of(&**work, std::slice::from_ref(&decided)).await?;
    Ok(PlanChange::of(decided, &names))
}

impl FromRows<PlanChangeRecord> for PlanChange {
    async fn from_rows(_: &AppState, client: &Client, changes: Vec<PlanChangeRecord>) -> Result<Vec<Self>> {
        let names = names_of(client, &changes).await?;
        let body = |change| Self::of(change, &names);
        Ok(changes.into_iter().map(body).collect())
    }
}
