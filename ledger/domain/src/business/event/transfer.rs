//! Events of transfers (withdrawals and manual transfers) and of holds.
//!
//! Each event that moves money has its amount, so that its postings need no other event.

use serde::{Deserialize, Serialize};

use crate::calendar::Instant;
use crate::transfer::{Destination, Direction, TransferStatus};
use crate::{Cents, PayoutId, SaleId, TransferId, UserId};

/// A withdrawal was requested, and its amount is reserved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRequested {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    /// The platform's part of the amount; the bank gets the rest.
    pub fee: Cents,
    pub destination: Destination,
}

/// The first of two users approved the transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferApprovalGiven {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub by: UserId,
}

/// The payment started: by this payout, or manually.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferProcessing {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
}

/// The transfer was paid. This is final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferApproved {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    pub fee: Cents,
    /// The payout that paid it; `None` for a manual payment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// The transfer's previous status, if the bank paid although this payout was not in flight. Staff are alerted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overrules: Option<TransferStatus>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRefused {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    pub reason: String,
}

/// The payment failed, and the amount is available again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferFailed {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// Banks do not always give a reason.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The transfer is pending again: by staff, or because a bank paid a transfer whose amount had gone back to the
/// balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferReopened {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub from: TransferStatus,
    /// The amount that is reserved again; zero if it was still reserved.
    pub taken: Cents,
}

/// Staff added money to the balance or removed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualTransferMade {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub direction: Direction,
    pub amount: Cents,
    pub description: String,
}

/// Part of the balance was blocked: by staff, or because the company of a sale was not active at its capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountHeld {
    pub occurred_at: Instant,
    pub amount: Cents,
    pub reason: String,
}

/// An amount of `held_by_staff` was released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountReleased {
    pub occurred_at: Instant,
    /// Zero if the event only ends the holds of sales of which nothing is held now.
    pub amount: Cents,
    pub reason: String,
    /// The sales whose hold ends because the company was approved. Their later settlements are not held.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sales: Vec<SaleId>,
}
