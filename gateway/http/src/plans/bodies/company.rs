//! The plans of a company.

use chrono::{DateTime, Utc};
use gateway_platform::plans::CompanyPlan as Record;
use gateway_platform::plans::company_change::CompanyPlanChoice;
use gateway_platform::plans::form::REQUIRED;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::shared::form::{form, given_list, required};

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

form! {
    pub struct CompanyPlansForm {
        /// One entry for each solution that changes.
        #[example = json!([{ "solution_id": 1, "plan_id": null }])]
        plans: Vec<CompanyPlanChoice> =
            required(given_list::<CompanyPlanChoice, CompanyPlanChoiceDocument>(), REQUIRED),
    }
}

#[derive(Debug, ToSchema)]
#[schema(as = CompanyPlanChoice)]
#[allow(dead_code, reason = "describes the choice in the document")]
pub struct CompanyPlanChoiceDocument {
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
