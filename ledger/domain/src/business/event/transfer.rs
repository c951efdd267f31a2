//! What happened to money on its way out of a balance, and to what staff took from it or blocked.
//!
//! Each says its own amount, so that what it posts is read from it alone.

use serde::{Deserialize, Serialize};

use crate::calendar::Instant;
use crate::transfer::{Destination, Direction, TransferStatus};
use crate::{Cents, PayoutId, TransferId, UserId};

/// A withdrawal was asked for, and its amount is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRequested {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    /// What the platform keeps of the amount: the bank gets the rest.
    pub fee: Cents,
    pub destination: Destination,
}

/// The first of two people said yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferApprovalGiven {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub by: UserId,
}

/// It is being paid: by the payout named here, or by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferProcessing {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
}

/// It was paid, for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferApproved {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    pub fee: Cents,
    /// The payout that paid; `None` where a person did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// The status in which the bank's word found the transfer, where this payment was not expected: staff are alarmed.
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

/// Paying it did not succeed, and its amount is back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferFailed {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// A bank may give none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// It is pending again: by staff, or because a bank paid what had gone back to the balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferReopened {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub from: TransferStatus,
    /// What is set aside again; zero where it still was.
    pub taken: Cents,
}

/// Staff moved money out of the balance or into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualTransferMade {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub direction: Direction,
    pub amount: Cents,
    pub description: String,
}

/// Staff blocked part of the balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountHeld {
    pub occurred_at: Instant,
    pub amount: Cents,
    pub reason: String,
}

/// Staff freed what they had blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountReleased {
    pub occurred_at: Instant,
    pub amount: Cents,
    pub reason: String,
}
