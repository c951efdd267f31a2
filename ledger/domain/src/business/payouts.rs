//! Decisions on payout results that a bank reports, and on what it gives back. A payment that the bank reports can
//! overrule the transfer's status.
//!
//! Reports arrive late, repeatedly and out of order. A repeated report adds no event. A failure after the payment is a
//! return. A second payment, a payment after the return, or a report of an unknown payout while another one is in flight
//! is refused. The caller keeps a refused report for staff or tries again.

use super::command::{PayoutFailed, PayoutPaid, PayoutReturned, ReturnTransfer, ReturnedFee};
use super::event::{BusinessEvent, TransferApproved, TransferFailed, TransferReopened, TransferReturned};
use super::refusal::{Refusal, TransferRefusal};
use super::state::{Business, Transfer};
use super::withdrawals::must_have_reason;
use crate::calendar::Instant;
use crate::transfer::{PayoutNames, TransferStatus};
use crate::{Cents, PayoutId, TransferId};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn payout_paid(&self, command: &PayoutPaid) -> Decision {
        let transfer = self.withdrawal(command.transfer_id)?;
        if let Some(returned_at) = transfer.returned_at {
            // The payment that was returned, reported late or again. For equal times the order is unknown, so staff
            // decide.
            let is_the_returned = transfer.payout_id == Some(command.payout_id)
                && (command.occurred_at < returned_at || transfer.paid_at == Some(command.occurred_at));
            return match is_the_returned {
                true => Ok(vec![]),
                false => Err(TransferRefusal::PaidAfterReturn.into()),
            };
        }
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
            fee,
        } = command;
        let transfer = self.withdrawal(*transfer_id)?;
        if transfer.was_paid_by(*payout_id) {
            // The payout failed first and was paid later, or the failure is the return that is recorded.
            if transfer.returned_at.is_some()
                || transfer.paid_at.is_some_and(|paid_at| *occurred_at < paid_at)
            {
                return Ok(vec![]);
            }
            // A failure after the payment: the money came back. For equal times the order is unknown, so staff decide.
            if transfer.paid_at.is_some_and(|paid_at| *occurred_at > paid_at) {
                return transfer.returned(Return {
                    transfer_id: *transfer_id,
                    reason: reason.clone(),
                    names: PayoutNames::default(),
                    occurred_at: *occurred_at,
                    fee: *fee,
                });
            }
        } else if transfer.failed_payouts.contains(payout_id) || transfer.overtaken_payout == Some(*payout_id)
        {
            return Ok(vec![]);
        }
        match transfer.payout_in_flight() {
            Some(in_flight) if in_flight == *payout_id => Ok(vec![BusinessEvent::from(TransferFailed {
                occurred_at: *occurred_at,
                transfer_id: *transfer_id,
                amount: transfer.amount,
                payout_id: Some(*payout_id),
                reason: reason.clone(),
            })]),
            Some(_) => Err(TransferRefusal::AnotherPayoutInFlight.into()),
            None => Err(TransferRefusal::StatusForbids(transfer.status).into()),
        }
    }

    /// A return of a payout whose payment is not recorded yet is refused, and the caller tries it again.
    pub(super) fn payout_returned(&self, command: &PayoutReturned) -> Decision {
        let PayoutReturned {
            transfer_id,
            payout_id,
            names,
            reason,
            occurred_at,
            fee,
        } = command;
        let transfer = self.withdrawal(*transfer_id)?;
        if !transfer.was_paid_by(*payout_id) {
            return match transfer.payout_in_flight() {
                Some(in_flight) if in_flight != *payout_id => {
                    Err(TransferRefusal::AnotherPayoutInFlight.into())
                }
                _ => Err(TransferRefusal::StatusForbids(transfer.status).into()),
            };
        }
        if transfer.returned_at.is_some() {
            return Ok(vec![]);
        }
        transfer.returned(Return {
            transfer_id: *transfer_id,
            reason: reason.clone(),
            names: names.clone(),
            occurred_at: *occurred_at,
            fee: *fee,
        })
    }

    pub(super) fn return_transfer(&self, command: &ReturnTransfer) -> Decision {
        let ReturnTransfer {
            transfer_id,
            reason,
            occurred_at,
            fee,
        } = command;
        let transfer = self.withdrawal(*transfer_id)?;
        transfer.must_not_be_returned()?;
        if transfer.status != TransferStatus::Approved {
            return Err(TransferRefusal::StatusForbids(transfer.status).into());
        }
        must_have_reason(reason)?;
        transfer.returned(Return {
            transfer_id: *transfer_id,
            reason: Some(reason.clone()),
            names: PayoutNames::default(),
            occurred_at: *occurred_at,
            fee: *fee,
        })
    }
}

/// What came back of a payment, and why.
struct Return {
    transfer_id: TransferId,
    reason: Option<String>,
    names: PayoutNames,
    occurred_at: Instant,
    fee: ReturnedFee,
}

impl Transfer {
    /// Whether this payout paid the transfer, even if the bank has returned it since.
    fn was_paid_by(&self, payout_id: PayoutId) -> bool {
        self.payout_id == Some(payout_id)
            && (self.status == TransferStatus::Approved || self.returned_at.is_some())
    }

    /// The event by which the bank gives the paid amount back. Nothing comes back if nothing was sent.
    fn returned(&self, returned: Return) -> Decision {
        let paid = self.amount.saturating_sub(self.fee);
        if paid == Cents::ZERO {
            return Err(TransferRefusal::NothingToPayOut.into());
        }
        Ok(vec![BusinessEvent::from(TransferReturned {
            occurred_at: returned.occurred_at,
            transfer_id: returned.transfer_id,
            paid,
            fee: match returned.fee {
                ReturnedFee::Kept => Cents::ZERO,
                ReturnedFee::GivenBack => self.fee,
            },
            payout_id: self.payout_id,
            reason: returned.reason,
            names: returned.names,
        })])
    }
}

/// The amount had gone back to the balance, but the bank paid. The balance pays again and may go below zero.
fn reopened_by_payment(transfer: &Transfer, command: &PayoutPaid) -> BusinessEvent {
    BusinessEvent::from(TransferReopened {
        occurred_at: command.occurred_at,
        transfer_id: command.transfer_id,
        from: transfer.status,
        taken: transfer.amount,
    })
}

fn approved(transfer: &Transfer, command: &PayoutPaid, overrules: Option<TransferStatus>) -> BusinessEvent {
    BusinessEvent::from(TransferApproved {
        occurred_at: command.occurred_at,
        transfer_id: command.transfer_id,
        amount: transfer.amount,
        fee: transfer.fee,
        payout_id: Some(command.payout_id),
        overrules,
        names: command.names.clone(),
    })
}
