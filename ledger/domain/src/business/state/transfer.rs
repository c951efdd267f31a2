//! The state of transfers that decisions read, and how each event changes it.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::Business;
use crate::business::event::{
    ManualTransferMade, TerminalRentalCharged, TransferApproved, TransferEvent, TransferFailed,
    TransferProcessing, TransferRequested, TransferReturned,
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
    /// When the bank gave back what it had paid. The status is failed and never changes again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub returned_at: Option<Instant>,
}

/// A withdrawal that the next request is compared with: the latest request of this amount to this destination, or the
/// latest one to this destination that a bank returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentWithdrawal {
    pub amount: Cents,
    pub destination: Destination,
    pub requested_at: Instant,
    /// Kept until the seller confirms the destination by another request.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub returned: bool,
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
    pub(super) fn apply_to_transfers(&mut self, event: &TransferEvent) {
        match event {
            TransferEvent::TransferRequested(event) => self.request(event),
            TransferEvent::TransferApprovalGiven(event) => {
                self.change_transfer(event.transfer_id, |transfer| {
                    transfer.approved_by = Some(event.by)
                });
            }
            TransferEvent::TransferProcessing(event) => {
                self.change_transfer(event.transfer_id, |transfer| transfer.process(event));
            }
            TransferEvent::TransferApproved(event) => {
                self.change_transfer(event.transfer_id, |transfer| transfer.approve(event));
            }
            TransferEvent::TransferRefused(event) => {
                self.change_transfer(event.transfer_id, |transfer| {
                    transfer.status = TransferStatus::Refused
                });
            }
            TransferEvent::TransferFailed(event) => {
                self.change_transfer(event.transfer_id, |transfer| transfer.fail(event));
            }
            TransferEvent::TransferReopened(event) => {
                self.change_transfer(event.transfer_id, Transfer::reopen)
            }
            TransferEvent::TransferReturned(event) => self.return_from_bank(event),
            TransferEvent::ManualTransferMade(event) => self.insert_manual_transfer(event),
            TransferEvent::TerminalRentalCharged(event) => self.charge_rental(event),
            TransferEvent::TerminalRentalCanceled(event) => {
                self.change_transfer(event.transfer_id, |transfer| {
                    transfer.status = TransferStatus::Refused
                });
            }
        }
    }

    fn request(&mut self, event: &TransferRequested) {
        self.recent_withdrawals.retain(|recent| {
            let same_destination = recent.destination == event.destination;
            if recent.returned {
                !same_destination
            } else {
                let again = same_destination && recent.amount == event.amount;
                !again && recent.is_within_window_of(event.occurred_at)
            }
        });
        self.recent_withdrawals.push(RecentWithdrawal {
            amount: event.amount,
            destination: event.destination.clone(),
            requested_at: event.occurred_at,
            returned: false,
        });
        let kind = TransferKind::Withdrawal;
        let transfer = Transfer {
            status: TransferStatus::Pending,
            fee: event.fee,
            destination: Some(event.destination.clone()),
            ..Transfer::immediate(kind, Direction::Out, event.amount, event.occurred_at)
        };
        self.transfers.insert(event.transfer_id, transfer);
    }

    /// Marks the destination too: the next request to it needs a confirmation.
    fn return_from_bank(&mut self, event: &TransferReturned) {
        self.change_transfer(event.transfer_id, |transfer| transfer.return_from_bank(event));
        let transfer = self.transfers.get(&event.transfer_id);
        let Some((transfer, destination)) = transfer.and_then(|transfer| {
            let destination = transfer.destination.clone()?;
            Some((transfer, destination))
        }) else {
            return;
        };
        let marked = RecentWithdrawal {
            amount: transfer.amount,
            requested_at: transfer.requested_at,
            returned: true,
            destination,
        };
        self.recent_withdrawals
            .retain(|recent| !(recent.returned && recent.destination == marked.destination));
        self.recent_withdrawals.push(marked);
    }

    fn insert_manual_transfer(&mut self, event: &ManualTransferMade) {
        let kind = TransferKind::Adjustment;
        let transfer = Transfer::immediate(kind, event.direction, event.amount, event.occurred_at);
        self.transfers.insert(event.transfer_id, transfer);
    }

    fn charge_rental(&mut self, event: &TerminalRentalCharged) {
        let kind = TransferKind::TerminalRental;
        let transfer = Transfer::immediate(kind, Direction::Out, event.amount, event.occurred_at);
        self.transfers.insert(event.transfer_id, transfer);
    }

    /// No transfer is missing here: an earlier event or the writer inserted it.
    fn change_transfer(&mut self, transfer_id: TransferId, change: impl FnOnce(&mut Transfer)) {
        if let Some(transfer) = self.transfers.get_mut(&transfer_id) {
            change(transfer);
        }
    }
}

impl Transfer {
    /// A transfer between the company and the platform: it needs no approval and no bank.
    const fn immediate(kind: TransferKind, direction: Direction, amount: Cents, at: Instant) -> Self {
        Self {
            kind,
            status: TransferStatus::Approved,
            direction,
            amount,
            fee: Cents::ZERO,
            requested_at: at,
            destination: None,
            approved_by: None,
            payout_id: None,
            failed_payouts: vec![],
            overtaken_payout: None,
            paid_at: None,
            returned_at: None,
        }
    }

    fn process(&mut self, event: &TransferProcessing) {
        self.status = TransferStatus::Processing;
        self.payout_id = event.payout_id;
    }

    fn approve(&mut self, event: &TransferApproved) {
        self.overtaken_payout = self
            .payout_in_flight()
            .filter(|in_flight| event.payout_id != Some(*in_flight));
        self.status = TransferStatus::Approved;
        self.payout_id = event.payout_id;
        self.paid_at = event.payout_id.map(|_| event.occurred_at);
    }

    fn fail(&mut self, event: &TransferFailed) {
        self.status = TransferStatus::Failed;
        self.payout_id = None;
        self.failed_payouts.extend(event.payout_id);
    }

    /// The payout stays named, so that a repeated report of it is recognized.
    const fn return_from_bank(&mut self, event: &TransferReturned) {
        self.status = TransferStatus::Failed;
        self.returned_at = Some(event.occurred_at);
    }

    /// Another attempt to pay needs new approvals.
    fn reopen(&mut self) {
        self.status = TransferStatus::Pending;
        self.approved_by = None;
        self.payout_id = None;
    }
}
