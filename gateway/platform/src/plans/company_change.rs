//! The plans that staff give a company, and what other plans would cost the platform: the fees of the company's sales of
//! last month under the plans that it has, less those under the plans that it is to get.

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, Cents, PlanId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::edit::NEXT_INSTANT;
use super::form::{INVALID, REQUIRED};
use super::impact::{ROWS_PER_PAGE, WhatIf, month_before, what_if};
use super::log::{COMPANY, ChangedBy};
use super::refusal::{PlanRefusal, Result};
use super::{
    CompanyPlan, PlanRecord, assignment_add, company_plans, default_plan_of, plan_fetch, solution_plans_lock,
};
use crate::PlatformError;
use crate::adjustments::{Adjustment, AdjustmentKind};
use crate::audit::Change;
use crate::companies::{Approval, company_fetch};
use crate::form_errors::FormErrors;
use crate::reference_data::PostgresReferenceData;
use crate::settings::{PlatformSettings, platform_settings_at};
use crate::validity::{Since, set_business_now};

/// The plan of one solution, as it arrives and as a request stores it. The API's document describes the fields.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct CompanyPlanChoice {
    pub solution_id: Option<u8>,
    pub plan_id: Option<String>,
}

/// A solution, and the plan that the company is to get. `None`: the default.
type Chosen = (Solution, Option<PlanId>);

/// Computes what other plans of a company would cost.
#[derive(Clone, Copy)]
pub struct PlanCosts<'a> {
    pub pool: &'a Pool,
    pub reference_data: &'a PostgresReferenceData,
    pub clock: BusinessClock,
    /// The settings of an installation whose staff have set none.
    pub default_settings: PlatformSettings,
}

impl PlanCosts<'_> {
    /// The choices, if one person may not give any plan. `None`: nothing has to be computed.
    pub async fn limited(
        &self,
        company: BusinessId,
        choices: &[CompanyPlanChoice],
    ) -> Result<Option<Vec<Chosen>>> {
        let client = self.pool.get().await.map_err(PlatformError::from)?;
        let now = self.clock.now();
        let settings = platform_settings_at(&**client, self.default_settings, now).await?;
        if settings.plan_exceptions_alone_up_to.is_none() {
            return Ok(None);
        }
        company_fetch(&**client, company)
            .await?
            .ok_or(PlanRefusal::NotFound)?;
        read(&**client, choices, now).await.map(Some)
    }

    /// What the plans would cost, and the change in words. `None` if they cost nothing.
    pub async fn exception(
        &self,
        company: BusinessId,
        chosen: Vec<Chosen>,
        choices: &[CompanyPlanChoice],
    ) -> Result<Option<Adjustment>> {
        let (mut cost, mut changes) = (0_i64, vec![]);
        for (solution, plan) in chosen {
            let (less, change) = self.cost_of(company, solution, plan).await?;
            cost = cost.saturating_add(less.max(0));
            changes.extend(change);
        }
        if cost == 0 {
            return Ok(None);
        }
        Ok(Some(Adjustment {
            kind: AdjustmentKind::PlanException,
            business_id: company,
            amount: Cents::new(cost.min(Cents::AMOUNT_MAX.get())),
            reason: changes.join("; "),
            allow_negative: false,
            plans: Some(serde_json::to_value(choices)?),
            hold: None,
        }))
    }

    /// What the platform would have earned less last month, and the change in words. Zero if there is no plan before or
    /// after: nothing can be compared.
    async fn cost_of(
        &self,
        company: BusinessId,
        solution: Solution,
        plan: Option<PlanId>,
    ) -> Result<(i64, Option<String>)> {
        let client = self.pool.get().await.map_err(PlatformError::from)?;
        let now = self.clock.now();
        let context = self.reference_data.context_at(&client, company, solution, now);
        let current = context.await?.terms;
        let plan = match plan {
            Some(plan) => Some(plan),
            None => default_plan_of(&**client, solution).await?.map(|(plan, _)| plan),
        };
        let other: Option<PlanTerms> = match plan {
            Some(plan) => plan_fetch(&**client, plan, now)
                .await?
                .and_then(|plan| plan.current)
                .map(|version| version.terms),
            None => None,
        };
        drop(client);
        let (Some(current), Some(other)) = (current, other) else {
            return Ok((0, None));
        };
        if current.plan_id == other.plan_id {
            return Ok((0, None));
        }
        let question = WhatIf {
            company,
            month: month_before(self.clock.today()),
            current: &current,
            other: &other,
        };
        let totals = what_if(self.pool, question, ROWS_PER_PAGE).await?;
        let change = format!("{}: {} → {}", solution.label(), current.name, other.name);
        Ok((totals.current.total() - totals.proposed.total(), Some(change)))
    }
}

/// Sets the plans within the transaction of `client`. Returns the plans afterwards.
pub async fn set_plans(
    client: &impl GenericClient,
    clock: BusinessClock,
    changed_by: ChangedBy<'_>,
    id: BusinessId,
    choices: &[CompanyPlanChoice],
) -> Result<Vec<CompanyPlan>> {
    let company = company_fetch(client, id).await?.ok_or(PlanRefusal::NotFound)?;
    if company.approval == Approval::Deleted {
        return Err(PlanRefusal::CompanyDeleted.into());
    }
    // These locks also make two changes of the same company wait for each other.
    for solution in Solution::ALL {
        solution_plans_lock(client, *solution).await?;
    }
    let now = clock.now();
    set_business_now(client, now).await?;
    let read = read(client, choices, now).await?;
    let before = company_plans(client, id).await?;
    for (solution, plan) in read {
        assign(client, id, &before, solution, plan, now).await?;
    }
    let after = company_plans(client, id).await?;
    let (old, new) = changed_names(&before, &after);
    if !new.is_empty() {
        let change = Change {
            action: "change-plans",
            subject: COMPANY,
            subject_id: &id.to_string(),
            before: Some(old.into()),
            after: Some(new.into()),
        };
        changed_by.record(client, change).await?;
    }
    Ok(after)
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
