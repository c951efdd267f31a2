//! A provider's notice in our types. `notices` decides its effect.

use gateway_acquirers::names::UnreadableName;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, DisputeId, PaymentNames, PaymentType, RefundReference, Solution};
use ledger_domain::transfer::PayoutNames;
use ledger_domain::{BusinessId, Cents, PayoutId, SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The provider's id of this notice.
    pub id: String,
    /// The type as the provider writes it.
    pub type_name: String,
    pub occurred_at: Instant,
    pub business_id: Option<BusinessId>,
    pub terminal_serial: Option<String>,
    pub reference: SaleReference,
    /// The amount in a reversal or dispute, if given. It must be the sale's amount, because only whole sales are
    /// reversed.
    pub amount: Option<Cents>,
    pub content: NoticeContent,
    /// The names that the notice has in another form than the ledger's. The notice is recorded without them, and staff
    /// see them.
    pub unreadable_names: Vec<UnreadableName>,
}

/// The ids by which the notice names its sale. If it has both, our id finds the sale. The notice waits as an exception
/// if the provider's id is not the one recorded with that sale.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaleReference {
    pub sale_id: Option<SaleId>,
    pub external_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeContent {
    Sale(SaleReport),
    Payout(PayoutReport),
    UnknownType,
}

/// A report about a sale. Each `reason` is the provider's text, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaleReport {
    Created(ReportedSale),
    Captured(ReportedSale),
    Failed {
        sale: ReportedSale,
        reason: Option<String>,
    },
    /// Voided before the capture, when nothing was paid, or canceled after it, when the buyer gets the money back.
    Canceled {
        names: PaymentNames,
        reason: Option<String>,
    },
    Refunded {
        /// The provider's id for the refund, if it has one.
        refund: Option<RefundReference>,
        names: PaymentNames,
        reason: Option<String>,
    },
    Reversed {
        names: PaymentNames,
        reason: Option<String>,
    },
    DisputeOpened {
        dispute_id: DisputeId,
        reason: Option<String>,
    },
    DisputeWon {
        dispute_id: DisputeId,
    },
    DisputeLost {
        dispute_id: DisputeId,
        reason: Option<String>,
    },
}

impl SaleReport {
    /// Whether it is about an earlier sale and does not repeat the sale's facts.
    pub const fn concerns_known_sale(&self) -> bool {
        match self {
            Self::Created(_) | Self::Captured(_) | Self::Failed { .. } => false,
            Self::Canceled { .. }
            | Self::Refunded { .. }
            | Self::Reversed { .. }
            | Self::DisputeOpened { .. }
            | Self::DisputeWon { .. }
            | Self::DisputeLost { .. } => true,
        }
    }

    /// Whether the acquirer reports that it refunded or reversed the sale. Cancels and lost disputes do not count.
    pub const fn is_refunded_or_reversed(&self) -> bool {
        match self {
            Self::Refunded { .. } | Self::Reversed { .. } => true,
            Self::Created(_)
            | Self::Captured(_)
            | Self::Failed { .. }
            | Self::Canceled { .. }
            | Self::DisputeOpened { .. }
            | Self::DisputeWon { .. }
            | Self::DisputeLost { .. } => false,
        }
    }
}

/// The result of one payout of a withdrawal. The platform made both ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutReport {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub end: ReportedPayoutEnd,
    /// Of the payment, or of its return.
    pub names: PayoutNames,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedPayoutEnd {
    Paid,
    Failed {
        reason: Option<String>,
    },
    /// It was paid, and the money came back.
    Returned {
        reason: Option<String>,
    },
}

/// The facts of a sale, as far as the provider knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedSale {
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub card_brand: Option<CardBrand>,
    pub installments: u8,
    pub amount: Cents,
    pub payment_link_code: Option<String>,
    pub card_last_four: Option<String>,
    pub authorization_code: Option<String>,
    pub names: PaymentNames,
}
