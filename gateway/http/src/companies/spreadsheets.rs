//! The list of companies as a spreadsheet.

use gateway_platform::companies::Approval;

use super::bodies::BusinessType;
use super::bodies::list::BusinessRow;
use crate::spreadsheet::{Cell, Column, Table, column, labels, text, text_or_empty};

pub const COMPANIES: Table<BusinessRow> = Table {
    name: "empresas",
    columns: COLUMNS,
};

const COLUMNS: &[Column<BusinessRow>] = &[
    column("Empresa", 40, |company| text(&company.name)),
    column("Nome fantasia", 30, |company| {
        text_or_empty(company.trade_name.clone())
    }),
    column("CPF ou CNPJ", 20, |company| {
        text(labels::document(&company.document))
    }),
    column("Tipo", 16, |company| {
        text(match company.r#type {
            BusinessType::Pf => "Pessoa física",
            BusinessType::Pj => "Pessoa jurídica",
        })
    }),
    column("Cadastro", 14, |company| {
        let approval = Approval::parse(&company.approval);
        text(approval.map_or("Não definido", Approval::label))
    }),
    column("Criada em", 17, |company| Cell::Instant(company.created_at)),
];
