//! Sales plans for staff: the list, one plan with its versions, the options of select fields, the history.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use gateway_platform::plans::changes::ChangedPlan;
use gateway_platform::plans::log::PLAN;
use gateway_platform::plans::{
    PlanFilter, count_assigned_companies, plan_fetch, plan_versions, plans_in_force,
};
use ledger_domain::PlanId;
use tokio_postgres::GenericClient;

use super::bodies::plan::{PlanDetail, PlanOptions, PlanPage, PlanSummary};
use super::pending::pending_of;
use super::query::SolutionQuery;
use super::spreadsheets::PLANS;
use crate::AppState;
use crate::edge::{Id, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::shared::list::Listing;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// List sales plans
///
/// Without their fees; see the call for one plan. By default, the plan that was created last is the first. A
/// spreadsheet has all plans that match the filter.
#[utoipa::path(get, path = "/admin/plans", tag = "plans", responses((status = 200, body = PlanPage)))]
pub(crate) async fn list_plans(list: Listing<PlanFilter>) -> Result<Response> {
    list.respond::<PlanSummary>(&PLANS).await
}

/// List the sales plans that companies can have
///
/// The active plans with a version in force. For select fields.
#[utoipa::path(get, path = "/admin/plans/all", tag = "plans", responses((status = 200, body = PlanOptions)))]
pub(crate) async fn list_plan_options(
    State(state): State<AppState>,
    Query(SolutionQuery(solution)): Query<SolutionQuery>,
) -> Result<Json<PlanOptions>> {
    let db = state.db().await?;
    let plans = plans_in_force(&*db, state.clock.now()).await?.into_iter();
    let wanted = plans.filter(|plan| solution.is_none_or(|solution| plan.solution == solution));
    Ok(Json(PlanOptions {
        data: wanted.map(PlanSummary::from).collect(),
    }))
}

/// Get a sales plan
///
/// With its fees and all its versions.
#[utoipa::path(get, path = "/admin/plans/{id}", tag = "plans", responses((status = 200, body = PlanDetail)))]
pub(crate) async fn get_plan(State(state): State<AppState>, Id(id): Id<PlanId>) -> Result<Json<PlanDetail>> {
    let db = state.db().await?;
    plan_detail(&*db, id, state.clock.now()).await.map(Json)
}

/// List the history of a sales plan
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/plans/{id}/history", tag = "plans",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_plan_history(
    State(state): State<AppState>,
    Id(id): Id<PlanId>,
    Query(paging): Query<Paging>,
) -> Result<Json<HistoryPage>> {
    let db = state.db().await?;
    plan_fetch(&*db, id, state.clock.now())
        .await?
        .ok_or_else(Problem::not_found)?;
    staff_history(&db, PLAN, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

pub(crate) async fn plan_detail(
    client: &impl GenericClient,
    id: PlanId,
    at: DateTime<Utc>,
) -> Result<PlanDetail> {
    let plan = plan_fetch(client, id, at).await?.ok_or_else(Problem::not_found)?;
    let versions = plan_versions(client, id).await?;
    let companies = count_assigned_companies(client, id).await?;
    let pending = pending_of(client, ChangedPlan::Sales(id)).await?;
    Ok(PlanDetail::of(plan, versions, companies, pending))
}
