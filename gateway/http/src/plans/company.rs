//! The plans of a company by solution, for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use gateway_platform::adjustments::Adjustment;
use gateway_platform::companies::company_fetch;
use gateway_platform::plans::company_change::{CompanyPlanChoice, PlanCosts, set_plans};
use gateway_platform::plans::company_plans;
use gateway_platform::plans::log::ChangedBy;
use ledger_domain::BusinessId;

use super::bodies::company::{CompanyPlans, CompanyPlansForm};
use super::refusals::answered;
use crate::AppState;
use crate::adjustments::AdjustmentRequest;
use crate::adjustments::way::{Way, way_within};
use crate::edge::{Db, Id, Json, PanelUrl};
use crate::problem::{Problem, Result};
use crate::shared::form::Form;

/// List the plans of a company
///
/// For each solution the company's own plan, else the default.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/plans", tag = "businesses",
    responses((status = 200, body = CompanyPlans))
)]
pub(crate) async fn list_company_plans(Id(id): Id<BusinessId>, db: Db) -> Result<Json<CompanyPlans>> {
    company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    Ok(Json(company_plans(&*db, id).await?.into()))
}

/// Set the plans of a company
///
/// Takes one plan per solution, valid from now. `plan_id` null gives the solution's default. Solutions that are not
/// named do not change. A plan must be active, in force, and of that solution. If the platform would earn less by more
/// than one person may decide alone (setting `plan_exceptions_alone_up_to`), it is a request that another person
/// approves.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/plans", tag = "businesses",
    responses(
        (status = 200, body = CompanyPlans),
        (status = 202, body = AdjustmentRequest, description = "The plans wait for a second person; nothing has changed"),
        (status = 409, description = "The company is deleted, or its plans wait for a second person already"),
    )
)]
pub(crate) async fn set_company_plans(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<BusinessId>,
    Form(CompanyPlansForm { plans: choices }): Form<CompanyPlansForm>,
) -> Result<Response> {
    let exception = exception_of(&state, id, &choices).await?;
    let mut tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    if let Some(exception) = exception {
        // Counted in the transaction of the change, so that only a change that is made counts.
        match way_within(&state, &mut tx, (caller, &panel_url), None, &exception).await? {
            Way::Alone(_) => {}
            Way::Requested(answer) => {
                tx.commit().await?;
                return Ok(answer);
            }
        }
    }
    let changed_by = ChangedBy::alone(Actor::Admin(caller.id));
    let after = set_plans(&*tx, state.clock, changed_by, id, &choices).await;
    let after = answered(&*tx, after).await?;
    tx.commit().await?;
    Ok(Json(CompanyPlans::from(after)).into_response())
}

/// `None` if the plans cost nothing, or if one person may give any plan.
async fn exception_of(
    state: &AppState,
    company: BusinessId,
    choices: &[CompanyPlanChoice],
) -> Result<Option<Adjustment>> {
    let costs = PlanCosts {
        pool: &state.pool,
        reference_data: &state.reference_data,
        clock: state.clock,
        default_settings: state.default_settings(),
    };
    let Some(chosen) = costs.limited(company, choices).await? else {
        return Ok(None);
    };
    let _slot = state
        .slots
        .plan_comparisons
        .take(company)
        .ok_or_else(|| Problem::too_many_at_once("Outra comparação desta empresa está em andamento."))?;
    Ok(costs.exception(company, chosen, choices).await?)
}
