//! Commands about voids, reversals and terminal rentals.
//!
//! A user's cancel or dispute needs enough balance. An acquirer's notice is a fact: the balance may go below zero.

use serde::{Deserialize, Serialize};

use crate::calendar::{Date, Instant};
use crate::sale::{DisputeId, Initiator, PaymentNames, RefundReference, SaleTerminal};
use crate::{Cents, SaleId, TransferId};

/// Ends a sale before it is paid. An acquirer's void that is dated after the capture cancels the sale.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VoidSale {
    pub sale_id: SaleId,
    pub initiator: Initiator,
    /// The names of what went back, as far as the acquirer reports them. A void before the capture returns nothing.
    pub names: PaymentNames,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Requested by a user in either panel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CancelSale {
    pub sale_id: SaleId,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Requested by a user in either panel: the buyer gets a part of what is left, or all of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefundPart {
    pub sale_id: SaleId,
    /// The platform's id for the refund. A repeated one adds nothing.
    pub refund: RefundReference,
    pub amount: Cents,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// The acquirer answered a refund of a part, or staff ended it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AnswerRefund {
    pub sale_id: SaleId,
    pub refund: RefundReference,
    pub known_as: Option<RefundReference>,
    pub names: PaymentNames,
    pub occurred_at: Instant,
}

/// Reported by the acquirer: the buyer got money back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefundSale {
    pub sale_id: SaleId,
    pub refunded: Refunded,
    /// The names of the refund, as far as the acquirer reports them.
    pub names: PaymentNames,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// How much the acquirer gave back. An acquirer may name one refund, or only the sum of all of a charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refunded {
    /// All that was left.
    Rest { refund: Option<RefundReference> },
    Amount {
        amount: Cents,
        refund: Option<RefundReference>,
    },
    /// The sum of all refunds of the sale until now.
    Total(Cents),
}

/// Reported by the acquirer: the acquirer reversed the sale.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReverseSale {
    pub sale_id: SaleId,
    /// The names of what went back, as far as the acquirer reports them.
    pub names: PaymentNames,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Requested by a user. The dispute's id is the platform's; the acquirer's id may follow.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DisputeSale {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    /// `None` for all that is left of the sale.
    pub amount: Option<Cents>,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    /// `None` for all that is left of the sale.
    pub amount: Option<Cents>,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// Reported by the acquirer: the dispute ended in the seller's favor.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WinDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub occurred_at: Instant,
}

/// Reported by the acquirer: the dispute ended in the buyer's favor.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LoseDispute {
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    /// `None` for all that is left of the sale.
    pub amount: Option<Cents>,
    pub occurred_at: Instant,
    pub reason: Option<String>,
}

/// One month's rental of one terminal. The caller derives the id from both, so that no month is charged twice.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChargeTerminalRental {
    pub transfer_id: TransferId,
    pub terminal: SaleTerminal,
    pub due_date: Date,
    pub amount: Cents,
    pub occurred_at: Instant,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CancelTerminalRental {
    pub transfer_id: TransferId,
    pub reason: Option<String>,
    pub occurred_at: Instant,
}
