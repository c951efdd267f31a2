//! Sales as rows of lists, and their totals. The full sale is in `detail`.

use chrono::{DateTime, Utc};
use gateway_platform::companies::NamedCompany;
use ledger_domain::sale;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::page::PageMeta;
use crate::shared::schemas::Word;

pub type SaleStatus = Word<sale::SaleStatus>;
pub type PaymentType = Word<sale::PaymentType>;

/// A sale in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleRow {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub id: String,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    /// The number of the acquirer.
    #[schema(example = 3)]
    pub provider: u8,
    /// The id by which the acquirer's notices name the sale. The sale's own id if the platform charged it.
    #[schema(example = "ch_9f2c41")]
    pub external_id: String,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution: u8,
    pub payment_type: PaymentType,
    pub payment_method: PaymentMethod,
    pub status: SaleStatus,
    /// The gross, in cents.
    #[schema(example = 30_000)]
    pub amount: i64,
    /// The gross minus the fees, in cents. Null until the capture.
    #[schema(required = true, example = 28_803)]
    pub net_amount: Option<i64>,
    /// What the buyer got back in parts, in cents. The end of the sale is no part: of a canceled sale that had none it
    /// is 0.
    pub refunded: i64,
    /// The seller's share of `refunded`, in cents. The platform's fees paid the rest.
    pub refunded_net: i64,
    /// What was charged back in parts, in cents.
    pub charged_back: i64,
    /// What an open dispute blocks, in cents; 0 without one.
    pub disputed: i64,
    /// The card machine of the sale, if there is one.
    #[schema(required = true)]
    pub terminal: Option<SaleTerminal>,
    #[schema(required = true)]
    pub payment_link_code: Option<String>,
    /// UTC instant of the capture, else of the creation. Lists are ordered and filtered by it, except with
    /// `by=reversed` and `by=settled`.
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub occurred_at: DateTime<Utc>,
    /// UTC instant.
    #[schema(example = "2026-11-21T14:03:09Z")]
    pub created_at: DateTime<Utc>,
    /// UTC instant. Null until the capture.
    #[schema(required = true, example = "2026-11-21T14:03:11Z")]
    pub captured_at: Option<DateTime<Utc>>,
    /// The part of the sale that the row is about. Present with `by=reversed` and `by=settled` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<CountedPart>,
}

/// The part of a sale that a figure of a report counts: a reversal, or the settlement of an installment.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountedPart {
    /// UTC instant of the reversal or of the settlement. Lists are ordered and filtered by it.
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub occurred_at: DateTime<Utc>,
    /// The sale's status after the event (succeeded after a dispute won); null for a settlement.
    #[schema(required = true)]
    pub status: Option<SaleStatus>,
    /// The number of the settled installment, from 1; null for a reversal.
    #[schema(required = true, example = 1)]
    pub installment: Option<u8>,
    /// In cents.
    #[schema(example = 10_000)]
    pub gross: i64,
    /// In cents. For a dispute, a won dispute and a chargeback it is the gross.
    #[schema(example = 9_601)]
    pub net: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentMethod {
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    /// Number of installments.
    #[schema(example = 3)]
    pub installments: u8,
    /// The last four digits of the card.
    #[schema(required = true, example = "4242")]
    pub card_last_four: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleTerminal {
    #[schema(example = "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05")]
    pub id: String,
    #[schema(example = "SN-0001")]
    pub serial_number: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SalePage {
    pub data: Vec<SaleRow>,
    pub meta: PageMeta,
}

/// A sale with its company, for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminSaleRow {
    #[serde(flatten)]
    pub sale: SaleRow,
    pub business: SaleBusiness,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminSalePage {
    pub data: Vec<AdminSaleRow>,
    pub meta: PageMeta,
}

/// Totals of sales. Amounts are in cents. A sale that was never captured has no fees and no net.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleTotals {
    /// Number of sales. With `by=reversed` or `by=settled`, number of reversals or settled installments.
    #[schema(example = 12)]
    pub count: u64,
    #[schema(example = 360_000)]
    pub gross: i64,
    #[schema(example = 14_364)]
    pub fees: i64,
    #[schema(example = 345_636)]
    pub net: i64,
}

impl From<projections::sales::SaleRow> for SaleRow {
    fn from(sale: projections::sales::SaleRow) -> Self {
        let disputed = cents(sale.disputed());
        Self {
            id: sale.sale_id.to_string(),
            business_id: sale.business_id.to_string(),
            provider: sale.provider.number(),
            external_id: sale.external_id,
            solution: sale.solution.number(),
            payment_type: sale.payment_type.into(),
            payment_method: PaymentMethod {
                card_brand: sale.card_brand.map(|brand| brand.as_str().to_owned()),
                installments: sale.installments,
                card_last_four: sale.card_last_four,
            },
            status: sale.status.into(),
            amount: cents(sale.amount),
            net_amount: sale.net.map(cents),
            refunded: cents(sale.parts.refunded),
            refunded_net: cents(sale.parts.refunded_net),
            disputed,
            charged_back: cents(sale.parts.charged_back),
            terminal: sale.terminal.map(|terminal| SaleTerminal {
                id: terminal.id.to_string(),
                serial_number: terminal.serial_number,
            }),
            payment_link_code: sale.payment_link_code,
            occurred_at: sale.occurred_at,
            created_at: sale.created_at,
            captured_at: sale.captured_at,
            counted: None,
        }
    }
}

impl From<projections::sales::ListedSale> for SaleRow {
    fn from(listed: projections::sales::ListedSale) -> Self {
        Self {
            counted: listed.counted.map(|counted| CountedPart {
                occurred_at: counted.at,
                status: counted.status.map(Into::into),
                installment: counted.installment,
                gross: cents(counted.gross),
                net: cents(counted.net),
            }),
            ..listed.sale.into()
        }
    }
}

impl AsRef<Self> for SaleRow {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<SaleRow> for AdminSaleRow {
    fn as_ref(&self) -> &SaleRow {
        &self.sale
    }
}

impl SaleBusiness {
    /// A company without a record has an empty name.
    pub fn of(id: ledger_domain::BusinessId, company: Option<&NamedCompany>) -> Self {
        Self {
            id: id.to_string(),
            name: company.map_or_else(String::new, |company| company.name.clone()),
        }
    }
}

impl From<projections::daily_sales::SaleTotals> for SaleTotals {
    fn from(totals: projections::daily_sales::SaleTotals) -> Self {
        Self {
            count: totals.count,
            gross: cents(totals.gross),
            fees: cents(totals.fees),
            net: cents(totals.net),
        }
    }
}
