//! Companies and terminals of reports.

use gateway_platform::companies::NamedCompany;
use ledger_domain::BusinessId;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Figures, PlatformFees, Report};
use crate::shared::page::PageMeta;

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportCompany {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

impl ReportCompany {
    /// A company that was not found has its id as its name.
    pub fn of(id: BusinessId, company: Option<&NamedCompany>) -> Self {
        Self {
            id: id.to_string(),
            name: company.map_or_else(|| id.to_string(), |company| company.name.clone()),
            document: company.map_or_else(String::new, |company| company.document.clone()),
        }
    }
}

/// A company of a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyFigures {
    pub business: ReportCompany,
    pub figures: Figures,
    pub previous: Figures,
}

/// A report by company: those that have any figure in the period.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyReport {
    #[serde(flatten)]
    pub report: Report,
    pub data: Vec<CompanyFigures>,
    pub meta: PageMeta,
}

/// A company of the report of platform fees.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyPlatformFees {
    #[serde(flatten)]
    pub company: CompanyFigures,
    pub platform_fees: PlatformFees,
    pub previous_platform_fees: PlatformFees,
}

/// The platform fees by company.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyPlatformFeeReport {
    #[serde(flatten)]
    pub report: Report,
    pub platform_fees: PlatformFees,
    pub previous_platform_fees: PlatformFees,
    pub data: Vec<CompanyPlatformFees>,
    pub meta: PageMeta,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportTerminal {
    #[schema(example = "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05")]
    pub id: String,
    #[schema(example = "PDV0050001")]
    pub serial_number: String,
    /// Null also for a terminal that the company no longer has.
    #[schema(required = true, example = "Balcão")]
    pub name: Option<String>,
    /// Whether the company has the terminal now.
    #[schema(example = true)]
    pub current: bool,
}

/// A terminal of a report.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TerminalFigures {
    pub terminal: ReportTerminal,
    /// Whether the terminal has no captured sale in the period.
    #[schema(example = false)]
    pub idle: bool,
    pub figures: Figures,
    pub previous: Figures,
}

/// A report by terminal: those that the company has, and those with figures in the period.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalReport {
    pub business: ReportCompany,
    #[serde(flatten)]
    pub report: Report,
    /// Number of terminals without a captured sale in the period.
    #[schema(example = 1)]
    pub idle_count: u64,
    pub data: Vec<TerminalFigures>,
    pub meta: PageMeta,
}
