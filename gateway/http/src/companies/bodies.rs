//! Companies for staff.

use chrono::{DateTime, Utc};
use gateway_platform::companies::{CompanyReceivingPlan, CompanyRecord, FoundCompany, NewCompany};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::cents;

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub enum BusinessType {
    #[serde(rename = "PF")]
    Pf,
    #[serde(rename = "PJ")]
    Pj,
}

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
pub struct BusinessDetail {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
    pub r#type: BusinessType,
    /// The company's name on the buyer's card statement.
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// enabled, denied or deleted.
    #[schema(example = "enabled")]
    pub approval: String,
    /// The plan that sets the fee of withdrawals.
    #[schema(required = true)]
    pub receiving_plan: Option<BusinessReceivingPlan>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
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
pub struct NewBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl From<FoundCompany> for BusinessOption {
    fn from(company: FoundCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
        }
    }
}

impl From<CompanyRecord> for BusinessDetail {
    fn from(company: CompanyRecord) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            document: company.document,
            r#type: if company.is_person {
                BusinessType::Pf
            } else {
                BusinessType::Pj
            },
            statement_descriptor: company.statement_descriptor,
            approval: company.approval,
            receiving_plan: Some(company.receiving_plan.into()),
            created_at: company.created_at,
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

impl From<NewCompany> for NewBusiness {
    fn from(company: NewCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            created_at: company.created_at,
        }
    }
}
