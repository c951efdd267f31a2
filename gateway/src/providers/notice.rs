//! What a provider says, in our words. Not what follows from it.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
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
    pub told: Told,
}

/// How the notice names its sale: by our id where we created it, else by the provider's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaleReference {
    pub sale_id: Option<SaleId>,
    pub external_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Created(ToldSale),
    Captured(ToldSale),
    Failed(ToldSale, Option<String>),
    Canceled(Option<String>),
    PayoutPaid(ToldPayout),
    PayoutFailed(ToldPayout, Option<String>),
    /// Refunds and disputes: understood, but the ledger has no rule for them yet.
    NotInLedgerYet,
    UnknownType,
}

/// Which attempt to pay which withdrawal; both ids are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldPayout {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
}

impl Told {
    /// Of a payout, where it tells of one and of no sale.
    pub const fn payout(&self) -> Option<ToldPayout> {
        match self {
            Self::PayoutPaid(payout) | Self::PayoutFailed(payout, _) => Some(*payout),
            Self::Created(_)
            | Self::Captured(_)
            | Self::Failed(..)
            | Self::Canceled(_)
            | Self::NotInLedgerYet
            | Self::UnknownType => None,
        }
    }
}

/// The facts of a sale, as far as the provider knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldSale {
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
