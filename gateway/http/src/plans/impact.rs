//! The impact of a change of a plan before it is saved, as a job that a form starts and reads.

use axum::extract::State;
use axum::http::StatusCode;
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::form::read;
use gateway_platform::plans::impact::{
    Impact, Question, WithdrawalsQuestion, impact_fetch, impact_request, month_before, sales_question,
};
use gateway_platform::plans::plan_fetch;
use gateway_platform::plans::receiving::{edit, receiving_plan_fetch};
use ledger_domain::PlanId;
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::form::PlanForm;
use super::bodies::impact::PlanImpact;
use super::bodies::receiving::ReceivingPlanForm;
use crate::AppState;
use crate::edge::{Db, Id, Json, uuid_param};
use crate::problem::{Problem, Result};
use crate::shared::form::Form;

uuid_param!(ImpactId, "impact", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c");

/// Start the impact of a new sales plan
///
/// Like the impact of a change. A new plan touches companies only as the default.
#[utoipa::path(
    post, path = "/admin/plans/impact", tag = "plans",
    responses((status = 202, body = PlanImpact))
)]
pub(crate) async fn start_new_plan_impact(
    State(state): State<AppState>,
    caller: StaffCaller,
    Form(PlanForm(form)): Form<PlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let now = state.clock.now();
    let change = read(form, PlanId::from_uuid(state.ids.new_uuid()), None, now)?;
    let db = state.db().await?;
    let question = sales_question(&*db, change, None, now).await?;
    start(&state, &*db, caller.id, question).await
}

/// Start the impact of a change of a sales plan
///
/// Computes the fees of last month's sales again for the companies that the change affects. They are the companies with
/// this plan and, if it is or becomes the default, those without a plan. The month is the calendar month in Brasília. A
/// job computes it; the answer has the id to read it by. It replaces an impact of the same user that is not done. The
/// plan does not change.
#[utoipa::path(
    post, path = "/admin/plans/{id}/impact", tag = "plans",
    responses((status = 202, body = PlanImpact))
)]
pub(crate) async fn start_plan_impact(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<PlanId>,
    Form(PlanForm(form)): Form<PlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let now = state.clock.now();
    let db = state.db().await?;
    let plan = plan_fetch(&*db, id, now).await?.ok_or_else(Problem::not_found)?;
    let change = read(form, id, Some(&plan), now)?;
    let question = sales_question(&*db, change, Some(&plan), now).await?;
    start(&state, &*db, caller.id, question).await
}

/// Start the impact of a change of a receiving plan
///
/// Computes the fees of last month's paid withdrawals again for the companies with the plan. Otherwise like the impact
/// of a sales plan.
#[utoipa::path(
    post, path = "/admin/plans/receiving/{id}/impact", tag = "plans",
    responses((status = 202, body = PlanImpact))
)]
pub(crate) async fn start_receiving_plan_impact(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<Uuid>,
    Form(ReceivingPlanForm(form)): Form<ReceivingPlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let db = state.db().await?;
    let plan = receiving_plan_fetch(&*db, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let proposed = edit::read(form, Some(&plan))?.flat_rate;
    let question = Question::Withdrawals(WithdrawalsQuestion {
        plan: id,
        proposed,
        current: plan.flat_rate,
    });
    start(&state, &*db, caller.id, question).await
}

/// Get the impact of a change of a plan
///
/// Its progress, and its figures so far. An impact is kept for at least a day.
#[utoipa::path(get, path = "/admin/plans/impacts/{id}", tag = "plans", responses((status = 200, body = PlanImpact)))]
pub(crate) async fn get_plan_impact(Id(ImpactId(id)): Id<ImpactId>, db: Db) -> Result<Json<PlanImpact>> {
    let impact = impact_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    Ok(Json(impact.into()))
}

async fn start(
    state: &AppState,
    client: &impl GenericClient,
    by: UserId,
    question: Question,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let id = state.ids.new_uuid();
    let month = month_before(state.clock.today());
    impact_request(client, id, by, month, &question).await?;
    let impact: Impact = impact_fetch(client, id)
        .await?
        .ok_or_else(|| Problem::internal("an impact is missing after its request"))?;
    Ok((StatusCode::ACCEPTED, Json(impact.into())))
}
