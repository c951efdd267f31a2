//! One sale in full: its row, its fees, its schedule, its dispute and its refunds. Its events are in `timeline`.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::effects::refunds;
use ledger_domain::business;
use projections::sales::{self, DisputeRow, ReceivableRow};
use serde::Serialize;
use utoipa::ToSchema;

use super::authors::SaleAuthors;
use super::fees::FeeCharge;
use super::list::{SaleBusiness, SaleRow};
use super::names::PaymentNames;
use super::timeline::{Initiator, SaleEvent};
use crate::shared::author::{Author, Authors};
use crate::shared::cents;
use crate::shared::schemas::Word;

pub type ReceivableStatus = Word<sales::ReceivableStatus>;
pub type DisputeStage = Word<business::DisputeStage>;
pub type RefundStatus = Word<refunds::RefundStatus>;

/// A sale in full.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleDetail {
    #[serde(flatten)]
    pub row: SaleRow,
    /// The plan's percentage of the gross, by payment type, brand and installments, with the cost of advance. In cents;
    /// 0 until the capture.
    #[schema(example = 1_197)]
    pub plan_percentage_fee: i64,
    /// The fixed fee of a boleto or of a PIX. In cents; 0 until the capture.
    pub plan_flat_fee: i64,
    /// The plan's percentage of the amount that the two fees above leave. In cents; 0 until the capture.
    pub plan_percentage_rate: i64,
    /// The plan's fixed amount for each sale. In cents; 0 until the capture.
    pub plan_flat_rate: i64,
    /// Sum of the four fees, in cents.
    #[schema(example = 1_197)]
    pub fees_total: i64,
    /// The lines that sum to `fees_total`, in the order of deduction. MDR and cost of advance are separate lines; fees
    /// of zero are left out. Null until the capture, and if the plan's version does not lead to the stored fees.
    #[schema(required = true)]
    pub fee_lines: Option<Vec<FeeCharge>>,
    /// The version of the plan that priced the sale. Null until the capture.
    #[schema(required = true)]
    pub plan: Option<SalePlan>,
    #[schema(required = true, example = "A1B2C3")]
    pub authorization_code: Option<String>,
    pub names: PaymentNames,
    #[schema(required = true)]
    pub failure_reason: Option<String>,
    /// The latest dispute.
    #[schema(required = true)]
    pub dispute: Option<SaleDispute>,
    /// The refunds that the platform requested from the acquirer, of a cancel or of parts whose initiator is platform.
    /// Oldest first.
    pub refunds: Vec<SaleRefund>,
    /// The schedule of installments. Empty unless the request has `receivables=1`.
    pub receivables: Vec<Receivable>,
    /// The timeline, oldest first.
    pub events: Vec<SaleEvent>,
}

/// The same as SaleDetail, with the sale's company.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminSaleDetail {
    #[serde(flatten)]
    pub sale: SaleDetail,
    pub business: SaleSeller,
    /// Who named the card's brand, for a card that the platform charged: buyer (only the buyer's browser: the acquirer
    /// has not told it yet), token (the acquirer, before the charge), charge (with it) or file (a settlement file).
    #[schema(required = true, example = "token")]
    pub card_brand_source: Option<String>,
}

/// The company of a sale, as its receipt names it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleSeller {
    #[serde(flatten)]
    pub named: SaleBusiness,
    /// CPF or CNPJ, without punctuation. Null if the company's record does not exist.
    #[schema(required = true, example = "11222333000181")]
    pub document: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SalePlan {
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub id: String,
    #[schema(example = "Maquininha padrão")]
    pub name: String,
    #[schema(example = 2)]
    pub version: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleDispute {
    /// The acquirer's id of the dispute. The platform's id if a user opened it and the acquirer has not reported it.
    #[schema(example = "dp_71a3")]
    pub id: String,
    pub initiator: Initiator,
    pub author: Author,
    /// UTC instant.
    pub opened_at: DateTime<Utc>,
    pub stage: DisputeStage,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleRefund {
    /// The platform's id of the refund. Null for a cancel of the whole sale.
    #[schema(required = true, example = json!(null))]
    pub id: Option<String>,
    /// What the buyer gets, in cents.
    #[schema(example = 30_000)]
    pub amount: i64,
    pub status: RefundStatus,
    /// The author of the cancel or of the part that caused the refund.
    pub author: Author,
    /// Number of tries. In a try, the platform looks up the state of the refund, requests the refund, or does both.
    #[schema(example = 1)]
    pub tries: i64,
    /// The acquirer's text, if it refused.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// UTC instant.
    pub updated_at: DateTime<Utc>,
}

/// An installment of the sale. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct Receivable {
    /// Number of the installment, from 1.
    #[schema(example = 1)]
    pub number: u8,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_601)]
    pub net: i64,
    /// What refunds, disputes and chargebacks of a part of the sale took of the net, in cents.
    pub refunded: i64,
    /// Business date in Brasília.
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    pub status: ReceivableStatus,
    /// The business date of the settlement or the reversal that paid it. Null while it is scheduled.
    #[schema(required = true)]
    pub paid_on: Option<NaiveDate>,
}

impl SaleDetail {
    /// Includes the schedule only if `with_receivables` is true.
    pub fn of(
        sale: projections::sales::SaleDetail,
        refunds: Vec<refunds::RefundState>,
        fee_lines: Option<Vec<FeeCharge>>,
        with_receivables: bool,
        authors: &Authors,
    ) -> Self {
        let by_card = sale.row.payment_type.is_card();
        let authors = SaleAuthors::of(&sale, authors);
        let events: Vec<_> = sale
            .events
            .into_iter()
            .zip(&authors.of_events)
            .filter_map(|(event, author)| SaleEvent::of(event, author.clone(), by_card))
            .collect();
        let receivables = if with_receivables {
            sale.receivables
        } else {
            vec![]
        };
        let refunds = refunds.into_iter().map(|refund| SaleRefund {
            author: authors.of_refund(refund.reference.as_deref()),
            status: refund.status.into(),
            id: refund.reference,
            amount: cents(refund.amount),
            tries: refund.tries,
            reason: refund.reason,
            updated_at: refund.updated_at,
        });
        let refunds = refunds.collect();
        let fees = &sale.row.fees;
        Self {
            plan_percentage_fee: cents(fees.percentage_fee),
            plan_flat_fee: cents(fees.flat_fee),
            plan_percentage_rate: cents(fees.percentage_rate),
            plan_flat_rate: cents(fees.flat_rate),
            fees_total: cents(fees.total()),
            fee_lines,
            plan: sale.row.plan.as_ref().map(SalePlan::from),
            authorization_code: sale.row.authorization_code.clone(),
            names: PaymentNames::from(&sale.row.names),
            failure_reason: sale.row.failure_reason.clone(),
            dispute: sale
                .dispute
                .map(|dispute| SaleDispute::of(dispute, authors.of_dispute)),
            refunds,
            receivables: receivables.into_iter().map(Receivable::from).collect(),
            events,
            row: sale.row.into(),
        }
    }
}

impl From<&ledger_domain::fees::PlanRef> for SalePlan {
    fn from(plan: &ledger_domain::fees::PlanRef) -> Self {
        Self {
            id: plan.id.to_string(),
            name: plan.name.clone(),
            version: plan.version,
        }
    }
}

impl SaleDispute {
    fn of(dispute: DisputeRow, author: Author) -> Self {
        Self {
            id: dispute.id.to_string(),
            initiator: dispute.initiator.into(),
            author,
            opened_at: dispute.opened_at,
            stage: dispute.stage.into(),
        }
    }
}

impl From<ReceivableRow> for Receivable {
    fn from(row: ReceivableRow) -> Self {
        Self {
            number: row.number,
            gross: cents(row.gross),
            net: cents(row.net),
            refunded: cents(row.consumed),
            due_date: row.due_date,
            status: row.status.into(),
            paid_on: row.paid_on,
        }
    }
}
