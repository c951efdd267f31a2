//! The plans of a company.

use chrono::{DateTime, Utc};
use gateway_platform::plans::CompanyPlan as Record;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyPlans {
    /// All four solutions.
    pub data: Vec<CompanyPlan>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyPlan {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(minimum = 1, maximum = 4, example = 1)]
    pub solution_id: u8,
    /// The company's own plan, else the solution's default; null if there is neither.
    #[schema(required = true)]
    pub plan: Option<CompanyPlanRef>,
    /// Whether the plan is the company's own.
    pub own: bool,
    /// UTC instant since which the company has its own plan or is back on the default; null if it never had its own.
    #[schema(required = true)]
    pub since: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyPlanRef {
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub id: String,
    #[schema(example = "Maquininha padrão")]
    pub description: String,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CompanyPlansForm {
    /// One entry for each solution that changes.
    #[schema(required = true, nullable = false, example = json!([{ "solution_id": 1, "plan_id": null }]))]
    pub plans: Option<Vec<CompanyPlanChoice>>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CompanyPlanChoice {
    #[schema(required = true, nullable = false, minimum = 1, maximum = 4, example = 1)]
    pub solution_id: Option<u8>,
    /// Null: the solution's default plan.
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub plan_id: Option<String>,
}

impl From<Vec<Record>> for CompanyPlans {
    fn from(plans: Vec<Record>) -> Self {
        let plan = |record: Record| CompanyPlan {
            solution_id: record.solution.number(),
            plan: record.plan.map(|(id, description)| CompanyPlanRef {
                id: id.to_string(),
                description,
            }),
            own: record.own,
            since: record.since,
        };
        Self {
            data: plans.into_iter().map(plan).collect(),
        }
    }
}
