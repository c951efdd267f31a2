//! The agenda of receivables on the wire: by day, by unit, and the installments of one day.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::back_office::NamedCompany;
use projections::agenda::{AgendaDay, AgendaInstallment, AgendaUnit};
use serde::Serialize;
use utoipa::ToSchema;

use super::cents;
use super::page::PageMeta;
use super::sale::PaymentType;
use super::sale_detail::ReceivableStatus;

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesDay {
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    /// All that was promised for the day.
    #[schema(example = 28_803)]
    pub expected: i64,
    /// What was paid of it on its date.
    #[schema(example = 0)]
    pub settled: i64,
    /// What was paid of it before its date, because its sale was undone.
    #[schema(example = 0)]
    pub accelerated: i64,
    /// Installments.
    #[schema(example = 3)]
    pub count: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesAgenda {
    pub data: Vec<ReceivablesDay>,
}

/// A unit of receivables: what one acquirer owes to one holder for one brand and means of payment on one date.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesUnit {
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    pub holder: ReceivablesHolder,
    /// 1 to 8: ZOOP, IUGU, ZOOP_V2, VALORI, ENTREPAY, BARTE, CEOPAG, CEOPAG_P2.
    #[schema(example = 3)]
    pub acquirer: u8,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    pub payment_type: PaymentType,
    #[schema(example = 28_803)]
    pub expected: i64,
    #[schema(example = 0)]
    pub settled: i64,
    #[schema(example = 0)]
    pub accelerated: i64,
    #[schema(example = 3)]
    pub installments: u64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReceivablesHolder {
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ without its mask.
    #[schema(example = "11222333000181")]
    pub document: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesUnitPage {
    pub data: Vec<ReceivablesUnit>,
    pub meta: PageMeta,
}

/// An installment that is due on the day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DueInstallment {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub sale_id: String,
    #[schema(example = 1)]
    pub number: u8,
    /// Of the sale.
    #[schema(example = 3)]
    pub installments: u8,
    #[schema(example = 3)]
    pub provider: u8,
    pub payment_type: PaymentType,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_601)]
    pub net: i64,
    pub status: ReceivableStatus,
    #[schema(required = true)]
    pub settled_on: Option<NaiveDate>,
    pub sold_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DueInstallmentPage {
    pub data: Vec<DueInstallment>,
    pub meta: PageMeta,
}

impl From<NamedCompany> for ReceivablesHolder {
    fn from(company: NamedCompany) -> Self {
        Self {
            name: company.name,
            document: company.document,
        }
    }
}

impl From<AgendaDay> for ReceivablesDay {
    fn from(day: AgendaDay) -> Self {
        Self {
            due_date: day.due_date,
            expected: cents(day.expected),
            settled: cents(day.settled),
            accelerated: cents(day.accelerated),
            count: day.count,
        }
    }
}

impl ReceivablesUnit {
    pub fn of(unit: AgendaUnit, holder: &ReceivablesHolder) -> Self {
        Self {
            due_date: unit.due_date,
            holder: holder.clone(),
            acquirer: unit.provider.number(),
            card_brand: unit.card_brand.map(|brand| brand.as_str().to_owned()),
            payment_type: unit.payment_type.into(),
            expected: cents(unit.expected),
            settled: cents(unit.settled),
            accelerated: cents(unit.accelerated),
            installments: unit.count,
        }
    }
}

impl From<AgendaInstallment> for DueInstallment {
    fn from(part: AgendaInstallment) -> Self {
        Self {
            sale_id: part.sale_id.to_string(),
            number: part.number,
            installments: part.installments,
            provider: part.provider.number(),
            payment_type: part.payment_type.into(),
            card_brand: part.card_brand.map(|brand| brand.as_str().to_owned()),
            gross: cents(part.gross),
            net: cents(part.net),
            status: part.status.into(),
            settled_on: part.settled_on,
            sold_at: part.sold_at,
        }
    }
}
