//! The list of companies for staff, also as a spreadsheet.

use chrono::{DateTime, Utc};
use gateway_platform::companies::{Approval, ListedCompany};
use serde::Serialize;
use utoipa::ToSchema;

use super::BusinessTypeName;
use crate::shared::list::PageOf;
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text, text_or_empty};

pub type BusinessPage = PageOf<BusinessRow>;

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
    pub r#type: BusinessTypeName,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
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
            r#type: company.business_type.into(),
            approval: company.approval,
            created_at: company.created_at,
        }
    }
}

pub const COMPANIES: Table<BusinessRow> = Table {
    name: "empresas",
    columns: COLUMNS,
};

const COLUMNS: &[Column<BusinessRow>] = &[
    list_column("name", "Empresa", 40, |company| text(&company.name)),
    list_column("trade_name", "Nome fantasia", 30, |company| {
        text_or_empty(company.trade_name.clone())
    }),
    list_column("document", "CPF ou CNPJ", 20, |company| {
        text(labels::document(&company.document))
    }),
    list_column("type", "Tipo", 16, |company| text(company.r#type.label())),
    list_column("approval", "Cadastro", 14, |company| {
        text(company.approval.label())
    }),
    list_column("created_at", "Criada em", 17, |company| {
        Cell::Instant(company.created_at)
    }),
];
