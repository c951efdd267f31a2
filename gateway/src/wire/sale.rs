//! Sales on the wire: rows of a list, one sale in full, totals.

use chrono::{DateTime, NaiveDate, Utc};
use projections::sale::{ReceivableRow, ReceivableStatus as Settlement};
use serde::Serialize;
use utoipa::ToSchema;

use super::cents;
use super::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleRow {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub id: String,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    /// 1 to 8: ZOOP, IUGU, ZOOP_V2, VALORI, ENTREPAY, BARTE, CEOPAG, CEOPAG_P2.
    #[schema(example = 3)]
    pub provider: u8,
    #[schema(example = "ch_9f2c41")]
    pub external_id: String,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution: u8,
    pub payment_type: PaymentType,
    pub payment_method: PaymentMethod,
    pub status: SaleStatus,
    /// Gross, in cents.
    #[schema(example = 30_000)]
    pub amount: i64,
    /// What is left after fees; null until captured.
    #[schema(required = true, example = 28_803)]
    pub net_amount: Option<i64>,
    #[schema(required = true)]
    pub terminal: Option<SaleTerminal>,
    #[schema(required = true)]
    pub payment_link_code: Option<String>,
    /// When the sale counts: its capture, else its creation. Lists and periods go by it.
    #[schema(example = "2026-11-21T14:03:11Z")]
    pub occurred_at: DateTime<Utc>,
    #[schema(example = "2026-11-21T14:03:09Z")]
    pub created_at: DateTime<Utc>,
    #[schema(required = true, example = "2026-11-21T14:03:11Z")]
    pub captured_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentMethod {
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    #[schema(example = 3)]
    pub installments: u8,
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

/// A sale in full: its row, the fees that were taken, its schedule and its timeline.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleDetail {
    #[serde(flatten)]
    pub row: SaleRow,
    /// In cents, as the next three; 0 until captured.
    #[schema(example = 1_197)]
    pub plan_percentage_fee: i64,
    pub plan_flat_fee: i64,
    pub plan_percentage_rate: i64,
    pub plan_flat_rate: i64,
    #[schema(example = 1_197)]
    pub fees_total: i64,
    #[schema(required = true)]
    pub plan: Option<SalePlan>,
    #[schema(required = true, example = "A1B2C3")]
    pub authorization_code: Option<String>,
    #[schema(required = true)]
    pub failure_reason: Option<String>,
    /// Empty unless asked for with receivables=1.
    pub receivables: Vec<Receivable>,
    /// Oldest first.
    pub events: Vec<SaleEvent>,
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
pub struct Receivable {
    #[schema(example = 1)]
    pub number: u8,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_601)]
    pub net: i64,
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
    pub status: ReceivableStatus,
    #[schema(required = true)]
    pub settled_on: Option<NaiveDate>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceivableStatus {
    Scheduled,
    Settled,
    /// Paid before its due date.
    BroughtForward,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleEvent {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub id: String,
    /// SaleCreated, SaleCaptured, SaleFailed, SaleVoided or ReceivablesSettled.
    pub r#type: SaleEventType,
    pub label: SaleEventLabel,
    /// When it happened outside.
    pub occurred_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
    #[schema(required = true, example = 30_000)]
    pub amount: Option<i64>,
    /// Its place in the company's history.
    #[schema(example = 42)]
    pub sequence: i64,
}

/// `tt` and not `literal`: a literal reaches the schema's derive in a group that it does not look into.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)+
        }
    };
}

words!(SaleEventType {
    SaleCreated = "SaleCreated",
    SaleCaptured = "SaleCaptured",
    SaleFailed = "SaleFailed",
    SaleVoided = "SaleVoided",
    ReceivablesSettled = "ReceivablesSettled",
});

words!(
    /// The word of a timeline.
    SaleEventLabel {
        Created = "created",
        Authorization = "authorization",
        Paid = "paid",
        Reversal = "reversal",
        Disputed = "disputed",
        Failed = "failed",
        Canceled = "canceled",
        Settled = "settled",
    }
);

words!(SaleStatus {
    New = "new",
    Created = "created",
    Pending = "pending",
    Succeeded = "succeeded",
    Failed = "failed",
    Canceled = "canceled",
    Refunded = "refunded",
    Reversed = "reversed",
    Dispute = "dispute",
    ChargedBack = "charged_back",
});

words!(PaymentType {
    Credit = "credit",
    Debit = "debit",
    Boleto = "boleto",
    Pix = "pix",
});

#[derive(Debug, Serialize, ToSchema)]
pub struct SalePage {
    pub data: Vec<SaleRow>,
    pub meta: PageMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleTotals {
    #[schema(example = 12)]
    pub count: u64,
    #[schema(example = 360_000)]
    pub gross: i64,
    #[schema(example = 14_364)]
    pub fees: i64,
    #[schema(example = 345_636)]
    pub net: i64,
}

impl From<projections::sale::SaleRow> for SaleRow {
    fn from(sale: projections::sale::SaleRow) -> Self {
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
            terminal: sale.terminal.map(|terminal| SaleTerminal {
                id: terminal.id.to_string(),
                serial_number: terminal.serial_number,
            }),
            payment_link_code: sale.payment_link_code,
            occurred_at: sale.occurred_at,
            created_at: sale.created_at,
            captured_at: sale.captured_at,
        }
    }
}

impl SaleDetail {
    /// The schedule only where it was asked for.
    pub fn of(sale: projections::sale::SaleDetail, with_receivables: bool) -> Self {
        let by_card = sale.row.payment_type.is_card();
        let events = sale
            .events
            .into_iter()
            .filter_map(|event| SaleEvent::of(event, by_card))
            .collect();
        let receivables = if with_receivables {
            sale.receivables
        } else {
            vec![]
        };
        let fees = &sale.row.fees;
        Self {
            plan_percentage_fee: cents(fees.percentage_fee),
            plan_flat_fee: cents(fees.flat_fee),
            plan_percentage_rate: cents(fees.percentage_rate),
            plan_flat_rate: cents(fees.flat_rate),
            fees_total: cents(fees.total()),
            plan: sale.row.plan.as_ref().map(|plan| SalePlan {
                id: plan.id.to_string(),
                name: plan.name.clone(),
                version: plan.version,
            }),
            authorization_code: sale.row.authorization_code.clone(),
            failure_reason: sale.row.failure_reason.clone(),
            receivables: receivables.into_iter().map(Receivable::from).collect(),
            events,
            row: sale.row.into(),
        }
    }
}

impl From<ReceivableRow> for Receivable {
    fn from(row: ReceivableRow) -> Self {
        Self {
            number: row.number,
            gross: cents(row.gross),
            net: cents(row.net),
            due_date: row.due_date,
            status: match row.status {
                Settlement::Scheduled => ReceivableStatus::Scheduled,
                Settlement::Settled => ReceivableStatus::Settled,
            },
            settled_on: row.settled_on,
        }
    }
}

impl SaleEvent {
    /// A card is authorised; a boleto or a PIX is paid by its buyer.
    fn of(event: projections::sale::SaleEvent, by_card: bool) -> Option<Self> {
        let (r#type, label) = match event.event_type {
            "SaleCreated" => (SaleEventType::SaleCreated, SaleEventLabel::Created),
            "SaleCaptured" if by_card => (SaleEventType::SaleCaptured, SaleEventLabel::Authorization),
            "SaleCaptured" => (SaleEventType::SaleCaptured, SaleEventLabel::Paid),
            "SaleFailed" => (SaleEventType::SaleFailed, SaleEventLabel::Failed),
            "SaleVoided" => (SaleEventType::SaleVoided, SaleEventLabel::Canceled),
            "ReceivablesSettled" => (SaleEventType::ReceivablesSettled, SaleEventLabel::Settled),
            // A kind that this document has no word for yet can't be shown; the ledger's own tests name them all.
            _ => return None,
        };
        Some(Self {
            id: event.id.to_string(),
            r#type,
            label,
            occurred_at: event.occurred_at,
            recorded_at: event.recorded_at,
            amount: event.amount.map(cents),
            sequence: event.sequence,
        })
    }
}

impl From<projections::sale::SaleTotals> for SaleTotals {
    fn from(totals: projections::sale::SaleTotals) -> Self {
        Self {
            count: totals.count,
            gross: cents(totals.gross),
            fees: cents(totals.fees),
            net: cents(totals.net),
        }
    }
}

impl From<ledger_domain::sale::SaleStatus> for SaleStatus {
    fn from(status: ledger_domain::sale::SaleStatus) -> Self {
        use ledger_domain::sale::SaleStatus as Of;
        match status {
            Of::New => Self::New,
            Of::Created => Self::Created,
            Of::Pending => Self::Pending,
            Of::Succeeded => Self::Succeeded,
            Of::Failed => Self::Failed,
            Of::Canceled => Self::Canceled,
            Of::Refunded => Self::Refunded,
            Of::Reversed => Self::Reversed,
            Of::Dispute => Self::Dispute,
            Of::ChargedBack => Self::ChargedBack,
        }
    }
}

impl From<ledger_domain::sale::PaymentType> for PaymentType {
    fn from(payment_type: ledger_domain::sale::PaymentType) -> Self {
        use ledger_domain::sale::PaymentType as Of;
        match payment_type {
            Of::Credit => Self::Credit,
            Of::Debit => Self::Debit,
            Of::Boleto => Self::Boleto,
            Of::Pix => Self::Pix,
        }
    }
}
