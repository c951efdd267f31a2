//! The schedule of receivables: by day, by unit, and the installments of one day.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::companies::NamedCompany;
use projections::receivables::{ReceivableUnit, ScheduleDay, ScheduledInstallment};
use serde::Serialize;
use utoipa::ToSchema;

use crate::sales::bodies::detail::ReceivableStatus;
use crate::sales::bodies::list::PaymentType;
use crate::shared::cents;
use crate::shared::page::PageMeta;

/// The receivables of one due date. Amounts are net, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesDay {
    /// Business date in Brasília.
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    /// Sum of all installments that are or were due on this date.
    #[schema(example = 28_803)]
    pub expected: i64,
    /// The part that the settlement paid, on its due date or later.
    #[schema(example = 0)]
    pub settled: i64,
    /// The part that was paid because its sale was reversed.
    #[schema(example = 0)]
    pub accelerated: i64,
    /// Number of installments.
    #[schema(example = 3)]
    pub count: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesSchedule {
    pub data: Vec<ReceivablesDay>,
}

/// A receivable unit: the amount that one acquirer owes to one holder on one due date for one card brand and payment
/// type. Amounts are net, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesUnit {
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    /// The company that holds the unit.
    pub holder: ReceivablesHolder,
    /// The number of the acquirer.
    #[schema(example = 3)]
    pub acquirer: u8,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    pub payment_type: PaymentType,
    /// Sum of all installments of the unit.
    #[schema(example = 28_803)]
    pub expected: i64,
    /// The part that the settlement paid, on its due date or later.
    #[schema(example = 0)]
    pub settled: i64,
    /// The part that was paid because its sale was reversed.
    #[schema(example = 0)]
    pub accelerated: i64,
    /// Number of installments.
    #[schema(example = 3)]
    pub installments: u64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReceivablesHolder {
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivablesUnitPage {
    pub data: Vec<ReceivablesUnit>,
    pub meta: PageMeta,
}

/// An installment that is due on the requested date. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct DueInstallment {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub sale_id: String,
    /// Number of the installment, from 1.
    #[schema(example = 1)]
    pub number: u8,
    /// Number of installments of the sale.
    #[schema(example = 3)]
    pub installments: u8,
    /// The acquirer's number, 1 to 8.
    #[schema(example = 3)]
    pub provider: u8,
    pub payment_type: PaymentType,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_601)]
    pub net: i64,
    /// What refunds, disputes and chargebacks of a part of the sale took of the net, in cents.
    pub refunded: i64,
    pub status: ReceivableStatus,
    /// Business date of the payment; null while it is scheduled.
    #[schema(required = true)]
    pub paid_on: Option<NaiveDate>,
    /// UTC instant of the sale.
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

impl From<ScheduleDay> for ReceivablesDay {
    fn from(day: ScheduleDay) -> Self {
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
    pub fn of(unit: ReceivableUnit, holder: &ReceivablesHolder) -> Self {
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

impl From<ScheduledInstallment> for DueInstallment {
    fn from(part: ScheduledInstallment) -> Self {
        Self {
            sale_id: part.sale_id.to_string(),
            number: part.number,
            installments: part.installments,
            provider: part.provider.number(),
            payment_type: part.payment_type.into(),
            card_brand: part.card_brand.map(|brand| brand.as_str().to_owned()),
            gross: cents(part.gross),
            net: cents(part.net),
            refunded: cents(part.consumed),
            status: part.status.into(),
            paid_on: part.paid_on,
            sold_at: part.captured_at,
        }
    }
}
