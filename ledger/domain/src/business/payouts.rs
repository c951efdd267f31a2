//! Decisions on payout results that a bank reports. A payment that the bank reports can overrule the transfer's status.
//!
//! Reports arrive late, repeatedly and out of order. A repeated report adds no event. A second payment, a failure after
//! the payment, or a report of an unknown payout while another one is in flight is refused. The caller keeps a refused
//! report for staff or tries again.

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
                // This payout was reported as failed, and was paid after all. The transfer is paid from now on,
                // whatever happens to the payout in flight, so that no further payout is sent.
                Some(_) if transfer.failed_payouts.contains(&command.payout_id) => {
                    Ok(vec![approved(transfer, command, Some(transfer.status))])
                }
                Some(_) => Err(TransferRefusal::AnotherPayoutInFlight.into()),
                // A member of staff pays this by hand. The alert of an overruled status tells them to stop.
                None => Ok(vec![approved(transfer, command, Some(transfer.status))]),
            },
            TransferStatus::Pending => Ok(vec![approved(transfer, command, Some(transfer.status))]),
            TransferStatus::Refused | TransferStatus::Failed => Ok(vec![
                reopened_by_payment(transfer, command),
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
        let paid = transfer.payout_id == Some(*payout_id) && transfer.status == TransferStatus::Approved;
        let adds_nothing = if paid {
            // The payout failed first and was paid later. A failure after the payment is new: the money came back.
            // For equal times the order is unknown, so staff decide.
            transfer.paid_at.is_some_and(|paid_at| *occurred_at < paid_at)
        } else {
            transfer.failed_payouts.contains(payout_id) || transfer.overtaken_payout == Some(*payout_id)
        };
        if adds_nothing {
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

/// The amount had gone back to the balance, but the bank paid. The balance pays again and may go below zero.
fn reopened_by_payment(transfer: &Transfer, command: &PayoutPaid) -> BusinessEvent {
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
