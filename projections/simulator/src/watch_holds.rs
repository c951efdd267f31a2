//! Invariants of the holds that staff and courts place, checked for each event as it is recorded.

use std::collections::BTreeMap;

use ledger_domain::business::BalanceEvent;
use ledger_domain::{BusinessId, HoldId};

use crate::Checked;
use crate::reserve::WatchedReserve;
use crate::watch::ensure;

/// The open holds of all businesses, without those on sales.
#[derive(Debug, Default)]
pub struct WatchedHolds {
    open: BTreeMap<(BusinessId, HoldId), WatchedHold>,
    /// What courts hold of each business.
    by_courts: BTreeMap<BusinessId, i64>,
    /// What courts were paid.
    paid: BTreeMap<BusinessId, i64>,
    pub reserve: WatchedReserve,
}

#[derive(Debug, Clone, Copy)]
pub struct WatchedHold {
    pub amount: i64,
    /// What a court wants to be held; `None` for other holds.
    pub ordered: Option<i64>,
}

impl WatchedHolds {
    pub fn of(&self, business: BusinessId) -> Vec<(HoldId, WatchedHold)> {
        let own = self.open.iter().filter(|((owner, _), _)| *owner == business);
        own.map(|((_, id), hold)| (*id, *hold)).collect()
    }

    pub fn taken_by_courts(&self, business: BusinessId) -> i64 {
        self.by_courts.get(&business).copied().unwrap_or(0)
    }

    pub fn paid_to_courts(&self, business: BusinessId) -> i64 {
        self.paid.get(&business).copied().unwrap_or(0)
    }

    /// Between two commands, nothing is available while a court waits for money.
    pub fn check_courts(&self, business: BusinessId, available: i64) -> Checked {
        let waits =
            |(_, hold): &(HoldId, WatchedHold)| hold.ordered.is_some_and(|ordered| ordered > hold.amount);
        ensure(available <= 0 || !self.of(business).iter().any(waits), || {
            format!("{available} is available although a court waits")
        })
    }

    /// `available` is the balance before the event.
    pub fn check(&mut self, business: BusinessId, event: &BalanceEvent, available: i64) -> Checked {
        match event {
            BalanceEvent::HoldPlaced(event) => {
                let (amount, ordered) = (
                    event.amount.get(),
                    event.order.as_ref().map(|order| order.ordered.get()),
                );
                if let Some(ordered) = ordered {
                    ensure(amount == available.clamp(0, ordered), || {
                        format!("a court takes {amount} of {available}, ordered {ordered}")
                    })?;
                    self.court_takes(business, amount);
                }
                let again = self
                    .open
                    .insert((business, event.hold_id), WatchedHold { amount, ordered });
                ensure(again.is_none(), || "placed a second time".to_owned())
            }
            BalanceEvent::HoldRaised(event) => {
                let amount = event.amount.get();
                let hold = self.known(business, event.hold_id)?;
                let missing = hold.ordered.unwrap_or(0) - hold.amount;
                hold.amount += amount;
                ensure(0 < amount && amount <= missing.min(available), || {
                    format!("a court takes {amount} of {available}, and {missing} is missing")
                })?;
                self.court_takes(business, amount);
                Ok(())
            }
            BalanceEvent::HoldReleased(event) if event.hold_id == HoldId::COMPANY => Ok(()),
            BalanceEvent::HoldReleased(event) => {
                let hold = self.take(business, event.hold_id, event.amount.get())?;
                hold.ordered = hold.ordered.map(|_| hold.amount);
                self.forget_if_ended(business, event.hold_id);
                Ok(())
            }
            BalanceEvent::CourtPaid(event) => {
                let hold = self.take(business, event.hold_id, event.amount.get())?;
                hold.ordered = hold.ordered.map(|ordered| ordered - event.amount.get());
                ensure(hold.ordered.is_some(), || "no court ordered the hold".to_owned())?;
                *self.paid.entry(business).or_default() += event.amount.get();
                self.forget_if_ended(business, event.hold_id);
                Ok(())
            }
            BalanceEvent::HoldChanged(event) => self.known(business, event.hold_id).map(drop),
            BalanceEvent::DebtWrittenOff(event) => ensure(available + event.amount.get() <= 0, || {
                format!("writes off {} of a balance of {available}", event.amount)
            }),
            BalanceEvent::ReserveReleased(event) => self.reserve.release(business, event),
            BalanceEvent::AmountHeld(_) | BalanceEvent::AmountReleased(_) => Ok(()),
        }
    }

    fn take(
        &mut self,
        business: BusinessId,
        hold_id: HoldId,
        amount: i64,
    ) -> Result<&mut WatchedHold, String> {
        let hold = self.known(business, hold_id)?;
        let before = hold.amount;
        hold.amount -= amount;
        let by_court = hold.ordered.is_some();
        ensure(before >= amount, || {
            format!("takes {amount} of a hold of {before}")
        })?;
        if by_court {
            self.court_takes(business, -amount);
        }
        self.known(business, hold_id)
    }

    fn court_takes(&mut self, business: BusinessId, amount: i64) {
        *self.by_courts.entry(business).or_default() += amount;
    }

    fn known(&mut self, business: BusinessId, hold_id: HoldId) -> Result<&mut WatchedHold, String> {
        self.open
            .get_mut(&(business, hold_id))
            .ok_or_else(|| format!("{hold_id} is not open"))
    }

    fn forget_if_ended(&mut self, business: BusinessId, hold_id: HoldId) {
        self.open.retain(|(owner, id), hold| {
            (*owner, *id) != (business, hold_id) || hold.amount > 0 || hold.ordered.unwrap_or(0) > 0
        });
    }
}
