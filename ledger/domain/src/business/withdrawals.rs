//! Decisions on withdrawals: requested by the seller; approved, processed, refused, failed or reopened by staff.
//!
//! While a transfer's payout is in flight, staff's commands on it are refused: only the bank's result ends it
//! (`payouts`).

use super::command::{
    Approvals, ApproveTransfer, CompanyStatus, FailTransfer, GiveTransferApproval, ProcessTransfer,
    RefuseTransfer, ReopenTransfer, RequestTransfer,
};
use super::event::{
    BusinessEvent, TransferApprovalGiven, TransferApproved, TransferFailed, TransferProcessing,
    TransferRefused, TransferReopened, TransferRequested,
};
use super::refusal::{Refusal, TransferRefusal};
use super::state::{Business, Transfer};
use crate::transfer::{Destination, PayoutNames, TransferKind, TransferStatus};
use crate::{Cents, TransferId, UserId};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn request_transfer(&self, command: &RequestTransfer) -> Decision {
        let RequestTransfer {
            transfer_id,
            amount,
            occurred_at,
            context,
            ..
        } = command;
        if self.transfers.contains_key(transfer_id) {
            return Ok(vec![]);
        }
        if context.company_status != CompanyStatus::Active {
            return Err(TransferRefusal::BusinessNotActive.into());
        }
        let fee = context.fee.ok_or(TransferRefusal::NoReceivingPlan)?;
        let destination = command.destination()?;
        if fee.is_negative() {
            return Err(Refusal::AmountOutOfRange);
        }
        let minimum = fee.max(Cents::AMOUNT_MIN);
        if *amount < minimum {
            return Err(TransferRefusal::BelowMinimum(minimum).into());
        }
        self.must_have_available(*amount)?;
        must_be_in_range(*amount)?;
        self.must_not_be_a_duplicate(command, destination)?;
        self.must_confirm_returned_destination(command, destination)?;
        Ok(vec![BusinessEvent::from(TransferRequested {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            amount: *amount,
            fee,
            destination: destination.clone(),
        })])
    }

    pub(super) fn give_transfer_approval(&self, command: &GiveTransferApproval) -> Decision {
        let GiveTransferApproval {
            transfer_id,
            by,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        transfer.must_be_pending()?;
        if transfer.approved_by.is_some() {
            return Err(TransferRefusal::ApprovalGiven.into());
        }
        Ok(vec![BusinessEvent::from(TransferApprovalGiven {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            by: *by,
        })])
    }

    pub(super) fn process_transfer(&self, command: &ProcessTransfer) -> Decision {
        let ProcessTransfer {
            transfer_id,
            payout_id,
            by,
            approvals,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        transfer.must_be_pending()?;
        transfer.must_be_approved_by(*approvals, *by)?;
        if let Some(payout_id) = payout_id {
            if transfer.amount == transfer.fee {
                return Err(TransferRefusal::NothingToPayOut.into());
            }
            if transfer.failed_payouts.contains(payout_id) {
                return Err(TransferRefusal::PayoutUsed.into());
            }
        }
        Ok(vec![BusinessEvent::from(TransferProcessing {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            payout_id: *payout_id,
        })])
    }

    /// Approvals are required before the payment starts, so a transfer in processing needs no new ones.
    pub(super) fn approve_transfer(&self, command: &ApproveTransfer) -> Decision {
        let ApproveTransfer {
            transfer_id,
            by,
            approvals,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        if transfer.status != TransferStatus::Processing {
            transfer.must_be_pending()?;
            transfer.must_be_approved_by(*approvals, *by)?;
        }
        transfer.must_have_no_payout_in_flight()?;
        Ok(vec![BusinessEvent::from(TransferApproved {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            amount: transfer.amount,
            fee: transfer.fee,
            payout_id: None,
            overrules: None,
            names: PayoutNames::default(),
        })])
    }

    pub(super) fn refuse_transfer(&self, command: &RefuseTransfer) -> Decision {
        let RefuseTransfer {
            transfer_id,
            reason,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        transfer.must_be_pending()?;
        must_have_reason(reason)?;
        Ok(vec![BusinessEvent::from(TransferRefused {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            amount: transfer.amount,
            reason: reason.clone(),
        })])
    }

    pub(super) fn fail_transfer(&self, command: &FailTransfer) -> Decision {
        let FailTransfer {
            transfer_id,
            reason,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        transfer.must_have_no_payout_in_flight()?;
        if transfer.status != TransferStatus::Processing {
            return Err(TransferRefusal::StatusForbids(transfer.status).into());
        }
        must_have_reason(reason)?;
        Ok(vec![BusinessEvent::from(TransferFailed {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            amount: transfer.amount,
            payout_id: None,
            reason: Some(reason.clone()),
        })])
    }

    pub(super) fn reopen_transfer(&self, command: &ReopenTransfer) -> Decision {
        let ReopenTransfer {
            transfer_id,
            occurred_at,
        } = command;
        let transfer = self.transfer(*transfer_id)?;
        transfer.must_have_no_payout_in_flight()?;
        transfer.must_not_be_returned()?;
        let taken = match transfer.status {
            TransferStatus::Processing => Cents::ZERO,
            TransferStatus::Failed => {
                self.must_have_available(transfer.amount)?;
                transfer.amount
            }
            TransferStatus::Pending | TransferStatus::Approved | TransferStatus::Refused => {
                return Err(TransferRefusal::StatusForbids(transfer.status).into());
            }
        };
        Ok(vec![BusinessEvent::from(TransferReopened {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            from: transfer.status,
            taken,
        })])
    }

    pub(super) fn transfer(&self, transfer_id: TransferId) -> Result<&Transfer, TransferRefusal> {
        self.transfers
            .get(&transfer_id)
            .ok_or(TransferRefusal::UnknownTransfer)
    }

    /// Only withdrawals are paid through a bank, so a payout result for another kind of transfer is refused.
    pub(super) fn withdrawal(&self, transfer_id: TransferId) -> Result<&Transfer, TransferRefusal> {
        let transfer = self.transfer(transfer_id)?;
        match transfer.kind {
            TransferKind::Withdrawal => Ok(transfer),
            TransferKind::Adjustment | TransferKind::TerminalRental => Err(TransferRefusal::NotAWithdrawal),
        }
    }

    pub(super) fn must_have_available(&self, amount: Cents) -> Result<(), TransferRefusal> {
        if amount > self.accounts.available {
            return Err(TransferRefusal::AboveAvailable);
        }
        Ok(())
    }

    fn must_not_be_a_duplicate(
        &self,
        command: &RequestTransfer,
        destination: &Destination,
    ) -> Result<(), TransferRefusal> {
        let again = self.recent_withdrawals.iter().any(|recent| {
            !recent.returned
                && recent.amount == command.amount
                && recent.destination == *destination
                && recent.is_within_window_of(command.occurred_at)
        });
        if again && !command.confirm_duplicate {
            return Err(TransferRefusal::PossibleDuplicate(command.amount));
        }
        Ok(())
    }

    /// The account may be closed, so a repeat would come back too.
    fn must_confirm_returned_destination(
        &self,
        command: &RequestTransfer,
        destination: &Destination,
    ) -> Result<(), TransferRefusal> {
        let returned = self
            .recent_withdrawals
            .iter()
            .any(|recent| recent.returned && recent.destination == *destination);
        if returned && !command.confirm_destination {
            return Err(TransferRefusal::DestinationReturned);
        }
        Ok(())
    }
}

impl RequestTransfer {
    /// The destination of the requested kind, from the context.
    fn destination(&self) -> Result<&Destination, TransferRefusal> {
        self.context
            .destination
            .as_ref()
            .filter(|destination| destination.kind() == self.destination)
            .ok_or(TransferRefusal::NoDestination(self.destination))
    }
}

impl Transfer {
    fn must_be_pending(&self) -> Result<(), TransferRefusal> {
        self.must_have_no_payout_in_flight()?;
        match self.status {
            TransferStatus::Pending => Ok(()),
            TransferStatus::Approved
            | TransferStatus::Processing
            | TransferStatus::Refused
            | TransferStatus::Failed => Err(TransferRefusal::StatusForbids(self.status)),
        }
    }

    fn must_have_no_payout_in_flight(&self) -> Result<(), TransferRefusal> {
        match self.payout_in_flight() {
            Some(_) => Err(TransferRefusal::PayoutInFlight),
            None => Ok(()),
        }
    }

    pub(super) const fn must_not_be_returned(&self) -> Result<(), TransferRefusal> {
        match self.returned_at {
            Some(_) => Err(TransferRefusal::Returned),
            None => Ok(()),
        }
    }

    fn must_be_approved_by(&self, approvals: Approvals, by: UserId) -> Result<(), TransferRefusal> {
        match (approvals, self.approved_by) {
            (Approvals::One, _) => Ok(()),
            (Approvals::Two, None) => Err(TransferRefusal::ApprovalMissing),
            (Approvals::Two, Some(first)) if first == by => Err(TransferRefusal::SameApprover),
            (Approvals::Two, Some(_)) => Ok(()),
        }
    }
}

/// Amounts of sales, transfers and holds have the same limits.
pub(super) fn must_be_in_range(amount: Cents) -> Result<(), Refusal> {
    Cents::checked_amount(amount.get())
        .map(drop)
        .map_err(|_| Refusal::AmountOutOfRange)
}

pub(super) fn must_have_reason(reason: &str) -> Result<(), TransferRefusal> {
    if reason.trim().is_empty() {
        return Err(TransferRefusal::ReasonMissing);
    }
    Ok(())
}
