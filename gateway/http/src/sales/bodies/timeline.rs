//! The timeline of a sale.

use chrono::{DateTime, Utc};
use ledger_domain::sale::{self, Cancellation};
use serde::Serialize;
use utoipa::ToSchema;

use super::names::PaymentNames;
use crate::shared::author::Author;
use crate::shared::cents;
use crate::shared::schemas::Word;

pub type SaleEventTypeWord = Word<SaleEventType>;
pub type SaleEventLabelWord = Word<SaleEventLabel>;
pub type Initiator = Word<sale::Initiator>;

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleEvent {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub id: String,
    pub r#type: SaleEventTypeWord,
    pub label: SaleEventLabelWord,
    /// UTC instant at which it happened outside the ledger.
    pub occurred_at: DateTime<Utc>,
    /// UTC instant at which the ledger recorded it.
    pub recorded_at: DateTime<Utc>,
    /// The sale's gross, in cents, or the part of it that was refunded, disputed or charged back. For a settlement, the
    /// net of this sale's installments that it settled; for a release of the reserve, what it released of this sale. Null
    /// for a void and for a confirmed dispute.
    #[schema(required = true, example = 30_000)]
    pub amount: Option<i64>,
    /// What of a settlement the reserve holds, in cents. Null for other events, and if it holds nothing.
    #[schema(required = true, example = json!(null))]
    pub reserved: Option<i64>,
    /// The party that started a cancel, a void or a stage of a dispute. Null for other events.
    #[schema(required = true)]
    pub initiator: Option<Initiator>,
    pub author: Author,
    /// The dispute of the stage, or the open dispute that a refund ended. Null for other events.
    #[schema(required = true, example = json!(null))]
    pub dispute_id: Option<String>,
    /// The id of a refund: the acquirer's, or the platform's until the acquirer tells one. Null for other events.
    #[schema(required = true, example = json!(null))]
    pub refund_id: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// The names of a refund, or those that a later report added to the payment. Null for other events, and without
    /// names.
    #[schema(required = true, example = json!(null))]
    pub names: Option<PaymentNames>,
    /// The event's number in the company's history, from 1.
    #[schema(example = 42)]
    pub sequence: i64,
}

ledger_domain::words! {
    /// The event's type in the ledger.
    pub enum SaleEventType {
        SaleCreated = "SaleCreated",
        SaleCaptured = "SaleCaptured",
        SaleFailed = "SaleFailed",
        SaleVoided = "SaleVoided",
        SaleNamed = "SaleNamed",
        SaleCanceled = "SaleCanceled",
        SalePartRefunded = "SalePartRefunded",
        RefundAnswered = "RefundAnswered",
        SaleDisputed = "SaleDisputed",
        DisputeConfirmed = "DisputeConfirmed",
        DisputeWon = "DisputeWon",
        SaleChargedBack = "SaleChargedBack",
        ReceivablesSettled = "ReceivablesSettled",
        ReserveReleased = "ReserveReleased",
    }
}

ledger_domain::words! {
    /// The label of the event in a timeline.
    pub enum SaleEventLabel {
        Created = "created",
        Authorization = "authorization",
        Paid = "paid",
        Reversal = "reversal",
        PartRefunded = "part_refunded",
        RefundAnswered = "refund_answered",
        Disputed = "disputed",
        DisputeWon = "dispute_won",
        ChargedBack = "charged_back",
        Failed = "failed",
        Canceled = "canceled",
        Named = "named",
        Settled = "settled",
        ReserveReleased = "reserve_released",
    }
}

impl SaleEvent {
    /// A captured card sale is labeled as an authorization, a boleto or a PIX as paid.
    pub fn of(event: projections::sales::SaleEventRow, author: Author, by_card: bool) -> Option<Self> {
        use {SaleEventLabel as Label, SaleEventType as Type};
        let (r#type, label) = match event.event_type {
            "SaleCreated" => (Type::SaleCreated, Label::Created),
            "SaleCaptured" if by_card => (Type::SaleCaptured, Label::Authorization),
            "SaleCaptured" => (Type::SaleCaptured, Label::Paid),
            "SaleFailed" => (Type::SaleFailed, Label::Failed),
            "SaleNamed" => (Type::SaleNamed, Label::Named),
            "SaleVoided" => (Type::SaleVoided, Label::Canceled),
            "SaleCanceled" => match event.outcome {
                Some(Cancellation::Refunded | Cancellation::Reversed) => {
                    (Type::SaleCanceled, Label::Reversal)
                }
                Some(Cancellation::Canceled) | None => (Type::SaleCanceled, Label::Canceled),
            },
            "SalePartRefunded" => (Type::SalePartRefunded, Label::PartRefunded),
            "RefundAnswered" => (Type::RefundAnswered, Label::RefundAnswered),
            "SaleDisputed" => (Type::SaleDisputed, Label::Disputed),
            "DisputeConfirmed" => (Type::DisputeConfirmed, Label::Disputed),
            "DisputeWon" => (Type::DisputeWon, Label::DisputeWon),
            "SaleChargedBack" => (Type::SaleChargedBack, Label::ChargedBack),
            "ReceivablesSettled" => (Type::ReceivablesSettled, Label::Settled),
            "ReserveReleased" => (Type::ReserveReleased, Label::ReserveReleased),
            // The timeline leaves out every other type.
            _ => return None,
        };
        Some(Self {
            id: event.id.to_string(),
            r#type: r#type.into(),
            label: label.into(),
            occurred_at: event.occurred_at,
            recorded_at: event.recorded_at,
            amount: event.amount.map(cents),
            reserved: event.reserved.map(cents),
            initiator: event.initiator.map(Word),
            author,
            dispute_id: event.dispute_id.map(|id| id.to_string()),
            refund_id: event.refund.map(|id| id.to_string()),
            reason: event.reason,
            names: Some(&event.names)
                .filter(|names| !names.is_empty())
                .map(PaymentNames::from),
            sequence: event.sequence,
        })
    }
}
