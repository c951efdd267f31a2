//! Changes of sales plans: create, update, withdraw a scheduled version.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::edit::{self, Editor};
use ledger_domain::PlanId;

use super::bodies::form::PlanForm;
use super::bodies::plan::PlanDetail;
use super::emails::ask_second_person;
use super::refusals::answered;
use super::staff::plan_detail;
use crate::edge::{Id, PanelUrl};
use crate::problem::Result;
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, IdempotentForm};

/// Create a sales plan
///
/// Its first version is valid from `valid_from`, else from now. Taxa Efetiva needs `fees`, Taxa MDR the `mdr_…` fees.
/// While changes of plans need two people, a plan that is to be active is inactive at first. `pending_change` makes it
/// active when another user approves it.
#[utoipa::path(
    post, path = "/admin/plans", tag = "plans",
    responses((status = 201, body = PlanDetail))
)]
pub(crate) async fn create_plan(
    PanelUrl(panel_url): PanelUrl,
    change: Change<StaffCaller, IdempotentForm<PlanForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let id = PlanId::from_uuid(work.state.ids.new_uuid());
            let edited = edit::create(&**work, editor(work), id, form.0).await;
            let edited = answered(&**work, edited).await?;
            ask_second_person(work, &panel_url, edited.requested).await?;
            Ok(Changed::recorded(plan_detail(&**work, id, edited.at).await?))
        })
        .await
}

/// Update a sales plan
///
/// Changes the given fields only. Changed terms or a new description are a new version, valid from `valid_from`, else
/// from now; sales before it keep theirs. It replaces a scheduled version, and keeps its start if no terms are given.
/// Fees that are left out stay as they are in the version in force, or with `valid_from` in the scheduled version.
/// Status and default change at once. While changes of plans need two people, a change gets a 202: the plan stays as it
/// is, and `pending_change` waits for another user's approval.
#[utoipa::path(
    patch, path = "/admin/plans/{id}", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 202, body = PlanDetail, description = "The change waits for a second person"),
        (status = 409, description = "The plan was changed since the revision that the edit started from, or has a pending change"),
    )
)]
pub(crate) async fn update_plan(
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<PlanId>,
    change: Change<StaffCaller, Form<PlanForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let edited = edit::update(&**work, editor(work), id, form.0).await;
            let edited = answered(&**work, edited).await?;
            let status = ask_second_person(work, &panel_url, edited.requested).await?;
            let detail = plan_detail(&**work, id, edited.at).await?;
            Ok(Changed::recorded(detail).with_status(status))
        })
        .await
}

/// Withdraw the scheduled version of a sales plan
///
/// The version in force stays. Only possible before the scheduled version takes effect. While changes of plans need two
/// people, the answer is a 202, and `pending_change` waits for another user's approval.
#[utoipa::path(
    delete, path = "/admin/plans/{id}/scheduled", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 202, body = PlanDetail, description = "The request waits for a second person"),
        (status = 409, description = "The plan has no scheduled version, or no other version, or a pending change"),
    )
)]
pub(crate) async fn withdraw_scheduled_version(
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<PlanId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let edited = edit::withdraw(&**work, editor(work), id).await;
            let edited = answered(&**work, edited).await?;
            let status = ask_second_person(work, &panel_url, edited.requested).await?;
            let detail = plan_detail(&**work, id, edited.at).await?;
            Ok(Changed::recorded(detail).with_status(status))
        })
        .await
}

pub(super) fn editor(work: &Work<StaffCaller>) -> Editor<'_> {
    Editor {
        user: work.caller.id,
        clock: work.state.clock,
        ids: &work.state.ids,
        default_settings: work.state.default_settings(),
    }
}
