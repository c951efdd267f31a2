//! What is decided when a bank tells how a payout ended: its word is a fact, whatever was thought before.
//!
//! Banks tell late, twice and out of order. What is known adds nothing; what would pay a transfer twice, or speaks of
//! another payout than the one in flight, is refused, and whoever asked keeps it for staff or to try again.

use super::command::{PayoutFailed, PayoutPaid};
use super::event::{BusinessEvent, TransferApproved, TransferFailed, TransferReopened};
use super::refusal::{Refusal, TransferRefusal};
use super::state::{Business, Transfer};
use crate::transfer::TransferStatus;

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn payout_paid(&self, command: &PayoutPaid) -> Decision {
        let transfer = self.withdrawal(command.transfer_id)?;
        match transfer.status {
            TransferStatus::Approved if transfer.payout_id == Some(command.payout_id) => Ok(vec![]),
            TransferStatus::Approved => Err(TransferRefusal::PaidTwice.into()),
            TransferStatus::Processing => match transfer.payout_id {
                Some(in_flight) if in_flight == command.payout_id => {
                    Ok(vec![approved(transfer, command, None)])
                }
                // Told failed before, and paid all the same: whatever becomes of the one in flight, the transfer is
                // paid from now on, so that nobody sends a third.
                Some(_) if transfer.failed_payouts.contains(&command.payout_id) => {
                    Ok(vec![approved(transfer, command, Some(transfer.status))])
                }
                Some(_) => Err(TransferRefusal::AnotherPayoutInFlight.into()),
                // Whoever is paying it by hand must stop.
                None => Ok(vec![approved(transfer, command, Some(transfer.status))]),
            },
            TransferStatus::Pending => Ok(vec![approved(transfer, command, Some(transfer.status))]),
            TransferStatus::Refused | TransferStatus::Failed => Ok(vec![
                taken_again(transfer, command),
                approved(transfer, command, Some(transfer.status)),
            ]),
        }
    }

    pub(super) fn payout_failed(&self, command: &PayoutFailed) -> Decision {
        let PayoutFailed {
            transfer_id,
            payout_id,
            reason,
            occurred_at,
        } = command;
        let transfer = self.withdrawal(*transfer_id)?;
        if transfer.failed_payouts.contains(payout_id) || transfer.overtaken_payout == Some(*payout_id) {
            return Ok(vec![]);
        }
        // The bank failed it, paid it after all, and its first word comes last. Of the same instant neither is first.
        let paid = transfer.payout_id == Some(*payout_id) && transfer.status == TransferStatus::Approved;
        if paid && transfer.paid_at.is_some_and(|paid_at| *occurred_at < paid_at) {
            return Ok(vec![]);
        }
        match transfer.payout_in_flight() {
            Some(in_flight) if in_flight == *payout_id => {
                Ok(vec![BusinessEvent::TransferFailed(TransferFailed {
                    occurred_at: *occurred_at,
                    transfer_id: *transfer_id,
                    amount: transfer.amount,
                    payout_id: Some(*payout_id),
                    reason: reason.clone(),
                })])
            }
            Some(_) => Err(TransferRefusal::AnotherPayoutInFlight.into()),
            None => Err(TransferRefusal::StatusForbids(transfer.status).into()),
        }
    }
}

/// The money had gone back to the seller, and has left all the same: the balance pays, below zero if need be.
fn taken_again(transfer: &Transfer, command: &PayoutPaid) -> BusinessEvent {
    BusinessEvent::TransferReopened(TransferReopened {
        occurred_at: command.occurred_at,
        transfer_id: command.transfer_id,
        from: transfer.status,
        taken: transfer.amount,
    })
}

fn approved(transfer: &Transfer, command: &PayoutPaid, overrules: Option<TransferStatus>) -> BusinessEvent {
    BusinessEvent::TransferApproved(TransferApproved {
        occurred_at: command.occurred_at,
        transfer_id: command.transfer_id,
        amount: transfer.amount,
        fee: transfer.fee,
        payout_id: Some(command.payout_id),
        overrules,
    })
}
