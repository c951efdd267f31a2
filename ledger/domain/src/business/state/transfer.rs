//! The state of transfers that decisions read, and how each event changes it.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::Business;
use crate::business::event::{
    ManualTransferMade, TransferApproved, TransferFailed, TransferProcessing, TransferRequested,
};
use crate::calendar::Instant;
use crate::transfer::{Destination, Direction, TransferKind, TransferStatus};
use crate::{Cents, PayoutId, TransferId, UserId};

/// Within this time, the same amount to the same destination needs a confirmation.
pub const DUPLICATE_WINDOW: TimeDelta = TimeDelta::minutes(15);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    pub kind: TransferKind,
    pub status: TransferStatus,
    pub direction: Direction,
    pub amount: Cents,
    /// The part of the amount that does not go to the bank.
    pub fee: Cents,
    pub requested_at: Instant,
    /// Only withdrawals have a destination.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destination: Option<Destination>,
    /// Who gave the first of two approvals since the transfer last became pending.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved_by: Option<UserId>,
    /// The payout in flight, or the one that paid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// The payouts that a bank reported as failed. Their ids cannot be used again, and the reports may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed_payouts: Vec<PayoutId>,
    /// The payout that was in flight when an earlier one was reported as paid. It may fail, which changes nothing, or
    /// pay a second time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overtaken_payout: Option<PayoutId>,
    /// When the payout was paid. An older failure report of the same payout is ignored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub paid_at: Option<Instant>,
}

/// The latest request of this amount to this destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentWithdrawal {
    pub amount: Cents,
    pub destination: Destination,
    pub requested_at: Instant,
}

impl Transfer {
    /// Whether the amount is reserved: neither available nor paid.
    pub const fn is_open(&self) -> bool {
        match self.status {
            TransferStatus::Pending | TransferStatus::Processing => true,
            TransferStatus::Approved | TransferStatus::Refused | TransferStatus::Failed => false,
        }
    }

    /// The payout that waits for the bank's result.
    pub fn payout_in_flight(&self) -> Option<PayoutId> {
        self.payout_id
            .filter(|_| self.status == TransferStatus::Processing)
    }
}

impl RecentWithdrawal {
    /// The clocks of two processes may differ, so the earlier request may have the later time.
    pub(in crate::business) fn is_within_window_of(&self, instant: Instant) -> bool {
        (instant - self.requested_at).abs() <= DUPLICATE_WINDOW
    }
}

impl Business {
    pub(super) fn request(&mut self, event: &TransferRequested) {
        self.recent_withdrawals.retain(|recent| {
            let again = recent.amount == event.amount && recent.destination == event.destination;
            !again && recent.is_within_window_of(event.occurred_at)
        });
        self.recent_withdrawals.push(RecentWithdrawal {
            amount: event.amount,
            destination: event.destination.clone(),
            requested_at: event.occurred_at,
        });
        let transfer = Transfer {
            kind: TransferKind::Withdrawal,
            status: TransferStatus::Pending,
            direction: Direction::Out,
            amount: event.amount,
            fee: event.fee,
            requested_at: event.occurred_at,
            destination: Some(event.destination.clone()),
            approved_by: None,
            payout_id: None,
            failed_payouts: vec![],
            overtaken_payout: None,
            paid_at: None,
        };
        self.transfers.insert(event.transfer_id, transfer);
    }

    pub(super) fn insert_manual_transfer(&mut self, event: &ManualTransferMade) {
        let transfer = Transfer {
            kind: TransferKind::Adjustment,
            status: TransferStatus::Approved,
            direction: event.direction,
            amount: event.amount,
            fee: Cents::ZERO,
            requested_at: event.occurred_at,
            destination: None,
            approved_by: None,
            payout_id: None,
            failed_payouts: vec![],
            overtaken_payout: None,
            paid_at: None,
        };
        self.transfers.insert(event.transfer_id, transfer);
    }

    /// No transfer is missing here: an earlier event or the writer inserted it.
    pub(super) fn change_transfer(&mut self, transfer_id: TransferId, change: impl FnOnce(&mut Transfer)) {
        if let Some(transfer) = self.transfers.get_mut(&transfer_id) {
            change(transfer);
        }
    }
}

impl Transfer {
    pub(super) fn process(&mut self, event: &TransferProcessing) {
        self.status = TransferStatus::Processing;
        self.payout_id = event.payout_id;
    }

    pub(super) fn approve(&mut self, event: &TransferApproved) {
        self.overtaken_payout = self
            .payout_in_flight()
            .filter(|in_flight| event.payout_id != Some(*in_flight));
        self.status = TransferStatus::Approved;
        self.payout_id = event.payout_id;
        self.paid_at = event.payout_id.map(|_| event.occurred_at);
    }

    pub(super) fn fail(&mut self, event: &TransferFailed) {
        self.status = TransferStatus::Failed;
        self.payout_id = None;
        self.failed_payouts.extend(event.payout_id);
    }

    /// Another attempt to pay needs new approvals.
    pub(super) fn reopen(&mut self) {
        self.status = TransferStatus::Pending;
        self.approved_by = None;
        self.payout_id = None;
    }
}
