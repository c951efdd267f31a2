//! The list of companies for staff.

use chrono::{DateTime, Utc};
use gateway_platform::companies::ListedCompany;
use serde::Serialize;
use utoipa::ToSchema;

use super::BusinessType;
use crate::shared::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessPage {
    pub data: Vec<BusinessRow>,
    pub meta: PageMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessRow {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    #[schema(required = true, example = "Padaria da Ana")]
    pub trade_name: Option<String>,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
    pub r#type: BusinessType,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(example = "enabled")]
    pub approval: String,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl From<ListedCompany> for BusinessRow {
    fn from(company: ListedCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            trade_name: company.trade_name,
            document: company.document,
            r#type: BusinessType::of(company.is_person),
            approval: company.approval.as_str().to_owned(),
            created_at: company.created_at,
        }
    }
}
