//! The bodies of answers about companies. Small ones and shared ones are in this file.

pub mod decision;
pub mod detail;
pub mod list;

use chrono::{DateTime, Utc};
use gateway_platform::companies::{
    Approval, BusinessType, CompanyReceivingPlan, ListedCompany, NewestCompany,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::cents;
use crate::shared::schemas::Word;

pub type BusinessTypeName = Word<BusinessType>;

/// A company in a select field.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessOption {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessOptions {
    /// By name, 50 at most.
    pub data: Vec<BusinessOption>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessReceivingPlan {
    pub id: Uuid,
    #[schema(example = "Saque padrão")]
    pub description: String,
    /// The fee of each withdrawal, in cents.
    #[schema(example = 350)]
    pub flat_rate: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NewestBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl From<ListedCompany> for BusinessOption {
    fn from(company: ListedCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
        }
    }
}

impl From<CompanyReceivingPlan> for BusinessReceivingPlan {
    fn from(plan: CompanyReceivingPlan) -> Self {
        Self {
            id: plan.id,
            description: plan.description,
            flat_rate: cents(plan.flat_rate),
        }
    }
}

impl From<NewestCompany> for NewestBusiness {
    fn from(company: NewestCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            approval: company.approval,
            created_at: company.created_at,
        }
    }
}
