//! Events of transfers: withdrawals, manual transfers and terminal rentals.
//!
//! Each event that moves money has its amount, so that its postings need no other event.

use serde::{Deserialize, Serialize};

use super::TransferEvent;
use crate::business::accounts::{Account, Posting};
use crate::calendar::{Date, Instant};
use crate::sale::SaleTerminal;
use crate::transfer::{Destination, Direction, PayoutNames, TransferStatus};
use crate::{Cents, PayoutId, TransferId, UserId};

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

/// The transfer was paid. Only the bank's return can follow.
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
    #[serde(skip_serializing_if = "PayoutNames::is_empty", default)]
    pub names: PayoutNames,
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

/// The bank gave back what it had paid, because the account was closed or the payment was returned. This is final: the
/// seller requests another withdrawal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferReturned {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    /// What the bank had paid: the withdrawal without its fee.
    pub paid: Cents,
    /// The part of the fee that the platform gives back: all of it or nothing.
    pub fee: Cents,
    /// The payout that had paid it; `None` for a manual payment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// Banks do not always give a reason. Staff do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The names of the return.
    #[serde(skip_serializing_if = "PayoutNames::is_empty", default)]
    pub names: PayoutNames,
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

/// A terminal's rental was charged. The balance may go below zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCharged {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    /// With the serial number at that time.
    pub terminal: SaleTerminal,
    /// The day on which this rental was due. Distinguishes one month's rental from another's.
    pub due_date: Date,
    pub amount: Cents,
}

/// Staff refunded a rental.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCanceled {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl TransferEvent {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        use Account::{Available, Clearing, InTransfer, PlatformFees};
        match self {
            Self::TransferApprovalGiven(_) | Self::TransferProcessing(_) => vec![],
            Self::TransferRequested(event) => vec![Posting::new(Available, InTransfer, event.amount)],
            Self::TransferApproved(event) => vec![
                Posting::new(InTransfer, Clearing, event.amount.saturating_sub(event.fee)),
                Posting::new(InTransfer, PlatformFees, event.fee),
            ],
            Self::TransferRefused(event) => vec![Posting::new(InTransfer, Available, event.amount)],
            Self::TransferFailed(event) => vec![Posting::new(InTransfer, Available, event.amount)],
            Self::TransferReopened(event) => vec![Posting::new(Available, InTransfer, event.taken)],
            Self::TransferReturned(event) => vec![
                Posting::new(Clearing, Available, event.paid),
                Posting::new(PlatformFees, Available, event.fee),
            ],
            Self::ManualTransferMade(event) => vec![match event.direction {
                Direction::Out => Posting::new(Available, Clearing, event.amount),
                Direction::In => Posting::new(Clearing, Available, event.amount),
            }],
            Self::TerminalRentalCharged(event) => vec![Posting::new(Available, PlatformFees, event.amount)],
            Self::TerminalRentalCanceled(event) => vec![Posting::new(PlatformFees, Available, event.amount)],
        }
    }

    pub const fn transfer_id(&self) -> TransferId {
        match self {
            Self::TransferRequested(TransferRequested { transfer_id, .. })
            | Self::TransferApprovalGiven(TransferApprovalGiven { transfer_id, .. })
            | Self::TransferProcessing(TransferProcessing { transfer_id, .. })
            | Self::TransferApproved(TransferApproved { transfer_id, .. })
            | Self::TransferRefused(TransferRefused { transfer_id, .. })
            | Self::TransferFailed(TransferFailed { transfer_id, .. })
            | Self::TransferReopened(TransferReopened { transfer_id, .. })
            | Self::TransferReturned(TransferReturned { transfer_id, .. })
            | Self::ManualTransferMade(ManualTransferMade { transfer_id, .. })
            | Self::TerminalRentalCharged(TerminalRentalCharged { transfer_id, .. })
            | Self::TerminalRentalCanceled(TerminalRentalCanceled { transfer_id, .. }) => *transfer_id,
        }
    }
}
