//! What decisions on transfers need to know, and how each event changes it.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::Business;
use crate::business::event::{
    ManualTransferMade, TransferApproved, TransferFailed, TransferProcessing, TransferRequested,
};
use crate::calendar::Instant;
use crate::transfer::{Destination, Direction, TransferKind, TransferStatus};
use crate::{Cents, PayoutId, TransferId, UserId};

/// As long as this, the same amount to the same destination is taken for a click too many.
pub const DUPLICATE_WINDOW: TimeDelta = TimeDelta::minutes(15);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    pub kind: TransferKind,
    pub status: TransferStatus,
    pub direction: Direction,
    pub amount: Cents,
    /// Of the amount, what does not reach the bank.
    pub fee: Cents,
    pub requested_at: Instant,
    /// Only a withdrawal has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destination: Option<Destination>,
    /// Who gave the first of two approvals, since it was last pending.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved_by: Option<UserId>,
    /// The payout in flight, or the one that paid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payout_id: Option<PayoutId>,
    /// The payouts that a bank has told to have failed: each is spent, and its failure may be told again.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed_payouts: Vec<PayoutId>,
    /// The payout that was in flight when an earlier one was told paid: it may fail, which changes nothing any more, or
    /// pay a second time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overtaken_payout: Option<PayoutId>,
    /// When the payout that paid did so: a failure of it that is older was overtaken by it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub paid_at: Option<Instant>,
}

/// Kept for `DUPLICATE_WINDOW`, once for each amount and destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentWithdrawal {
    pub amount: Cents,
    pub destination: Destination,
    pub requested_at: Instant,
}

impl Transfer {
    /// Whether its amount is set aside: neither with the seller nor gone.
    pub const fn is_open(&self) -> bool {
        match self.status {
            TransferStatus::Pending | TransferStatus::Processing => true,
            TransferStatus::Approved | TransferStatus::Refused | TransferStatus::Failed => false,
        }
    }

    /// The payout that a bank is still to answer for.
    pub fn payout_in_flight(&self) -> Option<PayoutId> {
        self.payout_id
            .filter(|_| self.status == TransferStatus::Processing)
    }
}

impl RecentWithdrawal {
    /// Two nodes' clocks may differ, so that the earlier of two requests may bear the later time.
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

    pub(super) fn make_manually(&mut self, event: &ManualTransferMade) {
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

    /// Whoever loads a business fills in the transfers that its events name, so that none is missing here.
    pub(super) fn change(&mut self, transfer_id: TransferId, change: impl FnOnce(&mut Transfer)) {
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

    /// Another attempt to pay is approved anew.
    pub(super) fn reopen(&mut self) {
        self.status = TransferStatus::Pending;
        self.approved_by = None;
        self.payout_id = None;
    }
}
