//! Decisions of staff's commands: manual transfers, holds and releases.

use super::command::{HoldAmount, MakeManualTransfer, ReleaseAmount};
use super::event::{AmountHeld, AmountReleased, BusinessEvent, ManualTransferMade};
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

    pub(super) fn hold_amount(&self, command: &HoldAmount) -> Decision {
        let HoldAmount {
            amount,
            reason,
            occurred_at,
        } = command;
        must_have_reason(reason)?;
        self.must_have_available(*amount)?;
        must_be_in_range(*amount)?;
        Ok(vec![BusinessEvent::from(AmountHeld {
            occurred_at: *occurred_at,
            amount: *amount,
            reason: reason.clone(),
        })])
    }

    pub(super) fn release_amount(&self, command: &ReleaseAmount) -> Decision {
        let ReleaseAmount {
            amount,
            reason,
            occurred_at,
        } = command;
        must_have_reason(reason)?;
        if *amount > self.accounts.held_by_staff {
            return Err(TransferRefusal::AboveHeld.into());
        }
        must_be_in_range(*amount)?;
        Ok(vec![BusinessEvent::from(AmountReleased {
            occurred_at: *occurred_at,
            amount: *amount,
            reason: reason.clone(),
            sales: vec![],
        })])
    }
}
