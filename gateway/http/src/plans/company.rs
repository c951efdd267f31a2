//! The plans of a company by solution, for staff.

use axum::extract::State;
use chrono::{DateTime, Utc};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{Approval, company_fetch};
use gateway_platform::plans::{
    CompanyPlan, PlanRecord, assignment_add, company_plans, plan_fetch, solution_plans_lock,
};
use gateway_platform::validity::{Since, set_business_now};
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId};
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::apply::NEXT_INSTANT;
use super::audit::COMPANY;
use super::bodies::company::{CompanyPlanChoice, CompanyPlans, CompanyPlansForm};
use super::form::{INVALID, REQUIRED};
use crate::AppState;
use crate::edge::{Db, FormErrors, Id, Json};
use crate::problem::{Problem, Result};

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
/// named do not change. A plan must be active, in force, and of that solution.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/plans", tag = "businesses",
    responses(
        (status = 200, body = CompanyPlans),
        (status = 409, description = "The company is deleted"),
    )
)]
pub(crate) async fn set_company_plans(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<BusinessId>,
    Json(body): Json<CompanyPlansForm>,
) -> Result<Json<CompanyPlans>> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let company = company_fetch(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    if company.approval == Approval::Deleted {
        return Err(Problem::conflict("Esta empresa foi deletada."));
    }
    // These locks also make two changes of the same company wait for each other.
    for solution in Solution::ALL {
        solution_plans_lock(&*tx, *solution).await?;
    }
    let now = state.clock.now();
    set_business_now(&*tx, now).await?;
    let choices = read(&*tx, &body.plans.unwrap_or_default(), now).await?;
    let before = company_plans(&*tx, id).await?;
    for (solution, plan) in choices {
        assign(&*tx, id, &before, solution, plan, now).await?;
    }
    let after = company_plans(&*tx, id).await?;
    let (old, new) = changed_names(&before, &after);
    if !new.is_empty() {
        let change = Change {
            action: "change-plans",
            subject: COMPANY,
            subject_id: &id.to_string(),
            before: Some(old.into()),
            after: Some(new.into()),
        };
        record(&*tx, Actor::Admin(caller.id), change).await?;
    }
    tx.commit().await?;
    Ok(Json(after.into()))
}

/// Reports all invalid choices at once.
async fn read(
    client: &impl GenericClient,
    choices: &[CompanyPlanChoice],
    now: DateTime<Utc>,
) -> Result<Vec<(Solution, Option<PlanId>)>> {
    let mut errors = FormErrors::default();
    if choices.is_empty() {
        errors.add("plans", REQUIRED);
    }
    let mut read: Vec<(Solution, Option<PlanId>)> = vec![];
    let mut seen: Vec<Solution> = vec![];
    for (at, choice) in choices.iter().enumerate() {
        let (solution_field, plan_field) =
            (format!("plans[{at}].solution_id"), format!("plans[{at}].plan_id"));
        let solution = choice
            .solution_id
            .and_then(|number| Solution::from_number(number).ok());
        let Some(solution) = solution else {
            let missing = choice.solution_id.is_none();
            errors.add(&solution_field, if missing { REQUIRED } else { INVALID });
            continue;
        };
        if seen.contains(&solution) {
            errors.add(&solution_field, "Informe cada solução uma vez só.");
            continue;
        }
        seen.push(solution);
        let Some(text) = &choice.plan_id else {
            read.push((solution, None));
            continue;
        };
        let plan = match text.parse::<PlanId>() {
            Ok(plan) => plan_fetch(client, plan, now).await?,
            Err(_) => None,
        };
        match plan_error(plan.as_ref(), solution) {
            Some(error) => errors.add(&plan_field, error),
            None => read.push((solution, plan.map(|plan| plan.id))),
        }
    }
    errors.finish()?;
    Ok(read)
}

fn plan_error(plan: Option<&PlanRecord>, solution: Solution) -> Option<&'static str> {
    match plan {
        None => Some("Plano não encontrado."),
        Some(plan) if plan.solution != solution => Some("Este plano é de outra solução."),
        Some(plan) if !plan.active => Some("Este plano está inativo."),
        Some(plan) if plan.current.is_none() => Some("Este plano ainda não está em vigor."),
        Some(_) => None,
    }
}

/// Writes no row if the company's own plan stays the same.
async fn assign(
    client: &impl GenericClient,
    company: BusinessId,
    before: &[CompanyPlan],
    solution: Solution,
    plan: Option<PlanId>,
    now: DateTime<Utc>,
) -> Result<()> {
    let had = before.iter().find(|had| had.solution == solution);
    let own = had
        .filter(|had| had.own)
        .and_then(|had| had.plan.as_ref().map(|(id, _)| *id));
    if own == plan {
        return Ok(());
    }
    let earliest = had
        .and_then(|had| had.since)
        .map_or(now, |since| now.max(since + NEXT_INSTANT));
    assignment_add(client, company, solution, plan, Since::At(earliest)).await?;
    Ok(())
}

/// The names of the own plans that changed, before and after. Plans of the same name are told apart by their ids.
fn changed_names(before: &[CompanyPlan], after: &[CompanyPlan]) -> (Map<String, Value>, Map<String, Value>) {
    let own = |plan: &CompanyPlan| plan.plan.clone().filter(|_| plan.own).unzip();
    let entry = |(before, after): (&CompanyPlan, &CompanyPlan)| {
        let ((old_id, old_name), (new_id, new_name)) = (own(before), own(after));
        let field = format!("plan_{}", after.solution.slug());
        (old_id != new_id).then(|| ((field.clone(), json!(old_name)), (field, json!(new_name))))
    };
    before.iter().zip(after).filter_map(entry).unzip()
}
