//! Decisions on holds: amounts that staff or a court block, each for its own reason.
//!
//! A judicial hold also takes later credits: the last event of a decision that leaves money available is followed by
//! `HoldRaised`, until each hold has what its court ordered. It takes no balance below zero.

use super::command::{ChangeHold, HoldRequest, PayCourt, PlaceHold, ReleaseHold};
use super::event::{BusinessEvent, CourtPaid, HoldChanged, HoldPlaced, HoldRaised, HoldReleased};
use super::refusal::{HoldRefusal, Refusal};
use super::state::{Business, Hold};
use super::withdrawals::{must_be_in_range, must_have_reason};
use crate::hold::{CourtOrder, HoldKind};
use crate::{Cents, HoldId};

/// Every command reads all open holds of its business.
pub const OPEN_HOLDS_MAX: usize = 100;

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn place_hold(&self, command: &PlaceHold) -> Decision {
        // A repeated command has the same id.
        if self.hold(command.hold_id).is_some() {
            return Ok(vec![]);
        }
        must_have_reason(&command.reason)?;
        if let Some(sale_id) = command.sale_id {
            self.sale(sale_id)?;
        }
        if self.holds.len() >= OPEN_HOLDS_MAX {
            return Err(HoldRefusal::TooMany.into());
        }
        let (amount, order) = match &command.what {
            HoldRequest::Analysis(amount) | HoldRequest::Contract(amount) => {
                self.must_have_available(*amount)?;
                must_be_in_range(*amount)?;
                (*amount, None)
            }
            HoldRequest::Judicial(order) => {
                self.must_be_new_order(order)?;
                let available = self.accounts.available.max(Cents::ZERO);
                (order.ordered.min(available), Some(order.clone()))
            }
        };
        Ok(vec![BusinessEvent::from(HoldPlaced {
            occurred_at: command.occurred_at,
            hold_id: command.hold_id,
            kind: command.what.kind(),
            amount,
            reason: command.reason.clone(),
            until: command.until,
            documents: command.documents.clone(),
            sale_id: command.sale_id,
            order,
        })])
    }

    pub(super) fn change_hold(&self, command: &ChangeHold) -> Decision {
        let hold = self.open_hold(command.hold_id)?;
        if !hold.kind.is_placed_by_staff() {
            return Err(HoldRefusal::KindForbids(hold.kind).into());
        }
        must_have_reason(&command.reason)?;
        Ok(vec![BusinessEvent::from(HoldChanged {
            occurred_at: command.occurred_at,
            hold_id: command.hold_id,
            reason: command.reason.clone(),
            until: command.until,
            documents: command.documents.clone(),
        })])
    }

    pub(super) fn release_hold(&self, command: &ReleaseHold) -> Decision {
        let ReleaseHold {
            hold_id,
            amount,
            reason,
            occurred_at,
        } = command;
        let hold = self.open_hold(*hold_id)?;
        if hold.kind == HoldKind::Reserve {
            return Err(HoldRefusal::KindForbids(hold.kind).into());
        }
        must_have_reason(reason)?;
        hold.must_hold(*amount)?;
        // A court may lift an order of which nothing is held yet.
        let ends_empty_order = hold.amount == Cents::ZERO && *amount == Cents::ZERO;
        if !ends_empty_order {
            must_be_in_range(*amount)?;
        }
        Ok(vec![BusinessEvent::from(HoldReleased {
            occurred_at: *occurred_at,
            hold_id: *hold_id,
            amount: *amount,
            reason: reason.clone(),
        })])
    }

    pub(super) fn pay_court(&self, command: &PayCourt) -> Decision {
        let hold = self.open_hold(command.hold_id)?;
        if hold.kind != HoldKind::Judicial {
            return Err(HoldRefusal::KindForbids(hold.kind).into());
        }
        if command.receipt.trim().is_empty() {
            return Err(HoldRefusal::ReceiptMissing.into());
        }
        hold.must_hold(command.amount)?;
        must_be_in_range(command.amount)?;
        Ok(vec![BusinessEvent::from(CourtPaid {
            occurred_at: command.occurred_at,
            hold_id: command.hold_id,
            amount: command.amount,
            receipt: command.receipt.clone(),
        })])
    }

    /// What these events leave available for the courts, which follows them. The oldest order takes first.
    pub(super) fn taken_by_courts(&self, events: &[BusinessEvent]) -> Vec<BusinessEvent> {
        let Some(last) = events.last() else {
            return vec![];
        };
        if self.holds.iter().all(|hold| hold.missing() == Cents::ZERO) {
            return vec![];
        }
        let mut after = self.clone();
        events.iter().for_each(|event| after.apply(event));
        let mut available = after.accounts.available;
        let mut taken = vec![];
        for hold in &after.holds {
            let amount = hold.missing().min(available);
            if amount <= Cents::ZERO {
                continue;
            }
            available = available.saturating_sub(amount);
            taken.push(BusinessEvent::from(HoldRaised {
                occurred_at: last.occurred_at(),
                hold_id: hold.hold_id,
                amount,
            }));
        }
        taken
    }

    /// The hold, or the one on sales, of which the state has only the amount.
    fn open_hold(&self, hold_id: HoldId) -> Result<Hold, HoldRefusal> {
        if hold_id == HoldId::COMPANY && self.held_for_sales != Cents::ZERO {
            return Ok(Hold {
                hold_id,
                kind: HoldKind::Company,
                amount: self.held_for_sales,
                order: None,
            });
        }
        self.hold(hold_id).cloned().ok_or(HoldRefusal::Unknown(hold_id))
    }

    fn must_be_new_order(&self, order: &CourtOrder) -> Result<(), Refusal> {
        let CourtOrder {
            case_number,
            court,
            ordered,
        } = order;
        if case_number.trim().is_empty() || court.trim().is_empty() {
            return Err(HoldRefusal::CourtOrderIncomplete.into());
        }
        must_be_in_range(*ordered)?;
        let same = |known: &&Hold| {
            let order = known.order.as_ref();
            order.is_some_and(|order| order.case_number == *case_number && order.court == *court)
        };
        match self.holds.iter().find(same) {
            Some(known) => Err(HoldRefusal::CourtOrderKnown(known.hold_id).into()),
            None => Ok(()),
        }
    }
}

impl Hold {
    fn must_hold(&self, asked: Cents) -> Result<(), HoldRefusal> {
        if asked > self.amount {
            let held = self.amount;
            return Err(HoldRefusal::AboveHeld { held, asked });
        }
        Ok(())
    }
}
