//! Decisions on terminal rentals: their charge, and their cancel, by which staff refund them.

use super::command::{CancelTerminalRental, ChargeTerminalRental};
use super::event::{BusinessEvent, TerminalRentalCanceled, TerminalRentalCharged};
use super::refusal::{Refusal, TransferRefusal};
use super::state::Business;
use super::withdrawals::must_be_in_range;
use crate::transfer::{TransferKind, TransferStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    /// Charged whatever the balance is; the balance may go below zero.
    pub(super) fn charge_terminal_rental(&self, command: &ChargeTerminalRental) -> Decision {
        let ChargeTerminalRental {
            transfer_id,
            terminal,
            due_date,
            amount,
            occurred_at,
        } = command;
        if self.transfers.contains_key(transfer_id) {
            return Ok(vec![]);
        }
        must_be_in_range(*amount)?;
        Ok(vec![BusinessEvent::from(TerminalRentalCharged {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            terminal: terminal.clone(),
            due_date: *due_date,
            amount: *amount,
        })])
    }

    pub(super) fn cancel_terminal_rental(&self, command: &CancelTerminalRental) -> Decision {
        let transfer = self.transfer(command.transfer_id)?;
        if transfer.kind != TransferKind::TerminalRental {
            return Err(Refusal::NotARental);
        }
        if transfer.status != TransferStatus::Approved {
            return Err(TransferRefusal::StatusForbids(transfer.status).into());
        }
        Ok(vec![BusinessEvent::from(TerminalRentalCanceled {
            occurred_at: command.occurred_at,
            transfer_id: command.transfer_id,
            amount: transfer.amount,
            reason: command.reason.clone(),
        })])
    }
}
