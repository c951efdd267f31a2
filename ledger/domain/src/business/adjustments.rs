//! Decisions on manual transfers, and on debts that are written off.

use super::command::{MakeManualTransfer, WriteOffDebt};
use super::event::{BusinessEvent, DebtWrittenOff, ManualTransferMade};
use super::refusal::{Refusal, TransferRefusal};
use super::state::Business;
use super::withdrawals::{must_be_in_range, must_have_reason};
use crate::Cents;
use crate::transfer::Direction;

/// The smallest amount that staff can remove from a balance (from the specification).
pub const MANUAL_REMOVAL_MIN: Cents = Cents::new(100);

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn make_manual_transfer(&self, command: &MakeManualTransfer) -> Decision {
        let MakeManualTransfer {
            transfer_id,
            direction,
            amount,
            description,
            allow_negative,
            occurred_at,
        } = command;
        // A repeated command has the same id.
        if self.transfers.contains_key(transfer_id) {
            return Ok(vec![]);
        }
        if description.trim().is_empty() {
            return Err(TransferRefusal::DescriptionMissing.into());
        }
        if *direction == Direction::Out {
            if *amount < MANUAL_REMOVAL_MIN {
                return Err(TransferRefusal::BelowManualMinimum(MANUAL_REMOVAL_MIN).into());
            }
            if !allow_negative {
                self.must_have_available(*amount)?;
            }
        }
        must_be_in_range(*amount)?;
        Ok(vec![BusinessEvent::from(ManualTransferMade {
            occurred_at: *occurred_at,
            transfer_id: *transfer_id,
            direction: *direction,
            amount: *amount,
            description: description.clone(),
        })])
    }

    /// Never more than the company owes: the rest would be a gift.
    pub(super) fn write_off_debt(&self, command: &WriteOffDebt) -> Decision {
        let WriteOffDebt {
            amount,
            reason,
            occurred_at,
        } = command;
        must_have_reason(reason)?;
        let debt = Cents::ZERO
            .saturating_sub(self.accounts.available)
            .max(Cents::ZERO);
        if *amount > debt {
            return Err(TransferRefusal::AboveDebt(debt).into());
        }
        must_be_in_range(*amount)?;
        Ok(vec![BusinessEvent::from(DebtWrittenOff {
            occurred_at: *occurred_at,
            amount: *amount,
            reason: reason.clone(),
        })])
    }
}
