//! The open holds that decisions read, and how each event changes them.
//!
//! All of them together are `held_by_staff`, with `held_for_sales` for the hold on sales of a company that was not active.

use serde::{Deserialize, Serialize};

use super::{Business, Sale};
use crate::business::event::{
    AmountHeld, AmountReleased, BalanceEvent, CourtPaid, HoldPlaced, HoldRaised, HoldReleased,
    ReserveReleased,
};
use crate::business::held::HOLD_REASON;
use crate::hold::{CourtOrder, HoldKind};
use crate::{Cents, HoldId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub hold_id: HoldId,
    pub kind: HoldKind,
    pub amount: Cents,
    /// `ordered` is what the court wants of the balance from now on: what is held, and what is still missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<CourtOrder>,
}

impl Hold {
    /// What a court ordered and is not held yet.
    pub fn missing(&self) -> Cents {
        self.order.as_ref().map_or(Cents::ZERO, |order| {
            order.ordered.saturating_sub(self.amount).max(Cents::ZERO)
        })
    }

    /// After a release a court takes no more credits: it would take back what it released.
    fn release(&mut self, amount: Cents) {
        self.amount = self.amount.saturating_sub(amount);
        if let Some(order) = &mut self.order {
            order.ordered = self.amount;
        }
    }

    /// A court that got a part waits for the rest.
    fn pay(&mut self, amount: Cents) {
        self.amount = self.amount.saturating_sub(amount);
        if let Some(order) = &mut self.order {
            order.ordered = order.ordered.saturating_sub(amount);
        }
    }
}

impl Business {
    /// The open hold of that id.
    pub fn hold(&self, hold_id: HoldId) -> Option<&Hold> {
        self.holds.iter().find(|hold| hold.hold_id == hold_id)
    }

    pub(super) fn apply_to_balance(&mut self, event: &BalanceEvent) {
        match event {
            BalanceEvent::AmountHeld(event) => self.add_held(event),
            BalanceEvent::AmountReleased(event) => self.subtract_released(event),
            BalanceEvent::HoldPlaced(event) => self.add_hold(event),
            BalanceEvent::HoldRaised(HoldRaised { hold_id, amount, .. }) => {
                self.change_hold_state(*hold_id, |hold| hold.amount = hold.amount.saturating_add(*amount));
            }
            BalanceEvent::HoldReleased(event) => self.subtract_release(event),
            BalanceEvent::CourtPaid(CourtPaid { hold_id, amount, .. }) => {
                self.change_hold_state(*hold_id, |hold| hold.pay(*amount));
                self.holds.retain(|hold| {
                    hold.hold_id != *hold_id || hold.amount != Cents::ZERO || hold.missing() != Cents::ZERO
                });
            }
            BalanceEvent::ReserveReleased(event) => self.subtract_reserve(event),
            BalanceEvent::HoldChanged(_) | BalanceEvent::DebtWrittenOff(_) => {}
        }
    }

    pub(super) fn add_reserve(&mut self, amount: Cents) {
        self.add_to_platforms_hold(HoldId::RESERVE, HoldKind::Reserve, amount);
    }

    fn subtract_reserve(&mut self, event: &ReserveReleased) {
        self.release_from_hold(HoldId::RESERVE, event.total);
        for released in &event.released {
            self.change_sale(released.sale_id, |sale| {
                sale.release_reserved(released.number, released.amount);
            });
        }
    }

    /// The reason tells a hold on sales from a hold that staff placed before holds had ids.
    fn add_held(&mut self, event: &AmountHeld) {
        if event.reason == HOLD_REASON {
            self.held_for_sales = self.held_for_sales.saturating_add(event.amount);
            return;
        }
        self.add_to_platforms_hold(HoldId::EARLIER, HoldKind::Analysis, event.amount);
    }

    /// Adds to a hold that has the same id in every business.
    fn add_to_platforms_hold(&mut self, hold_id: HoldId, kind: HoldKind, amount: Cents) {
        if amount == Cents::ZERO {
            return;
        }
        if self.hold(hold_id).is_none() {
            self.holds.push(Hold {
                hold_id,
                kind,
                amount: Cents::ZERO,
                order: None,
            });
        }
        self.change_hold_state(hold_id, |hold| hold.amount = hold.amount.saturating_add(amount));
    }

    /// It takes from the hold on sales first. So an approval never releases what staff hold for another reason; at worst
    /// some money of a sale stays held.
    fn subtract_released(&mut self, event: &AmountReleased) {
        let of_sales = event.amount.min(self.held_for_sales);
        self.held_for_sales = self.held_for_sales.saturating_sub(of_sales);
        self.release_from_hold(HoldId::EARLIER, event.amount.saturating_sub(of_sales));
        for sale_id in &event.sales {
            self.change_sale(*sale_id, Sale::end_hold);
        }
    }

    fn add_hold(&mut self, event: &HoldPlaced) {
        self.holds.push(Hold {
            hold_id: event.hold_id,
            kind: event.kind,
            amount: event.amount,
            order: event.order.clone(),
        });
    }

    /// The release of all that is held ends the hold, whatever a court ordered beyond it.
    fn subtract_release(&mut self, event: &HoldReleased) {
        if event.hold_id == HoldId::COMPANY {
            self.held_for_sales = self.held_for_sales.saturating_sub(event.amount);
        } else {
            self.release_from_hold(event.hold_id, event.amount);
        }
    }

    fn release_from_hold(&mut self, hold_id: HoldId, amount: Cents) {
        self.change_hold_state(hold_id, |hold| hold.release(amount));
        self.holds
            .retain(|hold| hold.hold_id != hold_id || hold.amount != Cents::ZERO);
    }

    fn change_hold_state(&mut self, hold_id: HoldId, change: impl FnOnce(&mut Hold)) {
        if let Some(hold) = self.holds.iter_mut().find(|hold| hold.hold_id == hold_id) {
            change(hold);
        }
    }
}
