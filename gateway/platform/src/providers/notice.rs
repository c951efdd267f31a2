//! What a provider says, in our words. Not what follows from it.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, DisputeId, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, PayoutId, SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The provider's id of this notice.
    pub id: String,
    /// As the provider spells it.
    pub type_name: String,
    pub occurred_at: Instant,
    pub business_id: Option<BusinessId>,
    pub terminal_serial: Option<String>,
    pub reference: SaleReference,
    /// Of what undoes a sale, where it names one: it must be the sale's own, because only whole sales are undone.
    pub amount: Option<Cents>,
    pub content: NoticeContent,
}

/// How the notice names its sale: by our id where we created it, else by the provider's.
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

/// What happened to a sale. Each `reason` is the provider's own words, where it has any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaleReport {
    Created(ReportedSale),
    Captured(ReportedSale),
    Failed {
        sale: ReportedSale,
        reason: Option<String>,
    },
    /// Given up: before the payment nothing was paid, after it the buyer gets the money back.
    Canceled {
        reason: Option<String>,
    },
    Refunded {
        reason: Option<String>,
    },
    Reversed {
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
    /// Whether it repeats none of the sale's facts, but speaks of one that was told of before.
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

    /// Whether it says that the buyer has the money back.
    pub const fn is_reversal(&self) -> bool {
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

/// How which attempt to pay which withdrawal ended; both ids are ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutReport {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub end: ReportedPayoutEnd,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedPayoutEnd {
    Paid,
    Failed { reason: Option<String> },
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
}
