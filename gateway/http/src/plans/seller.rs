//! The fees of a company's plan, for its users.

use axum::extract::State;
use ledger_domain::sale::Solution;

use super::bodies::seller::BusinessPlan;
use super::simulation::{context, terms_of};
use crate::AppState;
use crate::edge::{CurrentBusiness, Json, Query, query};
use crate::problem::Result;

/// Get the plan of a company
///
/// The fees in force for the solution: the company's own plan, else the default.
#[utoipa::path(
    get, path = "/business/plan", tag = "sales",
    responses(
        (status = 200, body = BusinessPlan),
        (status = 422, description = "Invalid values, by field: solution (no plan), business_id"),
    )
)]
pub(crate) async fn get_business_plan(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(BusinessPlanQuery(solution)): Query<BusinessPlanQuery>,
) -> Result<Json<BusinessPlan>> {
    let terms = terms_of(&context(&state, business.id, solution).await?)?;
    Ok(Json(BusinessPlan::of(&terms)))
}

pub struct BusinessPlanQuery(Solution);

query! {
    impl FromQuery for BusinessPlanQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Solution,
    } => Self(solution)
}
