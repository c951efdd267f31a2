//! The impact of a change of a plan before it is saved, as a job that a form starts and reads.

use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::impact::{
    Impact, Question, SalesQuestion, WithdrawalsQuestion, impact_fetch, impact_request, month_before,
};
use gateway_platform::plans::receiving::receiving_plan_fetch;
use gateway_platform::plans::{PlanRecord, default_plan_of, plan_fetch};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::form::PlanForm;
use super::bodies::impact::PlanImpact;
use super::bodies::receiving::ReceivingPlanForm;
use super::form::{ValidPlanForm, read};
use super::receiving::read as read_receiving;
use crate::AppState;
use crate::edge::{Db, Id, Json, PathParam};
use crate::problem::{Problem, Result};

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
    Json(body): Json<PlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let now = state.clock.now();
    let change = read(body, PlanId::from_uuid(state.ids.new_uuid()), None, now)?;
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
    Json(body): Json<PlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let now = state.clock.now();
    let db = state.db().await?;
    let plan = plan_fetch(&*db, id, now).await?.ok_or_else(Problem::not_found)?;
    let change = read(body, id, Some(&plan), now)?;
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
    Json(body): Json<ReceivingPlanForm>,
) -> Result<(StatusCode, Json<PlanImpact>)> {
    let db = state.db().await?;
    let plan = receiving_plan_fetch(&*db, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let proposed = read_receiving(body, Some(&plan))?.flat_rate;
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

pub struct ImpactId(Uuid);

impl PathParam for ImpactId {
    const NOUN: &'static str = "impact";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c";

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
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

/// `plan` is the plan before the change.
async fn sales_question(
    client: &impl GenericClient,
    change: ValidPlanForm,
    plan: Option<&PlanRecord>,
    now: DateTime<Utc>,
) -> Result<Question> {
    let in_force = |plan: &PlanRecord| plan.current.as_ref().map(|version| version.terms.clone());
    let own = plan.and_then(in_force);
    // A change without fees does not start the scheduled fees early, so the terms in force stay.
    let proposed = match &own {
        Some(own) if !change.gives_terms => own.clone(),
        _ => change.terms,
    };
    let default: Option<PlanTerms> = match default_plan_of(client, change.solution).await? {
        Some((default, _)) => plan_fetch(client, default, now)
            .await?
            .as_ref()
            .and_then(in_force),
        None => None,
    };
    Ok(Question::Sales(Box::new(SalesQuestion {
        solution: change.solution,
        plan: plan.map(|plan| plan.id),
        proposed,
        own,
        touches_default: change.default,
        default,
    })))
}
