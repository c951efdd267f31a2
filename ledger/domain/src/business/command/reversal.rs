//! Commands about voids, reversals and terminal rentals.
//!
//! A user's cancel or dispute needs enough balance. An acquirer's notice is a fact: the balance may go below zero.

use crate::calendar::{Date, Instant};
use crate::sale::{DisputeId, Initiator, SaleTerminal};
use crate::{Cents, SaleId, TransferId};

/// Ends a sale before it is paid. An acquirer's void that is dated after the capture cancels the sale.
#[derive(Debug, Clone)]
pub struct VoidSale {
    pub sale_id: SaleId,
    pub initiator: Initiator,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Requested by a user in either panel.
#[derive(Debug, Clone)]
pub struct CancelSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer: the buyer got the money back.
#[derive(Debug, Clone)]
pub struct RefundSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer: the acquirer reversed the sale.
#[derive(Debug, Clone)]
pub struct ReverseSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Requested by a user. The dispute's id is the platform's; the acquirer's id may follow.
#[derive(Debug, Clone)]
pub struct DisputeSale {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer.
#[derive(Debug, Clone)]
pub struct OpenDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer: the dispute ended in the seller's favor.
#[derive(Debug, Clone)]
pub struct WinDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
}

/// Reported by the acquirer: the dispute ended in the buyer's favor.
#[derive(Debug, Clone)]
pub struct LoseDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// One month's rental of one terminal. The caller derives the id from both, so that no month is charged twice.
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
