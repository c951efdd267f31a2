//! The credits that a transfer consists of.

use chrono::{DateTime, NaiveDate, Utc};
use projections::balance::statement::composition::{AmountPart, CompositionDay, CreditInstallment};
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::statement::BalanceMovement;
use crate::sales::bodies::list::PaymentType;
use crate::shared::cents;

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferComposition {
    /// The amount of the transfer without what was given back, in cents. Zero for a refused or failed withdrawal, and
    /// for a manual credit.
    #[schema(example = 250_000)]
    pub amount: i64,
    /// The credits, in the order in which they were recorded. Those of all pages add up to `amount`.
    pub data: Vec<TransferCredit>,
    pub meta: CompositionMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompositionMeta {
    /// The cursor of the next page. Absent after the last credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "19202")]
    pub next: Option<String>,
}

/// The part of a credit that went to the transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferCredit {
    /// In cents, at most the credit's own amount.
    #[schema(example = 9_601)]
    pub amount: i64,
    /// The credit. Null if no credit has covered this part yet: the balance was below zero.
    #[schema(required = true)]
    pub movement: Option<BalanceMovement>,
    /// How the installment of a sale became the credit. Null for other credits.
    #[schema(required = true)]
    pub installment: Option<CreditedInstallment>,
}

/// An installment that was credited: gross − fees − refunded − withheld is the credit's amount. Amounts are in cents. Of a
/// released reserve, gross is the credit's amount: the fees were deducted at the settlement.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditedInstallment {
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 399)]
    pub fees: i64,
    /// What refunds, disputes and chargebacks of a part took from the installment before it was paid.
    #[schema(example = 0)]
    pub refunded: i64,
    /// What was kept at the payment, such as a reserve.
    #[schema(example = 0)]
    pub withheld: i64,
    pub payment_type: PaymentType,
    /// The number of the sale's installments.
    #[schema(example = 3)]
    pub installments: u8,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    #[schema(required = true, example = "4242")]
    pub card_last_four: Option<String>,
    /// UTC instant of the sale.
    pub sold_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferDays {
    /// The amount of the transfer without what was given back, in cents.
    #[schema(example = 250_000)]
    pub amount: i64,
    /// In the order of the days.
    pub data: Vec<TransferDay>,
}

/// The credits of a day in a transfer: gross − fees − refunded − withheld = net. Amounts are in cents. Each credit counts
/// in full, also if only a part of it is in this transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferDay {
    /// The banking day in Brasília on which they came in. Null for the part that no credit has covered yet.
    #[schema(required = true, example = "2026-11-26")]
    pub day: Option<NaiveDate>,
    /// The sales of which an installment came in.
    #[schema(example = 47)]
    pub sales: i32,
    #[schema(example = 52)]
    pub installments: i32,
    /// The credits, with those that are no installments.
    #[schema(example = 52)]
    pub credits: i32,
    #[schema(example = 10_399)]
    pub gross: i64,
    #[schema(example = 399)]
    pub fees: i64,
    #[schema(example = 0)]
    pub refunded: i64,
    #[schema(example = 0)]
    pub withheld: i64,
    #[schema(example = 10_000)]
    pub net: i64,
    /// The part of the net that is in this transfer.
    #[schema(example = 10_000)]
    pub used: i64,
}

impl From<CompositionDay> for TransferDay {
    fn from(CompositionDay { day, sums }: CompositionDay) -> Self {
        Self {
            day,
            sales: sums.sales,
            installments: sums.installments,
            credits: sums.credits,
            gross: cents(sums.gross),
            fees: cents(sums.fees),
            refunded: cents(sums.refunded),
            withheld: cents(sums.withheld),
            net: cents(sums.net),
            used: cents(sums.used),
        }
    }
}

impl TransferCredit {
    pub fn of(part: AmountPart, installment: Option<CreditInstallment>) -> Self {
        Self {
            amount: cents(part.amount),
            movement: part.line.map(BalanceMovement::from),
            installment: installment.map(CreditedInstallment::from),
        }
    }
}

impl From<CreditInstallment> for CreditedInstallment {
    fn from(of: CreditInstallment) -> Self {
        Self {
            gross: cents(of.gross),
            fees: cents(of.fees),
            refunded: cents(of.refunded),
            withheld: cents(of.withheld),
            payment_type: of.payment_type.into(),
            installments: of.installments,
            card_brand: of.card_brand.as_ref().map(|brand| brand.as_str().to_owned()),
            card_last_four: of.card_last_four,
            sold_at: of.sold_at,
        }
    }
}
