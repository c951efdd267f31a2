//! A company's last month under a plan that staff offer. Sellers learn nothing about plans that are not offered.

use axum::extract::State;
use gateway_platform::plans::impact::{self, month_before};
use gateway_platform::plans::{PlanRecord, plan_fetch, plans_in_force};
use ledger_domain::PlanId;
use ledger_domain::sale::Solution;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::impact::{ImpactFigures, OfferedPlan, OfferedPlans, WhatIf};
use super::simulation::{context, terms_of};
use crate::AppState;
use crate::edge::query::text;
use crate::edge::{CurrentBusiness, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};

/// List the offered plans
///
/// The plans of a solution that staff offer, for a comparison with the company's own. Without the company's plan.
#[utoipa::path(get, path = "/business/plan/offered", tag = "sales", responses((status = 200, body = OfferedPlans)))]
pub(crate) async fn list_offered_plans(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(OfferedQuery(solution)): Query<OfferedQuery>,
) -> Result<Json<OfferedPlans>> {
    let own = context(&state, business.id, solution).await?.terms;
    let db = state.db().await?;
    let plans = plans_in_force(&*db, state.clock.now()).await?;
    let is_other = |plan: &PlanRecord| own.as_ref().is_none_or(|own| own.plan_id != plan.id);
    let mut data: Vec<_> = plans
        .into_iter()
        .filter(|plan| plan.offered && plan.solution == solution && is_other(plan))
        .filter_map(|plan| {
            let name = plan.current?.terms.name;
            Some(OfferedPlan {
                id: plan.id.to_string(),
                name,
            })
        })
        .collect();
    data.sort_by_cached_key(|plan| plan.name.to_lowercase());
    Ok(Json(OfferedPlans { data }))
}

/// Compare last month under another plan
///
/// Computes the fees of the company's sales of last month under its plan in force and under an offered one, by the
/// function that computes those of captures. Canceled, refunded and reversed sales are left out: their fees were given
/// back.
#[utoipa::path(
    get, path = "/business/plan/what-if", tag = "sales",
    responses(
        (status = 200, body = WhatIf),
        (status = 404, description = "The plan does not exist, is not offered or is of another solution, or the company is of others"),
        (status = 422, description = "Invalid values, by field: solution (no plan), plan, business_id"),
        (status = 429, description = "Another comparison of the company is running; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn compare_plan(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<WhatIfQuery>,
) -> Result<Json<WhatIf>> {
    let _slot = state
        .slots
        .plan_comparisons
        .take(business.id)
        .ok_or_else(|| Problem::too_many_at_once("Outra comparação da sua empresa está em andamento."))?;
    let terms = terms_of(&context(&state, business.id, query.solution).await?)?;
    let db = state.db().await?;
    let plan = plan_fetch(&*db, query.plan, state.clock.now()).await?;
    let offered = plan.filter(|plan| plan.offered && plan.solution == query.solution);
    let other = offered
        .and_then(|plan| plan.current)
        .ok_or_else(Problem::not_found)?;
    let month = month_before(state.clock.today());
    let question = impact::WhatIf {
        company: business.id,
        month,
        current: &terms,
        other: &other.terms,
    };
    drop(db);
    let totals = impact::what_if(&state.pool, question, impact::ROWS_PER_PAGE).await?;
    Ok(Json(WhatIf {
        month,
        plan: (&terms.plan_ref()).into(),
        other_plan: (&other.terms.plan_ref()).into(),
        figures: ImpactFigures::of_sales(&totals),
    }))
}

pub struct OfferedQuery(Solution);

query! {
    impl FromQuery for OfferedQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Solution,
    } => Self(solution)
}

pub struct WhatIfQuery {
    solution: Solution,
    plan: PlanId,
}

query! {
    impl FromQuery for WhatIfQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Solution,
        /// The id of an offered plan.
        #[example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06"]
        plan: PlanInQuery,
    } => Self { solution, plan: plan.0 }
}

struct PlanInQuery(PlanId);

impl QueryValue for PlanInQuery {
    const INVALID: &'static str = "Deve ser o id de um plano.";
    const MISSING: &'static str = "Informe o plano.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}
