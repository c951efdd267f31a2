//! What may be asked, and told, of a captured sale's money going back, and of a terminal's rental.
//!
//! A person asks and may be refused; an acquirer tells a fact, which is recorded even where the balance goes below
//! zero.

use crate::calendar::{Date, Instant};
use crate::sale::{DisputeId, Initiator, SaleTerminal};
use crate::{Cents, SaleId, TransferId};

/// Given up before payment: by us, as a charge that expired, or told by an acquirer. What an acquirer tells for a
/// moment after the payment cancels it.
#[derive(Debug, Clone)]
pub struct VoidSale {
    pub sale_id: SaleId,
    pub initiator: Initiator,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Asked for by a person, in either panel.
#[derive(Debug, Clone)]
pub struct CancelSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Told by the acquirer: the buyer got the money back.
#[derive(Debug, Clone)]
pub struct RefundSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Told by the acquirer: it undid the sale.
#[derive(Debug, Clone)]
pub struct ReverseSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Asked for by a person. The id is ours: the acquirer's may follow.
#[derive(Debug, Clone)]
pub struct DisputeSale {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Told by the acquirer.
#[derive(Debug, Clone)]
pub struct OpenDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Told by the acquirer: the sale stands.
#[derive(Debug, Clone)]
pub struct WinDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
}

/// Told by the acquirer: the buyer was right.
#[derive(Debug, Clone)]
pub struct LoseDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// One terminal's rental of one month. Whoever charges derives the id from both, so that none is charged twice.
#[derive(Debug, Clone)]
pub struct ChargeTerminalRental {
    pub transfer_id: TransferId,
    pub terminal: SaleTerminal,
    pub due_date: Date,
    pub amount: Cents,
    pub occurred_at: Instant,
}

#[derive(Debug, Clone)]
pub struct CancelTerminalRental {
    pub transfer_id: TransferId,
    pub reason: Option<String>,
    pub occurred_at: Instant,
}
