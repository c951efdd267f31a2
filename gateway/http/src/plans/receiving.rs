//! Receiving plans for staff: list, create, update, history.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::changes::ChangedPlan;
use gateway_platform::plans::log::RECEIVING_PLAN;
use gateway_platform::plans::receiving::{
    ReceivingPlan as Record, ReceivingPlanFilter, edit, receiving_plan_fetch,
};
use tokio_postgres::{Client, GenericClient};
use uuid::Uuid;

use super::bodies::receiving::{ReceivingPlan, ReceivingPlanForm, ReceivingPlanPage};
use super::change::editor;
use super::emails::ask_second_person;
use super::pending::{pending_of, pending_of_receiving};
use super::refusals::answered;
use super::spreadsheets::RECEIVING_PLANS;
use crate::AppState;
use crate::edge::{Db, Id, Json, Paging, PanelUrl, Query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};
use crate::shared::form::{Form, IdempotentForm};
use crate::shared::list::{FromRows, Listing};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// List receiving plans
///
/// By default, the plan that was created last is the first. A spreadsheet has all plans that match the filter.
#[utoipa::path(
    get, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 200, body = ReceivingPlanPage))
)]
pub(crate) async fn list_receiving_plans(list: Listing<ReceivingPlanFilter>) -> Result<Response> {
    list.respond::<ReceivingPlan>(&RECEIVING_PLANS).await
}

/// Create a receiving plan
///
/// While changes of plans need two people, a plan that is to be active is inactive at first. `pending_change` makes it
/// active when another user approves it.
#[utoipa::path(
    post, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 201, body = ReceivingPlan))
)]
pub(crate) async fn create_receiving_plan(
    PanelUrl(panel_url): PanelUrl,
    change: Change<StaffCaller, IdempotentForm<ReceivingPlanForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let edited = edit::create(&**work, editor(work), form.0).await;
            let edited = answered(&**work, edited).await?;
            ask_second_person(work, &panel_url, edited.requested).await?;
            Ok(Changed::recorded(body(&**work, edited.plan).await?))
        })
        .await
}

/// Update a receiving plan
///
/// Changes the given fields only, at once: the next withdrawal of a company with this plan has the new fee. While
/// changes of plans need two people, a change gets a 202: the plan stays as it is, and `pending_change` waits for
/// another user's approval.
#[utoipa::path(
    patch, path = "/admin/plans/receiving/{id}", tag = "plans",
    responses(
        (status = 200, body = ReceivingPlan),
        (status = 202, body = ReceivingPlan, description = "The change waits for a second person"),
        (status = 409, description = "The plan was changed since the revision that the edit started from, or has a pending change"),
    )
)]
pub(crate) async fn update_receiving_plan(
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<Uuid>,
    change: Change<StaffCaller, Form<ReceivingPlanForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let edited = edit::update(&**work, editor(work), id, form.0).await;
            let edited = answered(&**work, edited).await?;
            let status = ask_second_person(work, &panel_url, edited.requested).await?;
            let plan = body(&**work, edited.plan).await?;
            Ok(Changed::recorded(plan).with_status(status))
        })
        .await
}

/// Get a receiving plan
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}", tag = "plans",
    responses((status = 200, body = ReceivingPlan))
)]
pub(crate) async fn get_receiving_plan(Id(id): Id<Uuid>, db: Db) -> Result<Json<ReceivingPlan>> {
    let plan = found(&*db, id).await?;
    body(&*db, plan).await.map(Json)
}

/// List the history of a receiving plan
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}/history", tag = "plans",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_receiving_plan_history(
    Id(id): Id<Uuid>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    found(&*db, id).await?;
    staff_history(&db, RECEIVING_PLAN, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

async fn found(client: &impl GenericClient, id: Uuid) -> Result<Record> {
    receiving_plan_fetch(client, id)
        .await?
        .ok_or_else(Problem::not_found)
}

async fn body(client: &impl GenericClient, plan: Record) -> Result<ReceivingPlan> {
    let pending = pending_of(client, ChangedPlan::Receiving(plan.id)).await?;
    Ok(ReceivingPlan::of(plan, pending))
}

impl FromRows<Record> for ReceivingPlan {
    async fn from_rows(_: &AppState, client: &Client, plans: Vec<Record>) -> Result<Vec<Self>> {
        let ids: Vec<Uuid> = plans.iter().map(|plan| plan.id).collect();
        let mut pending = pending_of_receiving(client, &ids).await?;
        let row = |plan: Record| {
            let change = pending.remove(&plan.id);
            Self::of(plan, change)
        };
        Ok(plans.into_iter().map(row).collect())
    }
}
