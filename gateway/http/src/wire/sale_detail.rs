//! One sale on the wire, in full: its row, the fees that were taken, its schedule, its timeline, and what became of a
//! dispute.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::effects::refunds;
use ledger_domain::sale::Cancellation;
use projections::sale::{DisputeRow, ReceivableRow, ReceivableStatus as Settlement};
use serde::Serialize;
use utoipa::ToSchema;

use super::author::{Author, Authors};
use super::cents;
use super::explanation::FeeCharge;
use super::sale::{SaleBusiness, SaleRow, words};
use super::sale_authors::SaleAuthors;

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
    /// What makes up fees_total, in the order in which it is taken: MDR and cost of advance apart, and no fee that charges
    /// nothing. Null until captured.
    #[schema(required = true)]
    pub fee_lines: Option<Vec<FeeCharge>>,
    #[schema(required = true)]
    pub plan: Option<SalePlan>,
    #[schema(required = true, example = "A1B2C3")]
    pub authorization_code: Option<String>,
    #[schema(required = true)]
    pub failure_reason: Option<String>,
    /// The latest one.
    #[schema(required = true)]
    pub dispute: Option<SaleDispute>,
    /// What became of the refund that was asked of the acquirer after a cancel from a panel.
    #[schema(required = true)]
    pub refund: Option<SaleRefund>,
    /// Empty unless asked for with receivables=1.
    pub receivables: Vec<Receivable>,
    /// Oldest first.
    pub events: Vec<SaleEvent>,
}

/// As SaleDetail, and whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminSaleDetail {
    #[serde(flatten)]
    pub sale: SaleDetail,
    pub business: SaleBusiness,
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
    /// The acquirer's, or ours for one that a person opened.
    #[schema(example = "dp_71a3")]
    pub id: String,
    pub initiator: Initiator,
    pub author: Author,
    pub opened_at: DateTime<Utc>,
    pub stage: DisputeStage,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleRefund {
    pub status: RefundStatus,
    /// Who canceled the sale, which is what the refund follows from.
    pub author: Author,
    /// How often the acquirer was turned to: to ask, and to look up what became of it.
    #[schema(example = 1)]
    pub tries: i64,
    /// The acquirer's own words, where it refused.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    pub updated_at: DateTime<Utc>,
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
    /// When it became available, on its due date or because the sale was undone before.
    #[schema(required = true)]
    pub settled_on: Option<NaiveDate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceivableStatus {
    Scheduled,
    Settled,
    /// Paid before its due date, because the sale was undone.
    Accelerated,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleEvent {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub id: String,
    pub r#type: SaleEventType,
    pub label: SaleEventLabel,
    /// When it happened outside.
    pub occurred_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
    #[schema(required = true, example = 30_000)]
    pub amount: Option<i64>,
    /// Who began it, where it could be either.
    #[schema(required = true)]
    pub initiator: Option<Initiator>,
    pub author: Author,
    #[schema(required = true, example = json!(null))]
    pub dispute_id: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// Its place in the company's history.
    #[schema(example = 42)]
    pub sequence: i64,
}

words!(
    /// The event as the ledger names it.
    SaleEventType {
        SaleCreated = "SaleCreated",
        SaleCaptured = "SaleCaptured",
        SaleFailed = "SaleFailed",
        SaleVoided = "SaleVoided",
        SaleCanceled = "SaleCanceled",
        SaleDisputed = "SaleDisputed",
        DisputeConfirmed = "DisputeConfirmed",
        DisputeWon = "DisputeWon",
        SaleChargedBack = "SaleChargedBack",
        ReceivablesSettled = "ReceivablesSettled",
    }
);

words!(
    /// The word of a timeline.
    SaleEventLabel {
        Created = "created",
        Authorization = "authorization",
        Paid = "paid",
        Reversal = "reversal",
        Disputed = "disputed",
        DisputeWon = "dispute_won",
        ChargedBack = "charged_back",
        Failed = "failed",
        Canceled = "canceled",
        Settled = "settled",
    }
);

words!(
    /// Who acted first: a person in a panel, or the acquirer.
    Initiator {
        Platform = "platform",
        Acquirer = "acquirer",
    }
);

words!(
    /// Closed: ended by something else, such as a refund.
    DisputeStage {
        Open = "open",
        Won = "won",
        Lost = "lost",
        Closed = "closed",
    }
);

words!(
    /// Refused: finally, and staff know of it.
    RefundStatus {
        Asked = "asked",
        Done = "done",
        Refused = "refused",
    }
);

impl SaleDetail {
    /// The schedule only where it was asked for.
    pub fn of(
        sale: projections::sale::SaleDetail,
        refund: Option<refunds::RefundState>,
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
            failure_reason: sale.row.failure_reason.clone(),
            dispute: sale
                .dispute
                .map(|dispute| SaleDispute::of(dispute, authors.of_dispute)),
            refund: refund.map(|refund| SaleRefund::of(refund, authors.of_refund)),
            receivables: receivables.into_iter().map(Receivable::from).collect(),
            events,
            row: sale.row.into(),
        }
    }
}

impl SaleEvent {
    /// A card is authorised; a boleto or a PIX is paid by its buyer.
    fn of(event: projections::sale::SaleEvent, author: Author, by_card: bool) -> Option<Self> {
        use {SaleEventLabel as Label, SaleEventType as Type};
        let (r#type, label) = match event.event_type {
            "SaleCreated" => (Type::SaleCreated, Label::Created),
            "SaleCaptured" if by_card => (Type::SaleCaptured, Label::Authorization),
            "SaleCaptured" => (Type::SaleCaptured, Label::Paid),
            "SaleFailed" => (Type::SaleFailed, Label::Failed),
            "SaleVoided" => (Type::SaleVoided, Label::Canceled),
            "SaleCanceled" => match event.outcome {
                Some(Cancellation::Refunded | Cancellation::Reversed) => {
                    (Type::SaleCanceled, Label::Reversal)
                }
                Some(Cancellation::Canceled) | None => (Type::SaleCanceled, Label::Canceled),
            },
            "SaleDisputed" => (Type::SaleDisputed, Label::Disputed),
            "DisputeConfirmed" => (Type::DisputeConfirmed, Label::Disputed),
            "DisputeWon" => (Type::DisputeWon, Label::DisputeWon),
            "SaleChargedBack" => (Type::SaleChargedBack, Label::ChargedBack),
            "ReceivablesSettled" => (Type::ReceivablesSettled, Label::Settled),
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
            initiator: event.initiator.map(Initiator::from),
            author,
            dispute_id: event.dispute_id.map(|id| id.to_string()),
            reason: event.reason,
            sequence: event.sequence,
        })
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

impl SaleRefund {
    fn of(refund: refunds::RefundState, author: Author) -> Self {
        Self {
            author,
            status: match refund.status {
                refunds::RefundStatus::Asked => RefundStatus::Asked,
                refunds::RefundStatus::Done => RefundStatus::Done,
                refunds::RefundStatus::Refused => RefundStatus::Refused,
            },
            tries: refund.tries,
            reason: refund.reason,
            updated_at: refund.updated_at,
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
            status: row.status.into(),
            settled_on: row.settled_on,
        }
    }
}

impl From<Settlement> for ReceivableStatus {
    fn from(status: Settlement) -> Self {
        match status {
            Settlement::Scheduled => Self::Scheduled,
            Settlement::Settled => Self::Settled,
            Settlement::Accelerated => Self::Accelerated,
        }
    }
}

impl From<ledger_domain::sale::Initiator> for Initiator {
    fn from(initiator: ledger_domain::sale::Initiator) -> Self {
        match initiator {
            ledger_domain::sale::Initiator::Platform => Self::Platform,
            ledger_domain::sale::Initiator::Acquirer => Self::Acquirer,
        }
    }
}

impl From<ledger_domain::business::DisputeStage> for DisputeStage {
    fn from(stage: ledger_domain::business::DisputeStage) -> Self {
        use ledger_domain::business::DisputeStage as Of;
        match stage {
            Of::Open => Self::Open,
            Of::Won => Self::Won,
            Of::Lost => Self::Lost,
            Of::Closed => Self::Closed,
        }
    }
}
